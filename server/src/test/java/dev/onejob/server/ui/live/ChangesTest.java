package dev.onejob.server.ui.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.onejob.server.access.ServerMigrations;
import dev.onejob.testkit.PostgresExtension;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class ChangesTest {
  @RegisterExtension static final PostgresExtension POSTGRES = new PostgresExtension();

  @Test
  void what_nodes_count_is_a_change_for_the_overview_and_none_for_lists() throws SQLException {
    ServerMigrations.migrate(POSTGRES.dataSource());
    Changes changes = new Changes(POSTGRES.dataSource());
    write(
        """
        INSERT INTO onejob_server.api_key (id, name, role, owner, secret_sha256)
        VALUES (gen_random_uuid(), 'k', 'client', 'shop', decode(repeat('00', 32), 'hex'))
        """);
    await().atMost(Duration.ofSeconds(60)).until(() -> changes.written().moves() > 0);
    Changes.Written before = changes.written();

    write(
        """
        INSERT INTO onejob_server.tally (minute, node) VALUES (clock_timestamp(), 'one');
        INSERT INTO onejob_server.tally_paid (minute, node, currency, paid)
        VALUES (clock_timestamp(), 'one', 'EUR', 1)
        """);
    await().atMost(Duration.ofSeconds(60)).until(() -> changes.written().all() == before.all() + 2);
    assertThat(changes.written().moves()).isEqualTo(before.moves());
  }

  private static void write(String sql) throws SQLException {
    try (Connection connection = POSTGRES.dataSource().getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
      statement.execute("SELECT pg_stat_force_next_flush()");
    }
  }
}
