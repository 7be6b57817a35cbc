package dev.onejob.providers.model;

import dev.onejob.domain.Failure;
import dev.onejob.domain.Limits;
import dev.onejob.domain.Result;
import dev.onejob.domain.Retryability;
import dev.onejob.domain.Usage;
import dev.onejob.provider.Outcome;
import dev.onejob.providers.BoundedJson;
import dev.onejob.providers.BoundedJson.Flaw;
import dev.onejob.providers.Quoted;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Whether what a model said is a result. The work was done, and is charged. */
public final class Verdict {
  /** The model reached its limit of tokens before it was done. */
  private static final String TRUNCATED = "truncated";

  /** The provider withheld the answer. */
  private static final String FILTERED = "content-filtered";

  /** The model declined. */
  private static final String DECLINED = "model-declined";

  /** The model paused, and would go on if it were asked again. */
  private static final String PAUSED = "turn-paused";

  private static final String NO_CONTENT = "no-content";
  private static final String UNKNOWN_FINISH = "finish-reason-unknown";

  private final Asked asked;
  private final Spoken spoken;
  private final byte[] whole;

  /** Who was asked, in whose words, and for what. */
  public record Asked(String model, ResultAs result, Words words) {
    /** In the words of these settings. */
    public static Asked of(ModelSettings settings) {
      return of(settings, Words.OF_THE_SETTINGS);
    }

    /** By these settings. */
    public static Asked of(ModelSettings settings, Words words) {
      return new Asked(settings.model(), settings.reading(), words);
    }
  }

  /** Who has written what was asked. */
  public enum Words {
    /** Where the model does not keep to them, there is no result. */
    OF_THE_SETTINGS,
    /** Whoever wrote the request has set its limits, and reads why the answer ends. */
    OF_THE_CLIENT
  }

  /**
   * Of one answer.
   *
   * @param whole the answer as it came; not copied, not to be changed
   */
  public Verdict(Asked asked, Spoken spoken, byte[] whole) {
    this.asked = asked;
    this.spoken = spoken;
    this.whole = whole;
  }

  /** What became of the call. */
  public Outcome outcome() {
    if (spoken.refusal() != null && asked.words() == Words.OF_THE_SETTINGS) {
      return failed(DECLINED, Quoted.message("the model declined", spoken.refusal()));
    }
    return switch (spoken.ending()) {
      case NORMAL -> result();
      case TOOL_CALL -> toolCall();
      case TRUNCATED -> shortOf(TRUNCATED, "the model stopped at its token limit");
      case FILTERED -> shortOf(FILTERED, "withheld by a filter");
      case PAUSED -> failed(PAUSED, "the model paused its turn, and the answer is not whole");
      case UNKNOWN -> {
        String word = spoken.finish() == null ? "" : spoken.finish();
        yield failed(UNKNOWN_FINISH, Quoted.message("finish reason not known", word));
      }
    };
  }

  private Outcome shortOf(String code, String message) {
    return switch (asked.words()) {
      case OF_THE_SETTINGS -> failed(code, message);
      case OF_THE_CLIENT -> result();
    };
  }

  private Outcome toolCall() {
    return asked.result() == ResultAs.WHOLE
        ? result()
        : failed(NO_CONTENT, "the model answered with a call of a tool instead of content");
  }

  private Outcome result() {
    return switch (asked.result()) {
      case WHOLE -> succeeded(Result.Format.JSON, whole);
      case TEXT -> content(Result.Format.TEXT);
      case JSON -> content(Result.Format.JSON);
    };
  }

  private Outcome content(Result.Format format) {
    if (spoken.text() == null) {
      return failed(NO_CONTENT, "the model's message has no text");
    }
    byte[] bytes = utf8(spoken.text());
    if (bytes == null) {
      return failed(Failure.RESULT_INVALID, "the text has half of a surrogate pair");
    }
    Optional<Flaw> flaw = format == Result.Format.JSON ? BoundedJson.flaw(bytes) : Optional.empty();
    return flaw.isPresent()
        ? failed(Failure.RESULT_INVALID, "the content is not JSON: " + flaw.get().says())
        : succeeded(format, bytes);
  }

  private static byte @Nullable [] utf8(String text) {
    try {
      ByteBuffer bytes = StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(text));
      return Arrays.copyOf(bytes.array(), bytes.limit());
    } catch (CharacterCodingException e) {
      return null;
    }
  }

  private Outcome succeeded(Result.Format format, byte[] bytes) {
    return bytes.length > Limits.RESULT_BYTES_MAX
        ? tooLarge()
        : new Outcome.Succeeded(new Result(format, bytes), cost(), usage());
  }

  /** The figures of the usage, under the names that the endpoints have for them. */
  private Usage usage() {
    return new Usage(
        tokens(spoken.usage(), "prompt_tokens", "input_tokens"),
        tokens(spoken.usage(), "completion_tokens", "output_tokens"),
        answering());
  }

  private String answering() {
    return spoken.model() == null ? asked.model() : spoken.model();
  }

  private static @Nullable Long tokens(JsonNode usage, String name, String otherName) {
    JsonNode tokens = usage.has(name) ? usage.path(name) : usage.path(otherName);
    return tokens.isIntegralNumber() && tokens.canConvertToLong() && tokens.longValue() >= 0
        ? (Long) tokens.longValue()
        : null;
  }

  /** The usage as it came, and who answered where that is not who was asked. */
  private @Nullable String cost() {
    boolean asAsked = answering().equals(asked.model());
    if (!spoken.usage().isObject()) {
      return asAsked ? null : Quoted.message("answered by " + answering());
    }
    ObjectNode noted = ((ObjectNode) spoken.usage()).deepCopy();
    return Quoted.message(
        BoundedJson.text(asAsked ? noted : noted.put("answering_model", answering())));
  }

  private Outcome failed(String code, String message) {
    return failed(new Failure(code, message), Retryability.FINAL);
  }

  /** It is over, and the provider itself says that there is no result. */
  public Outcome failed(Failure failure, Retryability retryability) {
    Usage used = spoken.usage().isObject() ? usage() : Usage.UNSAID;
    return new Outcome.Failed(failure, retryability, null, cost(), used);
  }

  /** The provider's document says that the work is over, and that there is no answer. */
  static Outcome notMade(Asked asked, Failure failure, JsonNode document) {
    Spoken spoken =
        new Spoken(
            null, null, null, Spoken.string(document.path("model")), null, document.path("usage"));
    return new Verdict(asked, spoken, new byte[0]).failed(failure, Retryability.FINAL);
  }

  /** A result that was not read, because it is larger than any may be. */
  public static Outcome tooLarge() {
    String message = "the result is larger than " + Limits.RESULT_BYTES_MAX + " bytes";
    return unread(Failure.RESULT_TOO_LARGE, message);
  }

  /** An answer that was not read, so that what it has used is not known. */
  static Outcome unread(String code, String message) {
    return new Outcome.Failed(new Failure(code, message), Retryability.FINAL, null);
  }
}
