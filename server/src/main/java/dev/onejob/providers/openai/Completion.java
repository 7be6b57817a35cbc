package dev.onejob.providers.openai;

import dev.onejob.domain.Failure;
import dev.onejob.domain.Limits;
import dev.onejob.domain.Result;
import dev.onejob.domain.Retryability;
import dev.onejob.domain.Usage;
import dev.onejob.provider.Finish;
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

/** A completion with at least one choice: the work was done, and is a result or not. */
final class Completion {
  /** The model reached its limit of tokens before it was done. */
  private static final String TRUNCATED = "truncated";

  /** The provider withheld the answer. */
  private static final String FILTERED = "content-filtered";

  /** The model declined. */
  private static final String DECLINED = "model-declined";

  private static final String NO_CONTENT = "no-content";
  private static final String UNKNOWN_FINISH = "finish-reason-unknown";

  private final JsonNode document;
  private final byte[] body;
  private final ChatSettings settings;
  private final JsonNode choice;

  Completion(JsonNode document, byte[] body, ChatSettings settings) {
    this.document = document;
    this.body = body;
    this.settings = settings;
    this.choice = document.path("choices").path(0);
  }

  Outcome outcome() {
    String refusal = choice.path("message").path("refusal").asString("");
    if (!refusal.isEmpty() && !settings.passesInputOn()) {
      return failed(DECLINED, Quoted.message("the model declined", refusal));
    }
    String reason = choice.path("finish_reason").asString("");
    return switch (Finish.of(reason)) {
      case NORMAL -> result();
      case TOOL_CALL -> toolCall();
      case TRUNCATED -> fallsShort(TRUNCATED, "the model stopped at its token limit");
      case FILTERED -> fallsShort(FILTERED, "withheld by a filter");
      case PAUSED, UNKNOWN ->
          failed(UNKNOWN_FINISH, Quoted.message("finish reason not known", reason));
    };
  }

  /** Whoever wrote the request itself has set the limits, and reads why the answer ends. */
  private Outcome fallsShort(String code, String message) {
    return settings.passesInputOn() ? result() : failed(code, message);
  }

  private Outcome toolCall() {
    return settings.reading() == ChatSettings.Reading.WHOLE
        ? result()
        : failed(NO_CONTENT, "the model answered with a call of a tool instead of content");
  }

  private Outcome result() {
    return switch (settings.reading()) {
      case WHOLE -> succeeded(Result.Format.JSON, body);
      case TEXT -> content(Result.Format.TEXT);
      case JSON -> content(Result.Format.JSON);
    };
  }

  private Outcome content(Result.Format format) {
    String text = text(choice.path("message").path("content"));
    if (text == null) {
      return failed(NO_CONTENT, "the model's message has no text");
    }
    byte[] bytes = utf8(text);
    if (bytes == null) {
      return failed(Failure.RESULT_INVALID, "the text has half of a surrogate pair");
    }
    Optional<Flaw> flaw = format == Result.Format.JSON ? BoundedJson.flaw(bytes) : Optional.empty();
    return flaw.isPresent()
        ? failed(Failure.RESULT_INVALID, "the content is not JSON: " + flaw.get().says())
        : succeeded(format, bytes);
  }

  /** The content, which some endpoints send in parts. */
  static @Nullable String text(JsonNode content) {
    if (content.isString()) {
      return content.stringValue();
    }
    StringBuilder text = new StringBuilder();
    boolean found = false;
    for (JsonNode part : content) {
      JsonNode piece = part.path("text");
      if (part.path("type").asString("").equals("text") && piece.isString()) {
        text.append(piece.stringValue());
        found = true;
      }
    }
    return found ? text.toString() : null;
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

  private Usage usage() {
    return usage(document, document.path("model").asString(settings.model()));
  }

  /** The figures of the usage, under the names that the endpoints have for them. */
  static Usage usage(JsonNode document, String answering) {
    JsonNode usage = document.path("usage");
    return new Usage(
        tokens(usage, "prompt_tokens", "input_tokens"),
        tokens(usage, "completion_tokens", "output_tokens"),
        answering);
  }

  private static @Nullable Long tokens(JsonNode usage, String name, String otherName) {
    JsonNode tokens = usage.has(name) ? usage.path(name) : usage.path(otherName);
    return tokens.isIntegralNumber() && tokens.canConvertToLong() && tokens.longValue() >= 0
        ? (Long) tokens.longValue()
        : null;
  }

  /** The usage as it came, and who answered where that is not who was asked. */
  private @Nullable String cost() {
    JsonNode usage = document.path("usage");
    String answering = document.path("model").asString(settings.model());
    boolean asAsked = answering.equals(settings.model());
    if (!usage.isObject()) {
      return asAsked ? null : Quoted.message("answered by " + answering);
    }
    ObjectNode noted = ((ObjectNode) usage).deepCopy();
    return Quoted.message(
        BoundedJson.text(asAsked ? noted : noted.put("answering_model", answering)));
  }

  /** The work was done, and is charged. */
  private Outcome failed(String code, String message) {
    return new Outcome.Failed(
        new Failure(code, message), Retryability.FINAL, null, cost(), usageIfSaid());
  }

  private Usage usageIfSaid() {
    return document.path("usage").isObject() ? usage() : Usage.UNSAID;
  }

  static Outcome tooLarge() {
    String message = "the result is larger than " + Limits.RESULT_BYTES_MAX + " bytes";
    return unread(Failure.RESULT_TOO_LARGE, message);
  }

  /** A completion that was not read, so that what it has used is not known. */
  static Outcome unread(String code, String message) {
    return new Outcome.Failed(new Failure(code, message), Retryability.FINAL, null);
  }
}
