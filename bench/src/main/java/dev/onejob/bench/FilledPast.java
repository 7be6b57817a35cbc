package dev.onejob.bench;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionService;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import javax.sql.DataSource;

/**
 * Half a year of jobs that have ended, with their attempts, and what waits for a person today. It
 * is written in bulk, by the texts of {@link PastJobs}: indexes that hold more than the primary key
 * are made anew over the whole afterwards, as a restore does; every CHECK is kept on the way. What
 * ended more than 30 days ago has no payloads any more, as the usual retention leaves it.
 */
final class FilledPast {
  static final Duration SPAN = Duration.ofDays(180);

  /** The newest of these jobs is so old. */
  private static final Duration BEFORE_NOW = Duration.ofMinutes(2);

  private static final int STEP = 50_000;

  /** How far the jobs may be ahead of their attempts, in steps. */
  private static final int AHEAD_MAX = 4;

  private final DataSource database;
  private final long jobs;
  private final long startMillis;
  private final double stepMillis;

  /**
   * Not yet filled.
   *
   * @param now when the past ends
   */
  FilledPast(DataSource database, long jobs, Instant now) {
    this.database = database;
    this.jobs = jobs;
    this.startMillis = now.minus(SPAN).toEpochMilli();
    this.stepMillis = (double) SPAN.minus(BEFORE_NOW).toMillis() / jobs;
  }

  /** The parameters of {@link PastJobs#PLAN} but for the numbers. */
  long startMillis() {
    return startMillis;
  }

  double stepMillis() {
    return stepMillis;
  }

  long jobs() {
    return jobs;
  }

  /** Writes all of it; jobs and attempts by a session each, side by side. */
  void fill() throws Exception {
    execute(PastJobs.PLAN);
    execute(PastJobs.WAITING_PLAN);
    execute(ROOM_FOR_LOGS);
    execute(RELOAD);
    List<String> later = unindexed();
    Semaphore written = new Semaphore(0);
    Semaphore room = new Semaphore(AHEAD_MAX);
    together(
        () -> inSteps(PastJobs.JOBS, room, written),
        () -> inSteps(PastJobs.ATTEMPTS, written, room));
    Progress.say("jobs and attempts are written");
    beside();
    indexed(later);
    Progress.say("indexes are made");
    tidy();
    execute(USUAL_ROOM_FOR_LOGS);
    execute(RELOAD);
    execute("CHECKPOINT");
  }

  /** What one session does. */
  private interface Work {
    void run() throws Exception;
  }

  /** Both at once; what fails first ends the other one, which might wait for it. */
  private static void together(Work one, Work other) throws Exception {
    try (ExecutorService sessions = Executors.newFixedThreadPool(2)) {
      CompletionService<Void> ends = new ExecutorCompletionService<>(sessions);
      for (Work each : List.of(one, other)) {
        ends.submit(
            () -> {
              each.run();
              return null;
            });
      }
      try {
        ends.take().get();
        ends.take().get();
      } catch (ExecutionException e) {
        sessions.shutdownNow();
        throw e;
      }
    }
  }

  /** Takes one from {@code before} ahead of each step, and gives one to {@code after} behind it. */
  private void inSteps(String text, Semaphore before, Semaphore after) throws Exception {
    try (Connection connection = database.getConnection();
        Statement session = connection.createStatement();
        PreparedStatement statement = connection.prepareStatement(text)) {
      session.execute(UNREFERENCED);
      for (long from = 1; from <= jobs; from += STEP) {
        before.acquire();
        statement.setLong(1, from);
        statement.setLong(2, Math.min(jobs, from + STEP - 1));
        statement.setLong(3, startMillis);
        statement.setDouble(4, stepMillis);
        statement.executeUpdate();
        after.release();
      }
      session.execute("SET session_replication_role = DEFAULT");
    }
  }

  /** A reference is not looked up row by row: attempts are made from the same plan as the jobs. */
  private static final String UNREFERENCED = "SET session_replication_role = replica";

  private void beside() throws SQLException {
    for (String text : PastJobs.WAITING) {
      execute(text);
    }
    for (String text : PastStories.OF_JOBS) {
      try (Connection connection = database.getConnection();
          PreparedStatement statement = connection.prepareStatement(text)) {
        statement.setLong(1, 1);
        statement.setLong(2, jobs);
        statement.setLong(3, startMillis);
        statement.setDouble(4, stepMillis);
        statement.executeUpdate();
      }
    }
    for (String text : PastStories.OTHERS) {
      execute(text);
    }
    try (Connection connection = database.getConnection();
        PreparedStatement statement = connection.prepareStatement(PastStories.DELIVERIES)) {
      statement.setLong(1, Math.clamp(jobs / 25, 2_000, 200_000));
      statement.executeUpdate();
    }
    execute(PastStories.TRIES);
  }

  private static final String INDEXES =
      """
      SELECT format('ALTER TABLE %s DROP CONSTRAINT %I', c.conrelid::regclass, c.conname) AS away,
             format('ALTER TABLE %s ADD CONSTRAINT %I %s', c.conrelid::regclass, c.conname,
               pg_get_constraintdef(c.oid)) AS again
        FROM pg_constraint AS c
       WHERE c.conrelid IN ('onejob.job'::regclass, 'onejob.attempt'::regclass)
         AND c.contype = 'u'
      UNION ALL
      SELECT format('DROP INDEX %s', i.indexrelid::regclass), pg_get_indexdef(i.indexrelid)
        FROM pg_index AS i
       WHERE i.indrelid IN ('onejob.job'::regclass, 'onejob.attempt'::regclass)
         AND NOT i.indisprimary
         AND NOT EXISTS (SELECT FROM pg_constraint AS c WHERE c.conindid = i.indexrelid)
      """;

  /** Drops the indexes of both tables but for the primary keys; the texts that make them anew. */
  private List<String> unindexed() throws SQLException {
    List<String> away = new ArrayList<>();
    List<String> again = new ArrayList<>();
    try (Connection connection = database.getConnection();
        Statement statement = connection.createStatement()) {
      try (ResultSet rows = statement.executeQuery(INDEXES)) {
        while (rows.next()) {
          away.add(rows.getString("away"));
          again.add(rows.getString("again"));
        }
      }
      for (String each : away) {
        statement.execute(each);
      }
    }
    return again;
  }

  private void indexed(List<String> texts) throws SQLException {
    try (Connection connection = database.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute("SET maintenance_work_mem = '512MB'");
      for (String each : texts) {
        statement.execute(each);
      }
      statement.execute("RESET maintenance_work_mem");
    }
  }

  /** As a database is that has had its nights: vacuumed, and with fresh statistics. */
  private void tidy() throws Exception {
    together(() -> execute(TIDY_JOBS), () -> execute(TIDY_ATTEMPTS));
    execute("VACUUM ANALYZE");
  }

  private static final String TIDY_JOBS = "VACUUM (FREEZE, ANALYZE) onejob.job";
  private static final String TIDY_ATTEMPTS = "VACUUM (FREEZE, ANALYZE) onejob.attempt";

  /** For the whole server, while it is filled: one checkpoint where there would be a dozen. */
  private static final String ROOM_FOR_LOGS = "ALTER SYSTEM SET max_wal_size = '8GB'";

  private static final String USUAL_ROOM_FOR_LOGS = "ALTER SYSTEM RESET max_wal_size";
  private static final String RELOAD = "SELECT pg_reload_conf()";

  private void execute(String text) throws SQLException {
    try (Connection connection = database.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(text);
    }
  }
}
