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
  private static final int BURST = 50;
  private static final int ENDED_KEYS = 1_000;
  private static final String WRITTEN =
      """
      SELECT coalesce(sum(n_tup_ins + n_tup_upd + n_tup_del), 0) FROM pg_stat_user_tables
      """;

  private final Ground ground;
  private final Sizes sizes;
  private final PeerRecipe recipe;
  private final int number;
  private final Map<Figure, Double> figures = new EnumMap<>(Figure.class);

  DoorRound(Ground ground, Sizes sizes, PeerRecipe recipe, int number) {
    this.ground = ground;
    this.sizes = sizes;
    this.recipe = recipe;
    this.number = number;
  }

  /**
   * Plays, and adds the figures if every request was answered well and no job ran twice.
   *
   * @throws IOException if not; nothing was added
   */
  void play(Path folder, Path script, Scores scores)
      throws IOException, InterruptedException, SQLException, PeerProcess.UnavailableException {
    String database = "door_" + recipe.name().replace('-', '_') + "_" + number;
    Path own = Files.createDirectory(folder.resolve(database));
    Path log = folder.resolve("door-" + recipe.name() + ".log");
    ground.createEmpty(database);
    Map<String, String> environment = PeerRecipe.environment(ground, database, own);
    try {
      try (PeerProcess peer = PeerProcess.start(recipe, environment, log)) {
        scores.described(recipe.name(), peer.ready());
        peer.ask("workers on");
        DoorLoad load = new DoorLoad(script, peer.ready().path("http"));
        submits(peer, load);
        if (load.waits()) {
          waits(peer, load);
        }
        if (recipe.name().equals(Roster.OUR_DOOR)) {
          repeats(peer, load, database);
          storm(peer, load);
        }
        check(peer);
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

  private Duration warmUp() {
    return Duration.ofSeconds(sizes.warmUpSeconds());
  }

  private void submits(PeerProcess peer, DoorLoad load) throws IOException, InterruptedException {
    load.oneWay(Keys.fresh(), CONNECTIONS, warmUp());
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

  /** What PostgreSQL counts is told to it late, so rows are counted after a rest of the node. */
  private void repeats(PeerProcess peer, DoorLoad load, String database)
      throws IOException, InterruptedException, SQLException {
    Keys ended = Keys.of("ended" + number, ENDED_KEYS);
    load.oneWay(ended, CONNECTIONS, turn());
    peer.ask("await");
    long before = written(database);
    DoorLoad.Result result = load.oneWay(ended, CONNECTIONS, turn());
    Thread.sleep(Duration.ofSeconds(2));
    figures.put(Figure.HTTP_REPEATS, result.perSecond());
    figures.put(
        Figure.HTTP_ROWS_A_REPEAT, (written(database) - before) / (double) result.requests());
  }

  private void storm(PeerProcess peer, DoorLoad load) throws IOException, InterruptedException {
    figures.put(Figure.HTTP_CROWD, load.oneWay(Keys.fresh(), CROWD, turn()).perSecond());
    peer.ask("await");
    DoorLoad.Result storm = load.oneWay(Keys.repeated(BURST), CROWD, turn());
    peer.ask("await");
    figures.put(Figure.HTTP_STORM, storm.perSecond());
    figures.put(Figure.HTTP_STORM_JOBS, storm.perSecond() / BURST);
  }

  private static void check(PeerProcess peer) throws IOException, InterruptedException {
    JsonNode counts = peer.ask("check");
    if (counts.path("executions").asLong() != counts.path("jobs_executed").asLong()
        || counts.path("unfinished").asLong(-1) != 0) {
      throw new IOException("not every job ran exactly once: " + counts);
    }
  }

  private long written(String database) throws SQLException {
    try (Connection connection = DriverManager.getConnection(ground.url(database));
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(WRITTEN)) {
      row.next();
      return row.getLong(1);
    }
  }
}
