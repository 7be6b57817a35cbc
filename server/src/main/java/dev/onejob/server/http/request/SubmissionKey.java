package dev.onejob.server.http.request;

import dev.onejob.domain.IntentKey;
import dev.onejob.intent.KeyHeader;
import dev.onejob.server.http.problem.Problem;
import dev.onejob.server.http.problem.ProblemType;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Collections;
import java.util.List;

/** The {@code Idempotency-Key} of a submission. */
public final class SubmissionKey {
  /** The name of the header. */
  public static final String HEADER = "Idempotency-Key";

  private SubmissionKey() {}

  /** Reads the header; the quoted and the bare form are the same key. */
  public static IntentKey of(HttpServletRequest request) {
    List<String> lines = Collections.list(request.getHeaders(HEADER));
    if (lines.isEmpty()) {
      throw Problem.of(
              ProblemType.IDEMPOTENCY_KEY_MISSING,
              "Make a key once for each intent, before the first try, and send the same one with"
                  + " every try: Idempotency-Key: <1 to 255 visible ASCII characters>.")
          .withHeader("Link", "</openapi.json>; rel=\"describedby\"; type=\"application/json\"")
          .asException();
    }
    try {
      return KeyHeader.parse(lines);
    } catch (IllegalArgumentException e) {
      throw Problem.of(
              ProblemType.IDEMPOTENCY_KEY_INVALID, "It cannot be used: " + e.getMessage() + ".")
          .asException();
    }
  }
}
