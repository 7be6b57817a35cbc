package dev.onejob.providers.responses;

import dev.onejob.domain.Failure;
import dev.onejob.domain.Limits;
import dev.onejob.domain.Retryability;
import dev.onejob.provider.CallWatch;
import dev.onejob.provider.Capabilities.TerminalState;
import dev.onejob.provider.Finish;
import dev.onejob.provider.Outcome;
import dev.onejob.providers.BoundedJson;
import dev.onejob.providers.Quoted;
import dev.onejob.providers.http.Head;
import dev.onejob.providers.http.OnePost;
import dev.onejob.providers.model.AnswerReading;
import dev.onejob.providers.model.FailureTable;
import dev.onejob.providers.model.Spoken;
import dev.onejob.providers.model.Verdict;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/** What a response object says. */
final class ResponseReading {
  /** A stream has no whole, and none is asked for as the result. */
  private static final byte[] NO_BYTES = {};

  private static final String TOO_LARGE = "the answer is too large to be read";
  private static final int OK = 200;
  private static final int NOT_FOUND = 404;

  /** What may stand in a path as it is. */
  private static final Pattern ID =
      Pattern.compile("[A-Za-z0-9_-]{1," + Limits.PROVIDER_REF_CHARS_MAX + "}");

  /** Failures on the provider's own side, after which the same may succeed. */
  private static final Set<String> PASSING =
      Set.of("server_error", "rate_limit_exceeded", "vector_store_timeout");

  private final Verdict.Asked asked;
  private final FailureTable failures;
  private final ResponseSettings settings;

  ResponseReading(Verdict.Asked asked, FailureTable failures, ResponseSettings settings) {
    this.asked = asked;
    this.failures = failures;
    this.settings = settings;
  }

  /** Whether it can be asked about by this id. */
  static boolean isId(@Nullable String id) {
    return id != null && ID.matcher(id).matches();
  }

  /** The answer to the request that submits the work. */
  Progress submitted(Head head, byte[] body, CallWatch watch) {
    return head.status() == OK
        ? document(head, body, null, watch)
        : new Progress.Over(failures.status(head, body));
  }

  /** What is in the background may go on, and the id that is in the answer was not read. */
  Progress tooLargeSubmitted(Head head) {
    if (!head.isSuccess()) {
      return new Progress.Over(failures.status(head, new byte[0]));
    }
    return settings.inBackground()
        ? new Progress.Unclear(new Failure(OnePost.UNREADABLE_ANSWER, TOO_LARGE))
        : new Progress.Over(Verdict.tooLarge());
  }

  /**
   * The answer to a question, or to the wish that it be cancelled. Only what is plainly about this
   * response says anything: an error may be about the question alone.
   */
  Progress asked(Head head, byte[] body, String id, CallWatch watch) {
    if (head.status() == OK) {
      return document(head, body, id, watch);
    }
    Failure failure = new Failure("status-" + head.status(), "asked about " + id);
    return head.status() == NOT_FOUND ? new Progress.Gone(failure) : new Progress.Unclear(failure);
  }

  /** Which response it is about, and in what status that is, was not read. */
  static Progress tooLargeAsked(Head head) {
    return new Progress.Unclear(new Failure("status-" + head.status(), TOO_LARGE));
  }

  private Progress document(Head head, byte[] body, @Nullable String about, CallWatch watch) {
    try {
      JsonNode document = BoundedJson.read(body);
      String id = Spoken.string(document.path("id"));
      String status = Spoken.string(document.path("status"));
      if (status == null) {
        return about == null ? refused(head, document) : unclear("200 without a status", document);
      }
      return about == null || about.equals(id)
          ? response(document, body, status, watch)
          : unclear("an answer about another response", document);
    } catch (JacksonException e) {
      return broken(AnswerReading.broken(e));
    }
  }

  /**
   * Text that cannot be read. JSON beyond our limits is an end on the line that has asked for it;
   * in the background neither the id nor the status in it was read, and nothing is known of the
   * work.
   */
  private Progress broken(Outcome outcome) {
    return switch (outcome) {
      case Outcome.Failed failed ->
          settings.inBackground()
              ? new Progress.Unclear(failed.failure())
              : new Progress.Over(failed);
      case Outcome.InDoubt doubt -> new Progress.Unclear(doubt.reason());
      case Outcome.Refused refused -> new Progress.Over(refused);
      case Outcome.Succeeded succeeded -> new Progress.Over(succeeded);
      case Outcome.Stopped stopped -> new Progress.Over(stopped);
    };
  }

  /** What is no response may be an error that was said before any work, and before any id. */
  private Progress refused(Head head, JsonNode document) {
    return document.path("error").isObject()
        ? failed(
            head,
            document.path("error"),
            document.has("id") ? FailureTable.Begun.SEEN : FailureTable.Begun.NOT_SEEN)
        : unclear("200 without a response in it", document);
  }

  /** An error that came instead of a response, or in the middle of its stream. */
  Progress failed(Head head, JsonNode error, FailureTable.Begun begun) {
    return new Progress.Over(failures.error(head, error, begun));
  }

  /** The response that the last event of a stream has brought. */
  Progress streamed(JsonNode document, CallWatch watch) {
    String status = document.path("status").asString("");
    return response(document, NO_BYTES, status, watch);
  }

  private static Progress unclear(String what, JsonNode document) {
    String message = Quoted.message(what, BoundedJson.text(document));
    return new Progress.Unclear(new Failure(AnswerReading.UNRECOGNISED, message));
  }

  private Progress response(JsonNode document, byte[] body, String status, CallWatch watch) {
    return switch (status) {
      case "completed" -> over(spoken(document, "completed"), body, watch);
      case "incomplete" -> over(spoken(document, cutBy(document)), body, watch);
      case "failed" -> new Progress.Over(failed(document, body));
      case "cancelled" -> new Progress.Over(cancelled());
      case "queued", "in_progress" -> working(document);
      default -> new Progress.Unclear(unknown(status));
    };
  }

  private static Failure unknown(String status) {
    return new Failure(
        AnswerReading.UNRECOGNISED, Quoted.message("a status that is not known", status));
  }

  private static Progress working(JsonNode document) {
    String id = Spoken.string(document.path("id"));
    return isId(id) && id != null
        ? new Progress.Working(id)
        : unclear("a response without a usable id", document);
  }

  private Progress over(Spoken spoken, byte[] body, CallWatch watch) {
    if (spoken.model() != null) {
      watch.answeredBy(spoken.model());
    }
    watch.said(() -> Optional.of(spoken.said()));
    return new Progress.Over(new Verdict(asked, spoken, body).outcome());
  }

  /** Why it is incomplete: a word that would mean a normal end elsewhere means none here. */
  private static @Nullable String cutBy(JsonNode document) {
    String reason = Spoken.string(document.path("incomplete_details").path("reason"));
    return reason == null || Finish.of(reason) == Finish.NORMAL ? null : reason;
  }

  private static Spoken spoken(JsonNode document, @Nullable String finish) {
    StringBuilder text = new StringBuilder();
    StringBuilder refusal = new StringBuilder();
    boolean found = false;
    for (JsonNode item : document.path("output")) {
      for (JsonNode part : item.path("content")) {
        String type = part.path("type").asString("");
        if (type.equals("output_text")) {
          found = true;
          text.append(part.path("text").asString(""));
        } else if (type.equals("refusal")) {
          refusal.append(part.path("refusal").asString("")).append(' ');
        }
      }
    }
    return new Spoken(
        found ? text.toString() : null,
        finish,
        refusal.isEmpty() ? null : refusal.toString().strip(),
        Spoken.string(document.path("model")),
        null,
        document.path("usage"));
  }

  private Outcome failed(JsonNode document, byte[] body) {
    JsonNode error = document.path("error");
    String code = error.path("code").asString("");
    Failure failure =
        new Failure(
            "response-failed",
            Quoted.message("the provider says that it failed", BoundedJson.text(error)));
    return new Verdict(asked, spoken(document, null), body)
        .failed(failure, PASSING.contains(code) ? Retryability.RETRYABLE : Retryability.FINAL);
  }

  private Outcome cancelled() {
    return settings.terminalState() == TerminalState.STABLE
        ? new Outcome.Stopped("the provider says that it was cancelled")
        : new Outcome.InDoubt(
            new Failure("cancelled-may-change", "cancelled, which has been seen to change"));
  }
}
