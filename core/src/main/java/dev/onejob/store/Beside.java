package dev.onejob.store;

import dev.onejob.domain.Answer;
import dev.onejob.domain.AttemptId;
import dev.onejob.domain.AttemptStanding;
import dev.onejob.domain.AttemptState;
import dev.onejob.domain.JobEvent;
import dev.onejob.domain.Life;
import dev.onejob.domain.Report;
import dev.onejob.domain.Strength;
import dev.onejob.store.MoveRequest.Acceptance;
import dev.onejob.store.MoveRequest.Decided;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** What a move leaves beside the states: decisions, evidence, the provider's id of the work. */
final class Beside {
  private final Connection connection;
  private final MoveRequest request;

  Beside(Connection connection, MoveRequest request) {
    this.connection = connection;
    this.request = request;
  }

  private static final String RESOLUTION =
      """
      INSERT INTO onejob.resolution (
        job_id, attempt_id, owner, verdict, then_do, reason, decided_by, was_state, was_since,
        was_failure_code, was_failure_message, evidence_ids)
      SELECT
        j.id, a.id, j.owner, :verdict, :then_do, :reason, :decided_by,
        CASE WHEN a.id IS NULL THEN j.state ELSE a.state END,
        CASE WHEN a.id IS NULL THEN j.ended_at
             WHEN a.state = 'unknown' THEN a.unknown_at
             ELSE a.started_at END,
        CASE WHEN a.id IS NULL THEN j.failure_code ELSE a.failure_code END,
        CASE WHEN a.id IS NULL THEN j.failure_message ELSE a.failure_message END,
        ARRAY(
          SELECT e.id
          FROM onejob.evidence AS e
          WHERE e.job_id = j.id AND (a.id IS NULL OR e.attempt_id = a.id)
          ORDER BY e.id)
      FROM onejob.job AS j
      LEFT JOIN onejob.attempt AS a ON a.job_id = j.id AND a.id = :attempt::uuid
      WHERE j.id = :job
      """;

  /** Keeps a decision, with what is known at this moment: to be called before anything changes. */
  void resolution(Decided decided) throws SQLException {
    UUID attempt = Events.attempt(request.event()).map(AttemptId::uuid).orElse(null);
    execute(
        RESOLUTION,
        new Params()
            .set("job", request.job().uuid())
            .set("attempt", attempt)
            .set("verdict", decided.verdict())
            .set("then_do", decided.then() == null ? null : decided.then().word())
            .set("reason", decided.reason())
            .set("decided_by", decided.decidedBy()));
  }

  private static final String EVIDENCE =
      """
      INSERT INTO onejob.evidence
        (job_id, attempt_id, owner, source, strength, says, digest, bytes)
      SELECT j.id, :attempt, j.owner, :source, :strength, :says, :digest, :bytes
      FROM onejob.job AS j
      WHERE j.id = :job
      """;

  /** Keeps what an attempt said of its first sending, when the request was sent again since. */
  void notBelieved() throws SQLException {
    Report report = report(request.event());
    execute(
        EVIDENCE,
        new Params()
            .set("job", request.job().uuid())
            .set("source", request.source().word())
            .set("strength", Strength.HINT.word())
            .set("attempt", Events.attempt(request.event()).orElseThrow().uuid())
            .set("says", said(request.event()) + ", of the first sending; it was sent again since")
            .set("digest", report == null ? "" : report.digest())
            .set("bytes", report == null ? 0L : report.bytes()));
  }

  /** Keeps what a report about an ended attempt said: digest and size, never the payload. */
  void evidence(Life life, Answer.Recorded recorded) throws SQLException {
    if (request.event() instanceof JobEvent.Doubt) {
      return; // that nothing is known about an ended attempt is no news
    }
    execute(EVIDENCE, afterTheEnd(life).set("says", saysAfterTheEnd(life, recorded.contest())));
  }

  private Params afterTheEnd(Life life) {
    Report report = report(request.event());
    return new Params()
        .set("job", request.job().uuid())
        .set("attempt", ended(life).id().uuid())
        .set("source", request.source().word())
        .set("strength", Strength.PROOF.word())
        .set("digest", report == null ? "" : report.digest())
        .set("bytes", report == null ? 0L : report.bytes());
  }

  private String saysAfterTheEnd(Life life, Answer.Contest contest) {
    String suffix = contest == Answer.Contest.CONTESTED ? "; the job is contested" : "";
    return said(request.event()) + ", ended as " + ended(life).state().word() + suffix;
  }

  private AttemptStanding ended(Life life) {
    return life.attempt(Events.attempt(request.event()).orElseThrow()).orElseThrow();
  }

  private static final String EVIDENCE_AGAIN =
      """
      UPDATE onejob.evidence SET times = times + 1, last_at = clock_timestamp()
      WHERE id = (
        SELECT min(e.id)
        FROM onejob.evidence AS e
        WHERE e.job_id = :job
          AND e.attempt_id = :attempt
          AND e.source IN ('late_answer', 'callback')
          AND e.digest = :digest
          AND e.says IN (:says, :says_contested))
      RETURNING says
      """;

  /**
   * What a report about an ended attempt was answered with when it was made first: it is counted
   * then, and is no news, whichever way it comes. Empty if it was not made before. To be asked
   * behind the job's lock.
   */
  Optional<Answer> recordedBefore(Life life) throws SQLException {
    if (request.event() instanceof JobEvent.Doubt) {
      return Optional.empty();
    }
    String contested = saysAfterTheEnd(life, Answer.Contest.CONTESTED);
    Params params =
        afterTheEnd(life)
            .set("says", saysAfterTheEnd(life, Answer.Contest.NONE))
            .set("says_contested", contested);
    return Sql.query(connection, EVIDENCE_AGAIN, params, row -> Rows.text(row, "says")).stream()
        .<Answer>map(
            says ->
                new Answer.Recorded(
                    says.equals(contested) ? Answer.Contest.CONTESTED : Answer.Contest.NONE))
        .findFirst();
  }

  /** Keeps that an attempt in doubt ended the doubt by its own report. */
  void lateAnswer(Life before, Life after) throws SQLException {
    Report report = ownReport(request.event());
    AttemptId id = Events.attempt(request.event()).orElse(null);
    if (report == null || id == null || stateOf(before, id) != AttemptState.UNKNOWN) {
      return;
    }
    execute(
        EVIDENCE,
        new Params()
            .set("job", request.job().uuid())
            .set("attempt", id.uuid())
            .set("source", request.source().word())
            .set("strength", Strength.PROOF.word())
            .set(
                "says",
                said(request.event()) + ", while in doubt; now " + stateOf(after, id).word())
            .set("digest", report.digest())
            .set("bytes", report.bytes()));
  }

  private static AttemptState stateOf(Life life, AttemptId id) {
    return life.attempt(id).orElseThrow().state();
  }

  private static @Nullable Report ownReport(JobEvent event) {
    return event instanceof JobEvent.ResolveDone ? null : report(event);
  }

  static String said(JobEvent event) {
    return switch (event) {
      case JobEvent.Accepted e -> "accepted";
      case JobEvent.Doubt e -> "in doubt";
      case JobEvent.Finish e -> "succeeded";
      case JobEvent.Fail e -> "failed: " + Texts.code(e.failure().code());
      case JobEvent.Breached e -> "broke the contract";
      case JobEvent.Stopped e -> "stopped";
      case JobEvent.Untaken e -> "untaken";
      case JobEvent.Start e -> "start";
      case JobEvent.Silence e -> "silence";
      case JobEvent.CancelRequest e -> "cancel";
      case JobEvent.Resolve e -> e.verdict().word();
      case JobEvent.ResolveDone e -> "done";
      case JobEvent.Acknowledge e -> "acknowledge";
      case JobEvent.Reopen e -> "reopen";
      case JobEvent.Reroute e -> "reroute";
      case JobEvent.DeadlineReached e -> "deadline";
    };
  }

  static @Nullable Report report(JobEvent event) {
    return switch (event) {
      case JobEvent.Finish e -> e.report();
      case JobEvent.Fail e -> e.report();
      case JobEvent.Breached e -> e.report();
      case JobEvent.Stopped e -> e.report();
      case JobEvent.Untaken e -> e.report();
      case JobEvent.ResolveDone e -> e.report();
      case JobEvent.Accepted e -> null;
      case JobEvent.Doubt e -> null;
      case JobEvent.Start e -> null;
      case JobEvent.Silence e -> null;
      case JobEvent.CancelRequest e -> null;
      case JobEvent.Resolve e -> null;
      case JobEvent.Acknowledge e -> null;
      case JobEvent.Reopen e -> null;
      case JobEvent.Reroute e -> null;
      case JobEvent.DeadlineReached e -> null;
    };
  }

  /** Keeps the answer that broke the contract, if that is how the attempt ended. */
  void breach() throws SQLException {
    if (request.event() instanceof JobEvent.Breached breached
        && request.details() instanceof MoveRequest.BrokenContract broken) {
      Breaches.keep(connection, request.job(), breached.attempt(), broken);
    }
  }

  private static final String PROVIDER_REF =
      """
      UPDATE onejob.attempt SET provider_ref = coalesce(provider_ref, :ref) WHERE id = :attempt
      """;

  /** Keeps the provider's id that came with a repeated acknowledgement. */
  void providerRef() throws SQLException {
    Optional<AttemptId> attempt = Events.attempt(request.event());
    if (request.details() instanceof Acceptance acceptance
        && acceptance.providerRef() != null
        && attempt.isPresent()) {
      execute(
          PROVIDER_REF,
          new Params()
              .set("ref", Texts.ref(acceptance.providerRef()))
              .set("attempt", attempt.get().uuid()));
    }
  }

  private void execute(String text, Params params) throws SQLException {
    try (PreparedStatement statement = Sql.prepare(connection, text, params)) {
      statement.executeUpdate();
    }
  }
}
