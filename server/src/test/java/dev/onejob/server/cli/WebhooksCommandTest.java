package dev.onejob.server.cli;

import static dev.onejob.server.cli.DroppingServer.json;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WebhooksCommandTest {
  private static final String WEBHOOK =
      """
      {"id":"wh_1","owner":"shop","name":"till","url":"https://shop.example/",\
      "events":["job.ended"],"jobs":"all","disabled_at":null,"secret":"whsec_x"}
      """;
  private static final String DELIVERY =
      """
      {"id":"evt_1","type":"job.ended","job_id":"job_1","job_state":"succeeded","state":"waiting",\
      "tries":[{"number":3,"outcome":"refused","status":503,"message":"the answer is no success"}]}
      """;

  @TempDir Path folder;

  @BeforeEach
  void keepFirstKeys() throws IOException {
    Files.createDirectory(folder.resolve("kept"));
    Files.writeString(
        folder.resolve("kept/first-keys.json"), "{\"operator\":\"op\",\"client\":\"cl\"}");
  }

  private CommandRun run(DroppingServer server, String... arguments) {
    return CommandRun.with(
        folder,
        "",
        Map.of("ONEJOB_URL", server.url()),
        Stream.concat(Stream.of(arguments), Stream.of("--data", "kept")).toArray(String[]::new));
  }

  private static String body(DroppingServer server) {
    return new String(server.requests().getFirst().body(), StandardCharsets.UTF_8);
  }

  @Test
  void create_sends_what_was_chosen_as_client_and_prints_the_secret_alone_on_stdout()
      throws IOException {
    try (DroppingServer server = new DroppingServer(json(201, WEBHOOK))) {
      CommandRun run =
          run(
              server,
              "webhooks",
              "create",
              "--name",
              "till",
              "--to",
              "https://shop.example/",
              "--events",
              "job.ended",
              "--jobs",
              "all");

      assertThat(run.exitCode()).isZero();
      assertThat(run.out()).isEqualToIgnoringNewLines("whsec_x");
      assertThat(run.err()).contains("wh_1");
      assertThat(body(server))
          .isEqualTo(
              "{\"name\":\"till\",\"url\":\"https://shop.example/\",\"events\":[\"job.ended\"],"
                  + "\"jobs\":\"all\"}");
      assertThat(server.requests().getFirst().header("Authorization")).isEqualTo("Bearer cl");
    }
  }

  @Test
  void rotate_says_how_long_the_old_secret_signs() throws IOException {
    try (DroppingServer server = new DroppingServer(json(200, WEBHOOK))) {
      assertThat(run(server, "webhooks", "rotate", "wh_1", "--overlap-seconds", "0").exitCode())
          .isZero();
      assertThat(server.requests().getFirst().line())
          .isEqualTo("POST /v1/webhooks/wh_1/rotate HTTP/1.1");
      assertThat(body(server)).isEqualTo("{\"overlap_seconds\":0}");
    }
  }

  @Test
  void the_log_shows_the_last_try_and_how_to_go_on() throws IOException {
    String page = "{\"deliveries\":[" + DELIVERY + "],\"next_cursor\":\"evt_0\"}";
    try (DroppingServer server = new DroppingServer(json(200, page))) {
      CommandRun run =
          run(server, "webhooks", "deliveries", "wh_1", "--state", "waiting", "--cursor", "evt_2");
      assertThat(run.out()).contains("evt_1", "3 refused 503: the answer is no success");
      assertThat(run.err()).contains("--cursor evt_0");
      assertThat(server.requests().getFirst().line())
          .isEqualTo(
              "GET /v1/webhooks/wh_1/deliveries?limit=50&state=waiting&cursor=evt_2 HTTP/1.1");
    }
  }

  @Test
  void resend_and_remove_go_where_they_should() throws IOException {
    try (DroppingServer server = new DroppingServer(json(200, DELIVERY))) {
      assertThat(run(server, "webhooks", "resend", "evt_1").out()).contains("evt_1", "waiting");
      assertThat(server.requests().getFirst().line())
          .isEqualTo("POST /v1/webhooks/deliveries/evt_1/resend HTTP/1.1");
    }
    String list = "{\"webhooks\":[" + WEBHOOK + "],\"next_cursor\":null}";
    try (DroppingServer server = new DroppingServer(json(200, list))) {
      assertThat(run(server, "webhooks", "list").out()).contains("till", "https://shop.example/");
      run(server, "webhooks", "remove", "wh_1");
      assertThat(server.requests().getLast().line()).isEqualTo("DELETE /v1/webhooks/wh_1 HTTP/1.1");
    }
  }
}
