package dev.onejob.server.http.operation;

import io.javalin.http.Handler;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * How one finds out what the API does.
 *
 * @param metrics all of them, in the text format of Prometheus, version 0.0.4
 * @param readers who may read them
 * @param tracing goes around the handler of every call that needs a key or a secret
 */
public record Watching(Supplier<String> metrics, Readers readers, UnaryOperator<Handler> tracing) {
  /** No metrics and no traces. */
  public static final Watching NOBODY =
      new Watching(() -> "", Readers.OPERATORS, UnaryOperator.identity());

  /** Who may read the metrics. */
  public enum Readers {
    /** Callers with an operator's API key. */
    OPERATORS,
    /** Everyone who reaches the port. */
    ANYONE
  }
}
