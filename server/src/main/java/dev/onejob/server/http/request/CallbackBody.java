package dev.onejob.server.http.request;

import dev.onejob.provider.Outcome;
import java.util.Locale;
import java.util.Set;

/** What a provider says at the callback address of an attempt. */
public record CallbackBody(Outcome outcome) {
  private static final String OUTCOME = "outcome";
  private static final Set<String> NOTHING = Set.of();

  private enum Word {
    SUCCEEDED,
    FAILED,
    STOPPED;

    private String word() {
      return name().toLowerCase(Locale.ROOT);
    }

    private Set<String> members() {
      return switch (this) {
        case SUCCEEDED -> EndingMembers.OF_A_RESULT;
        case FAILED -> EndingMembers.OF_A_FAILURE;
        case STOPPED -> NOTHING;
      };
    }
  }

  /** Reads it. */
  public static CallbackBody read(byte[] body) {
    Members members = Members.read(body, EndingMembers.with(OUTCOME));
    Word word = Members.required(OUTCOME, members.word(OUTCOME, Word.values(), Word::word));
    EndingMembers.only(members, word.members(), word.word());
    return new CallbackBody(outcome(members, word));
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
              EndingMembers.failure(members, "provider-failed", "the provider says no more"),
              EndingMembers.retryability(members),
              EndingMembers.retryAfter(members),
              members.text(EndingMembers.COST),
              EndingMembers.usage(members));
      case STOPPED -> new Outcome.Stopped("stopped, as the provider says");
    };
  }
}
