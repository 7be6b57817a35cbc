package dev.onejob.providers.responses;

import dev.onejob.domain.Failure;
import dev.onejob.provider.CallWatch;
import dev.onejob.provider.Outcome;
import dev.onejob.providers.BoundedJson;
import dev.onejob.providers.Quoted;
import dev.onejob.providers.http.EventSink;
import dev.onejob.providers.http.Head;
import dev.onejob.providers.http.ServerEvent;
import dev.onejob.providers.model.AnswerReading;
import dev.onejob.providers.model.FailureTable.Begun;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.exc.StreamConstraintsException;
import tools.jackson.databind.JsonNode;

/**
 * The events of one response on its line. The last one brings the response as a whole, so that the
 * pieces need not be put together; without it they mean nothing.
 */
final class ResponseStream implements EventSink {
  private static final Failure NOT_OVER =
      new Failure(AnswerReading.UNRECOGNISED, "the stream has not ended");

  private Begun begun = Begun.NOT_SEEN;
  private @Nullable JsonNode ended;
  private @Nullable JsonNode error;
  private @Nullable Outcome flaw;

  @Override
  public Heard hear(ServerEvent event) {
    try {
      return heard(BoundedJson.read(event.data().getBytes(StandardCharsets.UTF_8)));
    } catch (StreamConstraintsException e) {
      begun = Begun.SEEN;
      flaw = AnswerReading.broken(e);
      return Heard.MORE; // only its end shows that the work is done
    } catch (JacksonException e) {
      flaw = AnswerReading.broken(e);
      return Heard.END;
    }
  }

  private Heard heard(JsonNode data) {
    String type = data.path("type").asString("");
    switch (type) {
      case "response.completed", "response.incomplete", "response.failed", "response.cancelled" ->
          ended = data.path("response");
      case "error" -> error = data.path("error").isObject() ? data.path("error") : data;
      case "" -> {
        String message = Quoted.message("an event without a type", BoundedJson.text(data));
        flaw = new Outcome.InDoubt(new Failure(AnswerReading.UNRECOGNISED, message));
      }
      default -> {
        begun = Begun.SEEN;
        return Heard.MORE;
      }
    }
    return Heard.END;
  }

  /** To be asked once the stream has ended at our word. */
  Progress progress(Head head, ResponseReading reading, CallWatch watch) {
    if (error != null) {
      return reading.failed(head, error, begun);
    }
    if (flaw != null) {
      return new Progress.Over(flaw);
    }
    return ended == null ? new Progress.Unclear(NOT_OVER) : reading.streamed(ended, watch);
  }
}
