package dev.onejob.server.ui.playground;

import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * What one of the two providers is to do with each request.
 *
 * @param delayMillis from the arrival of a request until it acts; 0 to {@link #DELAY_MILLIS_MAX}
 */
public record Play(long delayMillis, Outcome outcome) {
  /** Longest delay: a person waits for it. */
  public static final long DELAY_MILLIS_MAX = 10_000;

  /** How long one that acts in silence keeps the line open afterwards, in milliseconds. */
  private static final long SILENCE_MILLIS = 20_000;

  /** What comes of a request. */
  public enum Outcome {
    SUCCEED("acts and answers"),
    REFUSE("refuses"),
    SILENT("acts, and never answers"),
    CUT("acts, and the line is cut"),
    GONE("the line is cut before it acts");

    private final String label;

    Outcome(String label) {
      this.label = label;
    }

    /** For people. */
    public String label() {
      return label;
    }

    /** As forms and addresses have it. */
    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }

    static Optional<Outcome> of(String word) {
      return Stream.of(values()).filter(each -> each.word().equals(word)).findFirst();
    }
  }

  /** Whether a request has an effect, sooner or later. */
  boolean acts() {
    return switch (outcome) {
      case SUCCEED, SILENT, CUT -> true;
      case REFUSE, GONE -> false;
    };
  }

  /** The same as a script of the sandbox; in a race it also says at once that it has begun. */
  ObjectNode script(Preset preset) {
    ObjectNode step = JsonNodeFactory.instance.objectNode();
    if (preset == Preset.REVERSED_FINISH && outcome == Outcome.SUCCEED) {
      step.put("accept_after_ms", 0);
    }
    switch (outcome) {
      case SUCCEED -> step.put("answer_after_ms", delayMillis);
      case REFUSE -> step.put("answer_after_ms", delayMillis).put("outcome", "refuse");
      case CUT -> step.put("answer_after_ms", delayMillis).put("outcome", "drop_after");
      case GONE -> step.put("answer_after_ms", delayMillis).put("outcome", "drop_before");
      case SILENT ->
          step.put("effect_after_ms", delayMillis)
              .put("answer_after_ms", delayMillis + SILENCE_MILLIS)
              .put("outcome", "drop_after");
    }
    return step;
  }
}
