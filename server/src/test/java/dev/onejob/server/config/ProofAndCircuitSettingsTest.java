package dev.onejob.server.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.onejob.document.ConfigException;
import dev.onejob.domain.CircuitPolicy;
import dev.onejob.domain.WhenPressed;
import dev.onejob.providers.ProviderType;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a kind demands of providers, and when a provider is left alone. */
final class ProofAndCircuitSettingsTest {
  @TempDir Path folder;

  private Settings load(String kind, String provider) throws IOException {
    Path file = folder.resolve("onejob.yaml");
    Files.writeString(
        file,
        """
        kinds:
          demo: {route: [box]%s}
        providers:
          box: {type: sandbox%s}
        """
            .formatted(kind, provider));
    List<ProviderType> types = List.of(TestTypes.SANDBOX, TestTypes.CHAT);
    return new SettingsLoader(types, name -> null, folder).load(Path.of("onejob.yaml"));
  }

  @Test
  void are_read() throws IOException {
    Settings settings =
        load(
            ", unqualified_button: allow, breaches: 7",
            ", circuit: {failures: 2, pause: 100ms, pause_max: 3s}");

    assertThat(settings.proofRules()).containsEntry("demo", new ProofRules(WhenPressed.ALLOW, 7));
    assertThat(settings.providers().getFirst().circuit())
        .isEqualTo(new CircuitPolicy(2, Duration.ofMillis(100), Duration.ofSeconds(3)));
  }

  @Test
  void are_strict_and_patient_by_default() throws IOException {
    Settings settings = load("", "");

    assertThat(settings.proofRules()).containsEntry("demo", new ProofRules(WhenPressed.REFUSE, 3));
    assertThat(settings.providers().getFirst().circuit()).isEqualTo(CircuitPolicy.USUAL);
  }

  @Test
  void a_longest_pause_below_the_first_is_refused_where_it_is_written() {
    assertThatThrownBy(() -> load("", ", circuit: {pause: 10s, pause_max: 1s}"))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("onejob.yaml:4: providers.box.circuit.pause_max");
  }
}
