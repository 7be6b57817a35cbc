package dev.onejob.bench.contest;

import dev.onejob.bench.Bench;
import dev.onejob.bench.Ground;
import dev.onejob.bench.Progress;
import dev.onejob.bench.contest.DoorLoad.Keys;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/** One turn of one door, on a database of its own. */
final class DoorRound {
  private static final int CONNECTIONS = 64;
  private static final int CROWD = 256;

  /** How often each key of a storm is sent. */
  static final int BURST = 50;

  private static final int ENDED_KEYS = 1_000;
  private static final Duration REST = Duration.ofSeconds(3);
  private static final String JOBS = "SELECT count(*) FROM onejob.job";

  private final Ground ground;
  private final Sizes sizes;
  private final PeerRecipe recipe;
  private final int number;
  private final String database;
  private final Map<Figure, Double> figures = new EnumMap<>(Figure.class);

  DoorRound(Ground ground, Sizes sizes, PeerRecipe recipe, int number) {
    this.ground = ground;
    this.sizes = sizes;
    this.recipe = recipe;
    this.number = number;
    this.database = "door_" + recipe.name().replace('-', '_') + "_" + number;
  }

  /**
   * Plays, and adds the figures if every request was answered well and no job ran twice.
   *
   * @throws IOException if not; nothing was added
   */
  void play(Path folder, Path script, Scores scores)
      throws IOException, InterruptedException, SQLException, PeerProcess.UnavailableException {
    Path own = Files.createDirectory(folder.resolve(database));
    Path log = folder.resolve("door-" + recipe.name() + ".log");
    ground.createEmpty(database);
    Map<String, String> environment = PeerRecipe.environment(ground, database, own);
    try {
      try (PeerProcess peer = PeerProcess.start(recipe, environment, log)) {
        scores.described(recipe.name(), peer.ready());
        peer.ask("workers on");
        DoorLoad load = new DoorLoad(script, peer.ready().path("http"));
        if (Roster.ONLY_INSERT.contains(recipe.name())) {
          admits(load);
        } else {
          works(peer, load);
        }
      }
      scores.add(recipe.name(), figures);
      Progress.say(recipe.name() + ": " + figures);
    } finally {
      ground.drop(database);
      Bench.delete(own);
    }
  }

  private Duration turn() {
    return Duration.ofSeconds(sizes.livesSeconds());
  }

  /** Twice as long as within a process: the code of the HTTP server is to be compiled as well. */
  private Duration warmUp() {
    return Duration.ofSeconds(2L * sizes.warmUpSeconds());
  }

  /** Every request that was answered has its row, and no more than those under way have one too. */
  private void admits(DoorLoad load) throws IOException, InterruptedException, SQLException {
    DoorLoad.Result before = load.warmUp(Keys.fresh(), CONNECTIONS, warmUp());
    DoorLoad.Result result = load.oneWay(Keys.fresh(), CONNECTIONS, turn());
    figures.put(Figure.HTTP_ADMITS, result.perSecond());
    figures.put(Figure.HTTP_ADMIT_P50, result.p50());
    figures.put(Figure.HTTP_ADMIT_P99, result.p99());
    long answered = before.requests() + result.requests();
    long rows = count(JOBS);
    if (rows < answered || rows > answered + 2 * (CONNECTIONS + 1)) {
      throw new IOException(rows + " rows for " + answered + " requests that were answered");
    }
  }

  private void works(PeerProcess peer, DoorLoad load)
      throws IOException, InterruptedException, SQLException {
    submits(peer, load);
    if (load.waits()) {
      waits(peer, load);
    }
    boolean ours = recipe.name().equals(Roster.OUR_DOOR);
    if (ours) {
      repeats(peer, load);
      storm(peer, load);
    }
    check(peer, ours);
  }

  private void submits(PeerProcess peer, DoorLoad load) throws IOException, InterruptedException {
    load.warmUp(Keys.fresh(), CONNECTIONS, warmUp());
    peer.ask("await");
    DoorLoad.Result result = load.oneWay(Keys.fresh(), CONNECTIONS, turn());
    peer.ask("await");
    figures.put(Figure.HTTP_SUBMITS, result.perSecond());
    figures.put(Figure.HTTP_SUBMIT_P50, result.p50());
    figures.put(Figure.HTTP_SUBMIT_P99, result.p99());
  }

  private void waits(PeerProcess peer, DoorLoad load) throws IOException, InterruptedException {
    load.requestResponse(Keys.fresh(), CONNECTIONS, turn());
    DoorLoad.Result result = load.requestResponse(Keys.fresh(), CONNECTIONS, turn());
    peer.ask("await");
    figures.put(Figure.HTTP_WAITS, result.perSecond());
    figures.put(Figure.HTTP_WAIT_P99, result.p99());
  }

  /**
   * The rate first; then what is written, in a turn of its own, with the statements counted. The
   * node writes down what it has counted of repeats after that turn: hence the rest.
   */
  private void repeats(PeerProcess peer, DoorLoad load)
      throws IOException, InterruptedException, SQLException {
    Keys ended = Keys.of("ended" + number, ENDED_KEYS);
    load.oneWay(ended, CONNECTIONS, turn());
    peer.ask("await");
    figures.put(Figure.HTTP_REPEATS, load.oneWay(ended, CONNECTIONS, turn()).perSecond());
    Thread.sleep(REST);
    try (WriteCounts counts = WriteCounts.begin(ground, database)) {
      double repeats = load.oneWay(ended, CONNECTIONS, turn()).requests();
      Thread.sleep(REST);
      WriteCounts.Written written = counts.written();
      figures.put(Figure.HTTP_STATEMENTS_A_REPEAT, written.statements() / repeats);
      figures.put(Figure.HTTP_ROWS_A_REPEAT, written.rows() / repeats);
    }
  }

  /** New jobs are counted in the table: one for each key that was sent. */
  private void storm(PeerProcess peer, DoorLoad load)
      throws IOException, InterruptedException, SQLException {
    figures.put(Figure.HTTP_CROWD, load.oneWay(Keys.fresh(), CROWD, turn()).perSecond());
    peer.ask("await");
    long before = count(JOBS);
    DoorLoad.Result storm = load.oneWay(Keys.repeated(BURST), CROWD, turn());
    peer.ask("await");
    long jobs = count(JOBS) - before;
    long sentMax = storm.requests() + CROWD + 1;
    if (jobs < storm.requests() / BURST || jobs > sentMax / BURST + 1) {
      throw new IOException(jobs + " jobs of " + storm.requests() + " requests of a storm");
    }
    figures.put(Figure.HTTP_STORM, storm.perSecond());
    figures.put(Figure.HTTP_STORM_JOBS, storm.perSecond() * jobs / storm.requests());
  }

  private void check(PeerProcess peer, boolean ours)
      throws IOException, InterruptedException, SQLException {
    JsonNode counts = peer.ask("check");
    long executions = counts.path("executions").asLong();
    if (executions != counts.path("jobs_executed").asLong()
        || counts.path("unfinished").asLong(-1) != 0
        || (ours && executions != count(JOBS))) {
      throw new IOException("not every job ran exactly once: " + counts);
    }
  }

  private long count(String text) throws SQLException {
    try (Connection connection = DriverManager.getConnection(ground.url(database));
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(text)) {
      row.next();
      return row.getLong(1);
    }
  }
}
