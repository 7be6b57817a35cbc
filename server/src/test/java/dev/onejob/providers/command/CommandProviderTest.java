package dev.onejob.providers.command;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.onejob.domain.Failure;
import dev.onejob.domain.Result;
import dev.onejob.domain.Retryability;
import dev.onejob.provider.Outcome;
import dev.onejob.provider.Provider;
import dev.onejob.provider.ProviderRequest;
import dev.onejob.providers.InvalidSetting;
import dev.onejob.providers.ProviderContext;
import dev.onejob.testkit.ProviderCall;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

final class CommandProviderTest {
  private static final Duration AMPLE = Duration.ofSeconds(90);
  private static final Duration SHORT = Duration.ofMillis(700);

  @TempDir Path folder;

  @Test
  void the_input_comes_on_standard_input_and_standard_output_is_the_result() throws Exception {
    Outcome outcome = run("cat", "{}", "{\"n\": 1.0}", AMPLE);
    assertThat(text((Outcome.Succeeded) outcome)).isEqualTo("{\"n\": 1.0}");
  }

  @Test
  void a_megabyte_goes_through_both_pipes_at_once() throws Exception {
    String input = "[\"" + "x".repeat(1_000_000) + "\"]";
    assertThat(text((Outcome.Succeeded) run("cat", "{}", input, AMPLE))).isEqualTo(input);
  }

  @Test
  void text_is_kept_as_text() throws Exception {
    Outcome.Succeeded succeeded =
        (Outcome.Succeeded) run("printf 'a\\tb'", "{\"result\":\"text\"}", "{}", AMPLE);
    assertThat(succeeded.result().format()).isEqualTo(Result.Format.TEXT);
    assertThat(text(succeeded)).isEqualTo("a\tb");
  }

  @Test
  void text_that_is_not_utf_8_has_failed() throws Exception {
    Outcome outcome = run("printf '\\377\\376'", "{\"result\":\"text\"}", "{}", AMPLE);
    assertThat(((Outcome.Failed) outcome).failure().code()).isEqualTo(Failure.RESULT_INVALID);
  }

  @ParameterizedTest
  @ValueSource(strings = {":", "echo prose", "echo '{} {}'", "printf '{\"a\":'"})
  void output_that_is_not_one_json_value_has_failed(String script) throws Exception {
    Outcome outcome = run(script, "{}", "{}", AMPLE);
    assertThat(((Outcome.Failed) outcome).failure().code()).isEqualTo(Failure.RESULT_INVALID);
  }

  @Test
  void the_environment_is_cleared_but_for_what_is_named() throws Exception {
    ProviderRequest request = request("{}", AMPLE);
    String settings = "{\"result\":\"text\",\"environment\":{\"COLOUR\":\"red\"}}";
    Outcome.Succeeded succeeded =
        (Outcome.Succeeded) ProviderCall.start(provider("env", settings), request).outcome();
    List<String> names =
        text(succeeded).lines().map(line -> line.substring(0, line.indexOf('='))).toList();
    assertThat(names)
        .isSubsetOf(
            "PATH",
            "LANG",
            "HOME",
            "COLOUR",
            "ONEJOB_JOB_ID",
            "ONEJOB_ATTEMPT_ID",
            "ONEJOB_ATTEMPT_NUMBER",
            "ONEJOB_PROVIDER_KEY",
            "PWD",
            "SHLVL",
            "_");
    assertThat(text(succeeded).lines())
        .contains(
            "COLOUR=red",
            "ONEJOB_JOB_ID=" + request.jobId(),
            "ONEJOB_ATTEMPT_ID=" + request.attemptId(),
            "ONEJOB_ATTEMPT_NUMBER=1",
            "ONEJOB_PROVIDER_KEY=" + request.providerKey());
  }

  @ParameterizedTest
  @CsvSource({
    "exit 1, Failed, FINAL, exit-1",
    "exit 2, Refused, FINAL, exit-2",
    "exit 75, Refused, RETRYABLE, exit-75",
    "exit 3, Failed, RETRYABLE, exit-3",
    "exit 4, InDoubt, , exit-4",
    "exit 99, Failed, RETRYABLE, exit-99",
    "kill -TERM $$, Refused, RETRYABLE, killed",
    "exit 137, Refused, RETRYABLE, killed",
    "sh -c 'kill -KILL $$'; exit $?, Refused, RETRYABLE, killed",
    "exit 139, Failed, FINAL, killed",
  })
  void endings_mean_what_the_configuration_says(
      String script, String outcome, Retryability again, String code) throws Exception {
    String settings =
        """
        {"exit_codes": {"1": "failed", "2": "refused", "75": "refused_retryable",
                        "3": "failed_retryable", "4": "in_doubt", "139": "failed"},
         "otherwise": "failed_retryable", "killed": "refused_retryable"}
        """;
    Outcome ended = run("echo why >&2; " + script, settings, "{}", AMPLE);
    assertThat(ended.getClass().getSimpleName()).isEqualTo(outcome);
    assertThat(again(ended)).isEqualTo(again);
    assertThat(failure(ended).code()).isEqualTo(code);
    assertThat(failure(ended).message()).contains("why");
  }

  @ParameterizedTest
  @ValueSource(strings = {"exit 9", "kill -KILL $$"})
  void an_ending_of_which_nothing_is_said_is_doubt(String script) throws Exception {
    assertThat(run(script, "{}", "{}", AMPLE)).isInstanceOf(Outcome.InDoubt.class);
  }

  @Test
  void a_program_that_is_not_there_or_not_executable_is_refused() throws Exception {
    Files.writeString(folder.resolve("plain"), "text");
    for (String program : List.of("./absent", "./plain", "no-such-program-anywhere")) {
      Provider provider = provider(List.of(program), "{}");
      Outcome.Refused refused =
          (Outcome.Refused) ProviderCall.start(provider, request("{}", AMPLE)).outcome();
      assertThat(refused.retryability()).isEqualTo(Retryability.FINAL);
      assertThat(refused.failure().message()).contains(program.replace("./", ""));
    }
  }

  @Test
  void a_program_with_a_slash_is_found_beside_the_configuration() throws Exception {
    Path program = Files.writeString(folder.resolve("hello"), "#!/bin/sh\necho '\"hi\"'\n");
    assertThat(program.toFile().setExecutable(true)).isTrue();
    Provider provider = provider(List.of("./hello"), "{}");
    Outcome outcome = ProviderCall.start(provider, request("{}", AMPLE)).outcome();
    assertThat(text((Outcome.Succeeded) outcome)).isEqualTo("\"hi\"\n");
  }

  @Test
  void a_program_that_does_not_read_its_input_can_succeed() throws Exception {
    String large = "[\"" + "x".repeat(900_000) + "\"]";
    Outcome outcome = run("exec <&-; echo '{}'", "{}", large, AMPLE);
    assertThat(outcome).isInstanceOf(Outcome.Succeeded.class);
  }

  @Test
  void megabytes_of_complaints_do_not_hold_a_program_up_and_the_last_ones_are_kept()
      throws Exception {
    String script =
        "i=0; while [ $i -lt 40000 ]; do echo 'complaint after complaint after"
            + " complaint'; i=$((i+1)); done >&2; echo 'the last word' >&2; exit 1";
    Outcome outcome = run(script, "{\"exit_codes\":{\"1\":\"failed\"}}", "{}", AMPLE);
    assertThat(failure(outcome).message()).contains("the last word");
  }

  @Test
  void at_the_timeout_the_whole_tree_is_ended_and_the_configuration_says_what_it_means()
      throws Exception {
    String tree = "(sleep 301 & sleep 302) & sleep 303; echo";
    Outcome outcome = run(tree, "{}", "{}", SHORT);
    assertThat(failure(outcome).code()).isEqualTo("timeout");
    assertThat(outcome).isInstanceOf(Outcome.InDoubt.class);
    assertThat(run(tree, "{\"timeout\":\"failed\"}", "{}", SHORT))
        .isInstanceOf(Outcome.Failed.class);
    assertThat(sleepers("301", "302", "303")).isEmpty();
  }

  @Test
  void a_program_that_ignores_a_polite_request_is_killed() throws Exception {
    String stubborn = "trap '' TERM; touch ready; while :; do sleep 304; done";
    ProviderCall call = ProviderCall.start(provider(stubborn, "{}"), request("{}", AMPLE));
    await().until(() -> Files.exists(folder.resolve("ready")));
    call.watch().stop();
    assertThat(call.outcome()).isInstanceOf(Outcome.Stopped.class);
    assertThat(sleepers("304")).isEmpty();
  }

  @RepeatedTest(10)
  void a_shell_that_is_stopped_does_not_go_on_with_its_next_command() throws Exception {
    String steps = "touch ready; sh -c 'sleep 309; touch went-on'; touch went-on";
    ProviderCall call = ProviderCall.start(provider(steps, "{}"), request("{}", AMPLE));
    await().until(() -> Files.exists(folder.resolve("ready")) && !sleepers("309").isEmpty());
    call.watch().stop();
    assertThat(call.outcome()).isInstanceOf(Outcome.Stopped.class);
    assertThat(sleepers("309")).isEmpty();
    assertThat(folder.resolve("went-on")).doesNotExist();
  }

  @Test
  void a_grandchild_that_left_the_family_is_ended_too() throws Exception {
    String runaway =
        "setsid sh -c 'trap \"\" TERM HUP; touch ready; sleep 305; sleep 305' "
            + "> /dev/null 2>&1 < /dev/null & sleep 0.3; echo '{}'";
    Outcome outcome = run(runaway, "{}", "{}", AMPLE);
    assertThat(outcome).isInstanceOf(Outcome.Succeeded.class);
    assertThat(folder.resolve("ready")).exists();
    assertThat(sleepers("305")).isEmpty();
  }

  @Test
  void a_background_process_that_holds_the_output_open_does_not_hold_the_result_up()
      throws Exception {
    Outcome outcome = run("sleep 306 & echo '{}'", "{}", "{}", AMPLE);
    assertThat(outcome).isInstanceOf(Outcome.Succeeded.class);
    assertThat(sleepers("306")).isEmpty();
  }

  @Test
  void too_much_output_ends_the_program() throws Exception {
    Outcome outcome = run("yes & yes", "{}", "{}", AMPLE);
    assertThat(((Outcome.Failed) outcome).failure().code()).isEqualTo(Failure.RESULT_TOO_LARGE);
  }

  @Test
  void the_end_of_the_provider_ends_its_programs() throws Exception {
    Provider provider = provider("touch ready; sleep 307", "{}");
    ProviderCall call = ProviderCall.start(provider, request("{}", AMPLE));
    await().until(() -> Files.exists(folder.resolve("ready")));
    provider.close();
    assertThat(call.outcome()).isInstanceOf(Outcome.Stopped.class);
    assertThat(sleepers("307")).isEmpty();
  }

  @Test
  void an_interrupt_leaves_no_process_behind() throws Exception {
    ProviderCall call =
        ProviderCall.start(provider("touch ready; sleep 308", "{}"), request("{}", AMPLE));
    await().until(() -> Files.exists(folder.resolve("ready")));
    call.interrupt();
    assertThatThrownBy(call::outcome).hasCauseInstanceOf(InterruptedException.class);
    assertThat(sleepers("308")).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {"exit_codes": {"0": "failed"}}          | /exit_codes
          {"exit_codes": {"256": "failed"}}        | /exit_codes
          {"exit_codes": {"1": "fine"}}            | /exit_codes/1
          {"environment": {"ONEJOB_X": "1"}}       | /environment
          {"environment": {"X": 1}}                | /environment/X
          {"result": "xml"}                        | /result
          {"shell": true}                          | settings
          """)
  void a_setting_that_cannot_be_used_is_named(String settings, String place) {
    assertThatThrownBy(() -> provider("true", settings))
        .isInstanceOf(InvalidSetting.class)
        .hasMessageContaining(place);
  }

  private Outcome run(String script, String settings, String input, Duration timeout)
      throws Exception {
    return ProviderCall.start(provider(script, settings), request(input, timeout)).outcome();
  }

  private Provider provider(String script, String settings) {
    return provider(List.of("sh", "-c", script), settings);
  }

  private Provider provider(List<String> command, String settings) {
    ObjectNode all = (ObjectNode) new JsonMapper().readTree(settings);
    command.forEach(all.withArray("command")::add);
    Map<String, String> environment = Map.of("PATH", System.getenv("PATH"), "SECRET", "s");
    ProviderContext context =
        new ProviderContext(environment::get, folder, () -> URI.create("http://unused"));
    return new CommandType().create("program", all, context);
  }

  private static ProviderRequest request(String input, Duration timeout) {
    return ProviderCall.request(input.getBytes(UTF_8), timeout, Duration.ZERO);
  }

  private static String text(Outcome.Succeeded succeeded) {
    return new String(succeeded.result().bytes(), UTF_8);
  }

  private static List<Long> sleepers(String... seconds) {
    return ProcessHandle.allProcesses()
        .filter(process -> sleeps(process, List.of(seconds)))
        .map(ProcessHandle::pid)
        .toList();
  }

  private static boolean sleeps(ProcessHandle process, List<String> seconds) {
    try {
      String line = Files.readString(Path.of("/proc/" + process.pid() + "/cmdline"));
      return seconds.stream().anyMatch(some -> line.equals("sleep\0" + some + "\0"));
    } catch (IOException e) {
      return false; // gone meanwhile
    }
  }

  private static Failure failure(Outcome outcome) {
    return switch (outcome) {
      case Outcome.Refused refused -> refused.failure();
      case Outcome.Failed failed -> failed.failure();
      case Outcome.InDoubt doubt -> doubt.reason();
      case Outcome.Succeeded succeeded -> throw new AssertionError(outcome);
      case Outcome.Stopped stopped -> throw new AssertionError(outcome);
    };
  }

  private static Retryability again(Outcome outcome) {
    return switch (outcome) {
      case Outcome.Refused refused -> refused.retryability();
      case Outcome.Failed failed -> failed.retryability();
      case Outcome.InDoubt doubt -> null;
      case Outcome.Succeeded succeeded -> null;
      case Outcome.Stopped stopped -> null;
    };
  }
}
