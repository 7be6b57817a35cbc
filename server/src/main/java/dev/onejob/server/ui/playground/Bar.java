package dev.onejob.server.ui.playground;

import java.util.ArrayList;
import java.util.List;

/**
 * One attempt, or one request, over the time of a run.
 *
 * @param label what it is
 * @param state the word of its state now
 * @param parts its states one after the other
 * @param marks moments at which something was learned about it, in thousandths of the run
 */
public record Bar(String label, String state, List<Part> parts, List<Integer> marks) {
  /** The whole width. */
  public static final int WIDTH = 1_000;

  /** Copies the lists. */
  public Bar {
    parts = List.copyOf(parts);
    marks = List.copyOf(marks);
  }

  /**
   * A state that lasted.
   *
   * @param x where it begins, in thousandths of the run
   * @param width how long it lasted, in the same
   */
  public record Part(String state, int x, int width) {}

  /** A moment at which a state began, in milliseconds since the run began. */
  record Turn(String state, long atMillis) {}

  /**
   * Draws one.
   *
   * @param turns in the order of time; not empty
   * @param untilMillis when the last state ended, or now
   * @param wholeMillis how long the run has lasted
   */
  static Bar of(
      String label,
      String state,
      List<Turn> turns,
      long untilMillis,
      List<Long> marks,
      long wholeMillis) {
    List<Part> parts = new ArrayList<>();
    for (int i = 0; i < turns.size(); i++) {
      long end = i + 1 < turns.size() ? turns.get(i + 1).atMillis() : untilMillis;
      int x = place(turns.get(i).atMillis(), wholeMillis);
      int width = place(end, wholeMillis) - x;
      if (width > 0 || i == turns.size() - 1) {
        parts.add(new Part(turns.get(i).state(), Math.min(x, WIDTH - 4), Math.max(width, 4)));
      }
    }
    return new Bar(
        label, state, parts, marks.stream().map(mark -> place(mark, wholeMillis)).toList());
  }

  private static int place(long millis, long wholeMillis) {
    long bounded = Math.clamp(millis, 0, wholeMillis);
    return wholeMillis == 0 ? 0 : (int) (bounded * WIDTH / wholeMillis);
  }
}
