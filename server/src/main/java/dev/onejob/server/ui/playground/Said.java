package dev.onejob.server.ui.playground;

import dev.onejob.domain.Answer;
import dev.onejob.domain.Then;
import dev.onejob.domain.Verdict;
import dev.onejob.engine.Decision;
import dev.onejob.server.http.problem.ProblemType;
import java.util.Optional;

/** What the engine was asked and what it said, in words; never more than it said. */
final class Said {
  private Said() {}

  /** The wish to abandon an attempt, of somebody with that name. */
  static Decision abandoning(String reason, String who) {
    return new Decision(Verdict.ABANDON, null, Then.WAIT, reason, who);
  }

  /** What came of it, as the API would answer. */
  static String toAbandoning(Optional<Answer> answer) {
    return switch (answer.orElse(null)) {
      case null -> problem(ProblemType.NOT_FOUND);
      case Answer.Moved moved -> "200, the attempt is cancelled and fenced";
      case Answer.Repeated repeated -> "200, it had been abandoned before";
      case Answer.NotAllowed refused ->
          problem(ProblemType.VERDICT_NOT_ALLOWED) + " Nothing was changed: " + refused.why() + ".";
      case Answer.Changed other -> throw unexpected(other);
      case Answer.Lost other -> throw unexpected(other);
      case Answer.Recorded other -> throw unexpected(other);
      case Answer.Started other -> throw unexpected(other);
      case Answer.StartRefused other -> throw unexpected(other);
    };
  }

  /** What came of any wish, in a few words. */
  static String briefly(Optional<Answer> answer) {
    return switch (answer.orElse(null)) {
      case null -> "it is not there any more";
      case Answer.Moved moved -> "done";
      case Answer.Repeated repeated -> "that was done before";
      case Answer.NotAllowed refused -> "refused, as " + refused.why();
      case Answer.Changed other -> throw unexpected(other);
      case Answer.Lost other -> throw unexpected(other);
      case Answer.Recorded other -> throw unexpected(other);
      case Answer.Started other -> throw unexpected(other);
      case Answer.StartRefused other -> throw unexpected(other);
    };
  }

  private static IllegalStateException unexpected(Answer answer) {
    return new IllegalStateException("a wish of the playground was answered by " + answer);
  }

  /** A refusal. */
  static String problem(ProblemType type) {
    return type.status() + " " + type.code() + ". " + type.title() + ".";
  }
}
