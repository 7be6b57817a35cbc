package dev.onejob.store;

import dev.onejob.domain.Answer;
import dev.onejob.domain.AttemptState;
import dev.onejob.domain.JobEvent;
import dev.onejob.domain.Life;
import dev.onejob.domain.Verdict;
import dev.onejob.store.Probes.Claim;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;

/**
 * Requests of attempts in doubt that are sent again, under their own keys. From then on the first
 * sending does not speak for the attempt alone: that it was turned away, or never left, says
 * nothing about what the second one does.
 *
 * <p>Order of the locks: job, then probe; behind the job's lock a replay is either on record, or
 * will not leave.
 */
final class Replays {
  private Replays() {}

  private static final String LEAVE =
      """
      SELECT set_config('lock_timeout', '2s', true)
      ;
      SELECT j.id FROM onejob.job AS j WHERE j.id = :job FOR NO KEY UPDATE
      ;
      UPDATE onejob.probe AS p SET replayed_until = p.held_until
      FROM onejob.attempt AS a
      JOIN onejob.job AS j ON j.id = a.job_id
      WHERE p.attempt_id = :attempt
        AND p.asked = :asked
        AND p.held_until > clock_timestamp()
        AND a.id = p.attempt_id
        AND a.state = 'unknown'
        AND j.completed_by IS NULL
        AND j.cancel_requested_at IS NULL
      RETURNING p.attempt_id
      """;

  /** Puts on record that the claim's request leaves once more; whether it may. */
  static boolean leave(Connection connection, Claim claim) throws SQLException {
    Params params =
        new Params()
            .set("job", claim.job().uuid())
            .set("attempt", claim.attempt().id().uuid())
            .set("asked", claim.number());
    return !Sql.query(connection, LEAVE, params, row -> Rows.uuid(row, "attempt_id")).isEmpty();
  }

  private static final String REPLAYED =
      """
      SELECT p.replayed_until > clock_timestamp() AS under_way
      FROM onejob.probe AS p
      WHERE p.attempt_id = :attempt AND p.replayed_until IS NOT NULL
      """;

  /**
   * The answer to what must not end the doubt now; empty if nothing is in its way. Behind the job's
   * lock.
   */
  static Optional<Answer> inTheWay(Connection connection, MoveRequest request, Life life)
      throws SQLException {
    boolean ofTheFirst = isWordOfTheFirst(request, life);
    if (!ofTheFirst && !saysNotDone(request)) {
      return Optional.empty();
    }
    Params params =
        new Params().set("attempt", Events.attempt(request.event()).orElseThrow().uuid());
    List<Boolean> replayed =
        Sql.query(connection, REPLAYED, params, row -> row.getBoolean("under_way"));
    if (replayed.isEmpty()) {
      return Optional.empty();
    }
    if (ofTheFirst) {
      new Beside(connection, request).notBelieved();
      return Optional.of(new Answer.Repeated());
    }
    return replayed.getFirst()
        ? Optional.of(
            new Answer.NotAllowed(
                "its request is being sent again at this moment, under its own key;"
                    + " what comes of that is known in a few seconds"))
        : Optional.empty();
  }

  /** Whether an attempt in doubt says of itself that nothing came of it. */
  private static boolean isWordOfTheFirst(MoveRequest request, Life life) {
    boolean nothingCame =
        request.event() instanceof JobEvent.Fail || request.event() instanceof JobEvent.Stopped;
    return nothingCame
        && !request.evident()
        && request.source() == MoveRequest.Source.LATE_ANSWER // called back, it speaks for the key
        && life.attempt(Events.attempt(request.event()).orElseThrow()).orElseThrow().state()
            == AttemptState.UNKNOWN;
  }

  /** A person, a rule or a look-up says so; a replay itself never does. */
  private static boolean saysNotDone(MoveRequest request) {
    return request.event() instanceof JobEvent.Resolve resolve
        && resolve.verdict() == Verdict.NOT_DONE;
  }
}
