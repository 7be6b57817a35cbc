package dev.onejob.store;

import dev.onejob.domain.Attempt;
import dev.onejob.domain.AttemptStanding;
import dev.onejob.domain.Evidence;
import dev.onejob.domain.Owner;
import dev.onejob.domain.Probing;
import dev.onejob.domain.Resolution;
import dev.onejob.domain.StartCause;
import dev.onejob.domain.Then;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Everything about the attempts of one job, as of one moment: decisions and evidence too. */
record Story(
    List<Attempt> attempts, List<Told<Resolution>> resolutions, List<Told<Evidence>> evidence) {
  /** Something told of an attempt; of the job as a whole, if of none. */
  record Told<T>(@Nullable UUID attempt, T what) {}

  private static final String ATTEMPTS =
      """
      SELECT
        a.id, a.job_id, a.owner, a.number, a.provider, a.cause, a.provider_key, a.provider_ref,
        a.state, a.job_version, a.node, a.worker, a.lease_until, a.started_at, a.accepted_at,
        a.unknown_at, a.ended_at, a.ending, a.failure_code, a.failure_message, a.report_outcome,
        a.report_digest, a.report_bytes, a.lost_to, a.cost, p.asked,
        p.probe_at, p.probe_before, p.ended
      FROM onejob.attempt AS a
      LEFT JOIN onejob.probe AS p ON p.attempt_id = a.id
      WHERE a.job_id = :job
      ORDER BY a.number
      """;

  private static final String RESOLUTIONS =
      """
      SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY
      ;
      SELECT r.attempt_id, r.verdict, r.then_do, r.reason, r.decided_by, r.decided_at
      FROM onejob.resolution AS r
      WHERE r.job_id = :job
      ORDER BY r.id
      """;

  private static final String EVIDENCE =
      """
      SELECT
        e.attempt_id, e.source, e.strength, e.says, e.digest, e.bytes, e.learned_at, e.times,
        coalesce(e.last_at, e.learned_at) AS last_at
      FROM onejob.evidence AS e
      WHERE e.job_id = :job
      ORDER BY e.id
      """;

  /** Reads it, in the transaction that reads the job. */
  static Story of(Connection connection, Params params) throws SQLException {
    List<Told<Resolution>> resolutions =
        Sql.query(connection, RESOLUTIONS, params, Story::resolution);
    List<Told<Evidence>> evidence = Sql.query(connection, EVIDENCE, params, Story::evidence);
    Story told = new Story(List.of(), resolutions, evidence);
    List<Attempt> attempts = Sql.query(connection, ATTEMPTS, params, row -> attemptRow(row, told));
    return new Story(attempts, resolutions, evidence);
  }

  List<Resolution> resolutionsOf(@Nullable UUID attempt) {
    return toldOf(resolutions, attempt);
  }

  List<Evidence> evidenceOf(UUID attempt) {
    return toldOf(evidence, attempt);
  }

  private static <T> List<T> toldOf(List<Told<T>> told, @Nullable UUID attempt) {
    return told.stream().filter(t -> Objects.equals(t.attempt(), attempt)).map(Told::what).toList();
  }

  private static Attempt attemptRow(ResultSet row, Story story) throws SQLException {
    AttemptStanding standing = Rows.attemptStanding(row);
    return new Attempt(
        standing,
        Rows.jobId(row, "job_id"),
        new Owner(Rows.text(row, "owner")),
        StartCause.of(Rows.text(row, "cause")),
        Rows.text(row, "provider_key"),
        row.getString("provider_ref"),
        Rows.text(row, "node"),
        row.getString("worker"),
        Rows.instantOrNull(row, "lease_until"),
        Rows.instantOrNull(row, "accepted_at"),
        Rows.instantOrNull(row, "unknown_at"),
        Rows.instantOrNull(row, "ended_at"),
        Rows.failureOrNull(row),
        Rows.attemptIdOrNull(row, "lost_to"),
        row.getString("cost"),
        probing(row),
        story.resolutionsOf(standing.id().uuid()),
        story.evidenceOf(standing.id().uuid()));
  }

  private static @Nullable Probing probing(ResultSet row) throws SQLException {
    Instant before = Rows.instantOrNull(row, "probe_before");
    return before == null
        ? null
        : new Probing(
            row.getInt("asked"),
            Rows.instantOrNull(row, "probe_at"),
            before,
            row.getString("ended"));
  }

  private static Told<Resolution> resolution(ResultSet row) throws SQLException {
    String then = row.getString("then_do");
    return new Told<>(
        row.getObject("attempt_id", UUID.class),
        new Resolution(
            Rows.text(row, "verdict"),
            then == null ? null : Then.of(then),
            Rows.text(row, "reason"),
            Rows.text(row, "decided_by"),
            Rows.instant(row, "decided_at")));
  }

  private static Told<Evidence> evidence(ResultSet row) throws SQLException {
    return new Told<>(
        row.getObject("attempt_id", UUID.class),
        new Evidence(
            Rows.text(row, "source"),
            Rows.text(row, "strength"),
            Rows.text(row, "says"),
            Rows.text(row, "digest"),
            row.getLong("bytes"),
            Rows.instant(row, "learned_at"),
            row.getInt("times"),
            Rows.instant(row, "last_at")));
  }
}
