package dev.onejob.store;

import dev.onejob.domain.Answer;
import dev.onejob.domain.AttemptId;
import dev.onejob.domain.AttemptStanding;
import dev.onejob.domain.AttemptState;
import dev.onejob.domain.Demand;
import dev.onejob.domain.Failure;
import dev.onejob.domain.JobEvent;
import dev.onejob.domain.JobId;
import dev.onejob.domain.Owner;
import dev.onejob.domain.Report;
import dev.onejob.domain.WorkerLease;
import dev.onejob.store.Moves.Made;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * What workers say of the attempts in their hands, under the token of the lease. Behind the lock of
 * the job, by the database clock.
 */
public final class WorkerLeases {
  private final Sql sql;
  private final MoveTransactions transactions;
  private final Survey survey;

  /**
   * Makes one.
   *
   * @param demands as with {@link Moves}
   * @param told as with {@link Moves}
   */
  public WorkerLeases(DataSource database, Map<String, Demand> demands, Consumer<Made> told) {
    this.sql = new Sql(database);
    this.survey = new Survey(demands, Survey.Starting.CALLS);
    this.transactions = new MoveTransactions(database, told);
  }

  /**
   * What must be known of an attempt before its worker is heard.
   *
   * @param contracted whether the kind had a contract when the job was admitted
   */
  public record Known(
      JobId job, Owner owner, String kind, boolean contracted, String provider, int number) {}

  private static final String KNOWN =
      """
      SELECT a.job_id, j.owner, j.kind, j.contracted, a.provider, a.number
      FROM onejob.attempt AS a
      JOIN onejob.job AS j ON j.id = a.job_id
      WHERE a.id = :attempt
      """;

  /** Reads it; empty if there is no such attempt. */
  public Optional<Known> find(AttemptId attempt) {
    Params params = new Params().set("attempt", attempt.uuid());
    return sql
        .alone(
            connection ->
                Sql.query(
                    connection,
                    KNOWN,
                    params,
                    row ->
                        new Known(
                            Rows.jobId(row, "job_id"),
                            new Owner(Rows.text(row, "owner")),
                            Rows.text(row, "kind"),
                            row.getBoolean("contracted"),
                            Rows.text(row, "provider"),
                            row.getInt("number"))))
        .stream()
        .findFirst();
  }

  /** Whose word it was. */
  public enum Grip {
    /** The lease holds, or the same was said before, while it held. */
    HELD,
    /** The lease was this worker's, and is lost. */
    LOST,
    /** The token was never the one of this attempt. */
    FOREIGN
  }

  /**
   * What came of a word.
   *
   * @param lease as it is now; null unless held and live
   * @param answer null where the word was not taken at all
   * @param state of the attempt afterwards
   * @param lostTo the winner, if the attempt was lost
   */
  public record Heard(
      Grip grip,
      @Nullable WorkerLease lease,
      @Nullable Answer answer,
      AttemptState state,
      @Nullable AttemptId lostTo) {}

  private static final String LOCK =
      """
      SELECT set_config('lock_timeout', '2s', true)
      ;
      SELECT j.id
      FROM onejob.job AS j
      WHERE j.id = :job
      FOR NO KEY UPDATE
      """;

  /** The worker is alive. */
  public Heard renew(JobId job, AttemptId attempt, UUID token) {
    return sql.transaction(
        connection -> {
          Params params = new Params().set("job", job.uuid());
          Sql.query(connection, LOCK, params, row -> Rows.uuid(row, "id"));
          return renewed(connection, attempt, token, null);
        });
  }

  /**
   * The worker is about to act. Renews the lease as well.
   *
   * @param providerRef an id of the work that the worker wants kept
   */
  public Heard accept(JobId job, AttemptId attempt, UUID token, @Nullable String providerRef) {
    return transactions.run(
        (connection, told) -> {
          Lives.Locked locked = Lives.lock(connection, List.of(job), List.of());
          Hold hold = hold(connection, attempt, token);
          if (hold.grip != Grip.HELD) {
            return hold.unheard();
          }
          MoveRequest request =
              new MoveRequest(
                  job,
                  new JobEvent.Accepted(attempt),
                  new MoveRequest.Acceptance(providerRef, token, hold.leaseMillis));
          Made made = Moves.moveOne(connection, request, locked, survey).orElseThrow();
          told.accept(made);
          return renewed(connection, attempt, token, made.answer());
        });
  }

  private static final String RENEW =
      """
      UPDATE onejob.attempt AS a SET
        lease_until =
          least(clock_timestamp() + a.lease_ms * interval '1 millisecond', a.timeout_at)
      FROM onejob.job AS j
      WHERE a.id = :attempt
        AND j.id = a.job_id
        AND a.claim_token = :token
        AND a.lease_token = :token
        AND a.lease_until > clock_timestamp()
      RETURNING
        a.lease_until,
        1000 * extract(epoch FROM a.lease_until - clock_timestamp()) AS left_ms,
        j.cancel_requested_at IS NOT NULL AS cancel_requested,
        j.completed_by IS NOT NULL AS result_there
      """;

  private static Heard renewed(
      Connection connection, AttemptId attempt, UUID token, @Nullable Answer answer)
      throws SQLException {
    Params params = new Params().set("attempt", attempt.uuid()).set("token", token);
    WorkerLease lease =
        Sql.query(connection, RENEW, params, WorkerLeases::lease).stream().findFirst().orElse(null);
    Hold hold = hold(connection, attempt, token);
    return lease == null
        ? hold.unheard()
        : new Heard(Grip.HELD, lease, answer, hold.state, hold.lostTo);
  }

  private static WorkerLease lease(ResultSet row) throws SQLException {
    return new WorkerLease(
        Rows.instant(row, "lease_until"),
        Duration.ofMillis(row.getLong("left_ms")),
        row.getBoolean("cancel_requested"),
        row.getBoolean("result_there"));
  }

  /**
   * The worker's last word. Under a lost lease it is a late answer, and goes to the same guards; a
   * word that was said before changes nothing and is answered as it was then.
   *
   * @param request a finish, failure, stop or doubt of this attempt
   */
  public Heard settle(UUID token, MoveRequest request) {
    AttemptId attempt = Events.attempt(request.event()).orElseThrow();
    return transactions.run(
        (connection, told) -> {
          Lives.Locked locked = Lives.lock(connection, List.of(request.job()), List.of());
          Hold hold = hold(connection, attempt, token);
          return switch (hold.grip) {
            case FOREIGN -> hold.unheard();
            case HELD -> settled(connection, token, request, locked, Grip.HELD, told);
            case LOST ->
                saidBefore(request, locked, hold)
                    ? repeated(connection, request, hold)
                    : late(connection, token, request, locked, told);
          };
        });
  }

  private Heard settled(
      Connection connection,
      UUID token,
      MoveRequest request,
      Lives.Locked locked,
      Grip grip,
      Consumer<Made> told)
      throws SQLException {
    Made made = Moves.moveOne(connection, request.asEvident(), locked, survey).orElseThrow();
    told.accept(made);
    Hold after = hold(connection, Events.attempt(request.event()).orElseThrow(), token);
    return new Heard(grip, null, made.answer(), after.state, after.lostTo);
  }

  private static boolean saidBefore(MoveRequest request, Lives.Locked locked, Hold hold) {
    Report report = Beside.report(request.event());
    if (report == null) {
      return request.details() instanceof MoveRequest.Cause cause
          && hold.state == AttemptState.UNKNOWN
          && hold.failure != null
          && hold.failure.code().equals(Texts.code(cause.failure().code()))
          && hold.failure.message().equals(Texts.message(cause.failure().message()));
    }
    AttemptId attempt = Events.attempt(request.event()).orElseThrow();
    return Optional.ofNullable(locked.lives().get(request.job()))
        .flatMap(life -> life.attempt(attempt))
        .map(AttemptStanding::report)
        .filter(report::equals)
        .isPresent();
  }

  private static final String SAID_LATE =
      """
      SELECT e.id
      FROM onejob.evidence AS e
      WHERE e.job_id = :job
        AND e.attempt_id = :attempt
        AND e.source = 'lost_lease'
        AND e.digest = :digest
      """;

  private static Heard repeated(Connection connection, MoveRequest request, Hold hold)
      throws SQLException {
    Answer answer = hold.lostTo == null ? new Answer.Repeated() : new Answer.Lost(hold.lostTo);
    boolean late =
        !Sql.query(connection, SAID_LATE, evidence(request), row -> row.getLong("id")).isEmpty();
    return new Heard(late ? Grip.LOST : Grip.HELD, null, answer, hold.state, hold.lostTo);
  }

  private static final String LATE_EVIDENCE =
      """
      INSERT INTO onejob.evidence
        (job_id, attempt_id, owner, source, strength, says, digest, bytes)
      SELECT j.id, :attempt, j.owner, 'lost_lease', 'proof', :says, :digest, :bytes
      FROM onejob.job AS j
      WHERE j.id = :job
      """;

  /** A report about an attempt that has ended is kept as evidence by the move itself. */
  private Heard late(
      Connection connection,
      UUID token,
      MoveRequest request,
      Lives.Locked locked,
      Consumer<Made> told)
      throws SQLException {
    Heard heard = settled(connection, token, request, locked, Grip.LOST, told);
    if (!(heard.answer() instanceof Answer.Recorded)
        && !(request.event() instanceof JobEvent.Doubt)) {
      try (PreparedStatement statement =
          Sql.prepare(connection, LATE_EVIDENCE, evidence(request))) {
        statement.executeUpdate();
      }
    }
    return heard;
  }

  private static Params evidence(MoveRequest request) {
    Report report = Beside.report(request.event());
    return new Params()
        .set("job", request.job().uuid())
        .set("attempt", Events.attempt(request.event()).orElseThrow().uuid())
        .set("says", Beside.said(request.event()) + ", reported under a lost lease")
        .set("digest", report == null ? "" : report.digest())
        .set("bytes", report == null ? 0L : report.bytes());
  }

  /** How the attempt stands to a token. */
  private record Hold(
      Grip grip,
      AttemptState state,
      @Nullable AttemptId lostTo,
      @Nullable Failure failure,
      long leaseMillis) {
    Heard unheard() {
      return new Heard(grip, null, null, state, lostTo);
    }
  }

  private static final String HOLD =
      """
      SELECT
        a.state,
        coalesce(a.claim_token = :token, false) AS given,
        coalesce(a.lease_token = :token AND a.lease_until > clock_timestamp(), false) AS held,
        coalesce(a.lease_ms, 0) AS lease_ms,
        a.lost_to, a.failure_code, a.failure_message
      FROM onejob.attempt AS a
      WHERE a.id = :attempt
      """;

  private static Hold hold(Connection connection, AttemptId attempt, UUID token)
      throws SQLException {
    Params params = new Params().set("attempt", attempt.uuid()).set("token", token);
    return Sql.query(connection, HOLD, params, WorkerLeases::holdRow).getFirst();
  }

  private static Hold holdRow(ResultSet row) throws SQLException {
    Grip lost = row.getBoolean("given") ? Grip.LOST : Grip.FOREIGN;
    return new Hold(
        row.getBoolean("given") && row.getBoolean("held") ? Grip.HELD : lost,
        AttemptState.of(Rows.text(row, "state")),
        Rows.attemptIdOrNull(row, "lost_to"),
        Rows.failureOrNull(row),
        row.getLong("lease_ms"));
  }
}
