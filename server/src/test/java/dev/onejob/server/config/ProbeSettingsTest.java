package dev.onejob.server.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.onejob.document.ConfigException;
import dev.onejob.document.ConfigProblem;
import dev.onejob.engine.ProbePolicy;
import dev.onejob.providers.ProviderTypes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProbeSettingsTest {
  @TempDir Path folder;

  private Settings load(String text) throws IOException {
    Files.writeString(folder.resolve("onejob.yaml"), text);
    return new SettingsLoader(ProviderTypes.ALL, name -> null, folder).load(Path.of("onejob.yaml"));
  }

  private List<String> complaints(String text) {
    ConfigException refused = catchThrowableOfType(ConfigException.class, () -> load(text));
    assertThat(refused).as("accepted").isNotNull();
    return refused.problems().stream().map(ConfigProblem::toString).toList();
  }

  @Test
  void says_how_a_provider_is_asked_about_attempts_in_doubt() throws IOException {
    Settings settings =
        load(
            """
            kinds: {a: {route: [quick]}, b: {route: [slow]}, c: {route: [usual]}}
            providers:
              quick:
                type: sandbox
                probe: {first: 200ms, max: 3s, timeout: 4s, longest: 2h, in_flight: 9}
              slow: {type: sandbox, probe: {first: 10m}}
              usual: {type: sandbox}
            """);

    assertThat(settings.providers())
        .extracting(ProviderSettings::probes)
        .containsExactly(
            new ProbePolicy(
                Duration.ofMillis(200),
                Duration.ofSeconds(3),
                Duration.ofSeconds(4),
                Duration.ofHours(2),
                9),
            new ProbePolicy(
                Duration.ofMinutes(10),
                Duration.ofMinutes(10),
                Duration.ofSeconds(10),
                Duration.ofDays(1),
                4),
            ProbePolicy.USUAL);
  }

  @Test
  void refuses_waits_that_contradict_each_other() {
    assertThat(
            complaints(
                """
                kinds: {a: {route: [p]}}
                providers:
                  p:
                    type: sandbox
                    probe:
                      first: 5s
                      max: 1s
                """))
        .containsExactly(
            "onejob.yaml:7: providers.p.probe.max: must not be shorter than probe.first");
  }

  @Test
  void refuses_a_sandbox_that_remembers_for_nobody_knows_how_long() {
    assertThat(
            complaints(
                """
                kinds: {a: {route: [p, q]}}
                providers:
                  p: {type: sandbox, deduplicates: key}
                  q: {type: sandbox, status: by-reference, not_found: final}
                """))
        .hasSize(2)
        .allSatisfy(complaint -> assertThat(complaint).contains("evidence_for"));
  }
}
