package dev.onejob.providers.httpkeyed;

import dev.onejob.domain.Failure;
import dev.onejob.domain.Limits;
import dev.onejob.domain.Result;
import dev.onejob.domain.Retryability;
import dev.onejob.providers.BoundedJson;
import dev.onejob.providers.Quoted;
import dev.onejob.providers.http.Head;
import dev.onejob.providers.http.OnePost;
import dev.onejob.providers.http.RetryAfter;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.exc.StreamConstraintsException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.MissingNode;

/** What a whole answer means, by the rules of one endpoint. */
final class KeyedReading {
  /** The work is accepted or under way, and its end is to be asked for. */
  static final String AT_WORK = "at-work";

  /** The key is known for another request than the one that was sent. */
  static final String KEY_MISMATCH = "key-mismatch";

  private static final String UNRECOGNISED = "unrecognised-answer";
  private static final int OK = 200;
  private static final int CREATED = 201;
  private static final int ACCEPTED = 202;
  private static final int NOT_FOUND = 404;

  /** What can stand in a path by itself, whatever a provider calls its work. */
  private static final Pattern ID = Pattern.compile("[A-Za-z0-9_-][A-Za-z0-9._~:-]{0,254}");

  private final KeyedRules rules;
  private final InstantSource clock;

  KeyedReading(KeyedRules rules, InstantSource clock) {
    this.rules = rules;
    this.clock = clock;
  }

  /** How the work stands by the answer to its request. */
  Standing of(Head head, byte[] body) {
    return head.isSuccess() ? success(head, body) : status(head, body);
  }

  /**
   * How the work stands by the answer to a question about its id. Only what names that id is about
   * it; an error may be about the question alone.
   */
  Standing ofLookUp(String asked, Head head, byte[] body) {
    if (head.isSuccess()) {
      return asked.equals(id(readable(body)))
          ? success(head, body)
          : new Standing.Unclear(unrecognised("an answer that does not name the id", body));
    }
    Failure failure = failure(head, body);
    return head.status() == NOT_FOUND
        ? new Standing.Unknown(failure)
        : new Standing.Unclear(failure);
  }

  /** How the work stands by an answer to its request that is too large to be read. */
  Standing tooLarge(Head head) {
    if (head.isSuccess()) {
      return isWhole(head) ? tooLarge() : new Standing.Unclear(unread(head));
    }
    return status(head, new byte[0]);
  }

  /** Whose answer it is, and how the work stands, was not read. */
  static Standing tooLargeLookUp(Head head) {
    return new Standing.Unclear(unread(head));
  }

  private static Failure unread(Head head) {
    return new Failure("status-" + head.status(), "the answer is too large to be read");
  }

  /** Only these say by themselves that the work is done. */
  private static boolean isWhole(Head head) {
    return head.status() == OK || head.status() == CREATED;
  }

  private static Standing tooLarge() {
    String message = "the result is larger than " + Limits.RESULT_BYTES_MAX + " bytes";
    return over(new Failure(Failure.RESULT_TOO_LARGE, message), Retryability.FINAL);
  }

  /** The provider's id of the work, where a success names one that can be asked about. */
  Optional<String> id(Head head, byte[] body) {
    return head.isSuccess() ? Optional.ofNullable(id(readable(body))) : Optional.empty();
  }

  private @Nullable String id(JsonNode document) {
    JsonNode id = rules.id().map(document::at).orElse(MissingNode.getInstance());
    String text = id.isString() || id.isIntegralNumber() ? id.asString() : "";
    return canBeAskedAbout(text) ? text : null;
  }

  /** Whether an id can stand in the path of an address without meaning anything else there. */
  static boolean canBeAskedAbout(String id) {
    return ID.matcher(id).matches();
  }

  private Standing success(Head head, byte[] body) {
    try {
      return document(head, body, BoundedJson.read(body));
    } catch (StreamConstraintsException e) {
      Failure failure = new Failure(Failure.RESULT_INVALID, Quoted.message(e.getOriginalMessage()));
      return isWhole(head) ? over(failure, Retryability.FINAL) : new Standing.Unclear(failure);
    } catch (JacksonException e) {
      String message = Quoted.message("the answer is not JSON", e.getOriginalMessage());
      return new Standing.Unclear(new Failure(OnePost.UNREADABLE_ANSWER, message));
    }
  }

  private Standing document(Head head, byte[] body, JsonNode document) {
    JsonNode error = document.path("error");
    if (!error.isMissingNode() && !error.isNull()) {
      return unrecognised("a success with an error in it", document);
    }
    if (!isWhole(head) && head.status() != ACCEPTED) {
      return new Standing.Unclear(failure(head, body));
    }
    if (rules.states().isPresent()) {
      return stated(rules.states().get(), body, document);
    }
    return head.status() == ACCEPTED ? accepted(document) : result(body, document);
  }

  /** Taken on and not done; without its id there would be nothing to ask about. */
  private Standing accepted(JsonNode document) {
    String id = id(document);
    return id == null
        ? unrecognised("a 202 without an id that can be asked about", document)
        : new Standing.AtWork(new Failure(AT_WORK, "the provider has taken on " + id), id);
  }

  private Standing stated(KeyedRules.States states, byte[] body, JsonNode document) {
    JsonNode state = document.at(states.at());
    String word = state.isString() ? state.stringValue() : "";
    if (states.succeeded().contains(word)) {
      return result(body, document);
    }
    String says = Quoted.message("the provider says that it is", word);
    if (states.failed().contains(word)) {
      return over(new Failure("ended-without-result", says), Retryability.FINAL);
    }
    return states.atWork().contains(word)
        ? new Standing.AtWork(new Failure(AT_WORK, says), id(document))
        : unrecognised("a success in a state that is not listed", document);
  }

  private Standing result(byte[] body, JsonNode document) {
    JsonNode part = document.at(rules.result());
    if (part.isMissingNode()) {
      return unrecognised("a success without a result at " + rules.result(), document);
    }
    byte[] bytes = part == document ? body : BoundedJson.bytes(part);
    return bytes.length > Limits.RESULT_BYTES_MAX
        ? tooLarge()
        : new Standing.Done(new Result(Result.Format.JSON, bytes));
  }

  private static Standing unrecognised(String what, JsonNode document) {
    String message = Quoted.message(what, BoundedJson.text(document));
    return new Standing.Unclear(new Failure(UNRECOGNISED, message));
  }

  private static Failure unrecognised(String what, byte[] body) {
    String text = new String(body, StandardCharsets.UTF_8);
    return new Failure(UNRECOGNISED, Quoted.message(what, text));
  }

  private static Standing over(Failure failure, Retryability retryability) {
    return new Standing.Over(failure, retryability, null);
  }

  /** A status other than a success. */
  private Standing status(Head head, byte[] body) {
    Failure failure = failure(head, body);
    return switch (rules.meaning(head.status(), readable(body))) {
      case REFUSED -> turnedAway(head, failure, Retryability.FINAL);
      case REFUSED_RETRYABLE -> turnedAway(head, failure, Retryability.RETRYABLE);
      case FAILED -> over(failure, Retryability.FINAL);
      case FAILED_RETRYABLE -> over(failure, again(head, Retryability.RETRYABLE));
      case IN_PROGRESS -> new Standing.AtWork(new Failure(AT_WORK, failure.message()), null);
      case KEY_MISMATCH -> new Standing.Contradiction(new Failure(KEY_MISMATCH, failure.message()));
      case IN_DOUBT -> new Standing.Unclear(failure);
    };
  }

  /** What is kept under the key was begun, whatever its status is otherwise. */
  private Standing turnedAway(Head head, Failure failure, Retryability usually) {
    if (isTrue(rules.replayedHeader(), head)) {
      return over(failure, Retryability.FINAL);
    }
    Retryability retryability = again(head, usually);
    Duration wish =
        retryability == Retryability.RETRYABLE ? RetryAfter.of(head, clock.instant()) : null;
    return new Standing.TurnedAway(failure, retryability, wish);
  }

  private Retryability again(Head head, Retryability usually) {
    return switch (value(rules.shouldRetryHeader(), head)) {
      case "true" -> Retryability.RETRYABLE;
      case "false" -> Retryability.FINAL;
      default -> usually;
    };
  }

  private static boolean isTrue(Optional<String> header, Head head) {
    return value(header, head).equals("true");
  }

  private static String value(Optional<String> header, Head head) {
    return header.flatMap(head::field).orElse("");
  }

  private static Failure failure(Head head, byte[] body) {
    String text = new String(body, StandardCharsets.UTF_8);
    String message = Quoted.message("the provider says " + head.status(), text);
    return new Failure("status-" + head.status(), message);
  }

  /** Missing if it is no JSON: a page of a proxy, for example. */
  private static JsonNode readable(byte[] body) {
    try {
      return BoundedJson.read(body);
    } catch (JacksonException e) {
      return MissingNode.getInstance();
    }
  }
}
