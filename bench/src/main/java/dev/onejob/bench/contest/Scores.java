package dev.onejob.bench.contest;

import dev.onejob.bench.Rounds;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import tools.jackson.databind.JsonNode;

/** The figures of all contestants over all rounds, and what they said of themselves. */
final class Scores {
  private final Map<String, Map<Figure, List<Double>>> figures = new LinkedHashMap<>();
  private final Map<String, JsonNode> descriptions = new LinkedHashMap<>();
  private final Map<String, String> troubles = new LinkedHashMap<>();

  void add(String contestant, Map<Figure, Double> round) {
    Map<Figure, List<Double>> all =
        figures.computeIfAbsent(contestant, name -> new EnumMap<>(Figure.class));
    round.forEach(
        (figure, value) -> all.computeIfAbsent(figure, name -> new ArrayList<>()).add(value));
  }

  void described(String contestant, JsonNode ready) {
    descriptions.put(contestant, ready);
  }

  /** A round, or a contestant as a whole, has no figures, and why. */
  void trouble(String contestant, String why) {
    String line = why.lines().findFirst().orElse("");
    troubles.merge(contestant, line, (one, other) -> one + "; " + other);
  }

  Map<String, String> troubles() {
    return troubles;
  }

  Map<String, JsonNode> descriptions() {
    return descriptions;
  }

  List<String> contestants() {
    return List.copyOf(figures.keySet());
  }

  OptionalDouble median(String contestant, Figure figure) {
    List<Double> all = of(contestant, figure);
    return all.isEmpty() ? OptionalDouble.empty() : OptionalDouble.of(Rounds.median(all));
  }

  List<Double> of(String contestant, Figure figure) {
    return figures.getOrDefault(contestant, Map.of()).getOrDefault(figure, List.of());
  }

  /** The best of some contestants, by its median. */
  Optional<String> best(List<String> among, Figure figure) {
    Comparator<String> order = Comparator.comparingDouble(one -> median(one, figure).orElseThrow());
    return among.stream()
        .filter(one -> median(one, figure).isPresent())
        .max(figure.moreIsBetter() ? order : order.reversed());
  }

  /** Of medians; empty if one of them is not there. */
  OptionalDouble ratio(String contestant, String divisor, Figure figure) {
    OptionalDouble one = median(contestant, figure);
    OptionalDouble other = median(divisor, figure);
    return one.isPresent() && other.isPresent() && other.getAsDouble() > 0
        ? OptionalDouble.of(one.getAsDouble() / other.getAsDouble())
        : OptionalDouble.empty();
  }
}
