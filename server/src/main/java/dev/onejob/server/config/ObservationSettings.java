package dev.onejob.server.config;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * How one finds out what a node does.
 *
 * @param logLevel of this service's own lines
 * @param tracing null: no traces
 */
public record ObservationSettings(
    LogFormat logFormat,
    LogLevel logLevel,
    MetricsReaders metricsReaders,
    @Nullable TracingSettings tracing) {

  /** How a line of log is written. */
  public enum LogFormat {
    TEXT,
    JSON;

    static LogFormat of(String word) {
      return valueOf(word.toUpperCase(Locale.ROOT));
    }
  }

  /** The least that is logged. */
  public enum LogLevel {
    ERROR,
    WARN,
    INFO,
    DEBUG;

    static LogLevel of(String word) {
      return valueOf(word.toUpperCase(Locale.ROOT));
    }
  }

  /** Who may read {@code /metrics}. */
  public enum MetricsReaders {
    /** Callers with an operator's API key. */
    OPERATORS,
    /** Everyone who reaches the port. */
    ANYONE;

    static MetricsReaders of(String word) {
      return valueOf(word.toUpperCase(Locale.ROOT));
    }
  }

  /** The same with what the command line says. */
  public ObservationSettings with(@Nullable LogFormat format, @Nullable LogLevel level) {
    return new ObservationSettings(
        format == null ? logFormat : format,
        level == null ? logLevel : level,
        metricsReaders,
        tracing);
  }
}
