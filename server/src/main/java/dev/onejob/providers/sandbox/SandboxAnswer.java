package dev.onejob.providers.sandbox;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.onejob.domain.AttemptId;
import dev.onejob.domain.JobId;
import dev.onejob.providers.BoundedJson;
import dev.onejob.providers.sandbox.Step.Again;
import dev.onejob.providers.sandbox.Step.Play;
import java.util.HashMap;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** The answer that a play leads to, if it leads to one. */
record SandboxAnswer(int status, Map<String, String> headers, byte[] body) {
  private static final int OK = 200;
  private static final int CONFLICT = 409;
  private static final int UNPROCESSABLE = 422;

  /** What a cut connection would have answered: a success that never comes whole. */
  private static final SandboxAnswer NEVER_WHOLE =
      new SandboxAnswer(OK, Map.of(), new byte[] {' '});

  /**
   * Makes it.
   *
   * @param unscripted the value of a success for which the script gives none
   */
  static SandboxAnswer of(Play play, JsonNode unscripted) {
    return switch (play) {
      case Play.Succeed succeed ->
          succeeded(succeed.value() == null ? unscripted : succeed.value());
      case Play.Refuse refuse -> refused(refuse);
      case Play.Status bare ->
          new SandboxAnswer(bare.status(), retryAfter(bare.again()), bare.body());
      case Play.Hang hang -> NEVER_WHOLE;
      case Play.DropBefore drop -> NEVER_WHOLE;
      case Play.DropAfter drop -> NEVER_WHOLE;
    };
  }

  /** Nothing is known of such a request. */
  static final SandboxAnswer NOT_FOUND = outcome(404, SandboxHeaders.NOT_FOUND);

  /** The answer that says it; a silence has none. */
  static SandboxAnswer of(Word word, JsonNode unscripted) {
    return switch (word) {
      case Word.Succeeded s -> succeeded(s.value() == null ? unscripted : s.value());
      case Word.Failed f -> refused(f.how());
      case Word.Stopped s -> outcome(OK, SandboxHeaders.STOPPED);
      case Word.AtWork w -> outcome(CONFLICT, SandboxHeaders.AT_WORK);
      case Word.NotFound n -> NOT_FOUND;
      case Word.Garbage g -> new SandboxAnswer(OK, Map.of(), "<html>".getBytes(UTF_8));
      case Word.Silence s -> NEVER_WHOLE;
    };
  }

  private static SandboxAnswer outcome(int status, String word) {
    return new SandboxAnswer(
        status,
        Map.of(SandboxHeaders.OUTCOME, word),
        BoundedJson.bytes(JsonNodeFactory.instance.objectNode()));
  }

  boolean isNotFound() {
    return SandboxHeaders.NOT_FOUND.equals(headers.get(SandboxHeaders.OUTCOME));
  }

  /** The value of a success that no script asks for. */
  static JsonNode unscripted(String provider, JobId job, AttemptId attempt, int turn) {
    return JsonNodeFactory.instance
        .objectNode()
        .put("provider", provider)
        .put("job", job.toString())
        .put("attempt", attempt.toString())
        .put("request", turn);
  }

  private static SandboxAnswer succeeded(JsonNode value) {
    return new SandboxAnswer(
        OK, Map.of(SandboxHeaders.OUTCOME, SandboxHeaders.SUCCEEDED), BoundedJson.bytes(value));
  }

  private static SandboxAnswer refused(Play.Refuse refuse) {
    ObjectNode document = JsonNodeFactory.instance.objectNode();
    document
        .putObject("error")
        .put("code", refuse.code())
        .put("message", refuse.message())
        .put("retryable", refuse.again().retryable());
    Map<String, String> headers = new HashMap<>(retryAfter(refuse.again()));
    headers.put(SandboxHeaders.OUTCOME, SandboxHeaders.REFUSED);
    return new SandboxAnswer(UNPROCESSABLE, headers, BoundedJson.bytes(document));
  }

  /** Whole seconds, rounded up: never earlier than the script says. */
  private static Map<String, String> retryAfter(Again again) {
    return again.afterMillis().isEmpty()
        ? Map.of()
        : Map.of("Retry-After", Long.toString(Math.ceilDiv(again.afterMillis().getAsLong(), 1000)));
  }
}
