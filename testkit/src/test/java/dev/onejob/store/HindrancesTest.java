package dev.onejob.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.onejob.store.Hindrances.Neglected;
import dev.onejob.testkit.PostgresExtension;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What keeps jobs from their turn although nothing is broken. */
class HindrancesTest {
  private static final Duration AT_ONCE = Duration.ZERO;

  @RegisterExtension final PostgresExtension postgres = new PostgresExtension();

  private Hindrances hindrances;

  @BeforeEach
  void admit() {
    StoreFixture store = new StoreFixture(postgres.dataSource());
    store.admit("1", StoreFixture.PLAIN);
    store.admit("2", StoreFixture.PLAIN);
    hindrances = new Hindrances(postgres.dataSource());
  }

  @Test
  void due_jobs_of_a_kind_or_at_a_first_provider_that_is_not_known_are_found_once_for_both() {
    Neglected lane = new Neglected("test", StoreFixture.PRIMARY);

    assertThat(hindrances.neglected(List.of("other"), List.of(StoreFixture.PRIMARY), AT_ONCE))
        .containsExactly(lane);
    assertThat(hindrances.neglected(List.of("test"), List.of(StoreFixture.FALLBACK), AT_ONCE))
        .containsExactly(lane);
  }

  @Test
  void what_is_known_and_what_has_just_come_due_is_not_neglected() {
    assertThat(hindrances.neglected(List.of("test"), List.of(StoreFixture.PRIMARY), AT_ONCE))
        .isEmpty();
    assertThat(hindrances.neglected(List.of(), List.of(), Duration.ofHours(1))).isEmpty();
  }

  @Test
  void the_oldest_open_transaction_that_holds_something_back_is_named_until_it_ends()
      throws Exception {
    try (Connection analyst = postgres.dataSource().getConnection();
        Statement statement = analyst.createStatement()) {
      analyst.setAutoCommit(false);
      analyst.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
      statement.execute("SET application_name = 'report'");
      statement.execute("SELECT count(*) FROM onejob.job");

      assertThat(hindrances.oldestTransaction())
          .hasValueSatisfying(
              open -> {
                assertThat(open.application()).isEqualTo("report");
                assertThat(open.state()).isEqualTo("idle in transaction");
                assertThat(open.age()).isPositive();
              });
      analyst.rollback();
    }
    assertThat(hindrances.oldestTransaction()).isEmpty();
  }
}
