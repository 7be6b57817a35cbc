package dev.onejob.system;

import static dev.onejob.system.TwoNodes.awaitJob;
import static dev.onejob.system.TwoNodes.created;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.onejob.domain.JobId;
import dev.onejob.providers.sandbox.SandboxLedger;
import dev.onejob.providers.sandbox.SandboxServer;
import dev.onejob.server.access.ServerMigrations;
import dev.onejob.server.testing.ApiAnswer;
import dev.onejob.server.testing.ApiClient;
import dev.onejob.testkit.FaultyLine;
import dev.onejob.testkit.PostgresExtension;
import dev.onejob.testkit.PostgresProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Whatever happens to the database, a node resumes by itself within 60 s of its recovery. */
@Tag("process")
@EnabledIf(value = "isPostgresInstalled", disabledReason = "PostgreSQL 15 is not installed")
class DatabaseTroubleTest {
  private static final Duration RECOVERY = Duration.ofSeconds(60);

  /** How long packets are swallowed; 90 s when it is asked for. */
  private static final Duration BLACK_HOLE =
      Duration.ofSeconds(Integer.getInteger("onejob.test.black-hole-seconds", 12));

  @RegisterExtension static final PostgresExtension sandboxDatabase = new PostgresExtension();

  @TempDir Path folder;

  private PostgresProcess postgres;
  private SandboxServer sandbox;

  static boolean isPostgresInstalled() {
    return PostgresProcess.isInstalled();
  }

  @BeforeEach
  void startDatabase() throws Exception {
    postgres = PostgresProcess.start(Map.of());
    execute("CREATE DATABASE onejob");
    ServerMigrations.migrate(sandboxDatabase.dataSource());
    sandbox = SandboxServer.start(new SandboxLedger(sandboxDatabase.dataSource()), 0);
  }

  @AfterEach
  void stopDatabase() throws IOException {
    sandbox.close();
    postgres.close();
  }

  private void execute(String sql) throws Exception {
    try (Connection connection = DriverManager.getConnection(postgres.url("postgres"));
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private NodeProcess node(String url) throws IOException {
    Path config =
        Files.writeString(
            folder.resolve("onejob.yaml"),
            """
            kinds:
              work:
                effect: exclusive
                route: [sandbox]
                attempt_timeout: 20s
            providers:
              sandbox:
                type: sandbox
                url: %s
            """
                .formatted(sandbox.uri()));
    return NodeProcess.start(url, folder, "n1", List.of("--config", config.toString()));
  }

  private NodeProcess nodeBy(FaultyLine line) throws IOException {
    return node("jdbc:postgresql://127.0.0.1:" + line.port() + "/onejob?user=postgres");
  }

  private static boolean isReady(ApiClient client) {
    return client.get("/readyz").status() == 200;
  }

  private static void awaitNotReady(ApiClient client) {
    await().atMost(Duration.ofSeconds(60)).until(() -> !isReady(client));
  }

  /** The job that was at work ends with its result, and new ones are taken: all by itself. */
  private static void resumes(ApiClient client, String atWork) {
    await()
        .atMost(RECOVERY)
        .pollInterval(Duration.ofMillis(500))
        .until(() -> isReady(client) && client.submit("after", "work", "{}").status() < 300);
    for (String job : List.of(atWork, client.submit("after", "work", "{}").at("/id"))) {
      assertThat(awaitJob(client, job, "/state", "succeeded").at("/state")).isEqualTo("succeeded");
      assertThat(effects(job)).as("effects of " + job).isEqualTo(1);
    }
  }

  private static long effects(String job) {
    SandboxLedger ledger = new SandboxLedger(sandboxDatabase.dataSource());
    return ledger.effects(JobId.parse(job).orElseThrow()).effects();
  }

  private String atWork(ApiClient client) throws Exception {
    assertThat(isReady(client)).isTrue();
    String id =
        created(
            client.submit(
                "before", "work", "{\"script\":{\"sandbox\":{\"answer_after_ms\":3000}}}"));
    awaitJob(client, id, "/state", "running");
    return id;
  }

  @Test
  void connections_that_are_cut_cost_nothing() throws Exception {
    try (FaultyLine line = new FaultyLine(postgres.port());
        NodeProcess node = nodeBy(line)) {
      ApiClient client = node.client(node.firstKey("client"));
      String atWork = atWork(client);

      line.cut();

      resumes(client, atWork);
    }
  }

  @Test
  void a_server_that_crashes_and_comes_back_is_found_again() throws Exception {
    try (FaultyLine line = new FaultyLine(postgres.port());
        NodeProcess node = nodeBy(line)) {
      ApiClient client = node.client(node.firstKey("client"));
      String atWork = atWork(client);

      postgres.crash();
      awaitNotReady(client);
      ApiAnswer refused = client.submit("during", "work", "{}");
      postgres.start();

      assertThat(refused.code()).isEqualTo("database-unavailable");
      resumes(client, atWork);
    }
  }

  @Test
  void packets_that_vanish_without_a_sign_hold_nobody_for_ever() throws Exception {
    try (FaultyLine line = new FaultyLine(postgres.port());
        NodeProcess node = nodeBy(line)) {
      ApiClient client = node.client(node.firstKey("client"));
      String atWork = atWork(client);

      line.swallow();
      awaitNotReady(client);
      await()
          .pollDelay(BLACK_HOLE)
          .atMost(BLACK_HOLE.plusSeconds(60))
          .until(() -> !isReady(client));
      line.restore();

      resumes(client, atWork);
    }
  }

  @Test
  void a_pool_that_is_used_up_is_told_and_comes_free_again() throws Exception {
    try (FaultyLine line = new FaultyLine(postgres.port());
        NodeProcess node = nodeBy(line);
        Connection other = DriverManager.getConnection(postgres.url("onejob"));
        Statement statement = other.createStatement()) {
      ApiClient client = node.client(node.firstKey("client"));
      String atWork = atWork(client);

      other.setAutoCommit(false);
      statement.execute("LOCK TABLE onejob.job IN ACCESS EXCLUSIVE MODE");
      List<Thread> readers = new ArrayList<>();
      for (int i = 0; i < 40; i++) {
        readers.add(Thread.startVirtualThread(() -> client.get("/v1/jobs/" + atWork)));
      }
      awaitNotReady(client);
      other.rollback();

      resumes(client, atWork);
      for (Thread reader : readers) {
        reader.join();
      }
    }
  }

  @Test
  void a_promoted_replica_is_found_by_itself_and_no_acknowledged_job_is_lost() throws Exception {
    try (PostgresProcess replica = postgres.replica()) {
      execute("ALTER SYSTEM SET synchronous_standby_names = '*'");
      execute("SELECT pg_reload_conf()");
      String both = "127.0.0.1:" + postgres.port() + ",127.0.0.1:" + replica.port();
      String url = "jdbc:postgresql://" + both + "/onejob?user=postgres&targetServerType=primary";
      try (NodeProcess node = node(url)) {
        ApiClient client = node.client(node.firstKey("client"));
        List<String> acknowledged = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
          acknowledged.add(created(client.submit("key-" + i, "work", "{}")));
        }
        String atWork = atWork(client);

        postgres.crash();
        awaitNotReady(client);
        replica.promote();

        resumes(client, atWork);
        for (String job : acknowledged) {
          awaitJob(client, job, "/state", "succeeded");
        }
      }
    }
  }
}
