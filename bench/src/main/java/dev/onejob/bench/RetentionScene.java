package dev.onejob.bench;

import com.zaxxer.hikari.HikariDataSource;
import dev.onejob.engine.EngineConfig;
import dev.onejob.engine.JobEngine;
import dev.onejob.engine.RetentionRules;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import javax.sql.DataSource;

/**
 * A million jobs that have ended; two nodes let go of their payloads, and then of all of them,
 * while a third session claims job after job. No statement of the nodes may last a second, and the
 * median claim no more than twice as long as over an empty table.
 */
public final class RetentionScene {
  private static final int JOBS = 1_000_000;
  private static final int CLAIMS_ON_EMPTY = 3_000;
  private static final int POOL = 8;
  private static final Duration AFTER = Duration.ofHours(1);
  private static final double STATEMENT_MILLIS_MAX = 1_000;
  private static final double RATIO_MAX = 2.0;

  private final String url;
  private final int jobs;
  private double slowestStatement;
  private double slowestMedian;

  private RetentionScene(String url, int jobs) {
    this.url = url;
    this.jobs = jobs;
  }

  /**
   * Plays.
   *
   * @param args how many jobs; none: a million
   */
  public static void main(String[] args) throws Exception {
    int jobs = args.length == 0 ? JOBS : Integer.parseInt(args[0]);
    Path folder = Files.createTempDirectory("onejob-retention");
    boolean kept;
    try (Ground ground = Ground.prepare(folder)) {
      System.out.println("PostgreSQL " + ground.version() + ", Java " + Runtime.version());
      RetentionScene scene = new RetentionScene(ground.create("retention"), jobs);
      kept = scene.play();
    } finally {
      delete(folder);
    }
    System.exit(kept ? 0 : 1);
  }

  private boolean play() throws Exception {
    try (HikariDataSource database = Ground.pool(url, POOL)) {
      ClaimTimes claims = new ClaimTimes(database);
      claims.until(counting(CLAIMS_ON_EMPTY)); // warms up
      double before = onEmpty(database, claims);
      EndedJobs.fill(database, jobs);
      System.out.printf("%n| %,d ended jobs, two nodes | slowest statement | median claim |", jobs);
      System.out.printf(" lasted |%n| --- | ---: | ---: | ---: |%n");
      round(
          "payloads emptied",
          new RetentionRules(AFTER, null, RetentionRules.USUAL.batch(), Duration.ofSeconds(1)),
          "SELECT count(*) FROM onejob.job WHERE owner = 'ended' AND payload_emptied_at IS NULL",
          claims);
      round(
          "tombstones removed",
          new RetentionRules(null, AFTER, RetentionRules.USUAL.batch(), Duration.ofSeconds(1)),
          "SELECT count(*) FROM onejob.job WHERE owner = 'ended'",
          claims);
      double after = onEmpty(database, claims);
      double ratio = slowestMedian / Math.min(before, after);
      System.out.printf("| empty table, before | | %.2f ms | |%n", before);
      System.out.printf("| empty table, after | | %.2f ms | |%n", after);
      System.out.printf("%nSlower median to the faster empty table: %.2f (at most 2).%n", ratio);
      return slowestStatement < STATEMENT_MILLIS_MAX && ratio <= RATIO_MAX;
    }
  }

  private static double onEmpty(DataSource database, ClaimTimes claims) throws SQLException {
    execute(database, "TRUNCATE onejob.job CASCADE");
    double median = Rounds.median(claims.until(counting(CLAIMS_ON_EMPTY)));
    execute(database, "TRUNCATE onejob.job CASCADE");
    return median;
  }

  private void round(String name, RetentionRules rules, String left, ClaimTimes claims)
      throws Exception {
    StatementTimes times = new StatementTimes();
    long from = System.nanoTime();
    List<Double> claimed;
    try (HikariDataSource one = Ground.pool(url, POOL);
        HikariDataSource two = Ground.pool(url, POOL);
        HikariDataSource looking = Ground.pool(url, 1)) {
      List<JobEngine> nodes = List.of(node(times.of(one), rules), node(times.of(two), rules));
      try {
        claimed = claims.until(none(looking, left));
      } finally {
        nodes.forEach(JobEngine::close);
      }
    }
    double median = Rounds.median(claimed);
    Duration lasted = Duration.ofNanos(System.nanoTime() - from);
    System.out.printf(
        "| %s | %d ms of %,d | %.2f ms of %,d | %d s |%n",
        name,
        times.longest().toMillis(),
        times.statements(),
        median,
        claimed.size(),
        lasted.toSeconds());
    slowestStatement = Math.max(slowestStatement, times.longest().toMillis());
    slowestMedian = Math.max(slowestMedian, median);
  }

  /** A node that runs nothing and keeps what the rules say. */
  private static JobEngine node(DataSource database, RetentionRules rules) {
    return JobEngine.start(
        database,
        new EngineConfig(
                "keeper", List.of(), Map.of(), 1, Duration.ofSeconds(1), Duration.ofSeconds(1))
            .with(rules));
  }

  private static BooleanSupplier counting(int times) {
    AtomicInteger done = new AtomicInteger();
    return () -> done.getAndIncrement() >= times;
  }

  /** Whether nothing is left; counted once a second, for the count itself takes its time. */
  private static BooleanSupplier none(DataSource database, String left) {
    long[] next = {System.nanoTime() + Duration.ofSeconds(1).toNanos()};
    return () -> {
      if (System.nanoTime() < next[0]) {
        return false;
      }
      long count = count(database, left);
      Progress.say(count + " are left");
      next[0] = System.nanoTime() + Duration.ofSeconds(5).toNanos();
      return count == 0;
    };
  }

  private static long count(DataSource database, String query) {
    try (Connection connection = database.getConnection();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(query)) {
      row.next();
      return row.getLong(1);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void execute(DataSource database, String sql) throws SQLException {
    try (Connection connection = database.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private static void delete(Path folder) throws IOException {
    try (Stream<Path> all = Files.walk(folder)) {
      for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(path);
      }
    }
  }
}
