package dev.onejob.providers.model;

import dev.onejob.domain.Failure;
import dev.onejob.domain.Retryability;
import dev.onejob.provider.Outcome;
import dev.onejob.providers.BoundedJson;
import dev.onejob.providers.Quoted;
import dev.onejob.providers.http.Head;
import dev.onejob.providers.http.RetryAfter;
import dev.onejob.providers.http.StatusMeaning;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.List;
import tools.jackson.databind.JsonNode;

/** What the failures of an endpoint mean. */
public final class FailureTable {
  private final List<Integer> refused;
  private final InstantSource clock;

  /** Of an endpoint with these settings. */
  public FailureTable(ModelSettings settings, InstantSource clock) {
    this.refused = settings.refused();
    this.clock = clock;
  }

  /** A status other than 200. */
  public Outcome status(Head head, byte[] body) {
    String text = new String(body, StandardCharsets.UTF_8);
    Failure failure =
        new Failure(
            "status-" + head.status(), Quoted.message("the provider says " + head.status(), text));
    StatusMeaning meaning =
        refused.contains(head.status())
            ? StatusMeaning.REFUSED_RETRYABLE
            : StatusMeaning.of(head.status());
    return outcome(meaning, failure, head);
  }

  /** Whether the model had begun to answer. */
  public enum Begun {
    NOT_SEEN,
    SEEN
  }

  /** An error inside a 200. Beside an answer, it came up while the work was going on. */
  public Outcome error(Head head, JsonNode error, Begun begun) {
    String message = Quoted.message("200 with an error in it", BoundedJson.text(error));
    StatusMeaning meaning = begun == Begun.SEEN ? StatusMeaning.DOUBT : ErrorMeaning.of(error);
    return outcome(meaning, new Failure("error-in-answer", message), head);
  }

  private Outcome outcome(StatusMeaning meaning, Failure failure, Head head) {
    return switch (meaning) {
      case REFUSED_FINAL -> new Outcome.Refused(failure, Retryability.FINAL, null);
      case REFUSED_RETRYABLE ->
          new Outcome.Refused(
              failure, Retryability.RETRYABLE, RetryAfter.of(head, clock.instant()));
      case DOUBT -> new Outcome.InDoubt(failure);
    };
  }
}
