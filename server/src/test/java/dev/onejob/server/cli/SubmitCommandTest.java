package dev.onejob.server.cli;

import static dev.onejob.server.cli.DroppingServer.DROP;
import static dev.onejob.server.cli.DroppingServer.json;
import static org.assertj.core.api.Assertions.assertThat;

import dev.onejob.server.cli.DroppingServer.Request;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SubmitCommandTest {
  private static final String QUEUED = "{\"id\":\"job_1\",\"state\":\"queued\",\"attempts\":[]}";
  private static final String SUCCEEDED =
      "{\"id\":\"job_1\",\"state\":\"succeeded\",\"result\":{\"n\":1.0},"
          + "\"result_format\":\"json\",\"attempts\":[]}";

  @TempDir Path folder;

  /** Case C12. */
  @Test
  void sends_one_key_and_equal_bytes_on_every_try_when_answers_are_dropped() throws IOException {
    try (DroppingServer server =
        new DroppingServer(DROP, DROP, DROP, json(201, QUEUED), json(200, SUCCEEDED))) {
      CommandRun run =
          run(server, "submit", "--kind", "pay", "--input", "{ \"amount\": 1.0 }", "--tag", "a");

      assertThat(run.exitCode()).isZero();
      assertThat(run.out()).isEqualTo("{\"n\":1.0}\n");
      List<Request> submits = server.requests().subList(0, 4);
      assertThat(submits).allMatch(it -> it.line().equals("POST /v1/jobs HTTP/1.1"));
      assertThat(submits).extracting(it -> it.header("Idempotency-Key")).containsOnly(key(run));
      assertThat(submits)
          .extracting(it -> new String(it.body(), StandardCharsets.UTF_8))
          .containsOnly("{\"kind\":\"pay\",\"input\":{ \"amount\": 1.0 },\"tags\":[\"a\"]}");
      assertThat(run.pauses()).hasSize(3);
    }
  }

  @Test
  void makes_another_key_for_another_invocation() throws IOException {
    try (DroppingServer server = new DroppingServer(json(200, SUCCEEDED))) {
      assertThat(key(run(server, "submit", "--kind", "pay")))
          .matches("cli-[0-9a-f]{32}")
          .isNotEqualTo(key(run(server, "submit", "--kind", "pay")));
    }
  }

  @Test
  void takes_a_key_that_it_is_given_as_it_is() throws IOException {
    try (DroppingServer server = new DroppingServer(json(200, SUCCEEDED))) {
      run(server, "submit", "--kind", "pay", "--key", "Order\"17");

      assertThat(server.requests().getFirst().header("Idempotency-Key")).isEqualTo("Order\"17");
    }
  }

  @Test
  void gives_up_after_a_bounded_number_of_tries_and_says_how_to_find_out() throws IOException {
    try (DroppingServer server = new DroppingServer(DROP)) {
      CommandRun run = run(server, "submit", "--kind", "pay", "--key", "order-17");

      assertThat(run.exitCode()).isEqualTo(ExitCode.UNREACHABLE);
      assertThat(server.requests()).hasSize(ApiClient.TRIES_MAX);
      assertThat(run.err())
          .contains("it is not known whether the job exists")
          .contains("--key order-17");
    }
  }

  @Test
  void asks_again_when_a_balancer_answers_for_a_server_that_is_away() throws IOException {
    try (DroppingServer server =
        new DroppingServer("HTTP/1.1 503 X\r\nContent-Length: 0\r\n\r\n", json(200, SUCCEEDED))) {
      assertThat(run(server, "submit", "--kind", "pay").exitCode()).isZero();
      assertThat(server.requests().stream().map(it -> it.header("Idempotency-Key")).distinct())
          .hasSize(2); // the submit's two tries carry one key; reading the job carries none
    }
  }

  @Test
  void does_not_ask_again_when_the_service_refuses() throws IOException {
    String problem =
        "{\"type\":\"urn:onejob:problem:intent-mismatch\",\"code\":\"intent-mismatch\","
            + "\"detail\":\"the key is bound to another intent\",\"status\":409}";
    try (DroppingServer server = new DroppingServer(json(409, problem))) {
      CommandRun run = run(server, "submit", "--kind", "pay", "--json");

      assertThat(run.exitCode()).isEqualTo(ExitCode.REFUSED);
      assertThat(run.err()).contains("intent-mismatch: the key is bound to another intent");
      assertThat(run.out()).isEqualTo(problem + "\n");
      assertThat(server.requests()).hasSize(1);
    }
  }

  @Test
  void tells_how_the_job_ended_by_its_exit_code() throws IOException {
    assertThat(exitCodeFor("failed")).isEqualTo(ExitCode.JOB_FAILED);
    assertThat(exitCodeFor("cancelled")).isEqualTo(ExitCode.JOB_CANCELLED);
    assertThat(exitCodeFor("succeeded")).isEqualTo(ExitCode.OK);
  }

  @Test
  void says_that_a_job_has_not_ended_when_the_wait_is_over() throws IOException {
    try (DroppingServer server = new DroppingServer(json(200, QUEUED))) {
      CommandRun run = run(server, "submit", "--kind", "pay", "--wait-at-most", "1ms");

      assertThat(run.exitCode()).isEqualTo(ExitCode.JOB_NOT_ENDED);
      assertThat(run.out()).isEmpty();
    }
  }

  @Test
  void shows_changes_of_state_on_stderr_and_what_to_do_about_a_doubt() throws IOException {
    String unknown =
        "{\"id\":\"job_1\",\"state\":\"unknown\",\"attempts\":[{\"id\":\"att_1\",\"number\":1,"
            + "\"provider\":\"p\",\"state\":\"unknown\",\"failure\":{\"code\":\"timeout\","
            + "\"message\":\"\\u001b[2Jgone\"}}]}";
    try (DroppingServer server =
        new DroppingServer(json(201, QUEUED), json(200, unknown), json(200, SUCCEEDED))) {
      CommandRun run = run(server, "submit", "--kind", "pay");

      assertThat(run.err())
          .contains("job_1 unknown")
          .contains("attempt 1 at p: unknown (timeout: \uFFFD[2Jgone)")
          .contains("onejob resolve att_1 --verdict")
          .contains("job_1 succeeded");
    }
  }

  @Test
  void shows_what_a_job_and_its_attempts_have_cost_in_tokens_and_money() throws IOException {
    String paid =
        """
        {"id":"job_1","state":"succeeded","result":1,"result_format":"json","attempts":[
          {"number":1,"provider":"p","state":"lost","usage":{"input_tokens":1200,\
        "output_tokens":null},"price":{"amount":"0.25","currency":"EUR"}},
          {"number":2,"provider":"q","state":"succeeded","usage":null,"price":null}],
         "cost":{"paid":[{"amount":"0.25","currency":"EUR"},{"amount":"2","currency":"USD"}],
          "paid_for_lost":[{"amount":"0.25","currency":"EUR"}],"saved_by_repeats":[],
          "repeats":0,"unpriced_attempts":1}}
        """;
    try (DroppingServer server = new DroppingServer(json(201, QUEUED), json(200, paid))) {
      CommandRun run = run(server, "submit", "--kind", "pay");

      assertThat(run.err())
          .contains("attempt 1 at p: lost, 1200 + ? tokens, 0.25 EUR\n")
          .contains("attempt 2 at q: succeeded\n")
          .contains(
              "cost 0.25 EUR + 2 USD; 0.25 EUR of it for answers that came too late;"
                  + " 1 attempts without a price");
    }
  }

  @Test
  void prints_the_id_and_returns_when_it_is_not_to_wait() throws IOException {
    try (DroppingServer server = new DroppingServer(json(201, QUEUED))) {
      CommandRun run = run(server, "submit", "--kind", "pay", "--no-wait");

      assertThat(run.out()).isEqualTo("job_1\n");
      assertThat(server.requests()).hasSize(1);
    }
  }

  @Test
  void prints_a_text_result_as_it_is() throws IOException {
    String text =
        "{\"id\":\"job_1\",\"state\":\"succeeded\",\"result\":\"a \\\"b\\\"\","
            + "\"result_format\":\"text\"}";
    try (DroppingServer server = new DroppingServer(json(200, text))) {
      assertThat(run(server, "submit", "--kind", "pay").out()).isEqualTo("a \"b\"\n");
    }
  }

  @Test
  void says_that_a_result_was_emptied_instead_of_printing_null() throws IOException {
    String emptied =
        "{\"id\":\"job_1\",\"state\":\"succeeded\",\"result\":null,"
            + "\"payload_emptied_at\":\"2030-01-01T00:00:00Z\"}";
    try (DroppingServer server = new DroppingServer(json(200, emptied))) {
      CommandRun run = run(server, "submit", "--kind", "pay");

      assertThat(run.exitCode()).isZero();
      assertThat(run.out()).isEmpty();
      assertThat(run.err()).contains("its payloads were emptied at 2030-01-01T00:00:00Z");
    }
  }

  @Test
  void takes_input_from_a_file_and_from_stdin_byte_for_byte() throws IOException {
    Files.writeString(folder.resolve("in.json"), "{\"ü\" : 1e0}\n");
    try (DroppingServer server = new DroppingServer(json(200, SUCCEEDED))) {
      run(server, "submit", "--kind", "pay", "--input", "@in.json");
      CommandRun.with(
          folder,
          "[ 1 ]",
          Map.of("ONEJOB_API_KEY", "secret", "ONEJOB_URL", server.url()),
          "submit",
          "--kind",
          "pay",
          "--input",
          "-");

      assertThat(body(server, 0)).isEqualTo("{\"kind\":\"pay\",\"input\":{\"ü\" : 1e0}\n}");
      assertThat(body(server, 2)).isEqualTo("{\"kind\":\"pay\",\"input\":[ 1 ]}");
    }
  }

  @Test
  void refuses_input_that_is_not_one_json_value_and_sends_nothing() throws IOException {
    try (DroppingServer server = new DroppingServer(json(200, SUCCEEDED))) {
      for (String input : List.of("{", "{} {}", "", "{\"a\":1},\"kind\":\"other\"", "nul")) {
        CommandRun run = run(server, "submit", "--kind", "pay", "--input", input);

        assertThat(run.exitCode()).as(input).isEqualTo(ExitCode.USAGE);
        assertThat(run.err()).as(input).contains("--input: ");
      }
      assertThat(server.requests()).isEmpty();
    }
  }

  @Test
  void refuses_keys_durations_and_addresses_that_are_none() throws IOException {
    try (DroppingServer server = new DroppingServer(json(200, SUCCEEDED))) {
      assertThat(run(server, "submit", "--kind", "pay", "--key", "a b").err())
          .contains("--key: an idempotency key is visible ASCII only");
      assertThat(run(server, "submit", "--kind", "pay", "--deadline", "soon").err())
          .contains("--deadline: expected a duration such as 90s or 2h, got \"soon\"");
      assertThat(CommandRun.in(folder, "jobs", "--url", "localhost:8080").exitCode())
          .isEqualTo(ExitCode.USAGE);
      assertThat(server.requests()).isEmpty();
    }
  }

  @Test
  void sends_a_deadline_as_whole_seconds_or_as_the_time_it_is() throws IOException {
    try (DroppingServer server = new DroppingServer(json(200, SUCCEEDED))) {
      run(server, "submit", "--kind", "pay", "--deadline", "1500ms", "--route", "a,b");
      run(server, "submit", "--kind", "pay", "--deadline", "2030-01-31T12:00:00Z");

      assertThat(body(server, 0))
          .isEqualTo("{\"kind\":\"pay\",\"input\":{},\"route\":[\"a\",\"b\"],\"deadline\":2}");
      assertThat(body(server, 2)).contains("\"deadline\":\"2030-01-31T12:00:00Z\"");
    }
  }

  @Test
  void takes_the_client_key_of_the_data_folder_when_it_is_told_none() throws IOException {
    Files.createDirectory(folder.resolve(".onejob"));
    Files.writeString(
        folder.resolve(".onejob/first-keys.json"), "{\"operator\":\"op\",\"client\":\"cl\"}");
    try (DroppingServer server = new DroppingServer(json(200, SUCCEEDED))) {
      CommandRun.with(folder, "", Map.of("ONEJOB_URL", server.url()), "submit", "--kind", "pay");

      assertThat(server.requests().getFirst().header("Authorization")).isEqualTo("Bearer cl");
    }
  }

  @Test
  void says_where_a_key_could_come_from_when_there_is_none() {
    CommandRun run = CommandRun.with(folder, "", Map.of(), "submit", "--kind", "pay");

    assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
    assertThat(run.err()).contains("no API key: give --api-key or ONEJOB_API_KEY");
  }

  @Test
  void says_where_nobody_listens() throws IOException {
    int port;
    try (ServerSocket free = new ServerSocket(0)) {
      port = free.getLocalPort();
    }
    CommandRun run = CommandRun.in(folder, "jobs", "--url", "http://127.0.0.1:" + port);

    assertThat(run.exitCode()).isEqualTo(ExitCode.UNREACHABLE);
    assertThat(run.err()).contains("no answer from http://127.0.0.1:" + port);
  }

  private int exitCodeFor(String state) throws IOException {
    try (DroppingServer server =
        new DroppingServer(json(200, "{\"id\":\"job_1\",\"state\":\"" + state + "\"}"))) {
      return run(server, "submit", "--kind", "pay").exitCode();
    }
  }

  private CommandRun run(DroppingServer server, String... arguments) {
    return CommandRun.in(
        folder,
        Stream.concat(Stream.of(arguments), Stream.of("--url", server.url()))
            .toArray(String[]::new));
  }

  private static String body(DroppingServer server, int index) {
    return new String(server.requests().get(index).body(), StandardCharsets.UTF_8);
  }

  private static String key(CommandRun run) {
    return run.err().lines().findFirst().orElse("").replace("key ", "");
  }
}
