package dev.onejob.server.http.operation;

import dev.onejob.domain.Limits;
import dev.onejob.engine.ProviderCallbacks.Answer;
import dev.onejob.provider.CallbackHead;
import dev.onejob.provider.CallbackMessage;
import dev.onejob.server.http.problem.Problem;
import dev.onejob.server.http.problem.ProblemException;
import dev.onejob.server.http.problem.ProblemType;
import dev.onejob.server.http.request.RequestBody;
import io.javalin.http.Context;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.util.Collections;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/** Messages of providers in forms of their own, and what is said to those that are not taken. */
final class ProviderMessages {
  private ProviderMessages() {}

  /** What can be judged before the body is read. */
  static CallbackHead head(Context ctx) {
    HttpServletRequest request = ctx.req();
    Map<String, String> headers = new HashMap<>();
    for (String name : Collections.list(request.getHeaderNames())) {
      headers.put(
          name.toLowerCase(Locale.ROOT),
          String.join(", ", Collections.list(request.getHeaders(name))));
    }
    return new CallbackHead(Map.copyOf(headers));
  }

  /** The message as it came, whose head was judged before. */
  static CallbackMessage read(Context ctx, CallbackHead head) throws IOException {
    return new CallbackMessage(
        head.headers(), RequestBody.raw(ctx.req(), Limits.CALLBACK_BYTES_MAX));
  }

  static ProblemException refused(Answer.Refused refused) {
    return Problem.of(
            ProblemType.SIGNATURE_INVALID, "This is not taken as the provider's: " + refused.why())
        .asException();
  }

  static ProblemException unreadable(Answer.Unreadable unreadable) {
    return Problem.of(ProblemType.BODY_INVALID, "The callback is refused: " + unreadable.why())
        .with("pointer", "")
        .asException();
  }

  static ProblemException notNow(Answer.NotNow notNow) {
    return Problem.of(ProblemType.OVERLOADED, "Send it again: " + notNow.why())
        .withHeader("Retry-After", "10")
        .asException();
  }
}
