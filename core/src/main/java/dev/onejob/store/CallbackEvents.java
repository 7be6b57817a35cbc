package dev.onejob.store;

import dev.onejob.domain.AttemptId;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * The events that providers have sent, by their ids: those that were taken, so that they are known
 * again, and those that no attempt is known for yet. Nothing here moves a job.
 */
public final class CallbackEvents {
  /** Most events of one provider that wait for their attempts. */
  public static final int UNMATCHED_MAX = 1_000;

  /** Most bytes of one provider's events that wait: bodies are as large as results may be. */
  private static final long UNMATCHED_BYTES_MAX = 64L << 20;

  private static final Pattern PLAIN_ID = Pattern.compile("[\\x21-\\x7e]{1,255}");

  private final Sql sql;

  public CallbackEvents(DataSource database) {
    this.sql = new Sql(database);
  }

  /**
   * An event.
   *
   * @param id as the provider names it
   * @param digest of the body, SHA-256 in hexadecimal
   */
  public record Event(String provider, String id, String digest) {
    private Params params() {
      String key = PLAIN_ID.matcher(id).matches() ? id : "body:" + digest;
      return new Params().set("provider", provider).set("event", key).set("digest", digest);
    }
  }

  private static final String KNOWN =
      """
      UPDATE onejob.callback_event AS e SET times = e.times + 1
      WHERE e.provider = :provider AND e.event_id = :event AND e.digest = :digest
        AND e.taken_at IS NOT NULL
      RETURNING e.attempt_id
      """;

  /** Whether the event was taken before; counts that it came again. */
  public boolean takenBefore(Event event) {
    return !sql.alone(
            connection ->
                Sql.query(connection, KNOWN, event.params(), row -> Rows.uuid(row, "attempt_id")))
        .isEmpty();
  }

  private static final String TAKEN =
      """
      INSERT INTO onejob.callback_event AS e
        (provider, event_id, digest, taken_at, attempt_id)
      VALUES (:provider, :event, :digest, clock_timestamp(), :attempt)
      ON CONFLICT (provider, event_id, digest) DO UPDATE SET
        taken_at = coalesce(e.taken_at, excluded.taken_at),
        attempt_id = coalesce(e.attempt_id, excluded.attempt_id),
        body = NULL
      """;

  /** What follows from the event is durable: it need not be taken again. */
  public void taken(Event event, AttemptId attempt) {
    Params params = event.params().set("attempt", attempt.uuid());
    sql.alone(connection -> Sql.query(connection, TAKEN, params, row -> row));
  }

  private static final String MATCHING =
      """
      SELECT a.id
      FROM onejob.attempt AS a
      WHERE a.provider = :provider AND a.provider_ref = :ref
      ORDER BY a.id
      LIMIT 2
      """;

  /** The attempts, two at most, for which the provider does the work of that id. */
  public List<AttemptId> matching(String provider, String ref) {
    String known = Texts.ref(ref);
    if (known == null) {
      return List.of();
    }
    Params params = new Params().set("provider", provider).set("ref", known);
    return sql.alone(
        connection -> Sql.query(connection, MATCHING, params, row -> Rows.attemptId(row, "id")));
  }

  private static final String KEEP =
      """
      INSERT INTO onejob.callback_event AS e
        (provider, event_id, digest, provider_ref, body)
      SELECT :provider, :event, :digest, :ref, :body
      WHERE (
        SELECT count(*) < :unmatched_max
          AND coalesce(sum(octet_length(u.body)), 0) + :bytes <= :unmatched_bytes_max
        FROM onejob.callback_event AS u
        WHERE u.provider = :provider AND u.taken_at IS NULL)
      ON CONFLICT (provider, event_id, digest) DO UPDATE SET times = e.times + 1
      RETURNING e.event_id
      """;

  /**
   * Keeps an event until an attempt of that id is known.
   *
   * @return false: there is no room; it is to be sent again
   */
  public boolean keep(Event event, String ref, byte[] body) {
    Params params =
        event
            .params()
            .set("ref", Texts.ref(ref))
            .set("body", body)
            .set("bytes", (long) body.length)
            .set("unmatched_max", UNMATCHED_MAX)
            .set("unmatched_bytes_max", UNMATCHED_BYTES_MAX);
    return !sql.alone(
            connection -> Sql.query(connection, KEEP, params, row -> Rows.text(row, "event_id")))
        .isEmpty();
  }

  /** An event that was kept, and the attempt that it is about. */
  public record Matched(Event event, AttemptId attempt) {}

  private static final String MATCHED =
      """
      SELECT e.provider, e.event_id, e.digest, a.id AS attempt_id
      FROM onejob.callback_event AS e
      JOIN onejob.attempt AS a ON a.provider = e.provider AND a.provider_ref = e.provider_ref
      JOIN onejob.job AS j ON j.id = a.job_id
      WHERE e.taken_at IS NULL
        AND e.provider = ANY (:providers::text[])
        AND j.kind = ANY (:kinds::text[])
        AND NOT EXISTS (
          SELECT
          FROM onejob.attempt AS b
          WHERE b.provider = e.provider AND b.provider_ref = e.provider_ref AND b.id <> a.id)
      ORDER BY coalesce(e.tried_at, e.received_at)
      LIMIT :limit
      """;

  /**
   * Events whose attempts are known by now, oldest first; behind the others what was tried in vain.
   * An id that two attempts bear matches neither.
   *
   * @param kinds that this node knows
   */
  public List<Matched> matched(List<String> providers, List<String> kinds, int limit) {
    Params params =
        new Params()
            .column("providers", "text", providers, name -> name)
            .column("kinds", "text", kinds, name -> name)
            .set("limit", limit);
    return sql.alone(
        connection -> Sql.query(connection, MATCHED, params, CallbackEvents::matchedRow));
  }

  private static Matched matchedRow(ResultSet row) throws SQLException {
    return new Matched(
        new Event(Rows.text(row, "provider"), Rows.text(row, "event_id"), Rows.text(row, "digest")),
        Rows.attemptId(row, "attempt_id"));
  }

  private static final String BODY =
      """
      SELECT e.body
      FROM onejob.callback_event AS e
      WHERE e.provider = :provider AND e.event_id = :event AND e.digest = :digest
        AND e.taken_at IS NULL
      """;

  /** What an event that waits says; empty if it was taken or forgotten meanwhile. */
  public Optional<byte[]> body(Event event) {
    return sql
        .alone(
            connection -> Sql.query(connection, BODY, event.params(), row -> row.getBytes("body")))
        .stream()
        .findFirst();
  }

  private static final String IN_VAIN =
      """
      UPDATE onejob.callback_event AS e SET tried_at = clock_timestamp()
      WHERE e.provider = :provider AND e.event_id = :event AND e.digest = :digest
        AND e.taken_at IS NULL
      """;

  /** Puts an event that could not be taken now behind the others. */
  public void inVain(Event event) {
    sql.alone(connection -> Sql.query(connection, IN_VAIN, event.params(), row -> row));
  }

  private static final String FORGET =
      """
      DELETE FROM onejob.callback_event AS e
      USING (
        SELECT o.provider, o.event_id, o.digest
        FROM onejob.callback_event AS o
        WHERE o.received_at < statement_timestamp() - :after_ms * interval '1 millisecond'
        ORDER BY o.received_at
        LIMIT :limit
        FOR UPDATE SKIP LOCKED) AS old
      WHERE e.provider = old.provider AND e.event_id = old.event_id AND e.digest = old.digest
      RETURNING e.taken_at IS NULL AS unmatched
      """;

  /**
   * Lets go of events that came that long ago.
   *
   * @return for each whether no attempt was ever known for it
   */
  public List<Boolean> forget(Duration after, int limit) {
    Params params = new Params().set("after_ms", after.toMillis()).set("limit", limit);
    return sql.alone(
        connection -> Sql.query(connection, FORGET, params, row -> row.getBoolean("unmatched")));
  }

  /** Whether an id can be kept and matched; one that is too long, or no plain text, cannot. */
  public static boolean isUsable(@Nullable String ref) {
    return Texts.ref(ref) != null;
  }
}
