package dev.onejob.server.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.onejob.document.ConfigException;
import dev.onejob.document.ConfigProblem;
import dev.onejob.domain.Effect;
import dev.onejob.domain.Kind;
import dev.onejob.domain.Then;
import dev.onejob.domain.UnknownRule;
import dev.onejob.domain.Verdict;
import dev.onejob.domain.WhenUnqualified;
import dev.onejob.engine.EngineConfig;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SettingsLoaderTest {
  private static final String PROVIDERS =
      """
      providers:
        sandbox-a:
          type: sandbox
        chat:
          type: chat
          model: small
      """;

  @TempDir Path folder;

  @Test
  void serves_two_kinds_on_the_sandbox_and_a_playground_without_a_file() {
    Settings settings = loader().builtIn();

    assertThat(settings.kinds())
        .extracting(Kind::name)
        .containsExactly("demo", "demo-race", "playground", "playground-race", "playground-asked");
    Kind demo = settings.kinds().getFirst();
    assertThat(demo.effect()).isEqualTo(Effect.EXCLUSIVE);
    assertThat(demo.route()).containsExactly("sandbox-a", "sandbox-b");
    assertThat(demo.attemptTimeout()).isEqualTo(Duration.ofSeconds(5));
    assertThat(demo.raceAfter()).isNull();
    assertThat(settings.kinds().get(1).raceAfter()).isEqualTo(Duration.ofMillis(500));
    assertThat(settings.kinds().get(1).effect()).isEqualTo(Effect.HARMLESS);
    assertThat(settings.server().host()).isEqualTo("127.0.0.1");
    assertThat(settings.server().port()).isEqualTo(8080);
    assertThat(settings.database().url()).isNull();
    assertThat(settings.dataFolder()).isEqualTo(folder.resolve(".onejob"));
  }

  @Test
  void reads_every_setting() throws IOException {
    Settings settings =
        load(
            """
            server: {host: 0.0.0.0, port: 9090, node: n1, slots: 12,
                     poll_interval: 2s, sweep_interval: 300ms, lease: 20s, heartbeat: 4s,
                     stop_grace: 0s, late_answers: 9, public_url: https://jobs.example.com/onejob/}
            database: {url: "postgres://db/jobs", user: app,
                       password_env: DB_PASSWORD, pool_size: 20,
                       durability: waived, socket_timeout: 45s}
            data: kept
            kinds:
              pay: {effect: harmless, route: [chat, sandbox-a], attempt_timeout: 2m,
                    late_answer_limit: 1h, attempts: 5, backoff: {first: 100ms, max: 1m},
                    race: {after: 10s}, unknown: {after: 15m, verdict: abandon, then: retry},
                    deadline: 1d, when_unqualified: fail, in_flight: 7}
            providers:
              sandbox-a: {type: sandbox}
              chat: {type: chat, in_flight: 3, model: small}
            """);

    Kind pay = settings.kinds().getFirst();
    assertThat(pay.attemptTimeout()).isEqualTo(Duration.ofMinutes(2));
    assertThat(pay.lateAnswerLimit()).isEqualTo(Duration.ofHours(1));
    assertThat(pay.attemptsAllowed()).isEqualTo(5);
    assertThat(pay.retry().first()).isEqualTo(Duration.ofMillis(100));
    assertThat(pay.retry().max()).isEqualTo(Duration.ofMinutes(1));
    assertThat(pay.raceAfter()).isEqualTo(Duration.ofSeconds(10));
    assertThat(pay.unknownRule())
        .isEqualTo(new UnknownRule(Duration.ofMinutes(15), Verdict.ABANDON, Then.RETRY));
    assertThat(pay.deadline()).isEqualTo(Duration.ofDays(1));
    assertThat(pay.whenUnqualified()).isEqualTo(WhenUnqualified.FAIL);
    assertThat(pay.inFlightMax()).isEqualTo(7);
    assertThat(settings.server())
        .isEqualTo(
            new ServerSettings(
                "0.0.0.0",
                9090,
                "n1",
                12,
                Duration.ofSeconds(2),
                Duration.ofMillis(300),
                new EngineConfig.Holding(
                    Duration.ofSeconds(20), Duration.ofSeconds(4), Duration.ZERO, 9),
                URI.create("https://jobs.example.com/onejob")));
    assertThat(settings.database().password()).isEqualTo("hush");
    assertThat(settings.database().toString()).doesNotContain("hush");
    assertThat(settings.dataFolder()).isEqualTo(folder.resolve("kept"));
    assertThat(settings.providers().getLast().inFlightMax()).isEqualTo(3);
    assertThat(settings.providers().getLast().own().toString()).isEqualTo("{\"model\":\"small\"}");
  }

  @Test
  void names_file_line_and_expectation_of_a_duration_that_is_none() {
    assertThat(
            complaints(
                """
        kinds:
          demo:
            route: [chat]
            attempt_timeout: soon
        """
                    + PROVIDERS))
        .containsExactly(
            "onejob.yaml:4: kinds.demo.attempt_timeout: expected a duration such as 500ms, 5s, 2m,"
                + " 1h or 1d, got \"soon\"");
  }

  @Test
  void says_everything_that_is_wrong_at_once_in_the_order_of_the_lines() {
    assertThat(
            complaints(
                """
        sever:
          port: 80
        server:
          port: 70000
          slots: many
        kinds:
          demo:
            efect: harmless
            route: [chat, chatt]
            when_unqualified: wiat
            attempts: 0
          other: {}
        providers:
          chat: {type: chat, model: small, temprature: 1}
          chat-2: {type: chat}
          box: {type: sandbax}
        """))
        .containsExactly(
            "onejob.yaml:1: sever: unknown setting; did you mean \"server\"?",
            "onejob.yaml:4: server.port: expected at most 65535, got 70000",
            "onejob.yaml:5: server.slots: expected a whole number, got \"many\"",
            "onejob.yaml:8: kinds.demo.efect: unknown setting; did you mean \"effect\"?",
            "onejob.yaml:9: kinds.demo.route.1: no provider is named \"chatt\"; did you mean"
                + " \"chat\"?",
            "onejob.yaml:10: kinds.demo.when_unqualified: expected wait or fail, got \"wiat\"; did"
                + " you mean \"wait\"?",
            "onejob.yaml:11: kinds.demo.attempts: expected at least 1, got 0",
            "onejob.yaml:12: kinds.other: needs \"route\"",
            "onejob.yaml:14: providers.chat.temprature: unknown setting; did you mean"
                + " \"temperature\"?",
            "onejob.yaml:15: providers.chat-2: needs \"model\"",
            "onejob.yaml:16: providers.box.type: no type of provider is named \"sandbax\"; did you"
                + " mean \"sandbox\"?");
  }

  @Test
  void refuses_a_race_of_a_kind_that_is_not_harmless() {
    assertThat(
            complaints(
                """
        kinds:
          demo:
            route: [chat]
            race:
              after: 1s
        """
                    + PROVIDERS))
        .containsExactly(
            "onejob.yaml:4: kinds.demo.race: only a kind with effect harmless may race");
  }

  @Test
  void refuses_a_race_that_starts_after_the_timeout() {
    assertThat(
            complaints(
                """
        kinds:
          demo:
            effect: harmless
            route: [chat]
            attempt_timeout: 1s
            race:
              after: 1s
        """
                    + PROVIDERS))
        .containsExactly(
            "onejob.yaml:7: kinds.demo.race.after: must be shorter than attempt_timeout");
  }

  @Test
  void refuses_durations_without_length_and_longer_than_a_day() {
    assertThat(
            complaints(
                """
        kinds:
          demo: {route: [chat], attempt_timeout: 0s}
          slow: {route: [chat], attempt_timeout: 25h}
        server: {poll_interval: 0ms}
        """
                    + PROVIDERS))
        .containsExactly(
            "onejob.yaml:2: kinds.demo.attempt_timeout: must be positive",
            "onejob.yaml:3: kinds.slow.attempt_timeout: expected at most 1d",
            "onejob.yaml:4: server.poll_interval: must be longer than nothing");
  }

  @Test
  void refuses_a_backoff_whose_first_wait_is_longer_than_its_longest() {
    assertThat(
            complaints(
                """
        kinds:
          demo:
            route: [chat]
            backoff: {first: 2m, max: 1m}
        """
                    + PROVIDERS))
        .containsExactly(
            "onejob.yaml:4: kinds.demo.backoff: first must be positive and at most max");
  }

  @Test
  void refuses_a_name_that_is_no_name() {
    assertThat(
            complaints(
                """
        kinds:
          "a b":
            route: [chat]
        """
                    + PROVIDERS))
        .containsExactly(
            "onejob.yaml:2: kinds.a b: expected a name of 1 to 64 letters, digits and . _ -,"
                + " starting with a letter or digit");
  }

  @Test
  void refuses_a_setting_without_a_value() {
    assertThat(complaints("kinds:\n" + PROVIDERS))
        .containsExactly("onejob.yaml:1: kinds: expected a mapping, got nothing");
  }

  @Test
  void refuses_a_member_that_is_there_twice() {
    assertThat(
            complaints(
                """
        kinds:
          demo: {route: [chat]}
          demo: {route: [sandbox-a]}
        """
                    + PROVIDERS))
        .containsExactly("onejob.yaml:3: kinds.demo: is there twice; first on line 2");
  }

  @Test
  void refuses_anchors_before_anything_is_built_from_them() {
    assertThat(
            complaints(
                """
        a: &a [x, x, x]
        b: &b [*a, *a, *a]
        """))
        .containsExactly("onejob.yaml:1: anchors and aliases (& and *) are not supported");
  }

  @Test
  void refuses_deep_nesting_without_falling_over() {
    assertThat(complaints("a: " + "[".repeat(100_000)))
        .containsExactly("onejob.yaml:1: nested deeper than 64 levels");
  }

  @Test
  void refuses_a_second_document() {
    assertThat(complaints("a: 1\n---\nb: 2\n"))
        .containsExactly("onejob.yaml:2: a second document; expected one");
  }

  @Test
  void refuses_a_tab_as_indentation() {
    assertThat(complaints("kinds:\n\tdemo: {}\n"))
        .containsExactly("onejob.yaml:2: a tab where YAML allows none; indent with spaces");
  }

  @Test
  void refuses_foreign_tags() {
    assertThat(complaints("kinds: !!java.lang.Runtime {}\n"))
        .singleElement()
        .asString()
        .startsWith("onejob.yaml:1: kinds: the tag ")
        .endsWith(" is not supported");
  }

  @Test
  void refuses_what_is_no_yaml_and_names_the_line() {
    assertThat(complaints("kinds:\n  demo: {route: [a\n"))
        .singleElement()
        .asString()
        .startsWith("onejob.yaml:3: is not YAML");
  }

  @Test
  void refuses_a_file_that_is_empty_or_a_list() {
    assertThat(complaints("# nothing\n"))
        .containsExactly("onejob.yaml:1: is empty; expected kinds and providers");
    assertThat(complaints("- a\n"))
        .containsExactly("onejob.yaml:1: expected a mapping, got a list");
  }

  @Test
  void refuses_a_file_that_is_not_there_or_no_text() throws IOException {
    assertThat(complaint(Path.of("missing.yaml")))
        .containsExactly("missing.yaml: there is no such file");
    Files.write(folder.resolve("binary.yaml"), new byte[] {(byte) 0xC3, (byte) 0x28});
    assertThat(complaint(Path.of("binary.yaml")))
        .containsExactly("binary.yaml: is not text in UTF-8");
  }

  @Test
  void refuses_a_password_variable_that_is_not_set() {
    assertThat(
            complaints(
                """
        database:
          url: postgres://db/jobs
          password_env: NOT_SET
        kinds: {demo: {route: [chat]}}
        """
                    + PROVIDERS))
        .containsExactly("onejob.yaml:3: database.password_env: the variable NOT_SET is not set");
  }

  @Test
  void does_not_repeat_what_may_be_a_secret() {
    assertThat(
            complaints(
                """
        database:
          url: mysql://root:hush@db/jobs
          password_env: "hush!"
        kinds: {demo: {route: [chat]}}
        """
                    + PROVIDERS))
        .hasSize(2)
        .allSatisfy(line -> assertThat(line).doesNotContain("hush").contains("(not shown)"));
  }

  @Test
  void says_which_settings_of_a_provider_exclude_each_other() {
    assertThat(
            complaints(
                """
        kinds: {demo: {route: [c]}}
        providers:
          c:
            type: chat
            model: small
            key_env: A
            key_file: b
        """))
        .containsExactly("onejob.yaml:3: providers.c: key_env and key_file exclude each other");
  }

  private SettingsLoader loader() {
    return new SettingsLoader(
        List.of(TestTypes.SANDBOX, TestTypes.CHAT), Map.of("DB_PASSWORD", "hush")::get, folder);
  }

  private Settings load(String text) throws IOException {
    Files.writeString(folder.resolve("onejob.yaml"), text);
    return loader().load(Path.of("onejob.yaml"));
  }

  private List<String> complaints(String text) {
    ConfigException refused = catchThrowableOfType(ConfigException.class, () -> load(text));
    assertThat(refused).as("accepted").isNotNull();
    return refused.problems().stream().map(ConfigProblem::toString).toList();
  }

  private List<String> complaint(Path file) {
    ConfigException refused =
        catchThrowableOfType(ConfigException.class, () -> loader().load(file));
    return refused.problems().stream().map(ConfigProblem::toString).toList();
  }
}
