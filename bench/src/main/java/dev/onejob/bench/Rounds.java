package dev.onejob.bench;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * The figures of several contestants that took turns. The speed of a machine drifts; turns that
 * stand side by side see the same weather.
 */
public final class Rounds {
  private final Map<String, List<Double>> figures = new LinkedHashMap<>();

  /** Lets every contestant have its turn, as often as there are rounds. */
  static Rounds run(int rounds, Duration turn, List<? extends Contestant> contestants)
      throws Exception {
    Rounds all = new Rounds();
    for (int round = 0; round < rounds; round++) {
      for (Contestant contestant : contestants) {
        double figure = contestant.measure(turn);
        all.figures.computeIfAbsent(contestant.name(), name -> new ArrayList<>()).add(figure);
        Progress.say("%s: %.3f".formatted(contestant.name(), figure));
      }
    }
    return all;
  }

  double median(String name) {
    return median(of(name));
  }

  /** The median over the rounds of one figure divided by its neighbour of the same round. */
  double ratio(String name, String divisor) {
    List<Double> ratios = new ArrayList<>();
    for (int round = 0; round < of(name).size(); round++) {
      ratios.add(of(name).get(round) / of(divisor).get(round));
    }
    return median(ratios);
  }

  private List<Double> of(String name) {
    return Objects.requireNonNull(figures.get(name), name);
  }

  /** The middle one, or the mean of the two in the middle; of at least one. */
  public static double median(List<Double> values) {
    double[] sorted = values.stream().mapToDouble(value -> value).sorted().toArray();
    int middle = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  }
}
