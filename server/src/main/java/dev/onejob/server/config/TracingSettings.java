package dev.onejob.server.config;

import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Where traces are sent.
 *
 * @param otlpEndpoint takes OTLP over HTTP as protobuf; a whole address, path included
 * @param sampled share of the jobs and requests that are traced, 0 to 1
 */
public record TracingSettings(String otlpEndpoint, double sampled) {
  private static final String TRACES = "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT";
  private static final String ALL = "OTEL_EXPORTER_OTLP_ENDPOINT";
  private static final String PATH = "/v1/traces";

  /**
   * What OpenTelemetry's own variables say: the address for traces as it is, or the address for all
   * signals with the path that the protocol defines. Empty: none is set, or {@code
   * OTEL_SDK_DISABLED} is true.
   */
  static Optional<TracingSettings> ofEnvironment(Function<String, @Nullable String> environment) {
    if ("true".equalsIgnoreCase(environment.apply("OTEL_SDK_DISABLED"))) {
      return Optional.empty();
    }
    String traces = environment.apply(TRACES);
    if (traces != null && !traces.isBlank()) {
      return Optional.of(new TracingSettings(traces, 1));
    }
    String all = environment.apply(ALL);
    return all == null || all.isBlank()
        ? Optional.empty()
        : Optional.of(new TracingSettings(withPath(all), 1));
  }

  private static String withPath(String all) {
    return (all.endsWith("/") ? all.substring(0, all.length() - 1) : all) + PATH;
  }
}
