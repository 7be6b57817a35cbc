package dev.onejob.server.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.onejob.document.ConfigException;
import dev.onejob.engine.EngineConfig.Holding;
import dev.onejob.providers.ProviderTypes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Case C03, its second half: how a node may be told to hold on to its attempts. */
class HoldingSettingsTest {
  @TempDir Path folder;

  private Settings load(String server) throws IOException {
    Path file =
        Files.writeString(
            folder.resolve("onejob.yaml"),
            """
            server: {%s}
            kinds:
              demo: {route: [sandbox-a]}
            providers:
              sandbox-a: {type: sandbox}
            """
                .formatted(server));
    return new SettingsLoader(ProviderTypes.ALL, name -> null, folder).load(file);
  }

  @Test
  void a_lease_lasts_thirty_seconds_and_is_renewed_every_ten_unless_told_otherwise()
      throws IOException {
    assertThat(load("port: 0").server().holding())
        .isEqualTo(
            new Holding(
                Duration.ofSeconds(30), Duration.ofSeconds(10), Duration.ofSeconds(30), 256));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          lease: 5s, heartbeat: 3s | server.lease: must last for two heartbeats at least
          lease: 5s                | a heartbeat is 10000 ms, the lease 5000 ms
          lease: 2h                | server.lease: at most 1 h
          heartbeat: 0s            | server.heartbeat: at least 20 ms
          stop_grace: 2d           | server.stop_grace: at most 1 d
          late_answers: 0          | server.late_answers: expected at least 1
          """)
  void nonsense_is_refused_at_the_start_by_name_and_line(String server, String complaint) {
    assertThatThrownBy(() -> load(server))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("onejob.yaml:1: server.")
        .hasMessageContaining(complaint);
  }
}
