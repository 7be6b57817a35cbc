package dev.onejob.store;

import dev.onejob.domain.AttemptId;
import dev.onejob.domain.Crashes;
import dev.onejob.domain.JobEvent;
import dev.onejob.domain.JobId;
import dev.onejob.domain.Then;
import dev.onejob.store.MoveRequest.ByItself;
import dev.onejob.store.MoveRequest.Decided;
import dev.onejob.store.MoveRequest.Parked;
import java.sql.Connection;
import java.sql.SQLException;

/** Jobs that may be what takes their holders down: counted from the record, behind the lock. */
final class Parking {
  private Parking() {}

  /**
   * The word that raised the doubt is the attempt's until a decision writes its own over it, and
   * then the decision's. Two that raced on one node went down with it together, and count once; and
   * a doubt that is about something else than a crash is none of this.
   */
  private static final String CRASHES =
      """
      WITH crashed AS (
        SELECT a.id, a.number, a.node, a.started_at, a.unknown_at
        FROM onejob.attempt AS a
        WHERE a.job_id = :job
          AND ((a.state = 'unknown' AND a.failure_code = 'lease-lapsed')
            OR (a.ending = 'decision' AND EXISTS (
              SELECT FROM onejob.resolution AS r
              WHERE r.attempt_id = a.id
                AND r.was_state = 'unknown'
                AND r.was_failure_code = 'lease-lapsed')))
      )
      SELECT count(*) AS crashes
      FROM crashed AS c
      WHERE EXISTS (SELECT FROM crashed AS o WHERE o.id = :attempt)
        AND NOT EXISTS (
          SELECT
          FROM crashed AS b
          WHERE b.node = c.node AND b.number < c.number AND b.unknown_at > c.started_at)
      """;

  /** The request as it is to be decided; the job is locked. */
  static MoveRequest heeded(Connection connection, MoveRequest request) throws SQLException {
    if (!(request.details() instanceof ByItself byItself)
        || !(request.event() instanceof JobEvent.Resolve resolve)) {
      return request;
    }
    Crashes crashes =
        new Crashes(
            count(connection, request.job(), resolve.attempt()), byItself.parkAfterCrashes());
    return crashes.park(resolve.then()) ? parked(request, resolve, byItself, crashes) : request;
  }

  private static int count(Connection connection, JobId job, AttemptId attempt)
      throws SQLException {
    Params params = new Params().set("job", job.uuid()).set("attempt", attempt.uuid());
    return Sql.query(connection, CRASHES, params, row -> row.getInt("crashes")).getFirst();
  }

  private static MoveRequest parked(
      MoveRequest request, JobEvent.Resolve resolve, ByItself byItself, Crashes crashes) {
    Decided wished = byItself.decided();
    Decided decided =
        new Decided(
            wished.verdict(),
            Then.WAIT,
            wished.reason() + "; but " + crashes.inWords(),
            wished.decidedBy(),
            wished.result());
    return new MoveRequest(
        request.job(),
        new JobEvent.Resolve(resolve.attempt(), resolve.verdict(), Then.WAIT),
        new Parked(decided),
        request.evident(),
        request.question(),
        request.source(),
        request.asOf());
  }
}
