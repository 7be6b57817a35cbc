package dev.onejob.bench.contest;

import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;

/** Figures as people read them. */
final class Numbers {
  static final double MEGABYTES_OF_A_MEBIBYTE = 1.048576;

  private static final double MANY = 100;
  private static final double SOME = 10;
  private static final double LITTLE = 0.01;

  private Numbers() {}

  static String words(double figure) {
    if (figure >= MANY) {
      return String.format(Locale.ROOT, "%,.0f", figure);
    }
    if (figure > 0 && figure < LITTLE) {
      return String.format(Locale.ROOT, "%.2g", figure);
    }
    return String.format(Locale.ROOT, figure >= SOME ? "%.1f" : "%.2f", figure);
  }

  /** The median, with the range if there is more than one; a dash if there is none. */
  static String words(OptionalDouble median, List<Double> all) {
    if (median.isEmpty()) {
      return "–";
    }
    String middle = words(median.getAsDouble());
    return all.size() < 2
        ? middle
        : middle + " (" + words(Collections.min(all)) + "–" + words(Collections.max(all)) + ")";
  }

  static String ratio(OptionalDouble ratio) {
    return ratio.isEmpty() ? "–" : String.format(Locale.ROOT, "%.2f", ratio.getAsDouble());
  }
}
