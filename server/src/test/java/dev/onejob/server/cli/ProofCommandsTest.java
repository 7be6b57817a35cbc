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

class ProofCommandsTest {
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

  @Test
  void passes_withdraw_sends_the_reason_as_operator_and_shows_what_was_withdrawn()
      throws IOException {
    String page =
        """
        {"qualifications":[{"id":7,"kind":"invoice","provider":"backup",\
        "passed_at":"2030-01-01T00:00:00Z","valid_until":"2030-02-01T00:00:00Z",\
        "withdrawal":{"at":"2030-01-02T00:00:00Z","by":"anna","reason":"wrong totals"}}],\
        "next_cursor":null}
        """;
    try (DroppingServer server = new DroppingServer(json(200, page))) {
      CommandRun run =
          run(server, "passes", "withdraw", "invoice", "backup", "--reason", "wrong totals");

      assertThat(run.exitCode()).isZero();
      assertThat(run.out()).contains("invoice").contains("by anna: wrong totals");
      assertThat(server.requests().getFirst().line())
          .isEqualTo("POST /v1/qualifications/withdraw HTTP/1.1");
      assertThat(new String(server.requests().getFirst().body(), StandardCharsets.UTF_8))
          .isEqualTo("{\"kind\":\"invoice\",\"provider\":\"backup\",\"reason\":\"wrong totals\"}");
      assertThat(server.requests().getFirst().header("Authorization")).isEqualTo("Bearer op");
    }
  }

  @Test
  void passes_list_asks_for_what_was_chosen() throws IOException {
    String page = "{\"qualifications\":[],\"next_cursor\":null}";
    try (DroppingServer server = new DroppingServer(json(200, page))) {
      run(server, "passes", "list", "--kind", "invoice", "--provider", "backup");

      assertThat(server.requests().getFirst().line())
          .isEqualTo("GET /v1/qualifications?provider=backup&kind=invoice HTTP/1.1");
    }
  }

  @Test
  void providers_shows_whose_circuit_is_open_and_what_each_declares() throws IOException {
    String list =
        """
        {"providers":[{"name":"a","circuit":"open","failures":5,\
        "failure":{"code":"connect-failed","message":"x"},\
        "open_until":"2030-01-01T00:00:00Z",\
        "capabilities":{"submit_deduplication":"header_key","reference_survival":"none",\
        "status_probe":"by_provider_id","negative_answer":"may_come_later","cancel":"none",\
        "terminal_state":"stable","hidden_reexecution":"none","billing_on_cancel":"unknown",\
        "lifetime_bound_seconds":null,"evidence_retention_seconds":5400}}]}
        """;
    try (DroppingServer server = new DroppingServer(json(200, list))) {
      CommandRun run = run(server, "providers");

      assertThat(run.exitCode()).isZero();
      assertThat(run.out()).containsPattern("a +open +5 +2030-01-01T00:00:00Z +connect-failed");
      assertThat(run.out())
          .containsPattern("PROVIDER +ACTS ONCE FOR +REFERENCE +LOOK-UP +NOT FOUND +CANCEL")
          .containsPattern(
              "a +header_key +none +by_provider_id +may_come_later +none +stable +none +unknown"
                  + " +- +90m");
    }
  }
}
