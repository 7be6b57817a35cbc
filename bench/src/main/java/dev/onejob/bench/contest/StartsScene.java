package dev.onejob.bench.contest;

import dev.onejob.bench.Bench;
import dev.onejob.bench.Ground;
import dev.onejob.bench.Progress;
import dev.onejob.bench.Rounds;
import dev.onejob.bench.peer.Latencies;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import tools.jackson.databind.JsonNode;

/**
 * From submit to start with two nodes: both at work, and with one that only admits; beside the
 * peers on PostgreSQL that start soonest, with one process each.
 */
final class StartsScene implements Scene {
  private static final int PER_SECOND = 50;
  private static final double MICROS_OF_A_MILLI = 1e3;
  private static final double RATIO_MAX = 1.2;

  private final Sizes sizes;
  private final PeerRecipe node;
  private final List<PeerRecipe> rivals;
  private final Scores scores = new Scores();
  private final Column both = new Column();
  private final Column other = new Column();

  /** The figures of one way, round by round, in milliseconds. */
  private static final class Column {
    private final List<Double> medians = new ArrayList<>();
    private final List<Double> tails = new ArrayList<>();

    void add(Latencies starts) {
      Map<String, Object> words = starts.words();
      medians.add(((Number) words.getOrDefault("p50_us", 0)).doubleValue() / MICROS_OF_A_MILLI);
      tails.add(((Number) words.getOrDefault("p99_us", 0)).doubleValue() / MICROS_OF_A_MILLI);
    }
  }

  /**
   * Not yet played.
   *
   * @param node of ours, started twice
   * @param rivals that are measured in turn, each as one process
   */
  StartsScene(Sizes sizes, PeerRecipe node, List<PeerRecipe> rivals) {
    this.sizes = sizes;
    this.node = node;
    this.rivals = rivals;
  }

  @Override
  public String name() {
    return "starts";
  }

  @Override
  public String play(Ground ground, Path folder, Pictures pictures)
      throws IOException, InterruptedException, SQLException {
    for (int round = 1; round <= sizes.rounds(); round++) {
      round(ground, folder, "starts_" + round);
      for (PeerRecipe rival : rivals) {
        turn(ground, folder, rival, round);
      }
    }
    return report();
  }

  private String report() {
    ContestReport report = new ContestReport(scores);
    StringBuilder text =
        new StringBuilder("| 50 a second | p50, ms | p99, ms |\n| --- | ---: | ---: |\n");
    text.append(row("two nodes of ours: both admit 25 a second and work", both));
    text.append(row("two nodes of ours: admitted on the one that does not work", other));
    for (String rival : scores.contestants()) {
      text.append(
          "| %s, one process | %s | %s |\n"
              .formatted(
                  report.name(rival),
                  cell(rival, Figure.START_P50_AT_50),
                  cell(rival, Figure.START_P99_AT_50)));
    }
    return text.append("\n| what | reached | bar | |\n| --- | ---: | --- | --- |\n")
        .append(bar("both admit, p50, ms", both.medians, 3))
        .append(bar("both admit, p99, ms", both.tails, 10))
        .append(bar("admitted on the other node, p50, ms", other.medians, 3))
        .append(bar("admitted on the other node, p99, ms", other.tails, 10))
        .append(ratio(report, "both admit, p50", both.medians, Figure.START_P50_AT_50))
        .append(ratio(report, "both admit, p99", both.tails, Figure.START_P99_AT_50))
        .append(ratio(report, "admitted on the other, p50", other.medians, Figure.START_P50_AT_50))
        .append(ratio(report, "admitted on the other, p99", other.tails, Figure.START_P99_AT_50))
        .append("\n")
        .append(report.troubles("Every job began on exactly one node, and ran exactly once."))
        .toString();
  }

  private String cell(String rival, Figure figure) {
    return Numbers.words(scores.median(rival, figure), scores.of(rival, figure));
  }

  private String ratio(ContestReport report, String what, List<Double> ours, Figure figure) {
    String best = scores.best(Roster.PROMPT, figure).orElse("");
    OptionalDouble theirs = scores.median(best, figure);
    return ContestReport.row(
        "%s ÷ best on PostgreSQL (%s)"
            .formatted(what, best.isEmpty() ? "not measured" : report.name(best)),
        theirs.isPresent() ? OptionalDouble.of(Rounds.median(ours) / theirs.getAsDouble()) : theirs,
        "≤ ",
        RATIO_MAX,
        /* atLeast= */ false);
  }

  private void turn(Ground ground, Path folder, PeerRecipe rival, int round)
      throws IOException, InterruptedException, SQLException {
    String database = "starts_" + rival.name().replace('-', '_') + "_" + round;
    Path own = Files.createDirectory(folder.resolve(database));
    ground.createEmpty(database);
    Map<String, String> environment = PeerRecipe.environment(ground, database, own);
    Path log = folder.resolve(rival.name() + ".log");
    try (PeerProcess peer = PeerProcess.start(rival, environment, log)) {
      scores.described(rival.name(), peer.ready());
      warmUp(peer, "rival");
      JsonNode starts =
          peer.ask("paced " + PER_SECOND + " " + sizes.pacedSeconds() + " rival").path("start");
      Map<Figure, Double> figures = new EnumMap<>(Figure.class);
      figures.put(Figure.START_P50_AT_50, starts.path("p50_us").asDouble() / MICROS_OF_A_MILLI);
      figures.put(Figure.START_P99_AT_50, starts.path("p99_us").asDouble() / MICROS_OF_A_MILLI);
      ContestRound.check(peer);
      scores.add(rival.name(), figures);
      Progress.say(rival.name() + ": " + starts);
    } catch (PeerProcess.UnavailableException e) {
      scores.trouble(rival.name(), "could not be run: " + e.getMessage());
    } catch (IOException e) {
      Progress.say(rival.name() + ": " + e);
      scores.trouble(rival.name(), "round " + round + ": " + e.getMessage());
    } finally {
      ground.drop(database);
      Bench.delete(own);
    }
  }

  private static String row(String name, Column column) {
    return "| %s | %s | %s |\n".formatted(name, words(column.medians), words(column.tails));
  }

  private static String words(List<Double> all) {
    return Numbers.words(OptionalDouble.of(Rounds.median(all)), all);
  }

  private static String bar(String what, List<Double> all, double most) {
    return ContestReport.row(
        what, OptionalDouble.of(Rounds.median(all)), "≤ ", most, /* atLeast= */ false);
  }

  private void round(Ground ground, Path folder, String database)
      throws IOException, InterruptedException, SQLException {
    Path own = Files.createDirectory(folder.resolve(database));
    ground.createEmpty(database);
    Map<String, String> environment = PeerRecipe.environment(ground, database, own);
    Path log = folder.resolve("starts.log");
    try (PeerProcess one = PeerProcess.start(node, environment, log);
        PeerProcess two = PeerProcess.start(node, environment, log)) {
      warmUp(one, "one");
      one.ask("workers off");
      warmUp(two, "two");
      admittedOnTheOther(one, two);
      one.ask("workers on");
      bothAdmit(one, two);
    } catch (PeerProcess.UnavailableException e) {
      throw new IOException(e);
    } finally {
      ground.drop(database);
      Bench.delete(own);
    }
  }

  private void warmUp(PeerProcess peer, String name) throws IOException, InterruptedException {
    peer.ask("workers on");
    peer.ask("lives 64 " + sizes.livesMin() + " warm" + name);
    peer.ask("paced 300 " + sizes.warmUpSeconds() + " paced" + name);
  }

  private void admittedOnTheOther(PeerProcess one, PeerProcess two)
      throws IOException, InterruptedException {
    JsonNode due = one.ask(admit(PER_SECOND, "other"));
    Latencies starts = new Latencies();
    record(starts, due, "other", one, two);
    other.add(starts);
    Progress.say("admitted on the other node: " + starts.words());
  }

  private void bothAdmit(PeerProcess one, PeerProcess two)
      throws IOException, InterruptedException {
    String first = admit(PER_SECOND / 2, "first");
    String second = admit(PER_SECOND / 2, "second");
    one.say(first);
    two.say(second);
    JsonNode dueAtOne = one.hear(first);
    JsonNode dueAtTwo = two.hear(second);
    Latencies starts = new Latencies();
    record(starts, dueAtOne, "first", one, two);
    record(starts, dueAtTwo, "second", one, two);
    both.add(starts);
    Progress.say("both admit: " + starts.words());
  }

  private String admit(int perSecond, String prefix) {
    return "admit " + perSecond + " " + sizes.pacedSeconds() + " " + prefix;
  }

  /** Every job began on exactly one of the two. */
  private static void record(
      Latencies all, JsonNode due, String prefix, PeerProcess one, PeerProcess two)
      throws IOException, InterruptedException {
    int jobs = due.path("jobs").asInt();
    JsonNode here = one.ask("starts " + jobs + " " + prefix).path("start_nanos");
    JsonNode there = two.ask("starts " + jobs + " " + prefix).path("start_nanos");
    for (int i = 0; i < jobs; i++) {
      long started = here.path(i).asLong() + there.path(i).asLong();
      boolean once = (here.path(i).asLong() == 0) != (there.path(i).asLong() == 0);
      if (!once) {
        throw new IOException("job " + i + " of " + prefix + " did not run on exactly one node");
      }
      all.record(started - due.path("due_nanos").path(i).asLong());
    }
  }
}
