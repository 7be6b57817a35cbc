package dev.onejob.document;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Gathers what is wrong, so that it can be said at once. */
public final class Problems {
  /** Most problems told at once; whoever has more has one that causes the others. */
  private static final int TOLD_MAX = 50;

  private final List<ConfigProblem> found = new ArrayList<>();

  /** One more. */
  public void add(ConfigProblem problem) {
    found.add(problem);
  }

  /** Some more. */
  public void addAll(List<ConfigProblem> problems) {
    found.addAll(problems);
  }

  /** How many there are so far. */
  public int count() {
    return found.size();
  }

  /**
   * Says it all.
   *
   * @throws ConfigException in the order of the lines, if there is any problem
   */
  public void throwIfAny() {
    if (!found.isEmpty()) {
      throw new ConfigException(
          found.stream()
              .distinct()
              .sorted(Comparator.comparingInt(ConfigProblem::line))
              .limit(TOLD_MAX)
              .toList());
    }
  }
}
