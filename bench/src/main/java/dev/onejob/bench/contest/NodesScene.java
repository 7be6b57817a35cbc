package dev.onejob.bench.contest;

import dev.onejob.bench.Bench;
import dev.onejob.bench.Ground;
import dev.onejob.bench.Progress;
import dev.onejob.bench.Rounds;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;

/** One, two and three nodes on one PostgreSQL drain the same backlog. */
final class NodesScene implements Scene {
  private static final int NODES_MAX = 3;
  private static final int BULK = 1_000;

  /** Three nodes that still compile their code would share two processors with the compiler. */
  private static final int WARM_UPS = 4;

  /** Of the rate of one node less: a twentieth is what rounds of the same thing differ by. */
  private static final double STEADY_MIN = 0.95;

  private static final double NANOS_OF_A_SECOND = 1e9;

  private final Sizes sizes;
  private final PeerRecipe node;
  private final Map<Integer, List<Double>> rates = new TreeMap<>();
  private final Map<Integer, Contention> contention = new TreeMap<>();

  NodesScene(Sizes sizes, PeerRecipe node) {
    this.sizes = sizes;
    this.node = node;
  }

  @Override
  public String name() {
    return "nodes";
  }

  @Override
  public String play(Ground ground, Path folder, Pictures pictures)
      throws IOException, InterruptedException, SQLException {
    for (int round = 1; round <= sizes.rounds(); round++) {
      for (int nodes = 1; nodes <= NODES_MAX; nodes++) {
        double rate = drain(ground, folder, nodes, "nodes_" + round + "_" + nodes);
        rates.computeIfAbsent(nodes, key -> new ArrayList<>()).add(rate);
        Progress.say(nodes + " nodes: " + Numbers.words(rate));
      }
    }
    return report();
  }

  private String report() {
    StringBuilder text = new StringBuilder("| nodes | drained jobs/s |\n| ---: | ---: |\n");
    rates.forEach((nodes, all) -> text.append("| %d | %s |\n".formatted(nodes, words(all))));
    text.append("\n| what | reached | bar | |\n| --- | ---: | --- | --- |\n");
    for (int nodes = 2; nodes <= NODES_MAX; nodes++) {
      text.append(
          ContestReport.row(
              "%d nodes ÷ %d, median of the rounds".formatted(nodes, nodes - 1),
              OptionalDouble.of(step(nodes)),
              "≥ ",
              STEADY_MIN,
              /* atLeast= */ true));
    }
    text.append("\n").append(Contention.head());
    contention.forEach((nodes, all) -> text.append(all.row(nodes)));
    text.append("\n");
    contention.forEach((nodes, all) -> text.append(all.names(nodes)));
    return text.toString();
  }

  /** Against one node less in the same round: neighbours have the same weather. */
  private double step(int nodes) {
    List<Double> more = rates.getOrDefault(nodes, List.of());
    List<Double> less = rates.getOrDefault(nodes - 1, List.of());
    List<Double> ratios = new ArrayList<>();
    for (int round = 0; round < more.size(); round++) {
      ratios.add(more.get(round) / less.get(round));
    }
    return Rounds.median(ratios);
  }

  private static String words(List<Double> all) {
    return Numbers.words(OptionalDouble.of(Rounds.median(all)), all);
  }

  private double drain(Ground ground, Path folder, int nodes, String database)
      throws IOException, InterruptedException, SQLException {
    Path own = Files.createDirectory(folder.resolve(database));
    ground.createEmpty(database);
    Map<String, String> environment = PeerRecipe.environment(ground, database, own);
    Deque<PeerProcess> open = new ArrayDeque<>();
    try {
      for (int i = 0; i < nodes; i++) {
        open.push(PeerProcess.start(node, environment, folder.resolve("nodes.log")));
        warmUp(open.peek(), i);
      }
      PeerProcess first = open.getLast();
      int jobs = sizes.backlog();
      first.ask("batch " + BULK + " " + jobs + " backlog");
      SessionSamples samples = SessionSamples.begin(ground.own(), database);
      double rate;
      SessionSamples.Seen seen;
      try {
        rate = together(open, jobs);
      } finally {
        seen = samples.end();
      }
      check(open);
      contention.computeIfAbsent(nodes, key -> new Contention()).add(seen, counts(open));
      return rate;
    } catch (PeerProcess.UnavailableException e) {
      throw new IOException(e);
    } finally {
      while (!open.isEmpty()) {
        open.pop().close();
      }
      ground.drop(database);
      Bench.delete(own);
    }
  }

  /** Each by itself, for the others are off. */
  private void warmUp(PeerProcess peer, int number) throws IOException, InterruptedException {
    peer.ask("workers on");
    peer.ask("lives 64 " + WARM_UPS * sizes.livesMin() + " warm" + number);
    peer.ask("workers off");
    peer.ask("check");
    peer.ask("counts");
  }

  private static List<JsonNode> counts(Deque<PeerProcess> nodes)
      throws IOException, InterruptedException {
    List<JsonNode> counts = new ArrayList<>();
    for (PeerProcess each : nodes) {
      counts.add(each.ask("counts"));
    }
    return counts;
  }

  private static double together(Deque<PeerProcess> nodes, int jobs)
      throws IOException, InterruptedException {
    long from = System.nanoTime();
    for (PeerProcess each : nodes) {
      each.say("workers on");
    }
    for (PeerProcess each : nodes) {
      each.hear("workers on");
    }
    nodes.getLast().ask("await");
    return jobs * NANOS_OF_A_SECOND / (System.nanoTime() - from);
  }

  /** Over all nodes together every job ran exactly once. */
  private void check(Deque<PeerProcess> nodes) throws IOException, InterruptedException {
    long executions = 0;
    long executed = 0;
    for (PeerProcess each : nodes) {
      JsonNode counts = each.ask("check");
      executions += counts.path("executions").asLong();
      executed += counts.path("jobs_executed").asLong();
    }
    if (executions != sizes.backlog() || executed != executions) {
      throw new IOException(executions + " executions of " + sizes.backlog() + " jobs");
    }
  }
}
