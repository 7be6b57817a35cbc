package dev.onejob.bench.contest;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;

/** How so many nodes got in each other's way, over all rounds. */
final class Contention {
  private static final double HUNDRED = 100;
  private static final int TOLD_WAITS = 3;
  private static final String SOFT_WAIT = "none none";

  private final Map<String, Long> waits = new TreeMap<>();
  private final Map<String, Long> refused = new TreeMap<>();
  private double locks;
  private double latches;
  private long deadlocks;
  private long looks;
  private long found;
  private long starts;
  private long batches;
  private long writes;
  private int drains;

  /** Adds what was seen of a drain, and what each of its nodes has counted. */
  void add(SessionSamples.Seen seen, List<JsonNode> nodes) {
    drains++;
    locks += seen.locks();
    latches += seen.latches();
    deadlocks += seen.deadlocks();
    seen.waits().forEach((wait, count) -> waits.merge(wait, count, Long::sum));
    for (JsonNode node : nodes) {
      looks += node.path("looks").asLong();
      found += node.path("found").asLong();
      starts += node.path("starts").asLong();
      batches += node.path("batches").asLong();
      writes += node.path("writes").asLong();
      node.path("refused")
          .properties()
          .forEach(each -> refused.merge(each.getKey(), each.getValue().asLong(), Long::sum));
    }
  }

  static String head() {
    return """
        | nodes | waits for locks, % | for latches, % | deadlocks | looks | found ÷ started \
        | starts refused, % | writes in a transaction |
        | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
        """;
  }

  String row(int nodes) {
    long no = refused.values().stream().mapToLong(each -> each).sum();
    return "| %d | %s | %s | %d | %,d | %s | %s | %s |\n"
        .formatted(
            nodes,
            Numbers.words(locks / drains * HUNDRED),
            Numbers.words(latches / drains * HUNDRED),
            deadlocks,
            looks,
            Numbers.words(found / (double) Math.max(1, starts)),
            Numbers.words(no * HUNDRED / Math.max(1, starts + no)),
            Numbers.words(writes / (double) Math.max(1, batches)));
  }

  /** The waits that were seen most, and why starts were refused. */
  String names(int nodes) {
    long all = waits.values().stream().mapToLong(each -> each).sum();
    List<String> most =
        waits.entrySet().stream()
            .filter(each -> !each.getKey().equals(SOFT_WAIT))
            .sorted(Map.Entry.<String, Long>comparingByValue().reversed())
            .limit(TOLD_WAITS)
            .map(each -> share(each.getKey(), each.getValue(), all))
            .toList();
    List<String> whys = new ArrayList<>();
    refused.forEach((why, count) -> whys.add(why + " %,d".formatted(count)));
    return "- %d: waits seen most: %s; starts refused: %s\n"
        .formatted(
            nodes,
            most.isEmpty() ? "none" : String.join(", ", most),
            whys.isEmpty() ? "none" : String.join(", ", whys));
  }

  private static String share(String wait, long count, long all) {
    return "%s %s %%".formatted(wait, Numbers.words(count * HUNDRED / all));
  }
}
