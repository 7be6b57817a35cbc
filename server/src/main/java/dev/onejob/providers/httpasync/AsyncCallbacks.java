package dev.onejob.providers.httpasync;

import dev.onejob.domain.AttemptId;
import dev.onejob.provider.CallbackHead;
import dev.onejob.provider.CallbackMessage;
import dev.onejob.provider.CallbackReader;
import dev.onejob.providers.BoundedJson;
import dev.onejob.providers.Quoted;
import dev.onejob.providers.signature.Signature;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonPointer;
import tools.jackson.databind.JsonNode;

/** Reads callbacks as the settings describe them. */
final class AsyncCallbacks implements CallbackReader {
  private final Reading reading;
  private final Marks marks;
  private final @Nullable Signature signature;

  /** Where a callback says what it is about. */
  record Marks(
      @Nullable JsonPointer id, @Nullable JsonPointer attempt, @Nullable JsonPointer event) {}

  /**
   * Makes one.
   *
   * @param signature null: it is not configured how they are signed, if they are
   */
  AsyncCallbacks(Reading reading, Marks marks, @Nullable Signature signature) {
    this.reading = reading;
    this.marks = marks;
    this.signature = signature;
  }

  @Override
  public Optional<Sender.Refused> refusal(CallbackHead head, Instant now) {
    return signature == null ? Optional.empty() : signature.refusal(head, now);
  }

  @Override
  public Sender sender(CallbackMessage message, Instant now) throws InterruptedException {
    return signature == null ? new Sender.Unproved() : signature.of(message, now);
  }

  @Override
  public Content read(byte[] body) {
    JsonNode document;
    try {
      document = BoundedJson.read(body);
    } catch (JacksonException e) {
      return new Content.Unreadable(
          Quoted.message("the body cannot be read", e.getOriginalMessage()));
    }
    if (!document.isObject()) {
      return new Content.Unreadable("the body is a JSON object, nothing else");
    }
    String id = Places.id(document, marks.id()).orElse(null);
    return new Content.Says(
        Places.text(document, marks.event()).orElse(null),
        Places.text(document, marks.attempt()).flatMap(AttemptId::parse).orElse(null),
        id,
        reading.of(document).finding(id));
  }
}
