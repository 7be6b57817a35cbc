package dev.onejob.providers.openai;

import dev.onejob.domain.Failure;
import dev.onejob.domain.Retryability;
import dev.onejob.provider.CallWatch;
import dev.onejob.provider.Outcome;
import dev.onejob.providers.BoundedJson;
import dev.onejob.providers.Quoted;
import dev.onejob.providers.http.Head;
import dev.onejob.providers.http.OnePost;
import dev.onejob.providers.http.RetryAfter;
import dev.onejob.providers.http.StatusMeaning;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import tools.jackson.core.JacksonException;
import tools.jackson.core.exc.StreamConstraintsException;
import tools.jackson.databind.JsonNode;

/** What a whole answer of an endpoint means. */
final class ChatReading {
  private static final int OK = 200;
  private static final String UNRECOGNISED = "unrecognised-answer";

  private final ChatSettings settings;
  private final InstantSource clock;

  ChatReading(ChatSettings settings, InstantSource clock) {
    this.settings = settings;
    this.clock = clock;
  }

  Outcome of(Head head, byte[] body, CallWatch watch) {
    return head.status() == OK ? ok(head, body, watch) : status(head, body);
  }

  Outcome tooLarge(Head head) {
    return head.isSuccess() ? Completion.tooLarge() : status(head, new byte[0]);
  }

  /** A status other than 200. */
  private Outcome status(Head head, byte[] body) {
    String text = new String(body, StandardCharsets.UTF_8);
    Failure failure =
        new Failure(
            "status-" + head.status(), Quoted.message("the provider says " + head.status(), text));
    StatusMeaning meaning =
        settings.refused().contains(head.status())
            ? StatusMeaning.REFUSED_RETRYABLE
            : StatusMeaning.of(head.status());
    return outcome(meaning, failure, head);
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

  private Outcome ok(Head head, byte[] body, CallWatch watch) {
    try {
      JsonNode document = BoundedJson.read(body);
      JsonNode model = document.path("model");
      if (model.isString()) {
        watch.answeredBy(model.stringValue());
      }
      return document(head, body, document);
    } catch (StreamConstraintsException e) {
      return Completion.unread(Failure.RESULT_INVALID, Quoted.message(e.getOriginalMessage()));
    } catch (JacksonException e) {
      String message = Quoted.message("the answer is not JSON", e.getOriginalMessage());
      return new Outcome.InDoubt(new Failure(OnePost.UNREADABLE_ANSWER, message));
    }
  }

  private Outcome document(Head head, byte[] body, JsonNode document) {
    JsonNode error = document.path("error");
    if (settings.asksForResponses() && (error.isMissingNode() || error.isNull())) {
      return ResponseDocument.outcome(document, body);
    }
    boolean generated = !document.path("choices").path(0).isMissingNode();
    if (!error.isMissingNode() && !error.isNull()) {
      String message = Quoted.message("200 with an error in it", BoundedJson.text(error));
      // An error beside a choice came up while the work was going on.
      StatusMeaning meaning = generated ? StatusMeaning.DOUBT : ErrorMeaning.of(error);
      return outcome(meaning, new Failure("error-in-answer", message), head);
    }
    if (!generated) {
      String message = Quoted.message("200 without a choice in it", BoundedJson.text(document));
      return new Outcome.InDoubt(new Failure(UNRECOGNISED, message));
    }
    return new Completion(document, body, settings).outcome();
  }
}
