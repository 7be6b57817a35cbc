package dev.onejob.system;

import static dev.onejob.system.TwoNodes.awaitJob;
import static dev.onejob.system.TwoNodes.created;
import static dev.onejob.system.TwoNodes.effects;
import static dev.onejob.system.TwoNodes.requests;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.onejob.server.testing.ApiAnswer;
import dev.onejob.server.testing.ApiClient;
import dev.onejob.testkit.PostgresExtension;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * C50, callbacks before and after their time: the provider calls the other node than the one that
 * waits for its answer.
 */
@Tag("process")
class CallbacksOnTwoNodesTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private static final int TRIES = 10;

  @RegisterExtension final PostgresExtension postgres = new PostgresExtension();

  @TempDir Path folder;

  /** What happens between two nodes: one that starts the attempts, one that is called back. */
  private interface Body {
    void run(ApiClient starter, ApiClient called, NodeProcess starting, NodeProcess calledBack)
        throws Exception;
  }

  private void onTwoNodes(String calledNodesDatabase, Body body) throws Exception {
    List<String> plain = List.of("--config", config("called", "").toString());
    try (NodeProcess called = NodeProcess.start(calledNodesDatabase, folder, "n2", plain)) {
      Path config = config("starting", "  public_url: " + called.uri());
      List<String> withAddress = List.of("--config", config.toString());
      try (NodeProcess starting = NodeProcess.start(postgres.url(), folder, "n1", withAddress)) {
        String key = called.firstKey("client");
        body.run(starting.client(key), called.client(key), starting, called);
      }
    }
  }

  private Path config(String name, String publicUrl) throws IOException {
    return Files.writeString(
        folder.resolve(name + ".yaml"),
        """
        server:
          poll_interval: 10m
        %s
        kinds:
          once: {effect: exclusive, route: [p], attempt_timeout: 1m, attempts: 1}
        providers:
          p: {type: sandbox}
        """
            .formatted(publicUrl));
  }

  private static String input(String step) {
    return "{\"script\":{\"p\":" + step + "}}";
  }

  private static void happenedOnce(ApiClient client, ApiAnswer job, int value) {
    assertThat(job.json().at("/result/n").asInt()).isEqualTo(value);
    assertThat(job.json().at("/attempts").size()).isEqualTo(1);
    assertThat(job.at("/attempts/0/state")).isEqualTo("succeeded");
    assertThat(job.json().at("/contested").asBoolean()).isFalse();
    assertThat(effects(client, job.at("/id"))).isEqualTo(1);
    assertThat(requests(client, job.at("/id"))).isEqualTo(1);
  }

  private static long times(NodeProcess node, String text) {
    return node.output().lines().filter(line -> line.contains(text)).count();
  }

  @Test
  void fifty_ms_before_the_answer_it_completes_the_job_once_and_the_answer_changes_nothing()
      throws Exception {
    onTwoNodes(
        postgres.url(),
        (starter, called, starting, calledBack) -> {
          String early =
              """
              {"effect_after_ms":100,"answer_after_ms":550,"value":{"n":1},
               "callback":{"after_ms":500}}
              """;
          // On a busy machine 50 ms may pass before the callback is read: then the answer was
          // first.
          for (int i = 0; i < TRIES && times(calledBack, "by callback: Moved") == 0; i++) {
            String id = created(starter.submit("k" + i, "once", input(early)));

            ApiAnswer won = awaitJob(called, id, "/state", "succeeded");
            ApiAnswer later = starter.get("/v1/jobs/" + id + "?wait=1");
            await().pollDelay(Duration.ofSeconds(1)).atMost(PATIENCE).until(() -> true);

            happenedOnce(called, won, 1);
            assertThat(won.at("/attempts/0/node")).isEqualTo("n1");
            assertThat(starter.get("/v1/jobs/" + id).text()).isEqualTo(won.text());
            assertThat(later.at("/state")).isEqualTo("succeeded");
          }
          assertThat(times(calledBack, "by callback: Moved")).isEqualTo(1);
        });
  }

  @Test
  void while_the_attempt_is_still_starting_it_completes_the_job_although_no_answer_ever_comes()
      throws Exception {
    onTwoNodes(
        postgres.url(),
        (starter, called, starting, calledBack) -> {
          String atOnce =
              """
              {"outcome":"hang","effect_after_ms":0,"value":{"n":2},"callback":{"after_ms":20}}
              """;
          String id = created(starter.submit("k", "once", input(atOnce)));

          ApiAnswer won = awaitJob(starter, id, "/state", "succeeded");

          happenedOnce(called, won, 2);
          assertThat(won.json().at("/attempts/0/accepted_at").isNull()).isTrue();
          assertThat(won.json().at("/attempts/0/unknown_at").isNull()).isTrue();
          assertThat(won.json().at("/attempts/0/evidence").size()).isZero();
        });
  }

  @Test
  void long_after_the_timeout_it_ends_the_doubt_by_proof_and_said_again_it_changes_nothing()
      throws Exception {
    onTwoNodes(
        postgres.url(),
        (starter, called, starting, calledBack) -> {
          String late =
              """
              {"outcome":"drop_after","value":{"n":3},"callback":{"after_ms":4000,"times":3}}
              """;
          String id = created(starter.submit("k", "once", input(late)));
          awaitJob(called, id, "/state", "unknown");

          ApiAnswer ended = awaitJob(called, id, "/state", "succeeded");
          await().atMost(PATIENCE).until(() -> times(calledBack, "by callback: Repeated") == 2);

          happenedOnce(called, ended, 3);
          assertThat(ended.json().at("/attempts/0/unknown_at").isNull()).isFalse();
          assertThat(ended.json().at("/attempts/0/evidence").size()).isEqualTo(1);
          assertThat(ended.at("/attempts/0/evidence/0/source")).isEqualTo("callback");
          assertThat(ended.at("/attempts/0/evidence/0/strength")).isEqualTo("proof");
          assertThat(called.get("/v1/jobs/" + id).text()).isEqualTo(ended.text());
        });
  }

  @Test
  void one_that_contradicts_the_end_is_kept_and_the_job_is_contested() throws Exception {
    onTwoNodes(
        postgres.url(),
        (starter, called, starting, calledBack) -> {
          String moody =
              """
              {"outcome":"refuse","effect_after_ms":500,"value":{"n":4},"callback":{"after_ms":700}}
              """;
          String id = created(starter.submit("k", "once", input(moody)));
          awaitJob(called, id, "/state", "failed");

          ApiAnswer contested = awaitJob(called, id, "/contested", "true");

          assertThat(contested.at("/state")).isEqualTo("failed");
          assertThat(contested.at("/attempts/0/state")).isEqualTo("failed");
          assertThat(contested.at("/attempts/0/evidence/0/says"))
              .isEqualTo("succeeded, ended as failed; the job is contested");
          assertThat(contested.at("/attempts/0/evidence/0/source")).isEqualTo("callback");
        });
  }

  @Test
  void while_the_called_node_has_no_database_it_is_sent_again_and_none_of_the_secret_is_logged()
      throws Exception {
    try (DatabaseProxy proxy = new DatabaseProxy(postgres.url())) {
      onTwoNodes(
          proxy.url(),
          (starter, called, starting, calledBack) -> {
            proxy.loseCommitAnswer("INSERT INTO onejob.evidence");
            String late =
                """
                {"outcome":"drop_after","value":{"n":5},"callback":{"after_ms":2000}}
                """;
            String id = created(starter.submit("k", "once", input(late)));
            proxy.awaitLost();

            ApiAnswer ended = awaitJob(starter, id, "/state", "succeeded");
            await().atMost(PATIENCE).until(() -> times(calledBack, "by callback: Repeated") == 1);

            happenedOnce(starter, ended, 5);
            assertThat(ended.json().at("/attempts/0/evidence").size()).isEqualTo(1);
            assertThat(calledBack.output())
                .contains(
                    "POST /v1/callbacks/attempts/"
                        + ended.at("/attempts/0/id")
                        + "/…: the database does not answer");
            assertThat(calledBack.output() + starting.output())
                .doesNotContainPattern("/v1/callbacks/attempts/att_[0-9A-Z]+/[A-Za-z0-9_-]");
          });
    }
  }
}
