package dev.onejob.store;

import dev.onejob.domain.Answer;
import dev.onejob.domain.AttemptId;
import dev.onejob.domain.AttemptStanding;
import dev.onejob.domain.AttemptState;
import dev.onejob.domain.Failure;
import dev.onejob.domain.JobEvent;
import dev.onejob.domain.JobStanding;
import dev.onejob.domain.Life;
import dev.onejob.domain.Lifecycle;
import dev.onejob.domain.Objection;
import dev.onejob.domain.Report;
import dev.onejob.domain.Result;
import dev.onejob.domain.StartCause;
import dev.onejob.domain.Verdict;
import dev.onejob.domain.WaitingFor;
import dev.onejob.domain.Ways;
import dev.onejob.store.MoveRequest.Acceptance;
import dev.onejob.store.MoveRequest.BrokenContract;
import dev.onejob.store.MoveRequest.ByItself;
import dev.onejob.store.MoveRequest.Cause;
import dev.onejob.store.MoveRequest.Decided;
import dev.onejob.store.MoveRequest.Departure;
import dev.onejob.store.MoveRequest.HandedOver;
import dev.onejob.store.MoveRequest.LapsedLease;
import dev.onejob.store.MoveRequest.Parked;
import dev.onejob.store.MoveRequest.Payload;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Writes what one move changed, while the job is locked. */
final class LifeWriter {
  private final Connection connection;
  private final MoveRequest request;
  private final Instant now;
  private final Ways ways;

  /**
   * Makes one.
   *
   * @param ways by which the move was decided
   */
  LifeWriter(Connection connection, MoveRequest request, Instant now, Ways ways) {
    this.ways = ways;
    this.connection = connection;
    this.request = request;
    this.now = now;
  }

  void write(Life before, Lifecycle.Move move) throws SQLException {
    Life after = move.life();
    keepDecision(move.answer());
    if (!after.job().equals(before.job())) {
      updateJob(before.job(), after.job());
      Outbox.tell(connection, request.job(), before.job().state(), after.job().state());
    }
    for (AttemptStanding attempt : after.attempts()) {
      AttemptStanding was = before.attempt(attempt.id()).orElse(null);
      if (was == null) {
        insertAttempt(attempt, move.objections());
      } else if (!was.equals(attempt)) {
        updateAttempt(after.job(), attempt, move.answer());
      }
    }
    writeBeside(move, before, after);
  }

  /** First of all: a decision is kept with what was known before it. */
  private void keepDecision(Answer answer) throws SQLException {
    MoveRequest.Decided decided = request.decision();
    if (decided != null && (answer instanceof Answer.Moved || answer instanceof Answer.Lost)) {
      new Beside(connection, request).resolution(decided);
    }
  }

  private static final String UPDATE_JOB =
      """
      UPDATE onejob.job SET
        state = :state,
        waiting_for = :waiting_for,
        version = :version,
        completed_by = :completed_by,
        live = :live,
        starting = :starting,
        in_doubt = :in_doubt,
        attempts_started = :attempts_started,
        attempts_allowed = :attempts_allowed,
        run_at = :run_at,
        goes_on_at = :goes_on_at,
        given_up = string_to_array(:given_up::text, ','),
        not_before = :not_before::text,
        deadline = :deadline,
        expires_at = CASE WHEN :state = 'queued' THEN :deadline::timestamptz END,
        at_desk_since =
          CASE WHEN :at_desk THEN
            CASE WHEN contested OR coalesce(waiting_for = 'decision', false)
              THEN coalesce(at_desk_since, :now)
              ELSE :now::timestamptz END END,
        cancel_requested_at = :cancel_requested_at,
        contested = :contested,
        failure_code = :failure_code,
        failure_message = :failure_message,
        result_format = :result_format,
        result = :result,
        ended_at = CASE WHEN :terminal THEN coalesce(ended_at, :now) END
      WHERE id = :id
        AND version = :version_before
        AND state = :state_before
        AND completed_by IS NOT DISTINCT FROM :completed_before
      """;

  /** Once the slot is claimed, nothing of the job changes but the counts and a contest's end. */
  private static final String UPDATE_JOB_COUNTS =
      """
      UPDATE onejob.job SET
        live = :live, starting = :starting, in_doubt = :in_doubt, contested = :contested
      WHERE id = :id AND completed_by IS NOT NULL
      """;

  private void updateJob(JobStanding before, JobStanding after) throws SQLException {
    Params counts =
        new Params()
            .set("id", request.job().uuid())
            .set("live", after.live())
            .set("starting", after.starting())
            .set("in_doubt", after.inDoubt())
            .set("contested", after.contested());
    if (before.completedBy() != null) {
      one(UPDATE_JOB_COUNTS, counts);
      return;
    }
    Result result = after.completedBy() == null ? null : result();
    Failure failure = after.failure();
    one(
        UPDATE_JOB,
        counts
            .set("state", after.state().word())
            .set("waiting_for", word(after.waitingFor()))
            .set("version", after.version())
            .set("completed_by", uuid(after.completedBy()))
            .set("attempts_started", after.attemptsStarted())
            .set("attempts_allowed", after.attemptsAllowed())
            .set("run_at", after.runAt())
            .set("goes_on_at", after.walk().goesOnAt())
            .set("given_up", joined(after.walk().givenUp()))
            .set("not_before", NotBefore.text(after.walk().notBefore()))
            .set("deadline", after.deadline())
            .set("at_desk", after.contested() || after.waitingFor() == WaitingFor.DECISION)
            .set("cancel_requested_at", after.cancelRequestedAt())
            .set("failure_code", failure == null ? null : Texts.code(failure.code()))
            .set("failure_message", failure == null ? null : Texts.message(failure.message()))
            .set("result_format", result == null ? null : result.format().word())
            .set("result", result == null ? null : result.bytes())
            .set("terminal", after.state().terminal())
            .set("now", now)
            .set("version_before", before.version())
            .set("state_before", before.state().word())
            .set("completed_before", uuid(before.completedBy())));
  }

  /** Names hold no comma; null for none. */
  private static @Nullable String joined(List<String> names) {
    return names.isEmpty() ? null : String.join(",", names);
  }

  private Result result() {
    Result result =
        switch (request.details()) {
          case Payload payload -> payload.result();
          case Decided decided -> decided.result();
          case ByItself b -> null;
          case Parked p -> null;
          case null -> null;
          case Departure d -> null;
          case Acceptance a -> null;
          case HandedOver h -> null;
          case Cause c -> null;
          case BrokenContract b -> null;
          case LapsedLease l -> null;
        };
    return Objects.requireNonNull(result, "a claim of the slot without a result");
  }

  private static final String INSERT_ATTEMPT =
      """
      INSERT INTO onejob.attempt (
        id, job_id, owner, number, provider, cause, unqualified, provider_key, started_at, state,
        job_version, node, lease_token, lease_until)
      SELECT
        :id, j.id, j.owner, :number, :provider, :cause, :unqualified::text,
        'oj_' || encode(sha256(convert_to(concat_ws(
          E'\\n', 'onejob-provider-key-v1', j.owner, j.key, :provider, :number), 'UTF8')), 'hex'),
        :now, 'starting',
        :job_version, :node, :lease_token,
        :now::timestamptz + :lease_ms * interval '1 millisecond'
      FROM onejob.job AS j
      WHERE j.id = :job
      """;

  /** Not of one that was opened only after the look. */
  private static final String TRY_CIRCUIT =
      """
      UPDATE onejob.circuit SET trial_attempt = :id
      WHERE provider = :provider AND opened_at IS NOT NULL AND open_until <= clock_timestamp()
      """;

  private void insertAttempt(AttemptStanding attempt, List<Objection> objections)
      throws SQLException {
    if (!(request.details() instanceof Departure departure)
        || !(request.event() instanceof JobEvent.Start start)) {
      throw new IllegalStateException("a fresh attempt without a departure: " + request.event());
    }
    one(
        INSERT_ATTEMPT,
        new Params()
            .set("id", attempt.id().uuid())
            .set("job", request.job().uuid())
            .set("number", attempt.number())
            .set("provider", attempt.provider())
            .set("cause", start.cause().word())
            .set("unqualified", objections.isEmpty() ? null : word(objections.getFirst()))
            .set("now", now)
            .set("job_version", attempt.jobVersion())
            .set("node", departure.node())
            .set("lease_token", departure.leaseToken())
            .set("lease_ms", departure.leaseMillis()));
    Ways.Way way = ways.providers().get(attempt.provider());
    if (start.cause() != StartCause.BUTTON && way != null && way.circuit() != null) { // its trial
      Params trial =
          new Params().set("id", attempt.id().uuid()).set("provider", attempt.provider());
      try (PreparedStatement statement = Sql.prepare(connection, TRY_CIRCUIT, trial)) {
        statement.executeUpdate();
      }
    }
  }

  private static String word(Objection objection) {
    return objection.reason().word();
  }

  private static final String UPDATE_ATTEMPT =
      """
      UPDATE onejob.attempt SET
        state = :state,
        job_version = :job_version,
        ending = :ending,
        accepted_at =
          CASE WHEN :state = 'running' THEN coalesce(accepted_at, :now) ELSE accepted_at END,
        unknown_at =
          CASE WHEN :state = 'unknown' AND state <> 'unknown' THEN :now ELSE unknown_at END,
        ended_at = CASE WHEN :ended THEN :now::timestamptz END,
        lease_token = CASE WHEN :leased THEN coalesce(lease_token, :lease_token) END,
        lease_until =
          CASE WHEN :leased THEN
            coalesce(lease_until, :now::timestamptz + :lease_ms * interval '1 millisecond') END,
        provider_ref = coalesce(provider_ref, :provider_ref),
        race_at =
          CASE WHEN :state = 'running' AND race_at IS NULL
            THEN started_at + :race_after_ms::bigint * interval '1 millisecond'
            ELSE race_at END,
        failure_code =
          CASE WHEN :carried THEN failure_code ELSE :failure_code::text END,
        failure_message =
          CASE WHEN :carried THEN failure_message ELSE :failure_message::text END,
        report_outcome = :report_outcome,
        report_digest = :report_digest,
        report_bytes = :report_bytes,
        lost_to = :lost_to,
        cost = :cost
      WHERE id = :id AND ended_at IS NULL
      """;

  private void updateAttempt(JobStanding job, AttemptStanding attempt, Answer answer)
      throws SQLException {
    boolean subject = Events.attempt(request.event()).filter(attempt.id()::equals).isPresent();
    AttemptState state = attempt.state();
    boolean leased = state == AttemptState.STARTING || state == AttemptState.RUNNING;
    Report report = attempt.report();
    Acceptance acceptance = request.details() instanceof Acceptance a ? a : null;
    Failure failure = answer instanceof Answer.Lost ? null : failure();
    one(
        UPDATE_ATTEMPT,
        new Params()
            .set("id", attempt.id().uuid())
            .set("state", state.word())
            .set("job_version", attempt.jobVersion())
            .set("ending", attempt.ending() == null ? null : attempt.ending().word())
            .set("now", now)
            .set("ended", !state.live())
            .set("leased", leased)
            .set("lease_token", acceptance == null ? null : acceptance.leaseToken())
            .set("lease_ms", acceptance == null ? 0L : acceptance.leaseMillis())
            .set("provider_ref", acceptance == null ? null : Texts.ref(acceptance.providerRef()))
            .set("race_after_ms", job.raceAfter() == null ? null : job.raceAfter().toMillis())
            .set("carried", !subject || isStillRunning())
            .set("failure_code", failure == null ? null : Texts.code(failure.code()))
            .set("failure_message", failure == null ? null : Texts.message(failure.message()))
            .set("report_outcome", report == null ? null : outcome(report))
            .set("report_digest", report == null ? null : report.digest())
            .set("report_bytes", report == null ? null : report.bytes())
            .set("lost_to", answer instanceof Answer.Lost lost ? lost.winner().uuid() : null)
            .set("cost", subject ? Texts.cut(cost()) : null));
  }

  private @Nullable String cost() {
    return switch (request.details()) {
      case Payload payload -> payload.cost();
      case Cause cause -> cause.cost();
      case BrokenContract broken -> broken.cost();
      case LapsedLease l -> null;
      case Decided d -> null;
      case ByItself b -> null;
      case Parked p -> null;
      case Departure d -> null;
      case Acceptance a -> null;
      case HandedOver h -> null;
      case null -> null;
    };
  }

  private boolean isStillRunning() {
    return request.event() instanceof JobEvent.Resolve e && e.verdict() == Verdict.STILL_RUNNING;
  }

  private @Nullable Failure failure() {
    return switch (request.details()) {
      case Cause cause -> cause.failure();
      case BrokenContract broken -> broken.failure();
      case LapsedLease lease -> lease.failure();
      case Decided decided -> decidedFailure(decided);
      case ByItself byItself -> decidedFailure(byItself.decided());
      case Parked parked -> decidedFailure(parked.decided());
      case Payload p -> null;
      case Departure d -> null;
      case Acceptance a -> null;
      case HandedOver h -> null;
      case null -> null;
    };
  }

  private @Nullable Failure decidedFailure(Decided decided) {
    return request.event() instanceof JobEvent.Resolve
        ? new Failure(decided.verdict().replace('_', '-'), decided.reason())
        : null;
  }

  private static String outcome(Report report) {
    return report.outcome().name().toLowerCase(Locale.ROOT);
  }

  private static @Nullable String word(@Nullable WaitingFor waitingFor) {
    return waitingFor == null ? null : waitingFor.word();
  }

  private static @Nullable UUID uuid(@Nullable AttemptId id) {
    return id == null ? null : id.uuid();
  }

  private void writeBeside(Lifecycle.Move move, Life before, Life after) throws SQLException {
    Answer answer = move.answer();
    if (answer instanceof Answer.Moved && !move.objections().isEmpty()) {
      Skips.keep(connection, request.job(), move.objections(), now);
    }
    Beside beside = new Beside(connection, request);
    if (!request.evident()) {
      beside.lateAnswer(before, after);
    }
    switch (answer) {
      case Answer.Recorded recorded -> beside.evidence(after, recorded);
      case Answer.Moved m -> beside.breach();
      case Answer.Lost l -> {}
      case Answer.Started s -> {}
      case Answer.StartRefused s -> {}
      case Answer.Repeated r -> beside.providerRef();
      case Answer.NotAllowed n -> {}
      case Answer.Changed c -> {}
    }
  }

  private void one(String text, Params params) throws SQLException {
    try (PreparedStatement statement = Sql.prepare(connection, text, params)) {
      int rows = statement.executeUpdate();
      if (rows != 1) {
        throw new IllegalStateException(
            "%d rows instead of one for %s of %s".formatted(rows, request.event(), request.job()));
      }
    }
  }
}
