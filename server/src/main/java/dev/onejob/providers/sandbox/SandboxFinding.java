package dev.onejob.providers.sandbox;

import dev.onejob.domain.Failure;
import dev.onejob.provider.Finding;
import dev.onejob.provider.Outcome;
import dev.onejob.providers.http.Head;
import dev.onejob.providers.http.OnePost;
import dev.onejob.providers.http.Reply;

/** What the sandbox's answer to a question, or to a replay, says about the attempt. */
final class SandboxFinding {
  private SandboxFinding() {}

  /** Only what the sandbox vouches for says anything; a bare status may come from anywhere. */
  static Finding of(Reply reply) {
    return switch (reply) {
      case Reply.NotSent notSent -> new Finding.CannotSay(notSent.why());
      case Reply.NoAnswer none -> new Finding.CannotSay(none.why());
      case Reply.TooLarge large ->
          outcome(large.head()).equals(SandboxHeaders.SUCCEEDED)
              ? of(SandboxReading.tooLarge(large.head()))
              : unrecognised(large.head());
      case Reply.Answer answer -> of(answer.head(), answer.body());
    };
  }

  private static Finding of(Head head, byte[] body) {
    return switch (outcome(head)) {
      case SandboxHeaders.SUCCEEDED, SandboxHeaders.REFUSED -> of(SandboxReading.of(head, body));
      case SandboxHeaders.STOPPED -> new Finding.Stopped("the sandbox says that it was stopped");
      case SandboxHeaders.AT_WORK ->
          new Finding.AtWork(head.field(SandboxHeaders.REF).orElse(null));
      case SandboxHeaders.NOT_FOUND -> new Finding.NotFound();
      default -> unrecognised(head);
    };
  }

  private static String outcome(Head head) {
    return head.field(SandboxHeaders.OUTCOME).orElse("");
  }

  private static Finding of(Outcome outcome) {
    return switch (outcome) {
      case Outcome.Succeeded s -> new Finding.Succeeded(s.result(), s.cost(), s.usage());
      case Outcome.Failed f ->
          new Finding.Failed(f.failure(), f.retryability(), f.retryAfter(), f.cost(), f.usage());
      case Outcome.Refused r -> new Finding.Failed(r.failure(), r.retryability(), r.retryAfter());
      case Outcome.InDoubt doubt -> new Finding.CannotSay(doubt.reason());
      case Outcome.Stopped s -> new Finding.Stopped(s.message());
    };
  }

  private static Finding unrecognised(Head head) {
    return new Finding.CannotSay(
        new Failure(OnePost.UNREADABLE_ANSWER, "status " + head.status() + " says nothing"));
  }
}
