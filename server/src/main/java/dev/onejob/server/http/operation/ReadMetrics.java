package dev.onejob.server.http.operation;

import dev.onejob.server.access.Credential;
import io.javalin.http.Context;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.function.Supplier;

/** {@code GET /metrics}: what this node counts. */
final class ReadMetrics implements Operation {
  private final Supplier<String> metrics;

  ReadMetrics(Supplier<String> metrics) {
    this.metrics = metrics;
  }

  @Override
  public void handle(Context ctx, Credential caller) throws IOException {
    answer(ctx);
  }

  void answer(Context ctx) throws IOException {
    Answers.metrics(ctx, metrics.get().getBytes(StandardCharsets.UTF_8));
  }
}
