package dev.onejob.system;

import static dev.onejob.system.TwoNodes.awaitJob;
import static dev.onejob.system.TwoNodes.created;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.onejob.providers.httpasync.Peer;
import dev.onejob.server.testing.ApiAnswer;
import dev.onejob.server.testing.ApiClient;
import dev.onejob.testkit.PostgresExtension;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * A node is killed between the acceptance of its work by the provider and its own record of it: the
 * callback brings the id, or the end, and nobody has to decide.
 */
@Tag("process")
class CallbackAfterKillTest {
  private static final Map<String, String> SECRETS =
      Map.of("PEER_SECRET", "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw");

  @RegisterExtension final PostgresExtension postgres = new PostgresExtension();

  @TempDir Path folder;

  private Path config(String name, Peer peer, String publicUrl) throws IOException {
    return Files.writeString(
        folder.resolve(name + ".yaml"),
        """
        server:
          lease: 3s
          heartbeat: 500ms
          sweep_interval: 200ms
        %s
        kinds:
          once: {effect: exclusive, route: [images], attempt_timeout: 10m}
        providers:
          images:
            type: http-async
            profile: replicate
            model: owner/name
            base_url: %s/v1
            callback: {signature: {secret_env: PEER_SECRET}}
            probe: {first: 200ms, max: 1s, timeout: 5s}
        """
            .formatted(publicUrl, peer.uri()));
  }

  @Test
  void what_the_killed_node_never_knew_is_told_by_the_callback_and_done_once() throws Exception {
    try (Peer peer = Peer.replicate();
        NodeProcess called =
            NodeProcess.start(
                postgres.url(),
                folder,
                "n2",
                List.of("--config", config("called", peer, "").toString()),
                SECRETS)) {
      String door = "  public_url: " + called.uri();
      try (NodeProcess starting =
          NodeProcess.start(
              postgres.url(),
              folder,
              "n1",
              List.of("--config", config("starting", peer, door).toString()),
              SECRETS)) {
        told(peer, starting, called);
      }
    }
  }

  private static void told(Peer peer, NodeProcess starting, NodeProcess called) throws Exception {
    String key = called.firstKey("client");
    peer.submits(new Peer.Submit.Silence()); // it acts, and the answer never comes
    String ended = created(starting.client(key).submit("k1", "once", "{\"n\":1}"));
    Peer.Work first = peer.next();
    String begun = created(starting.client(key).submit("k2", "once", "{\"n\":2}"));
    Peer.Work second = peer.next();
    starting.kill();
    ApiClient client = called.client(key);
    awaitJob(client, ended, "/state", "unknown");
    awaitJob(client, begun, "/state", "unknown");

    // One has ended and says so; the other has begun, says so, and is asked from then on.
    peer.succeed(first, "[\"one\"]");
    assertThat(peer.callBack(first)).isEqualTo(200);
    peer.end(second, Peer.State.RUNNING, "");
    assertThat(peer.callBack(second)).isEqualTo(200);
    awaitJob(client, begun, "/state", "running");
    peer.succeed(second, "[\"two\"]");

    ApiAnswer one = awaitJob(client, ended, "/state", "succeeded");
    ApiAnswer two = awaitJob(client, begun, "/state", "succeeded");
    happenedOnce(one, first, "one");
    happenedOnce(two, second, "two");
    // From the callback the id of the work is known, so a look at it may come first by a hair.
    assertThat(one.at("/attempts/0/evidence/0/source")).isIn("callback", "lookup");
    assertThat(peer.submits()).isEqualTo(2);
    assertThat(peer.effects()).isEqualTo(2);
    await().atMost(Duration.ofSeconds(60)).until(() -> peer.callBack(second) == 200);
    assertThat(client.get("/v1/jobs/" + begun).json().at("/contested").asBoolean()).isFalse();
    assertThat(called.output())
        .doesNotContainPattern("/v1/callbacks/attempts/att_[0-9A-Z]+/[A-Za-z0-9_-]");
  }

  private static void happenedOnce(ApiAnswer job, Peer.Work work, String result) {
    assertThat(job.at("/result/0")).isEqualTo(result);
    assertThat(job.json().at("/attempts").size()).isEqualTo(1);
    assertThat(job.at("/attempts/0/provider_ref")).isEqualTo(work.id());
    assertThat(job.at("/attempts/0/node")).isEqualTo("n1");
    assertThat(job.json().at("/attempts/0/resolutions").size()).isZero();
  }
}
