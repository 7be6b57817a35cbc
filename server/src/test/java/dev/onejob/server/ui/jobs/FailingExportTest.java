package dev.onejob.server.ui.jobs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.onejob.server.access.Role;
import dev.onejob.server.testing.CsvText;
import dev.onejob.server.testing.UiClient;
import dev.onejob.server.testing.UiNode;
import dev.onejob.server.testing.UiPage;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Exports over a database that is slow, or dies. */
@Timeout(300)
class FailingExportTest {
  @RegisterExtension static final UiNode NODE = new UiNode();

  @BeforeAll
  static void fillThreeReads() throws SQLException {
    Exported.fill(NODE, "large", 3 * JobsExport.READ_MAX, "k");
  }

  @Test
  void a_database_that_is_too_slow_in_the_middle_leaves_no_file() throws SQLException {
    Exported.fill(NODE, "stuck", 3, "k");
    UiClient person = NODE.person(Role.CLIENT, "stuck");
    try (Connection connection = NODE.dataSource().getConnection();
        Statement statement = connection.createStatement()) {
      connection.setAutoCommit(false);
      statement.execute("LOCK TABLE onejob.attempt IN ACCESS EXCLUSIVE MODE");

      assertNoFile(person.get("/ui/jobs.csv"));
      connection.rollback();
    }
    assertThat(Exported.ids(person.get("/ui/jobs.csv"))).hasSize(3);
  }

  @Test
  void a_database_that_dies_while_it_is_read_leaves_no_file() throws Exception {
    Exported.fill(NODE, "killed", 3, "k");
    UiClient person = NODE.person(Role.CLIENT, "killed");
    try (Connection connection = NODE.dataSource().getConnection();
        Statement statement = connection.createStatement()) {
      connection.setAutoCommit(false);
      statement.execute("LOCK TABLE onejob.attempt IN ACCESS EXCLUSIVE MODE");
      AtomicBoolean killed = new AtomicBoolean();
      // Asked again where the time of the statement was over before it was killed.
      while (!killed.get()) {
        CompletableFuture<UiPage> asked =
            CompletableFuture.supplyAsync(() -> person.get("/ui/jobs.csv"));
        await()
            .atMost(Duration.ofSeconds(60))
            .pollInterval(Duration.ofMillis(20))
            .until(() -> asked.isDone() || kill(killed));
        assertNoFile(asked.get(60, TimeUnit.SECONDS));
      }
      connection.rollback();
    }
    assertThat(Exported.ids(person.get("/ui/jobs.csv"))).hasSize(3);
  }

  @Test
  void the_death_of_the_database_between_two_reads_is_told_and_gives_the_turn_on()
      throws Exception {
    AtomicInteger lent = new AtomicInteger();
    DataSource dying =
        (DataSource)
            Proxy.newProxyInstance(
                DataSource.class.getClassLoader(),
                new Class<?>[] {DataSource.class},
                (proxy, method, arguments) -> {
                  Connection connection = NODE.dataSource().getConnection();
                  if (lent.incrementAndGet() == 2) {
                    terminate(connection);
                  }
                  return connection;
                });
    JobsExport export = new JobsExport(dying, () -> 0);

    assertThatThrownBy(() -> export.read("large", ALL)).isInstanceOf(SQLException.class);
    assertThat(lent.get()).isEqualTo(2);
    assertThat(export.read("large", ALL).goesOnBefore()).isNull();
  }

  @Test
  void an_export_that_takes_long_ends_and_leads_on() throws Exception {
    AtomicLong seconds = new AtomicLong(); // a read asks when it begins and when it has ended
    JobsExport export =
        new JobsExport(NODE.dataSource(), () -> Duration.ofSeconds(seconds.getAndAdd(5)).toNanos());

    JobsExport.Export first = export.read("large", ALL);

    assertThat(CsvText.read(new String(first.csv(), StandardCharsets.UTF_8)).size())
        .isEqualTo(2 * JobsExport.READ_MAX);
    assertThat(first.goesOnBefore()).isNotNull();
  }

  private static final JobFilters ALL =
      new JobFilters(null, null, null, null, null, null, null, null);

  private static void terminate(Connection connection) throws SQLException {
    try (Statement pid = connection.createStatement();
        ResultSet own = pid.executeQuery("SELECT pg_backend_pid()");
        Connection other = NODE.dataSource().getConnection();
        PreparedStatement end =
            other.prepareStatement("SELECT pg_terminate_backend(?, 30000) AS ended")) {
      own.next();
      end.setInt(1, own.getInt(1));
      try (ResultSet ended = end.executeQuery()) {
        ended.next();
        assertThat(ended.getBoolean("ended")).isTrue();
      }
    }
  }

  private static void assertNoFile(UiPage page) {
    assertThat(page.status()).isEqualTo(503);
    assertThat(page.header("Content-Type")).startsWith("text/html");
    assertThat(page.header("Content-Disposition")).isEmpty();
    assertThat(page.text("main")).contains("database-unavailable");
  }

  /** Whether a page's line to the database was found that reads attempts, and ended. */
  private static boolean kill(AtomicBoolean killed) throws SQLException {
    try (Connection connection = NODE.dataSource().getConnection();
        Statement statement = connection.createStatement();
        ResultSet rows =
            statement.executeQuery(
                """
                SELECT pg_terminate_backend(s.pid)
                  FROM pg_stat_activity AS s
                 WHERE s.datname = current_database()
                   AND s.wait_event_type = 'Lock'
                   AND s.query LIKE 'SELECT w.id, %onejob.attempt%'
                """)) {
      killed.compareAndSet(false, rows.next());
      return killed.get();
    }
  }
}
