package dev.onejob.store;

import dev.onejob.domain.Answer;
import dev.onejob.domain.AttemptId;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import javax.sql.DataSource;

/**
 * Holding on to attempts: leases are extended by whoever works on them, and judged by the database
 * clock alone.
 */
public final class Leases {
  private final DataSource database;
  private final Sql sql;

  public Leases(DataSource database) {
    this.database = database;
    this.sql = new Sql(database);
  }

  /** The lease of one attempt, as its holder knows it. */
  public record Held(AttemptId attempt, UUID token) {}

  /** What became of the wish to renew a lease. */
  public enum Renewal {
    /** It lasts for its whole length again. */
    RENEWED,
    /** A move of this attempt was under way; the lease is as it was. Ask again soon. */
    BUSY,
    /** Lapsed, ended, in doubt or under another token: it cannot be renewed any more. */
    REFUSED
  }

  /**
   * Touches rows of attempts only, guarded by their own columns, and waits for none: a row in the
   * hands of a move is passed over. So a renewal can be part of no deadlock, and a transaction that
   * is stuck on one attempt lets the leases of no other lapse. Whoever decides about a lease, as
   * the sweep does, locks the attempt first and reads it then.
   *
   * <p>The last reading is of the snapshot before the renewal: a lease that was good there and was
   * not renewed was in other hands.
   */
  private static final String RENEW =
      """
      WITH held AS (
        SELECT *
        FROM unnest(:attempts::uuid[], :tokens::uuid[]) AS h (attempt_id, token)
      ),
      free AS (
        SELECT a.id
        FROM onejob.attempt AS a
        JOIN held AS h ON h.attempt_id = a.id
        WHERE a.lease_token = h.token
          AND a.state IN ('starting', 'running')
          AND a.lease_until > clock_timestamp()
        FOR NO KEY UPDATE OF a SKIP LOCKED
      ),
      renewed AS (
        UPDATE onejob.attempt AS a SET
          lease_until = clock_timestamp() + :lease_ms * interval '1 millisecond'
        FROM free AS f
        WHERE a.id = f.id
        RETURNING a.id
      )
      SELECT
        h.attempt_id,
        CASE
          WHEN r.id IS NOT NULL THEN 'RENEWED'
          WHEN a.id IS NOT NULL THEN 'BUSY'
          ELSE 'REFUSED'
        END AS renewal
      FROM held AS h
      LEFT JOIN renewed AS r ON r.id = h.attempt_id
      LEFT JOIN onejob.attempt AS a
        ON a.id = h.attempt_id
        AND a.lease_token = h.token
        AND a.state IN ('starting', 'running')
        AND a.lease_until > clock_timestamp()
      """;

  /**
   * Renews leases, in one statement for all of them.
   *
   * @param held at most one for each attempt
   * @param lease how long each lasts from now on, by the database clock
   * @return an answer for each; an attempt that does not exist is {@link Renewal#REFUSED}
   */
  public Map<AttemptId, Renewal> renew(List<Held> held, Duration lease) {
    return sql.alone(connection -> renew(connection, held, lease));
  }

  private static Map<AttemptId, Renewal> renew(
      Connection connection, List<Held> held, Duration lease) throws SQLException {
    Params params =
        new Params()
            .column("attempts", "uuid", held, h -> h.attempt().uuid())
            .column("tokens", "uuid", held, Held::token)
            .set("lease_ms", lease.toMillis());
    Map<AttemptId, Renewal> renewals = new HashMap<>();
    for (One one : Sql.query(connection, RENEW, params, One::of)) {
      renewals.put(one.attempt(), one.renewal());
    }
    return renewals;
  }

  private record One(AttemptId attempt, Renewal renewal) {
    static One of(ResultSet row) throws SQLException {
      return new One(Rows.attemptId(row, "attempt_id"), Renewal.valueOf(Rows.text(row, "renewal")));
    }
  }

  private static final String STARTED =
      """
      SELECT a.id, a.number, a.job_version
      FROM onejob.attempt AS a
      WHERE a.id = :attempt AND a.state IN ('starting', 'running', 'unknown')
      """;

  /**
   * What the start of this attempt was answered with, for a holder that did not get the answer.
   *
   * @return empty if the attempt was not written, or has ended since
   */
  public Optional<Answer.Started> started(AttemptId attempt) {
    Params params = new Params().set("attempt", attempt.uuid());
    return sql
        .alone(
            connection ->
                Sql.query(
                    connection,
                    STARTED,
                    params,
                    row ->
                        new Answer.Started(
                            Rows.attemptId(row, "id"),
                            row.getInt("number"),
                            row.getLong("job_version"))))
        .stream()
        .findFirst();
  }

  /**
   * Opens a line of its own for renewals, to be kept for as long as it works.
   *
   * @param answerWithin a line that is silent for longer is given up as broken
   */
  public Line open(Duration answerWithin) {
    try {
      Connection connection = database.getConnection();
      try {
        connection.setNetworkTimeout(Runnable::run, Math.toIntExact(answerWithin.toMillis()));
        return new Line(connection);
      } catch (SQLException | RuntimeException e) {
        connection.close();
        throw e;
      }
    } catch (SQLException e) {
      throw StoreException.of(e);
    }
  }

  /** A connection that does nothing but renew leases. For one thread at a time. */
  public static final class Line implements AutoCloseable {
    private final Connection connection;

    private Line(Connection connection) {
      this.connection = connection;
    }

    /**
     * As {@link Leases#renew}.
     *
     * @throws StoreException if the line is broken; it is to be closed then
     */
    public Map<AttemptId, Renewal> renew(List<Held> held, Duration lease) {
      try {
        return Leases.renew(connection, held, lease);
      } catch (SQLException e) {
        throw StoreException.of(e);
      }
    }

    @Override
    public void close() {
      try {
        connection.close();
      } catch (SQLException e) {
        throw StoreException.of(e);
      }
    }
  }
}
