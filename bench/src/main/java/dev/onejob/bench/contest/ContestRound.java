package dev.onejob.bench.contest;

import dev.onejob.bench.Bench;
import dev.onejob.bench.Ground;
import dev.onejob.bench.Progress;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/** One turn of one contestant, on a database of its own. */
final class ContestRound {
  private static final double NANOS_OF_A_SECOND = 1e9;
  private static final double MICROS_OF_A_SECOND = 1e6;
  private static final double MICROS_OF_A_MILLI = 1e3;
  private static final int WARM_UP_JOBS = 2_000;
  private static final int SUBMITTERS = 64;
  private static final int FEW_SUBMITTERS = 16;
  private static final int BULK = 1_000;
  private static final int BRISK = 300;
  private static final int CALM = 50;

  private final Ground ground;
  private final Sizes sizes;
  private final PeerRecipe recipe;
  private final int number;
  private final Map<Figure, Double> figures = new EnumMap<>(Figure.class);
  private int commands;

  ContestRound(Ground ground, Sizes sizes, PeerRecipe recipe, int number) {
    this.ground = ground;
    this.sizes = sizes;
    this.recipe = recipe;
    this.number = number;
  }

  /**
   * Plays, and adds the figures if everything was counted right.
   *
   * @throws IOException if the contestant failed or has counted wrong; nothing was added
   */
  void play(Path folder, Scores scores)
      throws IOException, InterruptedException, SQLException, PeerProcess.UnavailableException {
    String database = recipe.name().replace('-', '_') + "_" + number;
    Path own = Files.createDirectory(folder.resolve(database));
    Path log = folder.resolve(recipe.name() + ".log");
    ground.createEmpty(database);
    Map<String, String> environment = PeerRecipe.environment(ground, database, own);
    try {
      try (PeerProcess peer = PeerProcess.start(recipe, environment, log)) {
        scores.described(recipe.name(), peer.ready());
        figures.put(Figure.FIRST_START, millis(peer.startUp()));
        scenes(peer);
        figures.put(Figure.PEAK_MEMORY, ProcessTimes.peakMebibytes(peer.pids()));
      }
      try (PeerProcess again = PeerProcess.start(recipe, environment, log)) {
        figures.put(Figure.START, millis(again.startUp()));
      }
      scores.add(recipe.name(), figures);
      Progress.say(recipe.name() + ": " + figures);
    } finally {
      ground.drop(database);
      Bench.delete(own);
    }
  }

  private void scenes(PeerProcess peer) throws IOException, InterruptedException, SQLException {
    peer.ask("workers on");
    double rate = warmUp(peer);
    check(peer);
    lives(peer, sizes.lives(rate));
    if (peer.ask("workers off").has("unsupported")) {
      paced(peer);
      check(peer);
      return;
    }
    int backlog = jobsOfBacklog(rate);
    backlog(peer, backlog);
    if (peer.ready().path("batch").asBoolean(false)) {
      bulk(peer, backlog / 2);
    }
    paced(peer);
    check(peer);
  }

  /** All of it for us and the limit, whose drains a bar compares. */
  private int jobsOfBacklog(double rate) {
    String name = recipe.name();
    return name.equals(Roster.US) || Roster.LIMITS.contains(name)
        ? sizes.backlog()
        : sizes.backlog(rate);
  }

  private double warmUp(PeerProcess peer) throws IOException, InterruptedException {
    long until = System.nanoTime() + Duration.ofSeconds(sizes.warmUpSeconds()).toNanos();
    double rate = 0;
    do {
      rate = Math.max(rate, perSecond(peer.ask(command("lives", SUBMITTERS, WARM_UP_JOBS))));
    } while (System.nanoTime() < until);
    return rate;
  }

  private void lives(PeerProcess peer, int jobs) throws IOException, InterruptedException {
    double peerBefore = ProcessTimes.seconds(peer.pids());
    double postgresBefore = ProcessTimes.secondsOfTree(ground.postmaster());
    JsonNode answer = peer.ask(command("lives", SUBMITTERS, jobs));
    double ofPeer = ProcessTimes.seconds(peer.pids()) - peerBefore;
    double ofPostgres = ProcessTimes.secondsOfTree(ground.postmaster()) - postgresBefore;
    figures.put(Figure.LIVES, perSecond(answer));
    figures.put(Figure.CPU_PEER, ofPeer * MICROS_OF_A_SECOND / jobs);
    figures.put(Figure.CPU_POSTGRES, ofPostgres * MICROS_OF_A_SECOND / jobs);
    figures.put(Figure.CPU, (ofPeer + ofPostgres) * MICROS_OF_A_SECOND / jobs);
  }

  private void backlog(PeerProcess peer, int jobs) throws IOException, InterruptedException {
    JsonNode few = peer.ask(command("submit", FEW_SUBMITTERS, jobs / 2));
    if (few.has("unsupported")) {
      peer.ask(command("batch", BULK, jobs));
    } else {
      figures.put(Figure.SUBMITS_16, perSecond(few));
      JsonNode many = peer.ask(command("submit", SUBMITTERS, jobs / 2));
      figures.put(Figure.SUBMITS_64, perSecond(many));
    }
    JsonNode drained = peer.ask("drain");
    figures.put(Figure.DRAIN, perSecond(drained));
    figures.put(Figure.BACKLOG, drained.path("jobs").asDouble());
  }

  /** The first time is the warm-up: nothing has called it before. */
  private void bulk(PeerProcess peer, int jobs) throws IOException, InterruptedException {
    for (int time = 0; time < 2; time++) {
      peer.ask("workers off");
      figures.put(Figure.BULK, perSecond(peer.ask(command("batch", BULK, jobs))));
      peer.ask("drain");
    }
  }

  /** Nobody's pace is disturbed by a checkpoint of what went before. */
  private void paced(PeerProcess peer) throws IOException, InterruptedException, SQLException {
    ground.checkpoint();
    JsonNode brisk = peer.ask(command("paced", BRISK, sizes.pacedSeconds()));
    if (brisk.has("unsupported")) {
      return;
    }
    latency(brisk, "submit", Figure.SUBMIT_P50_AT_300, Figure.SUBMIT_P99_AT_300);
    latency(brisk, "start", Figure.START_P50_AT_300, Figure.START_P99_AT_300);
    JsonNode calm = peer.ask(command("paced", CALM, sizes.pacedSeconds()));
    latency(calm, "submit", Figure.SUBMIT_P50_AT_50, Figure.SUBMIT_P99_AT_50);
    latency(calm, "start", Figure.START_P50_AT_50, Figure.START_P99_AT_50);
  }

  private void latency(JsonNode answer, String what, Figure median, Figure tail) {
    figures.put(median, answer.path(what).path("p50_us").asDouble() / MICROS_OF_A_MILLI);
    figures.put(tail, answer.path(what).path("p99_us").asDouble() / MICROS_OF_A_MILLI);
  }

  /** Every job ran exactly once, and the store knows of none that has not finished. */
  static void check(PeerProcess peer) throws IOException, InterruptedException {
    JsonNode counts = peer.ask("check");
    long submitted = counts.path("submitted").asLong();
    boolean right =
        submitted > 0
            && counts.path("executions").asLong() == submitted
            && counts.path("jobs_executed").asLong() == submitted
            && counts.path("unfinished").asLong(-1) == 0;
    if (!right) {
      throw new IOException("not every job ran exactly once: " + counts);
    }
  }

  /** A command with two numbers and a prefix that was not used before. */
  private String command(String word, int first, int second) {
    commands++;
    return word + " " + first + " " + second + " r" + number + "c" + commands;
  }

  private static double perSecond(JsonNode answer) throws IOException {
    double nanos = answer.path("nanos").asDouble();
    double jobs = answer.path("jobs").asDouble();
    if (nanos <= 0 || jobs <= 0) {
      throw new IOException("no rate in " + answer);
    }
    return jobs * NANOS_OF_A_SECOND / nanos;
  }

  private static double millis(Duration duration) {
    return duration.toNanos() / MICROS_OF_A_SECOND;
  }
}
