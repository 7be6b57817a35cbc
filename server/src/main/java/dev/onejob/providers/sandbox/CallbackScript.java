package dev.onejob.providers.sandbox;

import dev.onejob.domain.Limits;
import dev.onejob.providers.sandbox.Step.Again;
import dev.onejob.providers.sandbox.Step.Play;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/** What a sandbox says by itself at the callback address of a request, and when. */
record CallbackScript(List<Line> lines) {
  /** It never calls back. */
  static final CallbackScript SILENT = new CallbackScript(List.of());

  private static final Set<String> MEMBERS =
      Set.of("after_ms", "says", "value", "retryable", "retry_after_ms", "times");

  private static final long MILLIS_MAX = Limits.ATTEMPT_TIMEOUT_MAX.toMillis();
  private static final int TIMES_MAX = 100;

  /**
   * One callback.
   *
   * @param afterMillis from the arrival of the request
   * @param word how it ended
   * @param times how often it is sent
   */
  record Line(long afterMillis, Word word, long times) {}

  /** Reads the member {@code callback} of a step: one line, or an array of them. */
  static CallbackScript read(Part step) throws InvalidScript {
    JsonNode callback = step.node().get("callback");
    if (callback == null) {
      return SILENT;
    }
    String place = step.place() + ".callback";
    JsonNode value = step.node().get("value");
    if (!callback.isArray()) {
      return new CallbackScript(List.of(line(new Part(place, callback), value)));
    }
    List<Line> lines = new ArrayList<>();
    for (int i = 0; i < callback.size(); i++) {
      lines.add(line(new Part(place + "[" + i + "]", callback.get(i)), value));
    }
    return new CallbackScript(lines);
  }

  private static Line line(Part part, JsonNode value) throws InvalidScript {
    part.allowing(MEMBERS);
    return new Line(
        part.number("after_ms", MILLIS_MAX).orElse(0),
        word(part, value),
        part.number("times", TIMES_MAX).orElse(1));
  }

  private static Word word(Part part, JsonNode value) throws InvalidScript {
    return switch (part.text("says", "succeeded")) {
      case "succeeded" ->
          new Word.Succeeded(part.node().has("value") ? part.node().get("value") : value);
      case "failed" ->
          new Word.Failed(
              new Play.Refuse(
                  "sandbox-failed",
                  "failed, as the script says",
                  new Again(part.flag("retryable"), part.number("retry_after_ms", MILLIS_MAX))));
      case "stopped" -> new Word.Stopped();
      default -> throw part.wrong("says", "expected succeeded, failed or stopped");
    };
  }
}
