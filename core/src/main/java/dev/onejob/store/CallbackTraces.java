package dev.onejob.store;

import dev.onejob.domain.AttemptId;
import dev.onejob.domain.AttemptState;
import dev.onejob.domain.Strength;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * What a callback leaves at an attempt that it does not end: the provider's id of the work, a hint,
 * a reason to look. Nothing here changes a state.
 */
public final class CallbackTraces {
  /** Different hints that are kept of one attempt by callback; what comes beyond is not kept. */
  private static final int HINTS_MAX = 20;

  private final Sql sql;

  public CallbackTraces(DataSource database) {
    this.sql = new Sql(database);
  }

  /**
   * How an attempt stands.
   *
   * @param ref the provider's id on record; null: none is
   * @param lostTo the winner, if the attempt was lost
   */
  public record Standing(AttemptState state, @Nullable String ref, @Nullable AttemptId lostTo) {}

  /** Only of an attempt that has none: the first id that is known stays. */
  private static final String BIND =
      """
      UPDATE onejob.attempt AS a SET provider_ref = :ref
      WHERE a.id = :attempt AND a.provider_ref IS NULL AND :ref::text IS NOT NULL
      """;

  private static final String STANDING =
      """
      SELECT a.state, a.provider_ref, a.lost_to
      FROM onejob.attempt AS a
      WHERE a.id = :attempt
      """;

  /**
   * Puts the provider's id of the work on record, where none is yet, and says how the attempt
   * stands then. Empty if there is no such attempt.
   *
   * @param ref null: nothing is put on record
   */
  public Optional<Standing> bind(AttemptId attempt, @Nullable String ref) {
    Params params = new Params().set("attempt", attempt.uuid()).set("ref", Texts.ref(ref));
    if (ref != null) {
      sql.alone(connection -> Sql.query(connection, BIND, params, row -> row));
    }
    return sql
        .alone(connection -> Sql.query(connection, STANDING, params, CallbackTraces::standing))
        .stream()
        .findFirst();
  }

  private static Standing standing(ResultSet row) throws SQLException {
    return new Standing(
        AttemptState.of(Rows.text(row, "state")),
        row.getString("provider_ref"),
        Rows.attemptIdOrNull(row, "lost_to"));
  }

  private static final String HINT =
      """
      UPDATE onejob.evidence SET times = times + 1, last_at = clock_timestamp()
      WHERE id = (
        SELECT min(e.id)
        FROM onejob.evidence AS e
        JOIN onejob.attempt AS a ON a.job_id = e.job_id AND a.id = e.attempt_id
        WHERE a.id = :attempt AND e.source = 'callback' AND e.strength = :strength
          AND e.says = :says AND e.digest = :digest)
      ;
      INSERT INTO onejob.evidence
        (job_id, attempt_id, owner, source, strength, says, digest, bytes)
      SELECT a.job_id, a.id, a.owner, 'callback', :strength, :says, :digest, :bytes
      FROM onejob.attempt AS a
      WHERE a.id = :attempt
        AND NOT EXISTS (
          SELECT
          FROM onejob.evidence AS e
          WHERE e.job_id = a.job_id AND e.attempt_id = a.id AND e.source = 'callback'
            AND e.strength = :strength AND e.says = :says AND e.digest = :digest)
        AND :hints_max > (
          SELECT count(*)
          FROM onejob.evidence AS e
          WHERE e.job_id = a.job_id AND e.attempt_id = a.id AND e.source = 'callback')
      """;

  /** Keeps what was said and decides nothing, or counts that it was said again. */
  public void hint(AttemptId attempt, String says, String digest, long bytes) {
    Params params =
        new Params()
            .set("attempt", attempt.uuid())
            .set("strength", Strength.HINT.word())
            .set("says", Texts.message(says))
            .set("digest", digest)
            .set("bytes", bytes)
            .set("hints_max", HINTS_MAX);
    sql.alone(connection -> Sql.query(connection, HINT, params, row -> row));
  }

  private static final String WAKE =
      """
      UPDATE onejob.probe AS p SET
        probe_at = least(p.probe_at, greatest(w.at, p.held_until)),
        woken_at = greatest(w.at, p.held_until)
      FROM (
        SELECT
          q.attempt_id,
          greatest(
            clock_timestamp(),
            coalesce(q.woken_at + :pause_ms * interval '1 millisecond', clock_timestamp())) AS at
        FROM onejob.probe AS q
        WHERE q.attempt_id = :attempt) AS w
      WHERE p.attempt_id = w.attempt_id
        AND p.probe_at IS NOT NULL
        AND (p.woken_at IS NULL OR p.woken_at <= clock_timestamp())
      """;

  /**
   * Sets the next question about an attempt in doubt, or watched on, to now; after an earlier
   * reason to look, to as much later as the pause says; while a question is under way, to the end
   * of its hold, so that no two are. Changes nothing where nothing is asked.
   */
  public void wake(AttemptId attempt, Duration pause) {
    Params params = new Params().set("attempt", attempt.uuid()).set("pause_ms", pause.toMillis());
    sql.alone(connection -> Sql.query(connection, WAKE, params, row -> row));
  }
}
