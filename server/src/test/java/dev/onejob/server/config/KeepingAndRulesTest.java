package dev.onejob.server.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.onejob.document.ConfigException;
import dev.onejob.document.ConfigProblem;
import dev.onejob.engine.RetentionRules;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How long what has ended is kept, and the rules of kinds for their doubts. */
class KeepingAndRulesTest {
  private static final String PROVIDER =
      """
      providers:
        chat:
          type: chat
          model: small
      """;

  @TempDir Path folder;

  @Test
  void retention_is_usual_unless_it_is_set() throws IOException {
    String kinds = "kinds:\n  demo: {route: [chat]}\n";

    assertThat(load(kinds + PROVIDER).retention()).isEqualTo(RetentionRules.USUAL);
    assertThat(
            load("retention: {payload_after: never, tombstone_after: 90d, batch: 7, interval: 5s}\n"
                    + kinds
                    + PROVIDER)
                .retention())
        .isEqualTo(new RetentionRules(null, Duration.ofDays(90), 7, Duration.ofSeconds(5)));
  }

  @Test
  void a_tombstone_that_would_go_before_the_payload_and_a_rule_beyond_harmless_are_refused() {
    assertThat(
            complaints(
                """
        retention:
          tombstone_after: 1d
        kinds:
          pay:
            route: [chat]
            unknown: {after: 1m, verdict: abandon, then: retry}
          keyed:
            effect: keyed
            route: [chat]
            unknown: {after: 1m, verdict: abandon}
          quick:
            effect: harmless
            route: [chat]
            unknown: {after: 0s, verdict: abandon}
        """
                    + PROVIDER))
        .containsExactly(
            "onejob.yaml:2: retention.tombstone_after: must not be shorter than payload_after",
            "onejob.yaml:6: kinds.pay.unknown: a kind with effect exclusive has no rule: its doubts"
                + " end by evidence or a person",
            "onejob.yaml:10: kinds.keyed.unknown: a rule of a kind with effect keyed may only"
                + " replay the same attempt, never abandon it for another; rules that replay do not"
                + " exist yet",
            "onejob.yaml:14: kinds.quick.unknown.after: must be positive");
  }

  private Settings load(String text) throws IOException {
    Files.writeString(folder.resolve("onejob.yaml"), text);
    return new SettingsLoader(List.of(TestTypes.CHAT), Map.<String, String>of()::get, folder)
        .load(Path.of("onejob.yaml"));
  }

  private List<String> complaints(String text) {
    ConfigException refused = catchThrowableOfType(ConfigException.class, () -> load(text));
    assertThat(refused).as("accepted").isNotNull();
    return refused.problems().stream().map(ConfigProblem::toString).toList();
  }
}
