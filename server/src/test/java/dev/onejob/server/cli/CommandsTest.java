package dev.onejob.server.cli;

import static dev.onejob.server.cli.DroppingServer.DROP;
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

class CommandsTest {
  private static final String JOB =
      "{\"id\":\"job_1\",\"state\":\"queued\",\"waiting_for\":\"decision\",\"attempts\":[]}";

  @TempDir Path folder;

  @BeforeEach
  void keepFirstKeys() throws IOException {
    Files.createDirectory(folder.resolve("kept"));
    Files.writeString(
        folder.resolve("kept/first-keys.json"), "{\"operator\":\"op\",\"client\":\"cl\"}");
  }

  @Test
  void resolve_sends_the_decision_as_operator() throws IOException {
    try (DroppingServer server = new DroppingServer(json(200, JOB))) {
      CommandRun run =
          run(
              server,
              "resolve",
              "att_1",
              "--verdict",
              "not_done",
              "--then",
              "wait",
              "--reason",
              "looked at \"it\"");

      assertThat(run.exitCode()).isZero();
      assertThat(run.out()).isEqualTo("job_1 queued, waits for decision\n");
      assertThat(line(server)).isEqualTo("POST /v1/attempts/att_1/resolution HTTP/1.1");
      assertThat(body(server))
          .isEqualTo(
              "{\"verdict\":\"not_done\",\"then\":\"wait\",\"reason\":\"looked at \\\"it\\\"\"}");
      assertThat(server.requests().getFirst().header("Authorization")).isEqualTo("Bearer op");
    }
  }

  @Test
  void resolve_sends_a_result_from_a_file() throws IOException {
    Files.writeString(folder.resolve("result.json"), "{\"n\" : 1}");
    try (DroppingServer server = new DroppingServer(json(200, JOB))) {
      run(
          server,
          "resolve",
          "att_1",
          "--verdict",
          "done",
          "--reason",
          "seen",
          "--result",
          "@result.json");

      assertThat(body(server))
          .isEqualTo("{\"verdict\":\"done\",\"result\":{\"n\" : 1},\"reason\":\"seen\"}");
    }
  }

  @Test
  void resolve_does_not_ask_twice_and_says_that_it_may_have_arrived() throws IOException {
    try (DroppingServer server = new DroppingServer(DROP)) {
      CommandRun run = run(server, "resolve", "att_1", "--verdict", "abandon", "--reason", "x");

      assertThat(run.exitCode()).isEqualTo(ExitCode.UNREACHABLE);
      assertThat(run.err()).contains("may have arrived");
      assertThat(server.requests()).hasSize(1);
    }
  }

  @Test
  void resolve_refuses_a_verdict_that_is_none() throws IOException {
    try (DroppingServer server = new DroppingServer(json(200, JOB))) {
      assertThat(run(server, "resolve", "att_1", "--verdict", "maybe", "--reason", "x").exitCode())
          .isEqualTo(ExitCode.USAGE);
      assertThat(server.requests()).isEmpty();
    }
  }

  @Test
  void acknowledge_cancel_and_fallback_ask_for_their_move() throws IOException {
    try (DroppingServer server = new DroppingServer(json(200, JOB))) {
      run(server, "acknowledge", "job_1", "--reason", "seen");
      run(server, "cancel", "job_1");
      run(server, "fallback", "job_1", "--provider", "b");

      assertThat(server.requests())
          .extracting(it -> it.line() + " " + new String(it.body(), StandardCharsets.UTF_8))
          .containsExactly(
              "POST /v1/jobs/job_1/acknowledgement HTTP/1.1 {\"reason\":\"seen\"}",
              "POST /v1/jobs/job_1/cancel HTTP/1.1 {}",
              "POST /v1/jobs/job_1/attempts HTTP/1.1 {\"provider\":\"b\"}");
    }
  }

  @Test
  void doubt_lists_the_desk_with_why_the_evidence_and_what_can_be_decided() throws IOException {
    String page =
        """
        {"items":[{"because":"in_doubt","since":"2030-01-01T00:00:00Z","age_seconds":3700,\
        "effect":"exclusive","job":{"id":"job_1","owner":"shop","key":"k","kind":"pay"},\
        "attempt":{"id":"att_1","number":1,"provider":"a","state":"unknown",\
        "failure":{"code":"timeout","message":"no answer"},\
        "evidence":[{"source":"late_answer","strength":"proof","says":"accepted"}]},\
        "choices":[{"act":"abandon","then":"wait","job_becomes":"queued",\
        "waiting_for":"decision"}]}],"next_cursor":"c2"}""";
    try (DroppingServer server = new DroppingServer(json(200, page))) {
      CommandRun run = run(server, "doubt", "--kind", "pay", "--limit", "1");

      assertThat(run.exitCode()).isZero();
      assertThat(line(server)).isEqualTo("GET /v1/desk?kind=pay&limit=1 HTTP/1.1");
      assertThat(server.requests().getFirst().header("Authorization")).isEqualTo("Bearer op");
      assertThat(run.out())
          .isEqualTo(
              """
              job_1 in doubt for 1h 1m: pay (exclusive), owner shop, key k
                att_1, attempt 1 at a: unknown (timeout: no answer)
                evidence: late_answer (proof) says accepted
                - abandon, then wait: the job becomes queued, waits for decision
              """);
      assertThat(run.err()).isEqualTo("more: --cursor c2\n");
      assertThat(run(server, "doubt", "--json").out()).isEqualTo(page + "\n");
    }
  }

  @Test
  void reopen_asks_as_the_client_with_reason_attempts_and_deadline() throws IOException {
    try (DroppingServer server = new DroppingServer(json(200, JOB))) {
      run(server, "reopen", "job_1", "--reason", "ok", "--attempts", "2", "--deadline", "2h");

      assertThat(line(server)).isEqualTo("POST /v1/jobs/job_1/reopen HTTP/1.1");
      assertThat(body(server)).isEqualTo("{\"reason\":\"ok\",\"attempts\":2,\"deadline\":7200}");
      assertThat(server.requests().getFirst().header("Authorization")).isEqualTo("Bearer cl");
      assertThat(run(server, "reopen", "job_1").exitCode()).isEqualTo(ExitCode.USAGE);
    }
  }

  @Test
  void fallback_says_what_stands_against_it() throws IOException {
    String problem =
        "{\"type\":\"attempt-blocked\",\"detail\":\"att_1 is in doubt\",\"status\":409}";
    try (DroppingServer server = new DroppingServer(json(409, problem))) {
      CommandRun run = run(server, "fallback", "job_1");

      assertThat(run.exitCode()).isEqualTo(ExitCode.REFUSED);
      assertThat(run.err()).isEqualTo("attempt-blocked: att_1 is in doubt\n");
      assertThat(run.out()).isEmpty();
    }
  }

  @Test
  void job_shows_a_job_as_it_is_and_does_not_wait_for_its_end() throws IOException {
    try (DroppingServer server = new DroppingServer(json(200, JOB))) {
      CommandRun run = run(server, "job", "job_1");

      assertThat(run.exitCode()).isZero();
      assertThat(run.out()).isEqualTo("job_1 queued, waits for decision\n");
      assertThat(line(server)).isEqualTo("GET /v1/jobs/job_1 HTTP/1.1");
      assertThat(run(server, "job", "job_1", "--json").out()).isEqualTo(JOB + "\n");
    }
  }

  @Test
  void jobs_lists_what_is_asked_for_and_says_how_to_go_on() throws IOException {
    String page =
        "{\"jobs\":[{\"id\":\"job_1\",\"state\":\"unknown\",\"kind\":\"pay\",\"key\":\"k\","
            + "\"cost\":{\"paid\":[{\"amount\":\"0.5\",\"currency\":\"EUR\"}],"
            + "\"unpriced_attempts\":1}}],"
            + "\"next_cursor\":\"c2\"}";
    try (DroppingServer server = new DroppingServer(json(200, page))) {
      CommandRun run = run(server, "jobs", "--state", "unknown", "--tag", "a b&c", "--limit", "1");

      assertThat(line(server))
          .isEqualTo("GET /v1/jobs?state=unknown&tag=a%20b%26c&limit=1 HTTP/1.1");
      assertThat(run.out()).contains("job_1").contains("unknown").contains("pay");
      assertThat(run.out()).as("and an attempt without a price").contains("  0.5 EUR +");
      assertThat(run.err()).isEqualTo("more: --cursor c2\n");
      assertThat(run(server, "jobs", "--json").out()).isEqualTo(page + "\n");
    }
  }

  @Test
  void keys_are_listed_made_and_withdrawn_as_operator() throws IOException {
    try (DroppingServer server =
        new DroppingServer(
            json(200, "{\"keys\":[{\"id\":\"k1\",\"name\":\"n\",\"role\":\"client\"}]}"),
            json(201, "{\"id\":\"k2\",\"secret\":\"hush\"}"),
            "HTTP/1.1 204 X\r\nConnection: close\r\n\r\n")) {
      assertThat(run(server, "keys", "list").out()).contains("k1");
      assertThat(
              run(server, "keys", "create", "--name", "n", "--role", "client", "--owner", "o")
                  .out())
          .isEqualTo("hush\n");
      assertThat(run(server, "keys", "withdraw", "k2").exitCode()).isZero();

      assertThat(server.requests().get(1).body())
          .asString()
          .isEqualTo("{\"name\":\"n\",\"role\":\"client\",\"owner\":\"o\"}");
      assertThat(server.requests().get(2).line()).isEqualTo("DELETE /v1/keys/k2 HTTP/1.1");
      assertThat(server.requests()).allMatch(it -> it.header("Authorization").equals("Bearer op"));
    }
  }

  @Test
  void an_answer_that_is_not_of_onejob_is_said_to_be_none() throws IOException {
    try (DroppingServer server =
        new DroppingServer("HTTP/1.1 404 X\r\nContent-Length: 4\r\n\r\nnope")) {
      CommandRun run = run(server, "watch", "job_1");

      assertThat(run.exitCode()).isEqualTo(ExitCode.REFUSED);
      assertThat(run.err()).contains("answered 404 and no problem document");
    }
  }

  @Test
  void config_check_says_ok_with_a_summary() {
    CommandRun run = CommandRun.in(folder, "config", "check");

    assertThat(run.exitCode()).isZero();
    assertThat(run.out())
        .contains("OK")
        .contains("kind demo (exclusive): sandbox-a, then sandbox-b")
        .contains("sandbox-a (sandbox)");
  }

  @Test
  void config_check_says_every_problem_and_exits_with_1() throws IOException {
    Files.writeString(
        folder.resolve("onejob.yaml"),
        """
        kinds:
          demo: {route: [a], attempt_timeout: soon}
        providers:
          a: {type: sandbox, uri: "http://x"}
        """);
    CommandRun run = CommandRun.in(folder, "config", "check", "onejob.yaml");

    assertThat(run.exitCode()).isEqualTo(ExitCode.BROKEN);
    assertThat(run.out()).isEmpty();
    assertThat(run.err().lines())
        .containsExactly(
            "onejob.yaml:2: kinds.demo.attempt_timeout: expected a duration such as 500ms, 5s, 2m,"
                + " 1h or 1d, got \"soon\"",
            "onejob.yaml:4: providers.a.uri: unknown setting; did you mean \"url\"?");
    assertThat(CommandRun.in(folder, "config", "check", "onejob.yaml", "--json").out())
        .startsWith("{\"ok\":false,\"problems\":[{\"file\":\"onejob.yaml\",\"line\":2,");
  }

  @Test
  void the_built_in_configuration_can_be_printed_and_passes_its_own_check() throws IOException {
    CommandRun shown = CommandRun.in(folder, "config", "show-default");
    Files.writeString(folder.resolve("own.yaml"), shown.out());

    assertThat(CommandRun.in(folder, "config", "check", "own.yaml").exitCode()).isZero();
  }

  @Test
  void help_of_every_command_tells_the_exit_codes() {
    for (String command : Stream.of("submit", "watch", "jobs", "resolve", "config").toList()) {
      CommandRun run = CommandRun.with(folder, "", Map.of(), command, "--help");

      assertThat(run.exitCode()).isZero();
      assertThat(run.out()).as(command).contains("Exit codes:").contains("7   the job had not");
    }
  }

  private CommandRun run(DroppingServer server, String... arguments) {
    return CommandRun.with(
        folder,
        "",
        Map.of("ONEJOB_URL", server.url()),
        Stream.concat(Stream.of(arguments), Stream.of("--data", "kept")).toArray(String[]::new));
  }

  private static String line(DroppingServer server) {
    return server.requests().getFirst().line();
  }

  private static String body(DroppingServer server) {
    return new String(server.requests().getFirst().body(), StandardCharsets.UTF_8);
  }
}
