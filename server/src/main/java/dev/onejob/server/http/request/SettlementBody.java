package dev.onejob.server.http.request;

import dev.onejob.domain.Failure;
import dev.onejob.provider.Outcome;
import java.util.Locale;
import java.util.Set;
import java.util.UUID;

/** The last word of a worker. */
public record SettlementBody(UUID leaseToken, Outcome outcome) {
  private static final Set<String> OF_A_REASON = Set.of("code", "message");

  private enum Word {
    SUCCEEDED,
    FAILED,
    REFUSED,
    IN_DOUBT,
    CANCELLED;

    private String word() {
      return name().toLowerCase(Locale.ROOT);
    }

    private Set<String> members() {
      return switch (this) {
        case SUCCEEDED -> EndingMembers.OF_A_RESULT;
        case FAILED -> EndingMembers.OF_A_FAILURE;
        case REFUSED -> EndingMembers.OF_A_REFUSAL;
        case IN_DOUBT, CANCELLED -> OF_A_REASON;
      };
    }
  }

  /** Reads it. */
  public static SettlementBody read(byte[] body) {
    Members members = Members.read(body, EndingMembers.with(LeaseBody.TOKEN, "outcome"));
    Word word = Members.required("outcome", members.word("outcome", Word.values(), Word::word));
    EndingMembers.only(members, word.members(), word.word());
    return new SettlementBody(LeaseBody.token(members), outcome(members, word));
  }

  private static Outcome outcome(Members members, Word word) {
    return switch (word) {
      case SUCCEEDED ->
          new Outcome.Succeeded(
              EndingMembers.result(members),
              members.text(EndingMembers.COST),
              EndingMembers.usage(members));
      case FAILED ->
          new Outcome.Failed(
              failure(members, "worker-failed"),
              EndingMembers.retryability(members),
              EndingMembers.retryAfter(members),
              members.text(EndingMembers.COST),
              EndingMembers.usage(members));
      case REFUSED ->
          new Outcome.Refused(
              failure(members, "worker-refused"),
              EndingMembers.retryability(members),
              EndingMembers.retryAfter(members));
      case IN_DOUBT -> new Outcome.InDoubt(failure(members, "worker-in-doubt"));
      case CANCELLED -> new Outcome.Stopped(failure(members, "worker-stopped").message());
    };
  }

  private static Failure failure(Members members, String otherwise) {
    return EndingMembers.failure(members, otherwise, "the worker says no more");
  }
}
