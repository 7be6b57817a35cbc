package dev.onejob.providers.sandbox;

import dev.onejob.domain.Failure;
import dev.onejob.domain.Limits;
import dev.onejob.domain.Result;
import dev.onejob.domain.Retryability;
import dev.onejob.domain.Usage;
import dev.onejob.provider.Outcome;
import dev.onejob.providers.BoundedJson;
import dev.onejob.providers.BoundedJson.Flaw;
import dev.onejob.providers.Quoted;
import dev.onejob.providers.http.Head;
import dev.onejob.providers.http.OnePost;
import dev.onejob.providers.http.RetryAfter;
import dev.onejob.providers.http.StatusMeaning;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/** What an answer of the sandbox means. */
final class SandboxReading {
  private static final Pattern USAGE = Pattern.compile("([0-9]{1,18}) ([0-9]{1,18})");
  private static final String UNRECOGNISED = "unrecognised-answer";

  private SandboxReading() {}

  static Outcome of(Head head, byte[] body) {
    return switch (head.field(SandboxHeaders.OUTCOME).orElse("")) {
      case SandboxHeaders.SUCCEEDED -> succeeded(head, body);
      case SandboxHeaders.REFUSED -> refused(head, body);
      default -> head.isSuccess() ? bareSuccess(head, body) : bareStatus(head, body);
    };
  }

  static Outcome tooLarge(Head head) {
    return head.isSuccess() ? tooLarge() : bareStatus(head, new byte[0]);
  }

  private static Outcome tooLarge() {
    String message = "the result is larger than " + Limits.RESULT_BYTES_MAX + " bytes";
    return failed(Failure.RESULT_TOO_LARGE, message);
  }

  private static Outcome succeeded(Head head, byte[] body) {
    return body.length > Limits.RESULT_BYTES_MAX
        ? tooLarge()
        : new Outcome.Succeeded(new Result(Result.Format.JSON, body), null, usage(head));
  }

  private static Usage usage(Head head) {
    Matcher figures = USAGE.matcher(head.field(SandboxHeaders.USAGE).orElse(""));
    return figures.matches()
        ? new Usage(Long.valueOf(figures.group(1)), Long.valueOf(figures.group(2)), null)
        : Usage.UNSAID;
  }

  private static Outcome refused(Head head, byte[] body) {
    try {
      JsonNode error = BoundedJson.read(body).path("error");
      boolean again = error.path("retryable").asBoolean(false);
      return new Outcome.Refused(
          new Failure(
              error.path("code").asString("sandbox-refused"),
              Quoted.message(error.path("message").asString(""))),
          again ? Retryability.RETRYABLE : Retryability.FINAL,
          RetryAfter.of(head, Instant.now()));
    } catch (JacksonException e) {
      return doubt(OnePost.UNREADABLE_ANSWER, "a refusal that cannot be read");
    }
  }

  /** A success that the sandbox does not vouch for: only what is plainly a result is one. */
  private static Outcome bareSuccess(Head head, byte[] body) {
    Optional<Flaw> flaw = BoundedJson.flaw(body);
    if (body.length > Limits.RESULT_BYTES_MAX) {
      return tooLarge();
    }
    if (flaw.isPresent()) {
      return flawed(flaw.get());
    }
    return BoundedJson.hasMember(body, "error")
        ? doubt(UNRECOGNISED, Quoted.message("a success with an error in it", text(body)))
        : succeeded(head, body);
  }

  private static Outcome flawed(Flaw flaw) {
    return switch (flaw.sort()) {
      case MALFORMED -> doubt(OnePost.UNREADABLE_ANSWER, "the answer is not JSON: " + flaw.says());
      case BEYOND_LIMITS -> failed(Failure.RESULT_INVALID, flaw.says());
    };
  }

  /** A status other than success that a script plays. */
  private static Outcome bareStatus(Head head, byte[] body) {
    Failure failure =
        new Failure(
            "status-" + head.status(), Quoted.message("status " + head.status(), text(body)));
    return switch (StatusMeaning.of(head.status())) {
      case REFUSED_FINAL -> new Outcome.Refused(failure, Retryability.FINAL, null);
      case REFUSED_RETRYABLE ->
          new Outcome.Refused(failure, Retryability.RETRYABLE, RetryAfter.of(head, Instant.now()));
      case DOUBT -> new Outcome.InDoubt(failure);
    };
  }

  private static Outcome failed(String code, String message) {
    return new Outcome.Failed(new Failure(code, message), Retryability.FINAL, null);
  }

  private static Outcome doubt(String code, String message) {
    return new Outcome.InDoubt(new Failure(code, message));
  }

  private static String text(byte[] body) {
    return new String(body, StandardCharsets.UTF_8);
  }
}
