package dev.onejob.providers.httpasync;

import dev.onejob.domain.Failure;
import dev.onejob.domain.Limits;
import dev.onejob.domain.Result;
import dev.onejob.domain.Retryability;
import dev.onejob.providers.BoundedJson;
import dev.onejob.providers.Quoted;
import dev.onejob.providers.httpasync.Vocabulary.Meaning;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonPointer;
import tools.jackson.databind.JsonNode;

/**
 * Reads what a document, a status or a callback, says about some work. Pure.
 *
 * @param word where its state is
 * @param error where the provider says what went wrong
 * @param result where the result is; null: not in this document
 */
record Reading(
    Vocabulary vocabulary,
    @Nullable JsonPointer word,
    @Nullable JsonPointer error,
    @Nullable JsonPointer result,
    @Nullable JsonPointer cost,
    AsyncSettings.Format format) {
  /** It is done, and brought nothing where its result should be. */
  static final String RESULT_MISSING = "result-missing";

  /** It says of itself that it failed. */
  static final String PROVIDER_FAILED = "provider-failed";

  private static final String PROVIDER_ERROR = "the provider says that it failed";

  /** What the document says. */
  Seen of(JsonNode document) {
    String said = Places.text(document, word).orElse("");
    Optional<Meaning> meaning = vocabulary.meaning(said);
    if (meaning.isEmpty()) {
      String message = Quoted.message("no state of work that is known", said);
      return new Seen.Nothing(new Failure("unrecognised-answer", message), null);
    }
    return switch (meaning.get()) {
      case AT_WORK -> new Seen.AtWork();
      case SUCCEEDED -> succeeded(document);
      case FAILED -> failed(document, said, Retryability.FINAL);
      case FAILED_RETRYABLE -> failed(document, said, Retryability.RETRYABLE);
      case STOPPED -> new Seen.Stopped(Quoted.message("the provider says", said));
    };
  }

  private Seen failed(JsonNode document, String said, Retryability retryability) {
    String why = Places.anything(document, error).orElse(said);
    return new Seen.Failed(
        new Failure(PROVIDER_FAILED, Quoted.message(PROVIDER_ERROR, why)), retryability);
  }

  /** One that calls itself done may hold an error all the same. */
  private Seen succeeded(JsonNode document) {
    Optional<String> wrong = Places.anything(document, error);
    if (wrong.isPresent() && !wrong.get().isEmpty()) {
      return failed(document, "", Retryability.FINAL);
    }
    String charged = Places.anything(document, cost).orElse(null);
    JsonNode value = result == null ? null : document.at(result);
    if (value == null || value.isMissingNode() || value.isNull()) {
      return new Seen.DoneWithout(charged);
    }
    return result(value, charged);
  }

  /** A value as the result. */
  Seen result(JsonNode value, @Nullable String charged) {
    if (format == AsyncSettings.Format.TEXT && !value.isString()) {
      return invalid("the result is no text");
    }
    try {
      Result read =
          format == AsyncSettings.Format.TEXT
              ? new Result(Result.Format.TEXT, utf8(value.stringValue()))
              : new Result(Result.Format.JSON, BoundedJson.bytes(value));
      return read.bytes().length > Limits.RESULT_BYTES_MAX
          ? tooLarge()
          : new Seen.Done(read, charged);
    } catch (JacksonException | CharacterCodingException e) {
      return invalid("the result holds half of a surrogate pair");
    }
  }

  private static byte[] utf8(String text) throws CharacterCodingException {
    ByteBuffer encoded = StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(text));
    byte[] bytes = new byte[encoded.remaining()];
    encoded.get(bytes);
    return bytes;
  }

  static Seen invalid(String why) {
    return new Seen.Failed(new Failure(Failure.RESULT_INVALID, why), Retryability.FINAL);
  }

  static Seen tooLarge() {
    String message = "the result is larger than " + Limits.RESULT_BYTES_MAX + " bytes";
    return new Seen.Failed(new Failure(Failure.RESULT_TOO_LARGE, message), Retryability.FINAL);
  }
}
