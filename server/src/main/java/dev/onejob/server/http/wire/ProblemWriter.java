package dev.onejob.server.http.wire;

import dev.onejob.server.http.problem.Problem;

/** Problem documents. */
public final class ProblemWriter {
  /** The media type of RFC 9457. */
  public static final String MEDIA_TYPE = "application/problem+json";

  private ProblemWriter() {}

  /** The document. */
  public static byte[] write(Problem problem) {
    return JsonOut.object(
        out -> {
          out.text("type", problem.type().uri());
          out.text("code", problem.type().code());
          out.text("title", problem.type().title());
          out.number("status", problem.type().status());
          out.text("detail", problem.detail());
          problem.extensions().forEach(out::any);
        });
  }
}
