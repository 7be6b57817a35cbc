package dev.onejob.store;

import dev.onejob.domain.Attempt;
import dev.onejob.domain.AttemptStanding;
import dev.onejob.domain.Basis;
import dev.onejob.domain.ContractBreach;
import dev.onejob.domain.Cost;
import dev.onejob.domain.Evidence;
import dev.onejob.domain.JobId;
import dev.onejob.domain.Objection;
import dev.onejob.domain.Owner;
import dev.onejob.domain.Probing;
import dev.onejob.domain.Resolution;
import dev.onejob.domain.StartCause;
import dev.onejob.domain.Then;
import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Everything about the attempts of some jobs, as of one moment: decisions and evidence too. */
record Story(
    List<Attempt> attempts,
    List<Told<Resolution>> resolutions,
    List<Told<Evidence>> evidence,
    List<Told<ContractBreach>> breaches) {
  /** Something told of an attempt; of the job as a whole, if of none. */
  record Told<T>(UUID job, @Nullable UUID attempt, long number, T what) {}

  private static final String ATTEMPTS =
      """
      SELECT
        a.id, a.job_id, a.owner, a.number, a.provider, a.cause, a.unqualified, a.provider_key,
        a.provider_ref,
        a.state, a.job_version, a.node, a.worker, a.lease_until, a.started_at, a.accepted_at,
        a.unknown_at, a.ended_at, a.ending, a.failure_code, a.failure_message, a.report_outcome,
        a.report_digest, a.report_bytes, a.lost_to, a.cost, p.asked,
        p.probe_at, p.probe_before, p.ended
      FROM onejob.attempt AS a
      LEFT JOIN onejob.probe AS p ON p.attempt_id = a.id
      WHERE a.job_id = ANY (:jobs::uuid[])
      ORDER BY a.job_id, a.number
      """;

  /** One moment for all; and plans that are kept, also for many jobs and beside empty tables. */
  private static final String MOMENT =
      """
      SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY
      ;
      SELECT
        set_config('enable_seqscan', 'off', true),
        set_config('enable_hashjoin', 'off', true),
        set_config('enable_mergejoin', 'off', true),
        set_config('plan_cache_mode', 'force_generic_plan', true)
      """;

  private static final String EVIDENCE =
      """
      SELECT
        e.job_id, e.attempt_id, e.id, e.source, e.strength, e.says, e.digest, e.bytes,
        e.learned_at, e.times, coalesce(e.last_at, e.learned_at) AS last_at
      FROM onejob.evidence AS e
      WHERE e.job_id = ANY (:jobs::uuid[])
      ORDER BY e.id
      """;

  private static final String RESOLUTIONS =
      """
      SELECT
        r.job_id, r.attempt_id, r.id, r.verdict, r.then_do, r.reason, r.decided_by, r.decided_at,
        r.was_state, r.was_since, r.was_failure_code, r.was_failure_message, r.evidence_ids
      FROM onejob.resolution AS r
      WHERE r.job_id = ANY (:jobs::uuid[])
      ORDER BY r.id
      """;

  /** The texts of {@link #read}, of the jobs in the parameter {@code jobs}. */
  static final List<String> TEXTS =
      List.of(MOMENT, EVIDENCE, RESOLUTIONS, Breaches.OF_JOBS, ATTEMPTS);

  /** Reads it, in the transaction that reads the jobs, and before everything but a look alike. */
  static Story of(Connection connection, List<JobId> jobs) throws SQLException {
    Params params = new Params().column("jobs", "uuid", jobs, JobId::uuid);
    try (PreparedStatement statement = Sql.prepare(connection, TEXTS, params)) {
      return read(Sql.results(statement));
    }
  }

  /** What the texts have given. */
  static Story read(List<ResultSet> results) throws SQLException {
    List<Told<Evidence>> evidence = Sql.rows(results.get(1), Story::evidence);
    List<Told<Resolution>> resolutions = Sql.rows(results.get(2), row -> resolution(row, evidence));
    List<Told<ContractBreach>> breaches = Sql.rows(results.get(3), Breaches::row);
    Story told = new Story(List.of(), resolutions, evidence, breaches);
    List<Attempt> attempts = Sql.rows(results.get(4), row -> attemptRow(row, told));
    return new Story(attempts, resolutions, evidence, breaches);
  }

  List<Attempt> attemptsOf(JobId job) {
    return attempts.stream().filter(attempt -> attempt.jobId().equals(job)).toList();
  }

  /** Decisions about the job as a whole. */
  List<Resolution> resolutionsOf(JobId job) {
    return resolutions.stream()
        .filter(told -> told.attempt() == null && told.job().equals(job.uuid()))
        .map(Told::what)
        .toList();
  }

  private List<Resolution> resolutionsOf(UUID attempt) {
    return toldOf(resolutions, attempt);
  }

  private List<Evidence> evidenceOf(UUID attempt) {
    return toldOf(evidence, attempt);
  }

  private static <T> List<T> toldOf(List<Told<T>> told, UUID attempt) {
    return told.stream().filter(t -> attempt.equals(t.attempt())).map(Told::what).toList();
  }

  private static Attempt attemptRow(ResultSet row, Story story) throws SQLException {
    AttemptStanding standing = Rows.attemptStanding(row);
    String unqualified = row.getString("unqualified");
    return new Attempt(
        standing,
        Rows.jobId(row, "job_id"),
        new Owner(Rows.text(row, "owner")),
        StartCause.of(Rows.text(row, "cause")),
        unqualified == null ? null : Objection.Reason.of(unqualified),
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
        cost(row),
        probing(row),
        story.resolutionsOf(standing.id().uuid()),
        story.evidenceOf(standing.id().uuid()),
        toldOf(story.breaches(), standing.id().uuid()).stream().findFirst().orElse(null));
  }

  private static @Nullable Cost cost(ResultSet row) throws SQLException {
    String text = row.getString("cost");
    return text == null ? null : Cost.of(text);
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

  private static Told<Resolution> resolution(ResultSet row, List<Told<Evidence>> evidence)
      throws SQLException {
    String then = row.getString("then_do");
    return new Told<>(
        Rows.uuid(row, "job_id"),
        row.getObject("attempt_id", UUID.class),
        row.getLong("id"),
        new Resolution(
            Rows.text(row, "verdict"),
            then == null ? null : Then.of(then),
            Rows.text(row, "reason"),
            Rows.text(row, "decided_by"),
            Rows.instant(row, "decided_at"),
            basis(row, evidence)));
  }

  private static @Nullable Basis basis(ResultSet row, List<Told<Evidence>> evidence)
      throws SQLException {
    String state = row.getString("was_state");
    Array ids = row.getArray("evidence_ids");
    if (state == null || ids == null) {
      return null;
    }
    Set<Long> known = Set.of((Long[]) ids.getArray());
    return new Basis(
        state,
        Rows.instantOrNull(row, "was_since"),
        Rows.failureOrNull(row, "was_failure_code", "was_failure_message"),
        evidence.stream().filter(told -> known.contains(told.number())).map(Told::what).toList());
  }

  private static Told<Evidence> evidence(ResultSet row) throws SQLException {
    return new Told<>(
        Rows.uuid(row, "job_id"),
        row.getObject("attempt_id", UUID.class),
        row.getLong("id"),
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
