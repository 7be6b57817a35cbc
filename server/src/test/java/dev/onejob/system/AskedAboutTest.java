package dev.onejob.system;

import static dev.onejob.system.TwoNodes.awaitJob;
import static dev.onejob.system.TwoNodes.created;
import static dev.onejob.system.TwoNodes.effects;
import static dev.onejob.system.TwoNodes.requests;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.onejob.server.testing.ApiAnswer;
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
import tools.jackson.databind.JsonNode;

/** Doubts that end because the provider was asked, through whole nodes and real sockets. */
@Tag("process")
class AskedAboutTest {
  @RegisterExtension final PostgresExtension postgres = new PostgresExtension();

  @TempDir Path folder;

  private TwoNodes nodes() throws IOException {
    Path config =
        Files.writeString(
            folder.resolve("onejob.yaml"),
            """
            kinds:
              sure: {effect: exclusive, route: [sure], attempt_timeout: 2s, backoff: {first: 100ms}}
              unsure: {effect: exclusive, route: [unsure], attempt_timeout: 2s}
              keyed: {effect: keyed, route: [keyed], attempt_timeout: 2s}
            providers:
              sure:
                type: sandbox
                status: by-reference
                not_found: final
                evidence_for: 10m
                probe: {first: 200ms, max: 1s, timeout: 20s}
              unsure:
                type: sandbox
                status: by-reference
                ended: may-change
                evidence_for: 10m
                probe: {first: 200ms, max: 1s, timeout: 20s}
              keyed:
                type: sandbox
                deduplicates: key
                evidence_for: 10m
                probe: {first: 200ms, max: 1s, timeout: 20s}
            """);
    return new TwoNodes(postgres.url(), folder, List.of("--config", config.toString()));
  }

  private static String input(String provider, String script) {
    return "{\"script\":{\"" + provider + "\":" + script + "}}";
  }

  private static List<String> said(ApiAnswer job, int attempt) {
    JsonNode evidence = job.json().at("/attempts/" + attempt + "/evidence");
    return evidence
        .valueStream()
        .map(
            kept ->
                kept.path("source").asString()
                    + " "
                    + kept.path("strength").asString()
                    + " "
                    + kept.path("says").asString())
        .toList();
  }

  @Test
  void what_a_killed_node_had_done_is_found_by_the_other_and_done_no_second_time()
      throws Exception {
    try (TwoNodes nodes = nodes()) {
      String act = "{\"outcome\":\"hang\",\"effect_after_ms\":0,\"value\":{\"n\":1}}";
      String id = created(nodes.client1.submit("k", "sure", input("sure", act)));
      await().atMost(Duration.ofSeconds(60)).until(() -> effects(nodes.client2, id) == 1);
      nodes.first.kill();

      ApiAnswer ended = awaitJob(nodes.client2, id, "/state", "succeeded");

      assertThat(ended.json().at("/result/n").asInt()).isEqualTo(1);
      assertThat(ended.at("/attempts/0/node")).isEqualTo("n1");
      assertThat(said(ended, 0)).containsExactly("lookup proof succeeded");
      assertThat(ended.json().at("/attempts").size()).isEqualTo(1);
      assertThat(effects(nodes.client2, id)).isEqualTo(1);
      assertThat(requests(nodes.client2, id)).isEqualTo(1);
    }
  }

  @Test
  void a_lost_answer_comes_back_by_replay_and_what_never_began_is_begun_anew() throws Exception {
    try (TwoNodes nodes = nodes()) {
      String acted = "{\"outcome\":\"drop_after\",\"value\":{\"n\":2}}";
      String replayed = created(nodes.client1.submit("k1", "keyed", input("keyed", acted)));
      String unread = "[{\"outcome\":\"drop_before\"},{\"value\":{\"n\":3}}]";
      String anew = created(nodes.client2.submit("k2", "sure", input("sure", unread)));

      ApiAnswer first = awaitJob(nodes.client1, replayed, "/state", "succeeded");
      ApiAnswer second = awaitJob(nodes.client1, anew, "/state", "succeeded");

      assertThat(first.json().at("/result/n").asInt()).isEqualTo(2);
      assertThat(said(first, 0)).containsExactly("replay proof succeeded");
      assertThat(effects(nodes.client1, replayed)).isEqualTo(1);
      assertThat(requests(nodes.client1, replayed)).isEqualTo(2);
      assertThat(second.json().at("/result/n").asInt()).isEqualTo(3);
      assertThat(said(second, 0)).containsExactly("lookup proof not found");
      assertThat(second.at("/attempts/0/resolutions/0/verdict")).isEqualTo("not_done");
      assertThat(second.at("/attempts/0/probing/ended")).isIn("attempt_ended", "");
      assertThat(effects(nodes.client1, anew)).isEqualTo(1);
    }
  }

  @Test
  void hints_that_contradict_each_other_are_kept_and_proof_ends_the_doubt_on_both_nodes()
      throws Exception {
    try (TwoNodes nodes = nodes()) {
      String moody =
          """
          {"outcome":"drop_after","value":{"n":4},"lookup":[
            {"says":"not_found","asks":2},{"says":"stopped"},{"says":"failed"},{}]}
          """;
      String id = created(nodes.client1.submit("k", "unsure", input("unsure", moody)));

      ApiAnswer ended = awaitJob(nodes.client2, id, "/state", "succeeded");

      assertThat(said(ended, 0))
          .containsExactly(
              "lookup hint not found",
              "lookup hint stopped",
              "lookup hint failed: sandbox-failed",
              "lookup proof succeeded");
      assertThat(ended.json().at("/attempts/0/evidence/0/times").asInt()).isEqualTo(2);
      assertThat(ended.json().at("/attempts/0/probing/asked").asInt()).isEqualTo(5);
      assertThat(ended.json().at("/contested").asBoolean()).isFalse();
      assertThat(effects(nodes.client1, id)).isEqualTo(1);
      assertThat(requests(nodes.client1, id)).isEqualTo(1);
    }
  }
}
