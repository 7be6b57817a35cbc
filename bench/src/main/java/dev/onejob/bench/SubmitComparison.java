package dev.onejob.bench;

import dev.onejob.bench.ServerProcess.Door;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Group commit beside single rows, over HTTP: two processes of the same server, of which one has
 * {@code GroupCommit} replaced by a transaction for each item.
 */
final class SubmitComparison {
  private static final List<Integer> POOLS = List.of(4, 8, 16, 32, 64);

  /** As the server's default. */
  private static final int GROUP_POOL = 16;

  private static final int CONNECTIONS = 64;
  private static final Duration TURN = Duration.ofSeconds(3);
  private static final int WARM_UP_ROUNDS = 2;
  private static final int POOL_ROUNDS = 3;
  private static final int ROUNDS = 7;
  private static final String GROUP = "group commit";

  private final Ground ground;
  private final Path singleRowClasses;
  private final Wrk wrk;

  SubmitComparison(Ground ground, Path singleRowClasses, Wrk wrk) {
    this.ground = ground;
    this.singleRowClasses = singleRowClasses;
    this.wrk = wrk;
  }

  String run() throws Exception {
    List<String> singleRow = new ArrayList<>();
    for (int pool : POOLS) {
      singleRow.addAll(List.of(ground.create("single_" + pool), Integer.toString(pool)));
    }
    List<String> group = List.of(ground.create("grouped"), Integer.toString(GROUP_POOL));
    try (ServerProcess grouped = ServerProcess.start(null, group);
        ServerProcess single = ServerProcess.start(singleRowClasses, singleRow)) {
      Submits.Rate groupRate = new Submits.Rate(GROUP, wrk, grouped.door(0), CONNECTIONS);
      List<Submits.Rate> pools = new ArrayList<>();
      for (int i = 0; i < POOLS.size(); i++) {
        pools.add(new Submits.Rate(pool(POOLS.get(i)), wrk, single.door(i), CONNECTIONS));
      }
      return compare(groupRate, pools);
    }
  }

  private static String pool(int size) {
    return "single rows, pool of " + size;
  }

  private String compare(Submits.Rate group, List<Submits.Rate> pools) throws Exception {
    List<Submits.Rate> all = new ArrayList<>(pools);
    all.add(group);
    Rounds.run(WARM_UP_ROUNDS, TURN, all);
    // The pools share a process and have warmed it up together; the other one has to catch up.
    Rounds.run(WARM_UP_ROUNDS * (POOLS.size() - 1), TURN, List.of(group));
    Rounds screening = Rounds.run(POOL_ROUNDS, TURN, pools);
    Submits.Rate best =
        pools.stream()
            .max(Comparator.comparingDouble(pool -> screening.median(pool.name())))
            .orElseThrow();
    Rounds rates = Rounds.run(ROUNDS, TURN, List.of(group, best));
    List<Submits.Latency> lone = List.of(lone(group), lone(best));
    Rounds.run(1, TURN, lone);
    Rounds latencies = Rounds.run(ROUNDS, TURN, lone);
    return table(screening, rates, latencies, best.name());
  }

  private Submits.Latency lone(Submits.Rate rate) {
    Door door = rate.door();
    return new Submits.Latency(rate.name(), wrk, door);
  }

  private static String table(Rounds screening, Rounds rates, Rounds latencies, String best) {
    StringBuilder text = new StringBuilder();
    text.append(
        """
        ### Durable submits over HTTP

        | at %d connections | submits/s |
        | --- | ---: |
        """
            .formatted(CONNECTIONS));
    for (int pool : POOLS) {
      text.append("| %s | %.0f |%n".formatted(pool(pool), screening.median(pool(pool))));
    }
    text.append(
        """

        | | group commit | %s | ratio | wanted |
        | --- | ---: | ---: | ---: | ---: |
        | submits/s at %d connections | %.0f | %.0f | **%.2f** | ≥ 2.0 |
        | median latency at 1 connection | %.2f ms | %.2f ms | **%.2f** | ≤ 1.2 |
        """
            .formatted(
                best,
                CONNECTIONS,
                rates.median(GROUP),
                rates.median(best),
                rates.ratio(GROUP, best),
                latencies.median(GROUP),
                latencies.median(best),
                latencies.ratio(GROUP, best)));
    return text.toString();
  }
}
