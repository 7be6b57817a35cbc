package dev.onejob.providers.sandbox;

import dev.onejob.domain.AttemptId;
import dev.onejob.domain.JobId;
import dev.onejob.providers.sandbox.Effects.ProviderEffects;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;
import javax.sql.DataSource;

/**
 * What really happened at the sandbox: every request that arrived and every effect, each durable
 * before anyone hears of it. Knows nothing of the tables of jobs.
 */
public final class SandboxLedger {
  private final DataSource database;

  /** A ledger over a database whose schema {@code onejob_server} is up to date. */
  public SandboxLedger(DataSource database) {
    this.database = database;
  }

  /** What the same sandboxes remember of requests. */
  SandboxMemory memory() {
    return new SandboxMemory(database);
  }

  /** A request that arrived. */
  record Arrival(long id, int turn) {}

  private static final String ARRIVE =
      """
      INSERT INTO onejob_server.sandbox_call (job, attempt, provider)
      VALUES (?, ?, ?)
      RETURNING id
      """;

  private static final String TURN =
      """
      SELECT count(*)
        FROM onejob_server.sandbox_call
       WHERE job = ? AND provider = ? AND id <= ?
      """;

  /** Writes down a request and says which of the job's requests at the provider it is, from 1. */
  Arrival arrived(JobId job, AttemptId attempt, String provider) {
    try (Connection connection = database.getConnection()) {
      long id = inserted(connection, job, attempt, provider);
      return new Arrival(id, turn(connection, job, provider, id));
    } catch (SQLException e) {
      throw new IllegalStateException("the sandbox could not write down a request", e);
    }
  }

  private static long inserted(Connection connection, JobId job, AttemptId attempt, String provider)
      throws SQLException {
    try (PreparedStatement insert = connection.prepareStatement(ARRIVE)) {
      insert.setString(1, job.toString());
      insert.setString(2, attempt.toString());
      insert.setString(3, provider);
      return single(insert);
    }
  }

  private static int turn(Connection connection, JobId job, String provider, long id)
      throws SQLException {
    try (PreparedStatement count = connection.prepareStatement(TURN)) {
      count.setString(1, job.toString());
      count.setString(2, provider);
      count.setLong(3, id);
      return (int) single(count);
    }
  }

  private static long single(PreparedStatement statement) throws SQLException {
    try (ResultSet rows = statement.executeQuery()) {
      rows.next();
      return rows.getLong(1);
    }
  }

  private static final String ACT =
      """
      UPDATE onejob_server.sandbox_call
         SET acted_at = clock_timestamp()
       WHERE id = ? AND acted_at IS NULL
      """;

  /** Writes down that a request has had its effect. */
  void acted(Arrival arrival) {
    try (Connection connection = database.getConnection();
        PreparedStatement update = connection.prepareStatement(ACT)) {
      update.setLong(1, arrival.id());
      if (update.executeUpdate() != 1) {
        throw new IllegalStateException("call " + arrival.id() + " is unknown or has acted before");
      }
    } catch (SQLException e) {
      throw new IllegalStateException("the sandbox could not write down an effect", e);
    }
  }

  private static final String COUNT =
      """
      SELECT provider, count(*), count(acted_at)
        FROM onejob_server.sandbox_call
       WHERE job = ?
       GROUP BY provider
      """;

  /** What happened for a job so far; all zero for one that the sandbox never heard of. */
  public Effects effects(JobId job) {
    try (Connection connection = database.getConnection();
        PreparedStatement count = connection.prepareStatement(COUNT)) {
      count.setString(1, job.toString());
      return Effects.of(job, byProvider(count));
    } catch (SQLException e) {
      throw new IllegalStateException("the sandbox's ledger could not be read", e);
    }
  }

  private static SortedMap<String, ProviderEffects> byProvider(PreparedStatement count)
      throws SQLException {
    SortedMap<String, ProviderEffects> providers = new TreeMap<>();
    try (ResultSet rows = count.executeQuery()) {
      while (rows.next()) {
        providers.put(rows.getString(1), new ProviderEffects(rows.getLong(2), rows.getLong(3)));
      }
    }
    return Collections.unmodifiableSortedMap(providers);
  }
}
