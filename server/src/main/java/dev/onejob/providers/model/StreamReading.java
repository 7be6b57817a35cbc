package dev.onejob.providers.model;

import dev.onejob.domain.Failure;
import dev.onejob.domain.Limits;
import dev.onejob.provider.CallWatch;
import dev.onejob.provider.Outcome;
import dev.onejob.providers.BoundedJson;
import dev.onejob.providers.http.EventSink;
import dev.onejob.providers.http.Head;
import dev.onejob.providers.http.ServerEvent;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.exc.StreamConstraintsException;
import tools.jackson.databind.JsonNode;

/**
 * What a stream of events means that was heard to its end signal. Without that it means nothing:
 * whether the model went on cannot be known.
 */
final class StreamReading implements EventSink {
  /** The answer as it came is no answer by itself, and never the result. */
  private static final byte[] NO_BYTES = {};

  private final Dialect dialect;
  private final AnswerReading reading;
  private final Gathering gathering;
  private boolean begun;
  private @Nullable JsonNode error;
  private @Nullable Outcome flaw;

  StreamReading(Dialect dialect, AnswerReading reading) {
    this.dialect = dialect;
    this.reading = reading;
    this.gathering = dialect.gathering();
  }

  @Override
  public Heard hear(ServerEvent event) {
    if (event.data().equals(dialect.endMark())) {
      return Heard.END;
    }
    try {
      JsonNode data = BoundedJson.read(event.data().getBytes(StandardCharsets.UTF_8));
      if (AnswerReading.hasError(data)) {
        error = data.path("error");
        begun |= dialect.begun(data);
        return Heard.END;
      }
      begun = true; // whatever else it says, the request was taken on
      return gathered(data);
    } catch (StreamConstraintsException e) {
      begun = true;
      flaw = AnswerReading.broken(e);
      return Heard.MORE; // no result any more; but only its end shows that the work is done
    } catch (JacksonException e) {
      flaw = AnswerReading.broken(e);
      return Heard.END;
    }
  }

  private Heard gathered(JsonNode data) {
    try {
      if (gathering.chars() > Limits.RESULT_BYTES_MAX) {
        flaw = Verdict.tooLarge();
        gathering.drop();
      }
      return gathering.take(data);
    } catch (Dialect.Unrecognised e) {
      flaw = AnswerReading.unrecognised(e, data);
      return Heard.END;
    }
  }

  /** To be asked once the stream has ended at our word. */
  Outcome outcome(Head head, CallWatch watch) {
    if (error != null) {
      return reading.error(head, error, begun);
    }
    if (flaw != null) {
      return flaw;
    }
    try {
      return reading.document(head, NO_BYTES, gathering.document(), watch);
    } catch (Dialect.Unrecognised e) {
      return new Outcome.InDoubt(
          new Failure(AnswerReading.UNRECOGNISED, String.valueOf(e.getMessage())));
    }
  }
}
