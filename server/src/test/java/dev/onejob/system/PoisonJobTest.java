package dev.onejob.system;

import static dev.onejob.system.TwoNodes.awaitJob;
import static dev.onejob.system.TwoNodes.created;
import static dev.onejob.system.TwoNodes.effects;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.onejob.providers.sandbox.SandboxLedger;
import dev.onejob.providers.sandbox.SandboxServer;
import dev.onejob.server.access.ServerMigrations;
import dev.onejob.server.testing.ApiAnswer;
import dev.onejob.server.testing.ApiClient;
import dev.onejob.testkit.PostgresExtension;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.NullNode;

/** Case C59: a job that kills the node that acts on it. */
@Tag("process")
class PoisonJobTest {
  private static final Duration PATIENCE = Duration.ofSeconds(180);

  @RegisterExtension final PostgresExtension postgres = new PostgresExtension();

  @TempDir Path folder;

  /** The program takes its node with it, where the input says so. */
  private static final String SHARED =
      """
      server:
        lease: 4s
        heartbeat: 500ms
        sweep_interval: 200ms
      kinds:
        good: {route: [sandbox-a]}
      """;

  private static final String DEADLY =
      """
        deadly:
          effect: harmless
          route: [killer]
          attempts: 10
          unknown: {after: 300ms, verdict: abandon, then: retry}
          park_after_crashes: 2
      """;

  /**
   * It can be asked, for good jobs are at work on a node as that one dies. And it outlives the
   * node.
   */
  private static final String ASKABLE =
      """
      providers:
        sandbox-a:
          type: sandbox
          status: by-reference
          not_found: final
          evidence_for: 1h
          probe: {first: 200ms, max: 1s}
          url: %s
      """;

  /** It is at work for longer than the node lives that has the deadly job too. */
  private static final String SLOW = "{\"script\":{\"sandbox-a\":{\"answer_after_ms\":3000}}}";

  private static final String KILLER =
      """
        killer:
          type: command
          command: [sh, -c, 'if grep -q poison; then sleep 0.4; kill -9 $PPID; fi; echo 1']
      """;

  private List<String> config(String name, String text) throws IOException {
    Path file = Files.writeString(folder.resolve(name + ".yaml"), text);
    return List.of("--config", file.toString());
  }

  /** A node that is started again whenever it has died. */
  private final class Supervised implements AutoCloseable {
    private final List<String> arguments;
    private final Thread supervisor = Thread.ofVirtual().unstarted(this::superviseIt);
    private volatile NodeProcess node;
    private final AtomicInteger deaths = new AtomicInteger();
    private volatile boolean closed;

    Supervised(List<String> arguments) {
      this.arguments = arguments;
      this.node = started();
      supervisor.start();
    }

    private NodeProcess started() {
      return NodeProcess.start(postgres.url(), folder, "n1", arguments);
    }

    private void superviseIt() {
      while (!closed) {
        await().forever().until(() -> closed || !node.isAlive());
        if (!closed) {
          deaths.incrementAndGet();
          startAgain();
        }
      }
    }

    private void startAgain() {
      while (!closed) {
        try {
          node = started();
          return;
        } catch (AssertionError e) { // it took its job before it said that it is ready
          deaths.incrementAndGet();
        }
      }
    }

    int deaths() {
      return deaths.get();
    }

    NodeProcess node() {
      return node;
    }

    @Override
    public void close() {
      closed = true;
      try {
        supervisor.join();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      node.close();
    }
  }

  @Test
  void c59_a_job_that_kills_its_node_is_parked_after_two_crashes_and_the_others_go_on()
      throws Exception {
    ServerMigrations.migrate(postgres.dataSource());
    try (SandboxServer sandbox = SandboxServer.start(new SandboxLedger(postgres.dataSource()), 0)) {
      itIsParked(ASKABLE.formatted(sandbox.uri()));
    }
  }

  private void itIsParked(String providers) throws Exception {
    try (Supervised first = new Supervised(config("n1", SHARED + DEADLY + providers + KILLER));
        NodeProcess second =
            NodeProcess.start(postgres.url(), folder, "n2", config("n2", SHARED + providers))) {
      String key = first.node().firstKey("client");
      ApiClient client = second.client(key);
      ApiClient operator = second.client(first.node().firstKey("operator"));
      List<String> good = new ArrayList<>();
      for (int i = 0; i < 10; i++) {
        good.add(created(first.node().client(key).submit("beside" + i, "good", SLOW)));
      }
      String poison =
          created(first.node().client(key).submit("p", "deadly", "{\"what\":\"poison\"}"));
      for (int i = 10; i < 50; i++) {
        good.add(created(client.submit("good" + i, "good", "{}")));
      }

      ApiAnswer parked = parked(client, poison, 2);
      ApiAnswer alive = untilItAnswers(first, key, "deadly", "{\"what\":\"food\"}");

      assertThat(first.deaths()).isEqualTo(2);
      assertThat(parked.json().at("/attempts").size()).isEqualTo(2);
      assertThat(parked.at("/attempts/1/failure/code")).isEqualTo("abandon");
      awaitJob(client, alive.at("/id"), "/state", "succeeded");
      for (String id : good) {
        awaitJob(client, id, "/state", "succeeded");
        assertThat(effects(client, id)).isEqualTo(1);
      }
      assertThat(client.get("/v1/jobs/" + good.getFirst()).json().at("/attempts/0/unknown_at"))
          .as("it lost its node")
          .isNotEqualTo(NullNode.getInstance());
      JsonNode item = operator.get("/v1/desk").json().at("/items/0");
      assertThat(item.at("/because").asString()).isEqualTo("decision");
      assertThat(item.at("/job/id").asString()).isEqualTo(poison);
      assertThat(item.at("/attempt/resolutions/0/then").asString()).isEqualTo("wait");
      assertThat(item.at("/attempt/resolutions/0/basis/failure/code").asString())
          .isEqualTo("lease-lapsed");
      assertThat(item.at("/attempt/resolutions/0/reason").asString())
          .contains("2 attempts of this job ended with the loss of what held them")
          .contains("park_after_crashes: 2");
      assertThat(first.node().output()).contains("parked=crashes");

      first.node().client(key).post("/v1/jobs/" + poison + "/attempts", "");
      parked(client, poison, 3);
      assertThat(first.deaths()).isEqualTo(3);
    }
  }

  private static ApiAnswer parked(ApiClient client, String job, int attempts) {
    await()
        .atMost(PATIENCE)
        .pollInterval(Duration.ofMillis(100))
        .untilAsserted(
            () -> {
              ApiAnswer now = client.get("/v1/jobs/" + job);
              assertThat(now.json().at("/attempts").size()).as(now.text()).isEqualTo(attempts);
              assertThat(now.at("/waiting_for")).as(now.text()).isEqualTo("decision");
            });
    return client.get("/v1/jobs/" + job);
  }

  /** The node may be on its way back. */
  private static ApiAnswer untilItAnswers(Supervised first, String key, String kind, String input) {
    return await()
        .atMost(PATIENCE)
        .ignoreExceptions()
        .until(
            () -> first.node().client(key).submit("again", kind, input),
            answer -> answer.status() < 300);
  }
}
