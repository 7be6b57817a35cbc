package dev.onejob.bench.contest;

import dev.onejob.bench.Ground;
import dev.onejob.bench.Progress;
import dev.onejob.bench.Wrk;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

/** Over HTTP: our server, Restate, a bare endpoint, and one-row inserts without any HTTP. */
final class DoorsScene implements Scene {
  private final Sizes sizes;
  private final List<PeerRecipe> doors;
  private final Scores scores = new Scores();

  DoorsScene(Sizes sizes, List<PeerRecipe> doors) {
    this.sizes = sizes;
    this.doors = doors;
  }

  @Override
  public String name() {
    return "doors";
  }

  @Override
  public String play(Ground ground, Path folder, Pictures pictures)
      throws IOException, InterruptedException, SQLException {
    if (!Wrk.isInstalled()) {
      return "Not measured: wrk is missing (Debian: apt-get install wrk).\n";
    }
    Path script = DoorLoad.unpack(folder);
    for (int round = 1; round <= sizes.rounds(); round++) {
      for (PeerRecipe door : doors) {
        turn(ground, door, round, folder, script);
      }
      inserts(ground, folder, round);
    }
    return report();
  }

  private void turn(Ground ground, PeerRecipe door, int round, Path folder, Path script)
      throws InterruptedException, SQLException {
    try {
      new DoorRound(ground, sizes, door, round).play(folder, script, scores);
    } catch (PeerProcess.UnavailableException e) {
      scores.trouble(door.name(), "could not be run: " + e.getMessage());
    } catch (IOException e) {
      Progress.say(door.name() + ": " + e);
      scores.trouble(door.name(), "round " + round + ": " + e.getMessage());
    }
  }

  private void inserts(Ground ground, Path folder, int round)
      throws IOException, InterruptedException, SQLException {
    if (!Pgbench.isInstalled()) {
      scores.trouble(Pgbench.NAME, "is missing (Debian: postgresql-contrib)");
      return;
    }
    Duration turn = Duration.ofSeconds(sizes.livesSeconds());
    scores.described(Pgbench.NAME, Pgbench.description());
    double rate = Pgbench.inserts(ground, folder, round, turn);
    scores.add(Pgbench.NAME, Map.of(Figure.ONE_ROW_INSERTS, rate));
  }

  private String report() {
    ContestReport report = new ContestReport(scores);
    return report.table(
            "Submits, and submits that wait for the result, 64 connections",
            true,
            List.of(
                Figure.HTTP_ADMITS,
                Figure.HTTP_ADMIT_P50,
                Figure.HTTP_ADMIT_P99,
                Figure.ONE_ROW_INSERTS,
                Figure.HTTP_SUBMITS,
                Figure.HTTP_SUBMIT_P50,
                Figure.HTTP_SUBMIT_P99,
                Figure.HTTP_WAITS,
                Figure.HTTP_WAIT_P99))
        + report.table(
            "Repeats and storms, at our server, which works on the jobs too",
            false,
            List.of(
                Figure.HTTP_REPEATS,
                Figure.HTTP_STATEMENTS_A_REPEAT,
                Figure.HTTP_ROWS_A_REPEAT,
                Figure.HTTP_CROWD,
                Figure.HTTP_STORM,
                Figure.HTTP_STORM_JOBS))
        + "### Bars over HTTP\n\n| what | reached | bar | |\n| --- | ---: | --- | --- |\n"
        + submitBars()
        + repeatBars()
        + "\n"
        + report.who()
        + report.troubles("Every request was answered with 2xx, and no job ran twice.");
  }

  private String submitBars() {
    String us = Roster.OUR_DOOR;
    OptionalDouble admits = scores.median(Roster.OUR_IDLE_DOOR, Figure.HTTP_ADMITS);
    OptionalDouble restate = best(Figure.HTTP_SUBMITS);
    return least(
            "submits, nothing else to do ÷ a bare endpoint",
            quotient(admits, scores.median(Roster.BARE_DOOR, Figure.HTTP_ADMITS)),
            0.75)
        + least(
            "submits, nothing else to do ÷ one-row inserts of pgbench, 32 clients",
            quotient(admits, scores.median(Pgbench.NAME, Figure.ONE_ROW_INSERTS)),
            1.2)
        + ContestReport.row(
            "submit p99, ms, nothing else to do",
            scores.median(Roster.OUR_IDLE_DOOR, Figure.HTTP_ADMIT_P99),
            "≤ ",
            15,
            /* atLeast= */ false)
        + least(
            "submits, jobs worked on too ÷ one-way submits of Restate, the faster of its settings",
            quotient(scores.median(us, Figure.HTTP_SUBMITS), restate),
            4)
        + ContestReport.plain(
            "submits, nothing else to do ÷ one-way submits of Restate, which works on its jobs",
            quotient(admits, restate))
        + least(
            "submit and wait ÷ request and response of Restate, the faster of its settings",
            quotient(scores.median(us, Figure.HTTP_WAITS), best(Figure.HTTP_WAITS)),
            4);
  }

  private OptionalDouble best(Figure figure) {
    return scores
        .best(Roster.RESTATE, figure)
        .map(one -> scores.median(one, figure))
        .orElse(OptionalDouble.empty());
  }

  private String repeatBars() {
    String us = Roster.OUR_DOOR;
    OptionalDouble goodput = scores.median(us, Figure.HTTP_STORM_JOBS);
    return least(
            "repeats ÷ new submits, jobs worked on too",
            quotient(
                scores.median(us, Figure.HTTP_REPEATS), scores.median(us, Figure.HTTP_SUBMITS)),
            1.5)
        + ContestReport.row(
            "writing statements per repeat, by pg_stat_statements",
            scores.median(us, Figure.HTTP_STATEMENTS_A_REPEAT),
            "≤ ",
            0.01,
            /* atLeast= */ false)
        + ContestReport.plain(
            "rows written per repeat: every two seconds one count for each key that came again",
            scores.median(us, Figure.HTTP_ROWS_A_REPEAT))
        + least(
            "storm: new jobs/s × 50 ÷ new submits/s without duplicates, 256 connections",
            quotient(
                goodput.isPresent()
                    ? OptionalDouble.of(goodput.getAsDouble() * DoorRound.BURST)
                    : goodput,
                scores.median(us, Figure.HTTP_CROWD)),
            0.8);
  }

  private static String least(String what, OptionalDouble reached, double bar) {
    return ContestReport.row(what, reached, "≥ ", bar, /* atLeast= */ true);
  }

  private static OptionalDouble quotient(OptionalDouble one, OptionalDouble other) {
    return one.isPresent() && other.isPresent()
        ? OptionalDouble.of(one.getAsDouble() / other.getAsDouble())
        : OptionalDouble.empty();
  }
}
