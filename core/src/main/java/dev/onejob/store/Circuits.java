package dev.onejob.store;

import dev.onejob.domain.AttemptId;
import dev.onejob.domain.Circuit;
import dev.onejob.domain.CircuitPolicy;
import dev.onejob.domain.Failure;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Which providers do not answer, shared by all nodes. A provider that answers costs no write,
 * unless it has failed before.
 */
public final class Circuits {
  private final Sql sql;

  public Circuits(DataSource database) {
    this.sql = new Sql(database);
  }

  /**
   * An open circuit is opened anew by its trial alone: what left before it was opened and fails
   * afterwards says nothing new.
   */
  private static final String FAILED =
      """
      INSERT INTO onejob.circuit AS c (
        provider, failures, failure_code, failure_message, failed_at, opened_at, open_until,
        pause_ms)
      SELECT
        :provider, 1, :code, :message, n.now,
        CASE WHEN :failures_max::integer <= 1 THEN n.now END,
        CASE WHEN :failures_max::integer <= 1
          THEN n.now + :pause_ms::bigint * interval '1 millisecond' END,
        CASE WHEN :failures_max::integer <= 1 THEN :pause_ms::bigint END
      FROM (SELECT clock_timestamp() AS now) AS n
      ON CONFLICT (provider) DO UPDATE SET
        failures = c.failures + 1,
        failure_code = excluded.failure_code,
        failure_message = excluded.failure_message,
        failed_at = clock_timestamp(),
        opened_at =
          CASE WHEN c.opened_at IS NOT NULL THEN c.opened_at
               WHEN c.failures + 1 >= :failures_max THEN clock_timestamp() END,
        open_until =
          CASE WHEN c.opened_at IS NOT NULL AND c.trial_attempt IS DISTINCT FROM :attempt::uuid
                 THEN c.open_until
               WHEN c.opened_at IS NOT NULL
                 THEN clock_timestamp()
                   + least(c.pause_ms * 2, :pause_max_ms) * interval '1 millisecond'
               WHEN c.failures + 1 >= :failures_max
                 THEN clock_timestamp() + :pause_ms * interval '1 millisecond' END,
        pause_ms =
          CASE WHEN c.opened_at IS NOT NULL AND c.trial_attempt IS DISTINCT FROM :attempt::uuid
                 THEN c.pause_ms
               WHEN c.opened_at IS NOT NULL THEN least(c.pause_ms * 2, :pause_max_ms)
               WHEN c.failures + 1 >= :failures_max THEN :pause_ms END,
        trial_attempt =
          CASE WHEN c.trial_attempt IS DISTINCT FROM :attempt::uuid THEN c.trial_attempt END
      RETURNING
        c.provider, c.failures, c.failure_code, c.failure_message, c.failed_at, c.opened_at,
        c.open_until, c.pause_ms, NULL::uuid AS trial, clock_timestamp() AS now
      """;

  /** The provider did not answer this attempt. Opens the circuit if that was once too often. */
  public Circuit failed(String provider, AttemptId attempt, Failure failure, CircuitPolicy policy) {
    Params params =
        new Params()
            .set("provider", provider)
            .set("attempt", attempt.uuid())
            .set("code", Texts.code(failure.code()))
            .set("message", Texts.message(failure.message()))
            .set("failures_max", policy.failures())
            .set("pause_ms", policy.pause().toMillis())
            .set("pause_max_ms", policy.pauseMax().toMillis());
    return sql.alone(connection -> Sql.query(connection, FAILED, params, Circuits::circuit))
        .getFirst();
  }

  private static final String UNANSWERED =
      """
      UPDATE onejob.circuit AS c SET
        open_until =
          clock_timestamp() + least(c.pause_ms * 2, :pause_max_ms) * interval '1 millisecond',
        pause_ms = least(c.pause_ms * 2, :pause_max_ms),
        trial_attempt = NULL
      WHERE c.provider = :provider AND c.trial_attempt = :attempt
      RETURNING
        c.provider, c.failures, c.failure_code, c.failure_message, c.failed_at, c.opened_at,
        c.open_until, c.pause_ms, NULL::uuid AS trial, clock_timestamp() AS now
      """;

  /**
   * Nothing is known of the attempt. That opens no circuit; but if it was a trial, it has not
   * closed one either, and the next trial waits.
   *
   * @return empty if it was no trial
   */
  public Optional<Circuit> unanswered(String provider, AttemptId attempt, CircuitPolicy policy) {
    Params params =
        new Params()
            .set("provider", provider)
            .set("attempt", attempt.uuid())
            .set("pause_max_ms", policy.pauseMax().toMillis());
    return sql
        .alone(connection -> Sql.query(connection, UNANSWERED, params, Circuits::circuit))
        .stream()
        .findFirst();
  }

  private static final String ANSWERED =
      """
      UPDATE onejob.circuit AS c SET
        failures = 0, opened_at = NULL, open_until = NULL, pause_ms = NULL, trial_attempt = NULL
      WHERE c.provider = :provider AND (c.failures > 0 OR c.opened_at IS NOT NULL)
      RETURNING
        c.provider, c.failures, c.failure_code, c.failure_message, c.failed_at, c.opened_at,
        c.open_until, c.pause_ms, NULL::uuid AS trial, clock_timestamp() AS now
      """;

  /**
   * The provider answered: the streak is over, and the circuit closed.
   *
   * @return the circuit as it is now; empty if there was nothing to change
   */
  public Optional<Circuit> answered(String provider) {
    Params params = new Params().set("provider", provider);
    return sql
        .alone(connection -> Sql.query(connection, ANSWERED, params, Circuits::circuit))
        .stream()
        .findFirst();
  }

  private static final String ALL =
      """
      SELECT
        c.provider, c.failures, c.failure_code, c.failure_message, c.failed_at, c.opened_at,
        c.open_until, c.pause_ms, a.id AS trial, clock_timestamp() AS now
      FROM onejob.circuit AS c
      LEFT JOIN onejob.attempt AS a
        ON a.id = c.trial_attempt AND a.state IN ('starting', 'running')
      ORDER BY c.provider
      """;

  /** Every provider that has ever failed to answer. */
  public List<Circuit> all() {
    return sql.alone(connection -> Sql.query(connection, ALL, new Params(), Circuits::circuit));
  }

  private static Circuit circuit(ResultSet row) throws SQLException {
    return new Circuit(
        Rows.text(row, "provider"),
        row.getInt("failures"),
        new Failure(Rows.text(row, "failure_code"), Rows.text(row, "failure_message")),
        Rows.instant(row, "failed_at"),
        opened(row),
        Rows.instant(row, "now"));
  }

  private static Circuit.@Nullable Opened opened(ResultSet row) throws SQLException {
    Instant at = Rows.instantOrNull(row, "opened_at");
    return at == null
        ? null
        : new Circuit.Opened(
            at,
            Rows.instant(row, "open_until"),
            Duration.ofMillis(row.getLong("pause_ms")),
            Rows.attemptIdOrNull(row, "trial"));
  }
}
