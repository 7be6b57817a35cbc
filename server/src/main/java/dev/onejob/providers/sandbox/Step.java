package dev.onejob.providers.sandbox;

import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * How the sandbox treats one request.
 *
 * @param acceptAfterMillis when the head of the answer goes out ahead of its body, if at all
 * @param answerAfterMillis when the answer goes out or the connection is cut
 * @param effectAfterMillis when the effect takes place; empty: as the play's nature is
 * @param value what comes of the act; null: what an unscripted success says
 * @param usage what the answer says that it has used; null: it says nothing
 */
record Step(
    Play play,
    OptionalLong acceptAfterMillis,
    long answerAfterMillis,
    OptionalLong effectAfterMillis,
    @Nullable JsonNode value,
    @Nullable Tokens usage) {

  /** Of input and output. */
  record Tokens(long input, long output) {}

  static Step atOnce(Play play) {
    return new Step(play, OptionalLong.empty(), 0, OptionalLong.empty(), null, null);
  }

  /** What is played. */
  sealed interface Play {
    /** Acts and answers with a value. */
    record Succeed(@Nullable JsonNode value) implements Play {}

    /** Says that nothing was done. */
    record Refuse(String code, String message, Again again) implements Play {}

    /** Answers a bare status. */
    record Status(int status, byte[] body, Again again) implements Play {}

    /** Never answers. */
    record Hang() implements Play {}

    /** Cuts the connection without having acted. */
    record DropBefore() implements Play {}

    /** Acts, and cuts the connection. */
    record DropAfter() implements Play {}
  }

  /** Whether and when the caller may come again. */
  record Again(boolean retryable, OptionalLong afterMillis) {
    static final Again NEVER = new Again(false, OptionalLong.empty());
  }

  /** Whether it acts although the script does not say when. */
  boolean actsByItself() {
    return switch (play) {
      case Play.Succeed succeed -> true;
      case Play.DropAfter drop -> true;
      case Play.Status status -> status.status() >= 200 && status.status() <= 299;
      case Play.Refuse refuse -> false;
      case Play.Hang hang -> false;
      case Play.DropBefore drop -> false;
    };
  }
}
