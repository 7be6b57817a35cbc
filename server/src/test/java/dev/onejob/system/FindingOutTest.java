package dev.onejob.system;

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
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What a node in a process of its own tells of its work: log, metrics and traces. */
final class FindingOutTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final JsonMapper MAPPER = new JsonMapper();
  private static final String CALLERS_TRACE = "0af7651916cd43dd8448eb211c80319c";
  private static final String CALLERS_SPAN = "b7ad6b7169203331";

  @RegisterExtension final PostgresExtension postgres = new PostgresExtension();
  @TempDir Path folder;
  private OtlpReceiver collector;
  private Path config;

  @BeforeEach
  void configure() throws IOException {
    collector = new OtlpReceiver();
    config =
        Files.writeString(
            folder.resolve("onejob.yaml"),
            """
            log: {format: json, level: debug}
            metrics: {readers: anyone}
            tracing: {otlp_endpoint: "%s"}
            kinds:
              tell:
                route: [environment]
            providers:
              environment:
                type: command
                command: [sh, -c, 'cat > /dev/null; printf "\\"%%s\\"" "$TRACEPARENT"']
            """
                .formatted(collector.endpoint()));
  }

  @AfterEach
  void close() {
    collector.close();
  }

  private NodeProcess node(String name) {
    return NodeProcess.start(postgres.url(), folder, name, List.of("--config", config.toString()));
  }

  private static ApiAnswer submit(ApiClient client, String key, String input) {
    return client.send(
        "POST",
        "/v1/jobs",
        "{\"kind\":\"tell\",\"input\":" + input + "}",
        Map.of(
            "Idempotency-Key",
            key,
            "traceparent",
            "00-" + CALLERS_TRACE + "-" + CALLERS_SPAN + "-01"));
  }

  @Test
  void one_search_by_the_job_finds_its_whole_story_in_the_log_and_no_payload() {
    try (NodeProcess node = node("n1")) {
      ApiClient client = node.client(node.firstKey("client"));
      String job = submit(client, "the-key", "\"top secret\"").at("/id");
      TwoNodes.awaitJob(client, job, "/state", "succeeded");
      submit(client, "the-key", "\"top secret\"");
      submit(client, "the-key", "\"another secret\"");

      List<JsonNode> story =
          node.output()
              .lines()
              .filter(line -> line.startsWith("{") && line.contains(job))
              .map(MAPPER::readTree)
              .toList();

      // Another thread may start a job before the one that has admitted it tells of that.
      assertThat(story)
          .filteredOn(line -> line.path("logger").asString().equals("dev.onejob.job"))
          .extracting(line -> line.path("message").asString())
          .containsExactlyInAnyOrder("submitted", "start", "finish", "repeated", "mismatched");
      assertThat(story).allSatisfy(l -> assertThat(l.path("job").asString()).isEqualTo(job));
      assertThat(story)
          .filteredOn(line -> line.path("message").asString().equals("start"))
          .singleElement()
          .satisfies(
              start -> {
                assertThat(start.path("attempt").asString()).startsWith("att_");
                assertThat(start.path("provider").asString()).isEqualTo("environment");
              });
      assertThat(node.output()).doesNotContain("secret\"", "the-key");
      assertThat(node.output().lines().filter(line -> !line.startsWith("{")))
          .noneMatch(line -> line.contains("job_"));
    }
  }

  @Test
  void metrics_are_open_to_everyone_where_the_configuration_says_so_and_show_the_pool() {
    try (NodeProcess node = node("n1")) {
      ApiAnswer metrics = node.client("").get("/metrics");

      assertThat(metrics.status()).isEqualTo(200);
      assertThat(metrics.text())
          .contains("hikaricp_connections_active{pool=\"onejob\"}")
          .contains("hikaricp_connections_pending{pool=\"onejob\"}")
          .contains("onejob_submits_total{answer=\"created\",kind=\"tell\"} 0.0");
    }
  }

  @Test
  void request_job_and_attempt_are_spans_that_find_each_other_and_the_provider_gets_the_last() {
    try (NodeProcess node = node("n1")) {
      ApiClient client = node.client(node.firstKey("client"));
      String job = submit(client, "k", "1").at("/id");
      ApiAnswer ended = TwoNodes.awaitJob(client, job, "/state", "succeeded");

      OtlpReceiver.Span request = span("POST /v1/jobs", job);
      OtlpReceiver.Span root = span("job", job);
      OtlpReceiver.Span attempt = span("attempt", job);

      assertThat(request.trace()).isEqualTo(CALLERS_TRACE);
      assertThat(request.parent()).isEqualTo(CALLERS_SPAN);
      assertThat(request.attributes())
          .containsEntry("http.route", "/v1/jobs")
          .containsEntry("http.response.status_code", "201");
      assertThat(request.links()).contains(root.place());
      assertThat(root.links()).containsExactly(request.place());
      assertThat(attempt.trace()).isEqualTo(root.trace());
      assertThat(attempt.parent()).isEqualTo(root.id());
      assertThat(attempt.attributes())
          .containsEntry("onejob.attempt", ended.at("/attempts/0/id"))
          .containsEntry("onejob.outcome", "succeeded");
      assertThat(ended.at("/result"))
          .isEqualTo("00-" + attempt.trace() + "-" + attempt.id() + "-01");
    }
  }

  @Test
  void every_node_knows_the_trace_of_a_job_by_its_id_alone() {
    try (NodeProcess first = node("n1");
        NodeProcess second = node("n2")) {
      String secret = first.firstKey("client");
      String job = submit(first.client(secret), "k", "1").at("/id");
      OtlpReceiver.Span root = span("job", job);

      second.client(secret).get("/v1/jobs/" + job);

      assertThat(span("GET /v1/jobs/{id}", job).links()).containsExactly(root.place());
    }
  }

  private OtlpReceiver.Span span(String name, String job) {
    return await()
        .atMost(PATIENCE)
        .until(
            () ->
                collector.spans().stream()
                    .filter(span -> span.name().equals(name))
                    .filter(span -> job.equals(span.attributes().get("onejob.job")))
                    .findFirst(),
            Optional::isPresent)
        .orElseThrow();
  }
}
