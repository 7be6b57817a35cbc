package dev.onejob.server.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.onejob.document.ConfigException;
import dev.onejob.providers.ProviderTypes;
import dev.onejob.server.config.ObservationSettings.LogFormat;
import dev.onejob.server.config.ObservationSettings.LogLevel;
import dev.onejob.server.config.ObservationSettings.MetricsReaders;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How one finds out what a node does: what may be set, and what holds if nothing is. */
final class ObservationSettingsTest {
  private static final String REST =
      """

      kinds: {demo: {route: [sandbox-a]}}
      providers: {sandbox-a: {type: sandbox}}
      """;

  @TempDir Path folder;

  private ObservationSettings read(String settings, Map<String, String> environment) {
    try {
      Files.writeString(folder.resolve("onejob.yaml"), settings + REST);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
    return new SettingsLoader(ProviderTypes.ALL, environment::get, folder)
        .load(Path.of("onejob.yaml"))
        .observation();
  }

  @Test
  void without_settings_the_log_is_text_metrics_are_for_operators_and_nothing_is_traced() {
    assertThat(read("", Map.of()))
        .isEqualTo(
            new ObservationSettings(LogFormat.TEXT, LogLevel.INFO, MetricsReaders.OPERATORS, null));
  }

  @Test
  void every_setting_is_read() {
    assertThat(
            read(
                """
                log: {format: json, level: debug}
                metrics: {readers: anyone}
                tracing: {otlp_endpoint: "https://collector/v1/traces", sampled: 0.25}
                """,
                Map.of("OTEL_EXPORTER_OTLP_ENDPOINT", "http://other:4318")))
        .isEqualTo(
            new ObservationSettings(
                LogFormat.JSON,
                LogLevel.DEBUG,
                MetricsReaders.ANYONE,
                new TracingSettings("https://collector/v1/traces", 0.25)));
  }

  @Test
  void the_variables_of_open_telemetry_say_where_traces_go_if_the_file_does_not() {
    String all = "OTEL_EXPORTER_OTLP_ENDPOINT";
    String traces = "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT";

    assertThat(read("", Map.of(all, "http://c:4318/")).tracing())
        .isEqualTo(new TracingSettings("http://c:4318/v1/traces", 1));
    assertThat(read("", Map.of(all, "http://c:4318", traces, "http://t:4318/here")).tracing())
        .isEqualTo(new TracingSettings("http://t:4318/here", 1));
    assertThat(read("", Map.of(all, "http://c:4318", "OTEL_SDK_DISABLED", "true")).tracing())
        .isNull();
  }

  @Test
  void what_is_no_such_word_or_address_is_refused_with_its_line() {
    assertThatThrownBy(() -> read("log: {format: xml}", Map.of()))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("onejob.yaml:1: log.format");
    assertThatThrownBy(() -> read("tracing: {otlp_endpoint: collector}", Map.of()))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("onejob.yaml:1: tracing.otlp_endpoint");
  }

  @Test
  void the_command_line_wins() {
    assertThat(read("log: {format: json}", Map.of()).with(LogFormat.TEXT, LogLevel.WARN))
        .extracting(ObservationSettings::logFormat, ObservationSettings::logLevel)
        .containsExactly(LogFormat.TEXT, LogLevel.WARN);
  }
}
