package dev.onejob.document;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;

/** Finds the known name that somebody probably meant. */
public final class Nearest {
  private static final int NAME_CHARS_MAX = 64;

  private Nearest() {}

  /** The known name that takes the fewest edits, if they are few for its length. */
  public static Optional<String> to(String name, Collection<String> known) {
    if (name.length() > NAME_CHARS_MAX) {
      return Optional.empty();
    }
    String folded = fold(name);
    return known.stream()
        .filter(candidate -> distance(folded, fold(candidate)) <= allowed(candidate))
        .min(
            Comparator.comparingInt((String candidate) -> distance(folded, fold(candidate)))
                .thenComparing(Comparator.naturalOrder()));
  }

  /** A clause to put behind a message about an unknown name; empty if nothing is near. */
  public static String didYouMean(String name, Collection<String> known) {
    return to(name, known).map(near -> "; did you mean \"" + near + "\"?").orElse("");
  }

  private static int allowed(String candidate) {
    return Math.max(1, candidate.length() / 3);
  }

  private static String fold(String name) {
    return name.toLowerCase(Locale.ROOT).replace('-', '_');
  }

  /** Edits between two words, a swap of neighbours counting as one. */
  private static int distance(String a, String b) {
    int[][] edits = new int[a.length() + 1][b.length() + 1];
    for (int i = 0; i <= a.length(); i++) {
      for (int j = 0; j <= b.length(); j++) {
        edits[i][j] = i == 0 || j == 0 ? i + j : cheapest(edits, a, b, i, j);
      }
    }
    return edits[a.length()][b.length()];
  }

  private static int cheapest(int[][] edits, String a, String b, int i, int j) {
    int same = a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1;
    int least =
        Math.min(Math.min(edits[i - 1][j], edits[i][j - 1]) + 1, edits[i - 1][j - 1] + same);
    boolean swapped =
        i > 1 && j > 1 && a.charAt(i - 1) == b.charAt(j - 2) && a.charAt(i - 2) == b.charAt(j - 1);
    return swapped ? Math.min(least, edits[i - 2][j - 2] + 1) : least;
  }
}
