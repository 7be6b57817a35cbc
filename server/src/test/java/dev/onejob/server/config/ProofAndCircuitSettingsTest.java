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
  void a_pass_holds_for_as_long_as_the_kind_says_and_is_renewed_in_its_last_tenth_or_as_it_says()
      throws IOException {
    assertThat(load("", "").validity("demo")).isEqualTo(Validity.USUAL);
    assertThat(load(", valid_for: 10d", "").validity("demo"))
        .isEqualTo(new Validity(Duration.ofDays(10), Duration.ofDays(1)));
    assertThat(load(", valid_for: 7d, renew_before: 12h", "").validity("demo"))
        .isEqualTo(new Validity(Duration.ofDays(7), Duration.ofHours(12)));
    assertThat(load(", renew_before: never", "").validity("demo"))
        .isEqualTo(new Validity(Duration.ofDays(30), Duration.ZERO));
  }

  @Test
  void a_pass_that_would_hold_too_shortly_or_always_be_renewed_is_refused_where_it_is_written() {
    assertThatThrownBy(() -> load(", valid_for: 9m", ""))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("onejob.yaml:2: kinds.demo.valid_for: expected 10m to 3650d");
    assertThatThrownBy(() -> load(", valid_for: 1h, renew_before: 1h", ""))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("onejob.yaml:2: kinds.demo.renew_before: expected less than");
  }

  @Test
  void are_strict_and_patient_by_default() throws IOException {
    Settings settings = load("", "");

    assertThat(settings.proofRules()).containsEntry("demo", new ProofRules(WhenPressed.REFUSE, 3));
    assertThat(settings.providers().getFirst().circuit()).isEqualTo(CircuitPolicy.USUAL);
  }

  @Test
  void a_kind_or_provider_that_is_named_like_what_the_service_brings_along_is_refused() {
    assertThatThrownBy(() -> load("}\n  onejob.x: {route: [box]", ""))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("names that begin with onejob. are for the service itself");
    assertThatThrownBy(() -> load("", "}\n  onejob.x: {type: sandbox"))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("names that begin with onejob. are for the service itself");
  }

  @Test
  void a_longest_pause_below_the_first_is_refused_where_it_is_written() {
    assertThatThrownBy(() -> load("", ", circuit: {pause: 10s, pause_max: 1s}"))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("onejob.yaml:4: providers.box.circuit.pause_max");
  }
}
