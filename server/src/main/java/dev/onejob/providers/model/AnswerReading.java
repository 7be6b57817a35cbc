package dev.onejob.providers.model;

import dev.onejob.domain.Failure;
import dev.onejob.provider.CallWatch;
import dev.onejob.provider.Outcome;
import dev.onejob.provider.Said;
import dev.onejob.providers.BoundedJson;
import dev.onejob.providers.Quoted;
import dev.onejob.providers.http.Head;
import dev.onejob.providers.http.OnePost;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.core.exc.StreamConstraintsException;
import tools.jackson.databind.JsonNode;

/** What a whole answer of an endpoint means. */
public final class AnswerReading {
  /** It can be read, and is no answer of the protocol. */
  public static final String UNRECOGNISED = "unrecognised-answer";

  private static final int OK = 200;

  private final Dialect dialect;
  private final Verdict.Asked asked;
  private final FailureTable failures;

  /** Of an endpoint that speaks this dialect. */
  public AnswerReading(Dialect dialect, Verdict.Asked asked, FailureTable failures) {
    this.dialect = dialect;
    this.asked = asked;
    this.failures = failures;
  }

  Outcome of(Head head, byte[] body, CallWatch watch) {
    if (head.status() != OK) {
      return failures.status(head, body);
    }
    try {
      return document(head, body, BoundedJson.read(body), watch);
    } catch (JacksonException e) {
      return broken(e);
    }
  }

  /** Text that should have been JSON. What is JSON beyond our limits was work that was done. */
  public static Outcome broken(JacksonException e) {
    if (e instanceof StreamConstraintsException) {
      return Verdict.unread(Failure.RESULT_INVALID, Quoted.message(e.getOriginalMessage()));
    }
    String message = Quoted.message("the answer is not JSON", e.getOriginalMessage());
    return new Outcome.InDoubt(new Failure(OnePost.UNREADABLE_ANSWER, message));
  }

  Outcome tooLarge(Head head) {
    return head.isSuccess() ? Verdict.tooLarge() : failures.status(head, new byte[0]);
  }

  StreamReading listening() {
    return new StreamReading(dialect, this);
  }

  /** The document of a 200. */
  Outcome document(Head head, byte[] body, JsonNode document, CallWatch watch) {
    String model = Spoken.string(document.path("model"));
    if (model != null) {
      watch.answeredBy(model);
    }
    Failure failure = dialect.failure(document);
    if (failure != null) {
      return Verdict.notMade(asked, failure, document);
    }
    if (hasError(document)) {
      return error(head, document.path("error"), dialect.begun(document));
    }
    try {
      Spoken spoken = dialect.spoken(document);
      watch.said(() -> Optional.<Said>of(spoken.said()));
      return new Verdict(asked, spoken, body).outcome();
    } catch (Dialect.Unrecognised e) {
      return unrecognised(e, document);
    }
  }

  static Outcome unrecognised(Dialect.Unrecognised e, JsonNode document) {
    String message = Quoted.message(String.valueOf(e.getMessage()), BoundedJson.text(document));
    return new Outcome.InDoubt(new Failure(UNRECOGNISED, message));
  }

  static boolean hasError(JsonNode document) {
    JsonNode error = document.path("error");
    return !error.isMissingNode() && !error.isNull();
  }

  Outcome error(Head head, JsonNode error, boolean begun) {
    return failures.error(
        head, error, begun ? FailureTable.Begun.SEEN : FailureTable.Begun.NOT_SEEN);
  }
}
