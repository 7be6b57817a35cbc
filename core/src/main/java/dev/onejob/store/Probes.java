package dev.onejob.store;

import dev.onejob.domain.AttemptId;
import dev.onejob.domain.AttemptStanding;
import dev.onejob.domain.Effect;
import dev.onejob.domain.JobId;
import dev.onejob.domain.Owner;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.UUID;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * When providers are asked about attempts in doubt, and who asks. Nothing here moves a job: what is
 * proved goes through {@link Moves}. Each text touches only rows of one table that it writes, and
 * waits for nobody but a move that follows from a question.
 */
public final class Probes {
  /** Different hints that are kept of one attempt; a provider that rambles on is only counted. */
  private static final int HINTS_MAX = 20;

  private final Sql sql;

  public Probes(DataSource database) {
    this.sql = new Sql(database);
  }

  /** How an attempt may be asked about. */
  public enum Way {
    /** By the provider's own id of the work, where it is on record. */
    BY_PROVIDER_ID,
    /** By our reference, which every request carries. */
    BY_REFERENCE,
    /** By sending the request again; only for jobs of effect {@code keyed} that are wanted. */
    BY_REPLAY
  }

  /**
   * Which attempts a node can ask about.
   *
   * @param kinds that the node knows
   * @param contracted the ones whose contracts it knows
   */
  public record Askable(
      String provider, List<String> kinds, List<String> contracted, Set<Way> ways) {
    Params params() {
      return new Params()
          .set("provider", provider)
          .column("kinds", "text", kinds, kind -> kind)
          .column("contracted", "text", contracted, kind -> kind)
          .set("by_provider_id", ways.contains(Way.BY_PROVIDER_ID))
          .set("by_reference", ways.contains(Way.BY_REFERENCE))
          .set("by_replay", ways.contains(Way.BY_REPLAY));
    }
  }

  /**
   * For how long the provider is asked.
   *
   * @param firstAfter from the doubt to the first question
   * @param within from the start of the attempt; after it nothing is asked
   */
  public record Span(Duration firstAfter, Duration within, Bound bound) {}

  /** Why the asking ends when it does. */
  public enum Bound {
    /** The provider may forget. */
    EVIDENCE_EXPIRES,
    /** The provider promises nothing about that; the setting says that it is enough. */
    ASKED_LONG_ENOUGH
  }

  private static final String SCHEDULE =
      """
      INSERT INTO onejob.probe (attempt_id, owner, probe_at, probe_before, bound, ended)
      SELECT
        a.id, a.owner,
        CASE WHEN s.probe_before > s.now
          THEN a.unknown_at + :first_ms * interval '1 millisecond' END,
        s.probe_before, :bound,
        CASE WHEN s.probe_before > s.now THEN NULL ELSE :bound END
      FROM onejob.attempt AS a
      JOIN onejob.job AS j ON j.id = a.job_id
      CROSS JOIN LATERAL (
        SELECT
          clock_timestamp() AS now,
          a.started_at + :within_ms * interval '1 millisecond' AS probe_before) AS s
      WHERE a.state = 'unknown'
        AND a.provider = :provider
        AND j.kind = ANY (:kinds::text[])
        AND (NOT j.contracted OR j.kind = ANY (:contracted::text[]))
        AND j.completed_by IS NULL
        AND (:by_reference
          OR (:by_provider_id AND a.provider_ref IS NOT NULL)
          OR (:by_replay AND j.effect = 'keyed'))
        AND (:only::uuid IS NULL OR a.id = :only)
        AND NOT EXISTS (SELECT FROM onejob.probe AS p WHERE p.attempt_id = a.id)
      ORDER BY a.id
      LIMIT :limit
      ON CONFLICT (attempt_id) DO NOTHING
      """;

  /** Finds attempts newly in doubt and sets their first questions. */
  public void schedule(Askable askable, Span span, int limit) {
    schedule(askable, span, null, limit);
  }

  /** Sets the first question about one attempt, if it is in doubt and has none set yet. */
  public void schedule(Askable askable, Span span, AttemptId attempt) {
    schedule(askable, span, attempt, 1);
  }

  private void schedule(Askable askable, Span span, @Nullable AttemptId only, int limit) {
    Params params =
        askable
            .params()
            .set("first_ms", span.firstAfter().toMillis())
            .set("within_ms", span.within().toMillis())
            .set("bound", word(span.bound()))
            .set("only", only == null ? null : only.uuid())
            .set("limit", limit);
    sql.alone(connection -> Sql.query(connection, SCHEDULE, params, row -> row));
  }

  /**
   * An attempt that this node may ask about, once.
   *
   * @param wanted whether no cancel was asked
   * @param number how often it has been asked about, this question included
   * @param watchToken the lease under which it is watched while it is found at work; null if it is
   *     in doubt
   */
  public record Claim(
      JobId job,
      AttemptStanding attempt,
      Owner owner,
      String kind,
      Effect effect,
      String providerKey,
      @Nullable String providerRef,
      boolean wanted,
      int number,
      @Nullable UUID watchToken) {}

  private static final String CLAIM =
      """
      WITH due AS (
        SELECT p.attempt_id
        FROM onejob.probe AS p
        JOIN onejob.attempt AS a ON a.id = p.attempt_id
        JOIN onejob.job AS j ON j.id = a.job_id
        WHERE p.probe_at <= statement_timestamp()
          AND coalesce(p.held_until <= clock_timestamp(), true)
          AND p.probe_before > clock_timestamp()
          AND (a.state = 'unknown' OR (a.state = 'running' AND a.lease_token = p.watch_token))
          AND a.provider = :provider
          AND j.kind = ANY (:kinds::text[])
          AND (NOT j.contracted OR j.kind = ANY (:contracted::text[]))
          AND j.completed_by IS NULL
          AND (:by_reference
            OR (:by_provider_id AND a.provider_ref IS NOT NULL)
            OR (:by_replay AND j.effect = 'keyed' AND j.cancel_requested_at IS NULL))
        ORDER BY p.probe_at
        LIMIT :limit
        FOR UPDATE OF p SKIP LOCKED
      )
      UPDATE onejob.probe AS p SET
        asked = p.asked + 1,
        probe_at = h.held_until,
        held_until = h.held_until
      FROM due AS d
      CROSS JOIN (
        SELECT clock_timestamp() + :hold_ms * interval '1 millisecond' AS held_until) AS h
      JOIN onejob.attempt AS a ON a.id = d.attempt_id
      JOIN onejob.job AS j ON j.id = a.job_id
      WHERE p.attempt_id = d.attempt_id
      RETURNING
        a.job_id, a.id, a.number, a.provider, a.state, a.job_version, a.started_at, a.ending,
        a.report_outcome, a.report_digest, a.report_bytes, a.owner, j.kind, j.effect,
        a.provider_key, a.provider_ref, p.asked, j.cancel_requested_at IS NULL AS wanted,
        CASE WHEN a.state = 'running' THEN p.watch_token END AS watch_token
      """;

  /**
   * Takes attempts whose time has come. Nobody else gets them until the hold is over, by the
   * database clock.
   */
  public List<Claim> claim(Askable askable, Duration hold, int limit) {
    Params params = askable.params().set("hold_ms", hold.toMillis()).set("limit", limit);
    return sql.alone(connection -> Sql.query(connection, CLAIM, params, Probes::claimed));
  }

  private static Claim claimed(ResultSet row) throws SQLException {
    return new Claim(
        Rows.jobId(row, "job_id"),
        Rows.attemptStanding(row),
        new Owner(Rows.text(row, "owner")),
        Rows.text(row, "kind"),
        Effect.of(Rows.text(row, "effect")),
        Rows.text(row, "provider_key"),
        row.getString("provider_ref"),
        row.getBoolean("wanted"),
        row.getInt("asked"),
        row.getObject("watch_token", UUID.class));
  }

  /** What was learned, and the next question, in one transaction; the count guards the latter. */
  private static final String LEARN =
      """
      UPDATE onejob.evidence SET times = times + 1, last_at = clock_timestamp()
      WHERE id = (
        SELECT min(e.id)
        FROM onejob.evidence AS e
        WHERE e.job_id = :job AND e.attempt_id = :attempt AND e.source = :source
          AND e.strength = :strength AND e.says = :says AND e.digest = :digest)
      ;
      INSERT INTO onejob.evidence
        (job_id, attempt_id, owner, source, strength, says, digest, bytes)
      SELECT a.job_id, a.id, a.owner, :source, :strength, :says, :digest, :bytes
      FROM onejob.attempt AS a
      WHERE a.id = :attempt
        AND NOT EXISTS (
          SELECT
          FROM onejob.evidence AS e
          WHERE e.job_id = :job AND e.attempt_id = :attempt AND e.source = :source
            AND e.strength = :strength AND e.says = :says AND e.digest = :digest)
        AND (:strength = 'proof' OR :hints_max > (
          SELECT count(*)
          FROM onejob.evidence AS e
          WHERE e.job_id = :job AND e.attempt_id = :attempt AND e.source = :source))
      ;
      UPDATE onejob.probe AS p SET
        watch_token = coalesce(:watch_token::uuid, p.watch_token),
        probe_at = n.probe_at,
        held_until = NULL,
        ended = CASE WHEN n.probe_at IS NULL THEN p.bound END
      FROM (
        SELECT
          q.attempt_id,
          CASE
            WHEN t.next_at < t.last_at THEN t.next_at
            WHEN t.now < t.last_at THEN t.last_at
          END AS probe_at
        FROM onejob.probe AS q
        CROSS JOIN LATERAL (
          SELECT
            clock_timestamp() AS now,
            least( -- a reason to look that came meanwhile is not forgotten
              clock_timestamp() + :next_ms * interval '1 millisecond',
              CASE WHEN q.woken_at > clock_timestamp() THEN q.woken_at END) AS next_at,
            q.probe_before - :last_ms * interval '1 millisecond' AS last_at) AS t
        WHERE q.attempt_id = :attempt) AS n
      WHERE p.attempt_id = n.attempt_id AND p.asked = :asked AND p.ended IS NULL
      RETURNING p.attempt_id
      """;

  /**
   * Keeps what a question brought and sets the next one, unless somebody else has asked since.
   *
   * @return whether nobody has, and the asking had not ended
   */
  public boolean learn(Claim claim, Learned learned) {
    Params params =
        new Params()
            .set("job", claim.job().uuid())
            .set("attempt", claim.attempt().id().uuid())
            .set("asked", claim.number())
            .set("source", learned.source())
            .set("strength", learned.strength().word())
            .set("says", Texts.message(learned.says()))
            .set("digest", learned.digest())
            .set("bytes", learned.bytes())
            .set("hints_max", HINTS_MAX)
            .set("next_ms", learned.next().toMillis())
            .set("last_ms", learned.last().toMillis())
            .set("watch_token", learned.watchToken());
    return !sql.alone(
            connection -> Sql.query(connection, LEARN, params, row -> Rows.uuid(row, "attempt_id")))
        .isEmpty();
  }

  /**
   * Puts on record that a claimed attempt's request leaves once more, under its own key.
   *
   * @return false: it must not leave, as the attempt is no longer in doubt, its job no longer
   *     wanted, or the claim no longer held
   */
  public boolean leave(Claim claim) {
    return sql.alone(connection -> Replays.leave(connection, claim));
  }

  private static final String ASKED =
      """
      SELECT p.asked
      FROM onejob.probe AS p
      WHERE p.attempt_id = :attempt
      FOR NO KEY UPDATE
      """;

  /**
   * Whether the request follows from a question, and another was put since. Behind the job's lock;
   * until the end of the transaction no other is put.
   */
  static boolean isOvertaken(Connection connection, MoveRequest request) throws SQLException {
    if (request.question() == 0) {
      return false;
    }
    AttemptId attempt = Events.attempt(request.event()).orElseThrow();
    Params params = new Params().set("attempt", attempt.uuid());
    return Sql.query(connection, ASKED, params, row -> row.getInt("asked")).stream()
        .noneMatch(asked -> asked == request.question());
  }

  private static final String END_OVER =
      """
      UPDATE onejob.probe AS p SET
        probe_at = NULL,
        ended = o.ended
      FROM (
        SELECT
          q.attempt_id,
          CASE WHEN a.ended_at IS NOT NULL THEN 'attempt_ended' ELSE q.bound END AS ended
        FROM onejob.probe AS q
        JOIN onejob.attempt AS a ON a.id = q.attempt_id
        WHERE q.probe_at <= statement_timestamp()
          AND (a.ended_at IS NOT NULL OR q.probe_before <= clock_timestamp())
        ORDER BY q.attempt_id
        LIMIT :limit
        FOR UPDATE OF q SKIP LOCKED) AS o
      WHERE p.attempt_id = o.attempt_id
      """;

  /** Ends the asking about attempts that have ended, or whose time for it has passed. */
  public void endOver(int limit) {
    Params params = new Params().set("limit", limit);
    sql.alone(connection -> Sql.query(connection, END_OVER, params, row -> row));
  }

  /**
   * Takes over, under new tokens, running attempts whose holders were not heard of before their
   * leases were over, where the provider's id of the work is on record. They are due to be asked
   * about at once, and what is not found at work before the new lease is over is in doubt then.
   *
   * @param askable of a provider that can be looked up
   * @param lease how long each is watched before an answer
   */
  public List<AttemptId> watchOn(Askable askable, Span span, Duration lease, int limit) {
    Params params =
        askable
            .params()
            .set("within_ms", span.within().toMillis())
            .set("bound", word(span.bound()))
            .set("lease_ms", lease.toMillis())
            .set("limit", limit);
    return sql.alone(connection -> Watches.takeOver(connection, params));
  }

  private static String word(Bound bound) {
    return bound.name().toLowerCase(Locale.ROOT);
  }

  private static final String RENEW =
      """
      UPDATE onejob.attempt SET
        lease_until = clock_timestamp() + :lease_ms * interval '1 millisecond'
      WHERE id = :attempt AND state = 'running' AND lease_token = :token
      """;

  /** Watches on, for so long, what was found at work again. A lost lease stays lost. */
  public void renew(AttemptId attempt, UUID token, Duration lease) {
    Params params =
        new Params()
            .set("attempt", attempt.uuid())
            .set("token", token)
            .set("lease_ms", lease.toMillis());
    sql.alone(connection -> Sql.query(connection, RENEW, params, row -> row));
  }
}
