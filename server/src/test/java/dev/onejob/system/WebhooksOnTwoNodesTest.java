package dev.onejob.system;

import static dev.onejob.system.TwoNodes.created;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.onejob.server.testing.ApiAnswer;
import dev.onejob.server.webhooks.Receiver;
import dev.onejob.testkit.PostgresExtension;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** C50, the mirror: a receiver reads each job on arrival, at the other node, and one node dies. */
@Tag("process")
class WebhooksOnTwoNodesTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  @RegisterExtension final PostgresExtension postgres = new PostgresExtension();

  @TempDir Path folder;

  private List<String> arguments() throws IOException {
    Path file =
        Files.writeString(
            folder.resolve("webhooks.yaml"),
            """
            webhooks:
              allowed_networks: [127.0.0.1]
              allow_http: true
            server:
              lease: 3s
              heartbeat: 500ms
            kinds:
              slow: {route: [sandbox-a]}
            providers:
              sandbox-a: {type: sandbox}
            """);
    return List.of("--config", file.toString());
  }

  @Test
  void whoever_ends_the_job_the_receiver_is_told_and_sees_what_it_was_told() throws Exception {
    Map<String, String> seen = new ConcurrentHashMap<>();
    AtomicReference<TwoNodes> reading = new AtomicReference<>();
    try (TwoNodes nodes = new TwoNodes(postgres.url(), folder, arguments());
        Receiver receiver =
            Receiver.answering(
                one -> {
                  String job = one.body().replaceFirst("(?s).*\"id\":\"(job_[^\"]+)\".*", "$1");
                  seen.put(job, reading.get().client2.get("/v1/jobs/" + job).at("/state"));
                  return 204;
                })) {
      reading.set(nodes);
      ApiAnswer made =
          nodes.client1.post(
              "/v1/webhooks", "{\"name\":\"w\",\"url\":\"" + receiver.url("/") + "\"}");
      assertThat(made.status()).isEqualTo(201);
      String first = created(nodes.client1.submit("first", "slow", "{}"));
      await().atMost(PATIENCE).until(() -> seen.containsKey(first));
      String left =
          created(
              nodes.client1.submit(
                  "left", "slow", "{\"script\":{\"sandbox-a\":{\"answer_after_ms\":60000}}}"));
      await().atMost(PATIENCE).until(() -> TwoNodes.requests(nodes.client2, left) == 1);
      nodes.first.kill();
      await().atMost(PATIENCE).until(() -> seen.containsKey(left));

      assertThat(seen).containsEntry(first, "succeeded").containsEntry(left, "unknown");
      assertThat(receiver.received())
          .allSatisfy(one -> assertThat(one.isVerifiedBy(made.at("/secret"))).isTrue());
      assertThat(receiver.received().getLast().body()).contains("\"type\":\"job.in_doubt\"");
    }
  }
}
