package dev.onejob.store;

import dev.onejob.domain.QualificationRun;
import dev.onejob.domain.QualificationRun.State;
import dev.onejob.domain.QualificationRun.Subject;
import dev.onejob.domain.RunId;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.OffsetDateTime;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * The runs of qualifications. No run is held by anybody: each statement says from which state it
 * moves a run, and whoever finds none of its rows looks again.
 */
public final class QualificationRuns {
  private final Sql sql;

  public QualificationRuns(DataSource database) {
    this.sql = new Sql(database);
  }

  /**
   * A run to be.
   *
   * @param asked questions in all
   */
  public record NewRun(RunId id, Subject subject, String requestedBy, int asked) {}

  private static final String OPEN =
      """
      SELECT r.id, r.contract_hash, r.binding
      FROM onejob.qualification_run AS r
      WHERE r.kind = :kind AND r.provider = :provider AND r.ended_at IS NULL
      FOR NO KEY UPDATE
      """;

  private static final String CARRY_ON =
      """
      UPDATE onejob.qualification_run SET state = 'running'
      WHERE id = :id AND ended_at IS NULL
      RETURNING id
      """;

  private static final String OUTDATE =
      """
      UPDATE onejob.qualification_run SET state = 'outdated', ended_at = clock_timestamp()
      WHERE id = :id AND ended_at IS NULL
      RETURNING id
      """;

  private static final String INSERT =
      """
      INSERT INTO onejob.qualification_run (
        id, kind, provider, contract_hash, binding, requested_by, state, asked, created_at)
      VALUES (
        :id, :kind, :provider, :contract_hash, :binding, :requested_by, 'running', :asked,
        clock_timestamp())
      ON CONFLICT (kind, provider) WHERE ended_at IS NULL DO NOTHING
      RETURNING id
      """;

  /**
   * Opens a run, or carries on the one that is open if it is about the very same; one about
   * anything else is outdated by this.
   */
  public RunId open(NewRun run) {
    Optional<RunId> opened = Optional.empty();
    while (opened.isEmpty()) { // empty: somebody else has just opened one; it is found next
      opened = sql.transaction(connection -> open(connection, run));
    }
    return opened.get();
  }

  private record Found(RunId id, Subject subject) {}

  private static Optional<RunId> open(Connection connection, NewRun run) throws SQLException {
    Subject subject = run.subject();
    Params of = new Params().set("kind", subject.kind()).set("provider", subject.provider());
    List<Found> found = Sql.query(connection, OPEN, of, row -> found(row, subject));
    for (Found open : found) {
      Params id = new Params().set("id", open.id().uuid());
      if (open.subject().equals(subject)) {
        return Sql.query(connection, CARRY_ON, id, QualificationRuns::id).stream().findFirst();
      }
      Sql.query(connection, OUTDATE, id, QualificationRuns::id);
    }
    Params fresh =
        of.set("id", run.id().uuid())
            .set("contract_hash", subject.contractHash())
            .set("binding", subject.binding())
            .set("requested_by", run.requestedBy())
            .set("asked", run.asked());
    return Sql.query(connection, INSERT, fresh, QualificationRuns::id).stream().findFirst();
  }

  private static Found found(ResultSet row, Subject asked) throws SQLException {
    return new Found(
        id(row),
        new Subject(
            asked.kind(),
            asked.provider(),
            Rows.text(row, "contract_hash"),
            Rows.text(row, "binding")));
  }

  private static RunId id(ResultSet row) throws SQLException {
    return new RunId(Rows.uuid(row, "id"));
  }

  private static final String RUNNING =
      """
      SELECT
        r.id, r.kind, r.provider, r.contract_hash, r.binding, r.requested_by, r.state, r.asked,
        r.answered, r.created_at, r.ended_at, NULL AS report, NULL AS transcript
      FROM unnest(
          :kinds::text[], :providers::text[], :contract_hashes::text[], :bindings::text[])
        AS w (kind, provider, contract_hash, binding)
      JOIN onejob.qualification_run AS r
        ON r.kind = w.kind AND r.provider = w.provider
        AND r.contract_hash = w.contract_hash AND r.binding = w.binding
      WHERE r.ended_at IS NULL AND r.state = 'running'
      ORDER BY r.created_at, r.id
      """;

  /**
   * The runs that are to be carried on, oldest first; at most one of each subject, as only one is
   * open. Those about anything else are left to the nodes that have it.
   */
  public List<QualificationRun> running(Collection<Subject> subjects) {
    List<Subject> wanted = List.copyOf(subjects);
    Params params =
        new Params()
            .column("kinds", "text", wanted, Subject::kind)
            .column("providers", "text", wanted, Subject::provider)
            .column("contract_hashes", "text", wanted, Subject::contractHash)
            .column("bindings", "text", wanted, Subject::binding);
    return sql.alone(connection -> Sql.query(connection, RUNNING, params, QualificationRuns::run));
  }

  private static final String LIST =
      """
      SELECT
        r.id, r.kind, r.provider, r.contract_hash, r.binding, r.requested_by, r.state, r.asked,
        r.answered, r.created_at, r.ended_at, NULL AS report, NULL AS transcript
      FROM onejob.qualification_run AS r
      WHERE (:kind::text IS NULL OR r.kind = :kind)
        AND (:provider::text IS NULL OR r.provider = :provider)
      ORDER BY r.created_at DESC, r.id DESC
      LIMIT :limit
      """;

  /**
   * Runs, newest first, without reports and transcripts.
   *
   * @param kind null: of every kind
   * @param provider null: of every provider
   */
  public List<QualificationRun> list(@Nullable String kind, @Nullable String provider, int limit) {
    Params params = new Params().set("kind", kind).set("provider", provider).set("limit", limit);
    return sql.alone(connection -> Sql.query(connection, LIST, params, QualificationRuns::run));
  }

  private static final String READ =
      """
      SELECT
        r.id, r.kind, r.provider, r.contract_hash, r.binding, r.requested_by, r.state, r.asked,
        r.answered, r.created_at, r.ended_at, r.report, r.transcript
      FROM onejob.qualification_run AS r
      WHERE r.id = :id
      """;

  /** One run, whole. */
  public Optional<QualificationRun> run(RunId id) {
    Params params = new Params().set("id", id.uuid());
    return sql
        .alone(connection -> Sql.query(connection, READ, params, QualificationRuns::run))
        .stream()
        .findFirst();
  }

  private static final String LAST_ENDED =
      """
      SELECT
        r.id, r.kind, r.provider, r.contract_hash, r.binding, r.requested_by, r.state, r.asked,
        r.answered, r.created_at, r.ended_at, r.report, r.transcript
      FROM onejob.qualification_run AS r
      WHERE r.kind = :kind AND r.provider = :provider AND r.contract_hash = :contract_hash
        AND r.state IN ('passed', 'failed')
      ORDER BY r.created_at DESC
      LIMIT 1
      """;

  /** The last run of a provider that came to its end under a contract. */
  public Optional<QualificationRun> last(String kind, String provider, String contractHash) {
    Params params =
        new Params().set("kind", kind).set("provider", provider).set("contract_hash", contractHash);
    return sql
        .alone(connection -> Sql.query(connection, LAST_ENDED, params, QualificationRuns::run))
        .stream()
        .findFirst();
  }

  private static final String PROGRESS =
      """
      UPDATE onejob.qualification_run SET answered = :answered
      WHERE id = :id AND state = 'running' AND answered < :answered
      RETURNING id
      """;

  /** Notes how far a run has come; it never goes back. */
  public void progress(RunId id, int answered) {
    Params params = new Params().set("id", id.uuid()).set("answered", answered);
    sql.alone(connection -> Sql.query(connection, PROGRESS, params, QualificationRuns::id));
  }

  private static final String STOP =
      """
      UPDATE onejob.qualification_run SET state = 'stopped'
      WHERE id = :id AND state = 'running'
      RETURNING id
      """;

  /** Stops a run, to be carried on later. False: it was not running. */
  public Stopped stop(RunId id) {
    Params params = new Params().set("id", id.uuid());
    return sql.alone(connection -> Sql.query(connection, STOP, params, QualificationRuns::id))
            .isEmpty()
        ? Stopped.WAS_NOT_RUNNING
        : Stopped.NOW;
  }

  /** What came of a stop. */
  public enum Stopped {
    NOW,
    WAS_NOT_RUNNING
  }

  /** Ends a run that is about what is no more. */
  public void outdate(RunId id) {
    Params params = new Params().set("id", id.uuid());
    sql.alone(connection -> Sql.query(connection, OUTDATE, params, QualificationRuns::id));
  }

  private static final String FINISH =
      """
      UPDATE onejob.qualification_run SET
        state = :state, answered = asked, report = :report, transcript = :transcript,
        ended_at = clock_timestamp()
      WHERE id = :id AND state = 'running'
      RETURNING id
      """;

  /**
   * A run that was judged.
   *
   * @param state passed, failed or inconclusive
   * @param report what the checks say, as JSON
   * @param transcript every question with its answer, as JSON
   */
  public record Judged(RunId id, State state, String report, String transcript) {}

  /** Ends a run in a transaction of the caller's. False: it was not running any more. */
  static boolean finish(Connection connection, Judged judged) throws SQLException {
    Params params =
        new Params()
            .set("id", judged.id().uuid())
            .set("state", judged.state().word())
            .set("report", judged.report())
            .set("transcript", judged.transcript());
    return !Sql.query(connection, FINISH, params, QualificationRuns::id).isEmpty();
  }

  private static QualificationRun run(ResultSet row) throws SQLException {
    OffsetDateTime ended = row.getObject("ended_at", OffsetDateTime.class);
    return new QualificationRun(
        id(row),
        new Subject(
            Rows.text(row, "kind"),
            Rows.text(row, "provider"),
            Rows.text(row, "contract_hash"),
            Rows.text(row, "binding")),
        Rows.text(row, "requested_by"),
        State.of(Rows.text(row, "state")),
        row.getInt("asked"),
        row.getInt("answered"),
        Rows.instant(row, "created_at"),
        ended == null ? null : ended.toInstant(),
        row.getString("report"),
        row.getString("transcript"));
  }
}
