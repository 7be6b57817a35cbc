package dev.onejob.store;

import dev.onejob.domain.AttemptId;
import dev.onejob.domain.AttemptStanding;
import dev.onejob.domain.JobId;
import dev.onejob.domain.JobStanding;
import dev.onejob.domain.Life;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Jobs with their attempts, locked and then looked at. */
final class Lives {
  private Lives() {}

  /**
   * What was found behind the locks.
   *
   * @param kinds of the jobs
   * @param lapsed the tokens of leases that have lapsed
   * @param inDoubtSince of the attempts that are in doubt
   * @param untaken attempts that were offered to workers, and that none of them has
   * @param contracted the jobs whose kinds had a contract when they were admitted
   * @param emptied the jobs whose payloads were emptied
   * @param now by the database clock, after the last lock
   */
  record Locked(
      Map<JobId, Life> lives,
      Map<JobId, String> kinds,
      Map<AttemptId, UUID> lapsed,
      Map<AttemptId, Instant> inDoubtSince,
      Set<AttemptId> untaken,
      Set<JobId> contracted,
      Set<JobId> emptied,
      Instant now) {}

  private static final String LOCK =
      """
      SELECT
        set_config('lock_timeout', '2s', true),
        set_config('enable_seqscan', 'off', true),
        set_config('enable_hashjoin', 'off', true),
        set_config('enable_mergejoin', 'off', true)
      ;
      SELECT j.id
      FROM onejob.job AS j
      WHERE j.id = ANY (:jobs::uuid[])
      ORDER BY j.id
      FOR NO KEY UPDATE
      """;

  /**
   * A renewal holds no job. Where a lease is to be judged, its attempt is locked too, after the
   * job: a renewal under way is waited for, and none comes between the look and the write.
   */
  private static final String LOCK_ATTEMPTS =
      """
      SELECT a.id
      FROM onejob.attempt AS a
      WHERE a.id = ANY (:attempts::uuid[])
      ORDER BY a.id
      FOR NO KEY UPDATE
      """;

  private static final String JOBS =
      """
      SELECT
        clock_timestamp() AS now, j.id, j.kind, j.state, j.waiting_for, j.version, j.completed_by,
        j.live, j.starting, j.in_doubt, j.attempts_started, j.attempts_allowed, j.run_at,
        j.deadline, j.cancel_requested_at, j.contested, j.failure_code, j.failure_message, j.route,
        j.race_after_ms, j.when_unqualified, j.goes_on_at, j.given_up, j.payload_emptied_at,
        j.contracted, j.not_before
      FROM onejob.job AS j
      WHERE j.id = ANY (:jobs::uuid[])
      """;

  private static final String ATTEMPTS =
      """
      SELECT
        a.job_id, a.id, a.number, a.provider, a.state, a.job_version, a.started_at, a.ending,
        a.report_outcome, a.report_digest, a.report_bytes,
        a.state = 'starting' AND a.node = '(none)' AS untaken,
        CASE WHEN a.state = 'unknown' THEN a.unknown_at END AS in_doubt_since,
        CASE WHEN a.lease_until <= clock_timestamp() THEN a.lease_token END AS lapsed_token
      FROM onejob.attempt AS a
      WHERE a.job_id = ANY (:jobs::uuid[])
      ORDER BY a.job_id, a.number
      """;

  private record JobRow(
      JobId id,
      String kind,
      JobStanding standing,
      boolean contracted,
      boolean emptied,
      Instant now) {}

  private record AttemptRow(
      JobId job,
      AttemptStanding standing,
      @Nullable UUID lapsedToken,
      @Nullable Instant inDoubtSince,
      boolean untaken) {}

  /**
   * Locks the jobs, and looks at them and their attempts.
   *
   * @param judged attempts of these jobs whose leases are to be judged
   */
  static Locked lock(Connection connection, List<JobId> jobs, List<AttemptId> judged)
      throws SQLException {
    Params params = new Params().column("jobs", "uuid", jobs, JobId::uuid);
    Sql.query(connection, LOCK, params, row -> Rows.uuid(row, "id"));
    if (!judged.isEmpty()) {
      Params attempts = new Params().column("attempts", "uuid", judged, AttemptId::uuid);
      Sql.query(connection, LOCK_ATTEMPTS, attempts, row -> Rows.uuid(row, "id"));
    }
    List<JobRow> rows = Sql.query(connection, JOBS, params, Lives::jobRow);
    Map<AttemptId, UUID> lapsed = new HashMap<>();
    Map<AttemptId, Instant> inDoubtSince = new HashMap<>();
    Set<AttemptId> untaken = new HashSet<>();
    Map<JobId, List<AttemptStanding>> attempts = new HashMap<>();
    for (AttemptRow row : Sql.query(connection, ATTEMPTS, params, Lives::attemptRow)) {
      AttemptId id = row.standing().id();
      if (row.lapsedToken() != null) {
        lapsed.put(id, row.lapsedToken());
      }
      if (row.inDoubtSince() != null) {
        inDoubtSince.put(id, row.inDoubtSince());
      }
      if (row.untaken()) {
        untaken.add(id);
      }
      attempts.computeIfAbsent(row.job(), job -> new ArrayList<>()).add(row.standing());
    }
    Map<JobId, Life> lives = new HashMap<>();
    Map<JobId, String> kinds = new HashMap<>();
    Set<JobId> contracted = new HashSet<>();
    Set<JobId> emptied = new HashSet<>();
    Instant now = Instant.EPOCH;
    for (JobRow row : rows) {
      lives.put(row.id(), new Life(row.standing(), attempts.getOrDefault(row.id(), List.of())));
      kinds.put(row.id(), row.kind());
      if (row.contracted()) {
        contracted.add(row.id());
      }
      if (row.emptied()) {
        emptied.add(row.id());
      }
      now = row.now();
    }
    return new Locked(lives, kinds, lapsed, inDoubtSince, untaken, contracted, emptied, now);
  }

  private static JobRow jobRow(ResultSet row) throws SQLException {
    return new JobRow(
        Rows.jobId(row, "id"),
        Rows.text(row, "kind"),
        Rows.standing(row),
        row.getBoolean("contracted"),
        Rows.instantOrNull(row, "payload_emptied_at") != null,
        Rows.instant(row, "now"));
  }

  private static AttemptRow attemptRow(ResultSet row) throws SQLException {
    return new AttemptRow(
        Rows.jobId(row, "job_id"),
        Rows.attemptStanding(row),
        row.getObject("lapsed_token", UUID.class),
        Rows.instantOrNull(row, "in_doubt_since"),
        row.getBoolean("untaken"));
  }
}
