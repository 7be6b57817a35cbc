package dev.onejob.providers.sandbox;

import dev.onejob.domain.Limits;
import dev.onejob.providers.sandbox.Step.Again;
import dev.onejob.providers.sandbox.Step.Play;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * What a sandbox says when it is asked about a request: one line after the other, the last for
 * ever.
 */
record LookupScript(List<Line> lines) {
  /** Nothing but what really happened. */
  static final LookupScript TRUTH =
      new LookupScript(List.of(new Line(null, 1, OptionalLong.empty())));

  private static final Set<String> MEMBERS =
      Set.of("says", "value", "retryable", "retry_after_ms", "asks", "until_ms");

  private static final int ASKS_MAX = 1_000_000;

  /**
   * One line.
   *
   * @param word null: what really happened
   * @param asks how many questions it answers
   * @param untilMillis answers, instead, all questions until so long after the request's arrival
   */
  record Line(@Nullable Word word, long asks, OptionalLong untilMillis) {}

  /** Reads the member {@code lookup} of a step: one line, or an array of them. */
  static LookupScript read(Part step) throws InvalidScript {
    JsonNode lookup = step.node().get("lookup");
    String place = step.place() + ".lookup";
    if (lookup == null) {
      return TRUTH;
    }
    if (!lookup.isArray()) {
      return new LookupScript(List.of(line(new Part(place, lookup))));
    }
    if (lookup.isEmpty()) {
      throw new InvalidScript(place, "an array needs at least one line");
    }
    List<Line> lines = new ArrayList<>();
    for (int i = 0; i < lookup.size(); i++) {
      lines.add(line(new Part(place + "[" + i + "]", lookup.get(i))));
    }
    return new LookupScript(lines);
  }

  private static Line line(Part part) throws InvalidScript {
    part.allowing(MEMBERS);
    long asks = part.number("asks", ASKS_MAX).orElse(1);
    return new Line(
        word(part), asks, part.number("until_ms", Limits.ATTEMPT_TIMEOUT_MAX.toMillis()));
  }

  private static @Nullable Word word(Part part) throws InvalidScript {
    return switch (part.text("says", "truth")) {
      case "truth" -> null;
      case "at_work" -> new Word.AtWork();
      case "not_found" -> new Word.NotFound();
      case "stopped" -> new Word.Stopped();
      case "succeeded" -> new Word.Succeeded(part.node().get("value"));
      case "failed" -> new Word.Failed(failure(part));
      case "hang" -> new Word.Silence();
      case "garbage" -> new Word.Garbage();
      default ->
          throw part.wrong(
              "says",
              "expected truth, at_work, not_found, stopped, succeeded, failed, hang or garbage");
    };
  }

  private static Play.Refuse failure(Part part) throws InvalidScript {
    OptionalLong after = part.number("retry_after_ms", Limits.ATTEMPT_TIMEOUT_MAX.toMillis());
    return new Play.Refuse(
        "sandbox-failed", "failed, as the script says", new Again(part.flag("retryable"), after));
  }

  /**
   * The line for a question.
   *
   * @param number which question about this request it is, from 1
   * @param ageMillis since the arrival of the request
   */
  Line line(int number, long ageMillis) {
    long left = number;
    for (Line line : lines.subList(0, lines.size() - 1)) {
      if (line.untilMillis().isPresent()) {
        if (ageMillis < line.untilMillis().getAsLong()) {
          return line;
        }
      } else if (left <= line.asks()) {
        return line;
      } else {
        left -= line.asks();
      }
    }
    return lines.getLast();
  }
}
