package dev.onejob.server.ui.playground;

import dev.onejob.domain.Job;
import dev.onejob.domain.JobId;
import dev.onejob.domain.Kind;
import dev.onejob.engine.JobEngine;
import dev.onejob.server.config.PlaygroundKinds;
import dev.onejob.store.JobQueries;
import dev.onejob.store.StoreException;
import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets go of jobs of the playground's kinds that nobody plays with any more: of a node that was
 * killed amid a run, or with an answer that came after all. The names of these kinds are the
 * playground's own wherever it is open. Every node does so; what one has let go of is none for the
 * others.
 */
final class Leftovers {
  private static final Logger LOG = LoggerFactory.getLogger(Leftovers.class);

  /** Who has let go, at what was decided. */
  static final String NAME = "playground";

  /** Older than the longest run with all its tidying up; by the database's clock. */
  static final Duration AGE = Duration.ofMinutes(5);

  /** So many of the newest are looked at, for doubts of others are in the same index. */
  private static final int LOOKED_AT_MAX = 10_000;

  private static final String LEFT =
      """
      SELECT j.id
        FROM (
          (SELECT a.job_id FROM onejob.attempt AS a
            WHERE a.state = 'unknown' ORDER BY a.unknown_at DESC LIMIT ?)
          UNION
          (SELECT d.id FROM onejob.job AS d
            WHERE d.contested OR d.waiting_for = 'decision'
            ORDER BY d.at_desk_since DESC LIMIT ?)) AS f
        JOIN onejob.job AS j ON j.id = f.job_id
       WHERE j.kind = ANY (?)
         AND j.created_at < clock_timestamp() - ? * INTERVAL '1 millisecond'
       ORDER BY j.id
       LIMIT 100
      """;

  private final DataSource database;
  private final JobQueries jobs;
  private final JobEngine engine;
  private final Duration age;

  /**
   * Over the small pool of pages.
   *
   * @param age of a job; younger ones are left to their runs
   */
  Leftovers(DataSource database, JobEngine engine, Duration age) {
    this.database = database;
    this.jobs = new JobQueries(database);
    this.engine = engine;
    this.age = age;
  }

  /**
   * Lets go of what is left, as far as it can be read; what could not be is there the next time.
   */
  void letGo() {
    try {
      for (JobId each : left()) {
        jobs.job(each).ifPresent(this::letGo);
      }
    } catch (SQLException | StoreException e) {
      LOG.warn("what is left of the playground could not be let go of; it is tried again", e);
    }
  }

  private void letGo(Job left) {
    Journal journal = new Journal(System::nanoTime);
    new LettingGo(engine, NAME, journal).of(left);
    for (Step each : journal.steps()) {
      LOG.info("left of the playground: {} {}: {}", left.id(), each.did(), each.why());
    }
  }

  private List<JobId> left() throws SQLException {
    Object[] kinds = PlaygroundKinds.kinds().stream().map(Kind::name).toArray();
    try (Connection connection = database.getConnection();
        PreparedStatement select = connection.prepareStatement(LEFT)) {
      Array names = connection.createArrayOf("text", kinds);
      select.setInt(1, LOOKED_AT_MAX);
      select.setInt(2, LOOKED_AT_MAX);
      select.setArray(3, names);
      select.setLong(4, age.toMillis());
      List<JobId> left = new ArrayList<>();
      try (ResultSet rows = select.executeQuery()) {
        while (rows.next()) {
          left.add(new JobId(rows.getObject("id", UUID.class)));
        }
      }
      return left;
    }
  }
}
