package dev.onejob.server.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.onejob.document.ConfigException;
import dev.onejob.providers.ProviderTypes;
import dev.onejob.server.config.UiSettings.Presence;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How the dashboard serves. */
class UiSettingsTest {
  @TempDir Path folder;

  private UiSettings load(String ui) throws IOException {
    Path file =
        Files.writeString(
            folder.resolve("onejob.yaml"),
            """
            ui: {%s}
            kinds:
              demo: {route: [sandbox-a]}
            providers:
              sandbox-a: {type: sandbox}
            """
                .formatted(ui));
    return new SettingsLoader(ProviderTypes.ALL, name -> null, folder).load(file).ui();
  }

  @Test
  void there_is_a_dashboard_unless_it_is_told_otherwise() throws IOException {
    assertThat(load("")).isEqualTo(UiSettings.USUAL);
    assertThat(load("enabled: false").presence()).isEqualTo(Presence.OFF);
  }

  @Test
  void every_setting_is_read() throws IOException {
    assertThat(
            load(
                "session_idle: 5m, session_max: 1h, pool_size: 2, statement_timeout: 500ms,"
                    + " streams_max: 7"))
        .isEqualTo(
            new UiSettings(
                Presence.SERVED,
                Duration.ofMinutes(5),
                Duration.ofHours(1),
                2,
                Duration.ofMillis(500),
                7));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          session_idle: 30s                  | ui.session_idle: from 1m to session_max
          session_idle: 2h, session_max: 1h  | ui.session_idle: from 1m to session_max
          session_max: 31d                   | ui.session_max: at most 30d
          statement_timeout: 50ms            | ui.statement_timeout: from 100ms to 30s
          pool_size: 0                       | ui.pool_size
          streams_max: -1                    | ui.streams_max
          """)
  void what_cannot_be_is_refused_at_the_start_by_name(String ui, String complaint) {
    assertThatThrownBy(() -> load(ui))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("onejob.yaml:1: ")
        .hasMessageContaining(complaint);
  }
}
