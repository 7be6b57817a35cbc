package dev.onejob.server.http.operation;

import dev.onejob.server.http.request.Waiting;
import io.javalin.http.Context;

/** Says which preferences were heeded. */
final class Preferences {
  private Preferences() {}

  static void applied(Context ctx, Waiting waiting) {
    if (!waiting.applied().isEmpty()) {
      ctx.res().setHeader("Preference-Applied", String.join(", ", waiting.applied()));
    }
  }
}
