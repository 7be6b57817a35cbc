package dev.onejob.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.onejob.domain.IntentKey;
import dev.onejob.domain.JobEvent;
import dev.onejob.domain.JobId;
import dev.onejob.domain.Owner;
import dev.onejob.testkit.PostgresExtension;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Keys for requests without one. */
class DerivedKeysTest {
  private static final Duration WINDOW = Duration.ofHours(1);
  private static final Owner OWNER = StoreFixture.OWNER;

  @RegisterExtension final PostgresExtension postgres = new PostgresExtension();

  private final AtomicInteger made = new AtomicInteger();
  private StoreFixture store;
  private DerivedKeys keys;

  @BeforeEach
  void open() {
    Migrations.migrate(postgres.dataSource());
    store = new StoreFixture(postgres.dataSource());
    keys = new DerivedKeys(postgres.dataSource());
  }

  private String key(Owner owner, int request) {
    byte[] digest = new byte[32];
    Arrays.fill(digest, (byte) request);
    IntentKey fresh = new IntentKey("fresh-" + made.incrementAndGet());
    return keys.of(owner, digest, fresh, WINDOW).value();
  }

  private void execute(String sql, Object... values) throws SQLException {
    try (Connection connection = postgres.dataSource().getConnection();
        PreparedStatement statement = connection.prepareStatement(sql)) {
      for (int i = 0; i < values.length; i++) {
        statement.setObject(i + 1, values[i]);
      }
      assertThat(statement.executeUpdate()).isPositive();
    }
  }

  private int rows() throws SQLException {
    try (Connection connection = postgres.dataSource().getConnection();
        PreparedStatement statement =
            connection.prepareStatement("SELECT count(*) FROM onejob.derived_key");
        ResultSet row = statement.executeQuery()) {
      row.next();
      return row.getInt(1);
    }
  }

  private JobId ended(String key) {
    JobId job = store.admit(key, StoreFixture.PLAIN);
    store.moves.move(MoveRequest.of(job, new JobEvent.CancelRequest()));
    return job;
  }

  private void endedBefore(JobId job, String interval) throws SQLException {
    execute(
        "UPDATE onejob.job SET ended_at = clock_timestamp() - ?::interval WHERE id = ?",
        interval,
        job.uuid());
  }

  @Test
  void the_same_request_of_an_owner_keeps_its_key_while_there_is_no_job_yet() {
    String key = key(OWNER, 1);
    assertThat(key(OWNER, 1)).isEqualTo(key);
    assertThat(key(OWNER, 2)).isNotEqualTo(key);
    assertThat(key(new Owner("another"), 1)).isNotEqualTo(key);
  }

  @Test
  void a_job_that_is_not_over_keeps_the_key_however_old_it_is() throws SQLException {
    String key = key(OWNER, 1);
    store.admit(key, StoreFixture.PLAIN);
    execute("UPDATE onejob.derived_key SET used_at = used_at - interval '30 days'");
    assertThat(key(OWNER, 2)).isNotEqualTo(key);
    assertThat(key(OWNER, 1)).isEqualTo(key);
  }

  @Test
  void the_window_begins_with_the_end_of_the_job_and_not_with_the_request() throws SQLException {
    String key = key(OWNER, 1);
    JobId job = ended(key);
    execute("UPDATE onejob.derived_key SET used_at = used_at - interval '30 days'");
    endedBefore(job, "59 minutes");
    assertThat(key(OWNER, 1)).isEqualTo(key);
    endedBefore(job, "61 minutes");
    String next = key(OWNER, 1);
    assertThat(next).isNotEqualTo(key);
    assertThat(key(OWNER, 1)).isEqualTo(next);
  }

  @Test
  void who_asks_at_the_same_moment_gets_one_key_also_when_the_old_one_is_over() throws Exception {
    endedBefore(ended(key(OWNER, 1)), "2 hours");
    List<Callable<String>> callers = new ArrayList<>();
    for (int i = 0; i < 16; i++) {
      callers.add(() -> key(OWNER, 1));
    }
    List<String> found = new ArrayList<>();
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (Future<String> each : threads.invokeAll(callers)) {
        found.add(each.get());
      }
    }
    assertThat(Set.copyOf(found)).hasSize(1).doesNotContain("fresh-1");
  }

  @Test
  void keys_that_nobody_needs_any_more_are_swept_out() throws SQLException {
    endedBefore(ended(key(OWNER, 1)), "2 hours");
    ended(key(OWNER, 2));
    key(OWNER, 3);
    execute("UPDATE onejob.derived_key SET used_at = used_at - interval '3 hours'");
    key(OWNER, 4);
    // 1 is over, 3 never had a job; 2 has just ended.
    assertThat(rows()).isEqualTo(2);
  }
}
