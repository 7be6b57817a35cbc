package dev.onejob.qualification;

import dev.onejob.qualification.Observation.Ending;
import java.util.List;

/** The failures that are played to an adapter, and what it has to make of each. */
public final class Failures {
  /** All of them. */
  public static final List<Played> ALL =
      List.of(
          new Played("status-401", Ending.REFUSED, "an invalid key"),
          new Played("status-413", Ending.REFUSED, "an input that is too large"),
          new Played("status-429", Ending.REFUSED_FOR_NOW, "a rate limit"),
          new Played("status-500", Ending.IN_DOUBT, "an internal error"),
          new Played("cut", Ending.IN_DOUBT, "a line that breaks after the request"),
          new Played("silence", Ending.IN_DOUBT, "no answer until we stop waiting"));

  private Failures() {}

  /**
   * One failure.
   *
   * @param play its name: {@code status-…}, {@code cut} or {@code silence}
   * @param ending what the adapter has to say
   * @param means in words
   */
  public record Played(String play, Ending ending, String means) {}

  /** In words, by its name. */
  public static String means(String play) {
    return ALL.stream()
        .filter(each -> each.play().equals(play))
        .map(Played::means)
        .findFirst()
        .orElse(play);
  }
}
