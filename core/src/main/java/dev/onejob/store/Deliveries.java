package dev.onejob.store;

import dev.onejob.domain.Delivery.News;
import dev.onejob.domain.Delivery.Outcome;
import dev.onejob.domain.Delivery.State;
import dev.onejob.domain.DeliveryId;
import dev.onejob.domain.WebhookId;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Events on their way to webhooks. Nobody holds a delivery: taking it pushes its time forward, by
 * the database clock, so no two nodes try it at once, and if the one that took it dies another
 * does. Its number of tries tells the last taker from those before.
 */
public final class Deliveries {
  private final Sql sql;

  public Deliveries(DataSource database) {
    this.sql = new Sql(database);
  }

  /**
   * A delivery that was taken to be tried once.
   *
   * @param number of this try
   * @param roundTries tries since the event was made or asked for again, this one included
   * @param startedAt by the database clock; what is signed
   * @param secrets all that sign now, the present one first
   */
  public record Taken(
      DeliveryId id,
      WebhookId webhook,
      String url,
      News news,
      int number,
      int roundTries,
      Instant startedAt,
      List<byte[]> secrets) {}

  /**
   * How to take.
   *
   * @param node its name, for people
   * @param limit most in all
   * @param limitEach most of one webhook; of one whose last try was in vain, one
   * @param limitOwner most of one owner, with what is under way; so no owner whose receivers are
   *     slow takes the turns of the others
   * @param busy webhooks that have enough under way, and how much
   * @param takenFor how long nobody else takes them; longer than any try lasts
   */
  public record Take(
      String node,
      int limit,
      int limitEach,
      int limitOwner,
      Map<WebhookId, Integer> busy,
      Duration takenFor) {
    /** Copies the map. */
    public Take {
      busy = Map.copyOf(busy);
    }
  }

  /** From one webhook to the next by the index of what is due, whatever waits behind each. */
  private static final String TAKE =
      """
      WITH RECURSIVE waiting (webhook_id) AS (
        (SELECT d.webhook_id
         FROM onejob.webhook_delivery AS d
         WHERE d.next_at IS NOT NULL
         ORDER BY d.webhook_id
         LIMIT 1)
        UNION ALL
        SELECT (
          SELECT d.webhook_id
          FROM onejob.webhook_delivery AS d
          WHERE d.next_at IS NOT NULL AND d.webhook_id > w.webhook_id
          ORDER BY d.webhook_id
          LIMIT 1)
        FROM waiting AS w
        WHERE w.webhook_id IS NOT NULL
      ),
      under_way AS (
        SELECT w.owner, sum(b.tries) AS tries
        FROM unnest(:busy::uuid[], :busy_tries::int[]) AS b (webhook_id, tries)
        JOIN onejob.webhook AS w ON w.id = b.webhook_id
        GROUP BY w.owner
      ),
      candidate AS (
        SELECT
          d.id, d.next_at, w.url,
          row_number() OVER (PARTITION BY w.owner ORDER BY d.next_at)
            + coalesce((SELECT u.tries FROM under_way AS u WHERE u.owner = w.owner), 0) AS turn
        FROM waiting
        JOIN onejob.webhook AS w ON w.id = waiting.webhook_id
        CROSS JOIN LATERAL (
          SELECT e.id, e.next_at
          FROM onejob.webhook_delivery AS e
          WHERE e.webhook_id = w.id AND e.next_at <= now()
          ORDER BY e.next_at
          LIMIT CASE WHEN w.failures > 0 THEN 1 ELSE :limit_each END
          FOR NO KEY UPDATE SKIP LOCKED) AS d
        WHERE w.disabled_at IS NULL AND NOT w.id = ANY (:busy::uuid[])
      ),
      due AS (
        SELECT c.id, c.url
        FROM candidate AS c
        WHERE c.turn <= :limit_owner
        ORDER BY c.turn, c.next_at
        LIMIT :limit
      ),
      taken AS (
        UPDATE onejob.webhook_delivery AS d SET
          next_at = now() + :taken_for_ms * interval '1 millisecond',
          tries = d.tries + 1,
          round_tries = d.round_tries + 1
        FROM due
        WHERE d.id = due.id
        RETURNING d.*, due.url
      ),
      tried AS (
        INSERT INTO onejob.webhook_try (delivery_id, number, node, started_at)
        SELECT t.id, t.tries, :node, now() FROM taken AS t
      )
      SELECT
        t.id, t.webhook_id, t.url, t.event, t.job_id, t.job_key, t.kind, t.job_state,
        t.failure_code, t.occurred_at, t.tries, t.round_tries, now() AS started_at,
        ARRAY (
          SELECT translate(encode(s.secret, 'base64'), E'\\n', '')
          FROM onejob.webhook_secret AS s
          WHERE s.webhook_id = t.webhook_id AND coalesce(s.valid_until > now(), true)
          ORDER BY s.id DESC) AS secrets
      FROM taken AS t
      """;

  /**
   * Takes what is due: by turns of the owners, of each the longest due first. Each was written down
   * as a try.
   */
  public List<Taken> take(Take take) {
    List<Map.Entry<WebhookId, Integer>> busy = List.copyOf(take.busy().entrySet());
    Params params =
        new Params()
            .set("node", take.node())
            .set("limit", take.limit())
            .set("limit_each", take.limitEach())
            .set("limit_owner", take.limitOwner())
            .column("busy", "uuid", busy, it -> it.getKey().uuid())
            .column("busy_tries", "int4", busy, Map.Entry::getValue)
            .set("taken_for_ms", take.takenFor().toMillis());
    return sql.alone(connection -> Sql.query(connection, TAKE, params, Deliveries::taken));
  }

  private static Taken taken(ResultSet row) throws SQLException {
    return new Taken(
        new DeliveryId(Rows.uuid(row, "id")),
        new WebhookId(Rows.uuid(row, "webhook_id")),
        Rows.text(row, "url"),
        DeliveryLog.news(row),
        row.getInt("tries"),
        row.getInt("round_tries"),
        Rows.instant(row, "started_at"),
        Rows.texts(row, "secrets").stream().map(Base64.getDecoder()::decode).toList());
  }

  /**
   * How a try ended.
   *
   * @param status of the answer; null if none came
   * @param message for people; null if there is nothing to say
   * @param nextIn when to try again; null: never, unless it was delivered already
   */
  public record TryEnd(
      Outcome outcome,
      @Nullable Integer status,
      @Nullable String message,
      @Nullable Duration nextIn) {}

  private static final String LOCK =
      """
      SELECT d.id FROM onejob.webhook_delivery AS d WHERE d.id = :id FOR NO KEY UPDATE
      """;

  private static final String END_TRY =
      """
      UPDATE onejob.webhook_try SET
        ended_at = clock_timestamp(), outcome = :outcome, status = :status, message = :message
      WHERE delivery_id = :id AND number = :number AND outcome IS NULL
      RETURNING number
      """;

  /** Whoever was told in time: a delivery is a delivery, whether or not somebody tries again. */
  private static final String DELIVERED =
      """
      UPDATE onejob.webhook_delivery SET
        state = 'delivered', next_at = NULL, ended_at = clock_timestamp()
      WHERE id = :id AND state <> 'delivered'
      RETURNING id
      """;

  private static final String IN_VAIN =
      """
      UPDATE onejob.webhook_delivery SET
        state = CASE WHEN :next_ms::bigint IS NULL THEN 'failed' ELSE 'waiting' END,
        next_at = clock_timestamp() + :next_ms::bigint * interval '1 millisecond',
        ended_at = CASE WHEN :next_ms::bigint IS NULL THEN clock_timestamp() END
      WHERE id = :id AND tries = :number AND state = 'waiting'
      RETURNING id
      """;

  private static final String ANSWERS =
      """
      UPDATE onejob.webhook SET failures = 0 WHERE id = :webhook AND failures > 0 RETURNING id
      """;

  private static final String DOES_NOT_ANSWER =
      """
      UPDATE onejob.webhook SET failures = failures + 1 WHERE id = :webhook RETURNING id
      """;

  private static final String DISABLE =
      """
      UPDATE onejob.webhook SET
        failures = failures + 1, disabled_at = clock_timestamp(),
        disabled_reason = 'the receiver answered 410: it wants nothing more'
      WHERE id = :webhook AND disabled_at IS NULL
      RETURNING id
      """;

  /** What the end of a try came to. */
  public enum Came {
    DELIVERED,
    /** It will be tried again. */
    WAITS,
    /** That was the last try. */
    FAILED,
    /** Somebody else has taken it since, or it has ended; the try itself was written down. */
    OVERTAKEN
  }

  /** Writes down how a try ended, and what that means for the delivery and its webhook. */
  public Came end(Taken taken, TryEnd end) {
    Params params =
        new Params()
            .set("id", taken.id().uuid())
            .set("number", taken.number())
            .set("webhook", taken.webhook().uuid())
            .set("outcome", end.outcome().word())
            .set("status", end.status())
            .set("message", end.message())
            .set("next_ms", end.nextIn() == null ? null : end.nextIn().toMillis());
    return sql.transaction(connection -> end(connection, end, params));
  }

  private static Came end(Connection connection, TryEnd end, Params params) throws SQLException {
    // In the order of the forgetting: the delivery, then its tries.
    Sql.query(connection, LOCK, params, row -> Rows.uuid(row, "id"));
    Sql.query(connection, END_TRY, params, row -> row.getInt("number"));
    boolean delivered = end.outcome() == Outcome.DELIVERED;
    boolean moved =
        !Sql.query(connection, delivered ? DELIVERED : IN_VAIN, params, row -> Rows.uuid(row, "id"))
            .isEmpty();
    String ofWebhook =
        switch (end.outcome()) {
          case DELIVERED -> ANSWERS;
          case GONE -> DISABLE;
          case REFUSED, UNANSWERED, NOT_SENT, BLOCKED -> DOES_NOT_ANSWER;
        };
    Sql.query(connection, ofWebhook, params, row -> Rows.uuid(row, "id"));
    if (!moved) {
      return Came.OVERTAKEN;
    }
    if (delivered) {
      return Came.DELIVERED;
    }
    return end.nextIn() == null ? Came.FAILED : Came.WAITS;
  }

  private static final String STANDING =
      """
      SELECT
        EXISTS (
          SELECT 1 FROM onejob.webhook AS w WHERE w.id = d.webhook_id AND w.disabled_at IS NULL)
          AS in_use,
        d.next_at > clock_timestamp() AND EXISTS (
          SELECT 1 FROM onejob.webhook_try AS t
          WHERE t.delivery_id = d.id AND t.number = d.tries AND t.outcome IS NULL)
          AS under_way,
        d.state, d.tries
      FROM onejob.webhook_delivery AS d
      WHERE d.id = :id
      """;

  private static final String SEND_AGAIN =
      """
      UPDATE onejob.webhook_delivery SET
        state = 'waiting', next_at = clock_timestamp(), ended_at = NULL, round_tries = 0,
        round_since = clock_timestamp()
      WHERE id = :id
      RETURNING id
      """;

  /** What became of the wish to send again. */
  public enum Resent {
    /** It is due now, and has all its tries before it. */
    DONE,
    /** A try is under way just now; nothing was changed. */
    UNDER_WAY,
    /** It is no more as whoever asks has seen it; nothing was changed. */
    CHANGED,
    /** Its webhook is disabled or removed; nothing was changed. */
    NOT_IN_USE,
    NOT_FOUND
  }

  /** Makes a delivery due now, under the same id, whatever became of it before. */
  public Resent resend(DeliveryId id) {
    Params params = new Params().set("id", id.uuid());
    return sql.transaction(connection -> resend(connection, params, standing -> true));
  }

  /**
   * How far a delivery has come, as it was shown to whoever decides.
   *
   * @param triesInAll how many tries were made
   */
  public record Standing(State state, int triesInAll) {}

  /**
   * Does the same if the delivery stands as it was shown; so a wish that is said twice, or comes
   * from a page that is not true any more, tells the receiver nothing twice.
   */
  public Resent resend(DeliveryId id, Standing seen) {
    Params params = new Params().set("id", id.uuid());
    return sql.transaction(connection -> resend(connection, params, seen::equals));
  }

  private static Resent resend(Connection connection, Params params, Predicate<Standing> wanted)
      throws SQLException {
    if (Sql.query(connection, LOCK, params, row -> Rows.uuid(row, "id")).isEmpty()) {
      return Resent.NOT_FOUND;
    }
    Resent inTheWay =
        Sql.query(connection, STANDING, params, row -> inTheWay(row, wanted)).getFirst();
    if (inTheWay == Resent.DONE) {
      Sql.query(connection, SEND_AGAIN, params, row -> Rows.uuid(row, "id"));
    }
    return inTheWay;
  }

  private static Resent inTheWay(ResultSet row, Predicate<Standing> wanted) throws SQLException {
    if (!row.getBoolean("in_use")) {
      return Resent.NOT_IN_USE;
    }
    if (row.getBoolean("under_way")) {
      return Resent.UNDER_WAY;
    }
    Standing standing = new Standing(State.of(Rows.text(row, "state")), row.getInt("tries"));
    return wanted.test(standing) ? Resent.DONE : Resent.CHANGED;
  }

  /**
   * Ends deliveries whose webhook is disabled or removed, and those that found no turn for so long:
   * they are failed.
   *
   * @return how many
   */
  public int giveUp(Duration round, int limit) {
    Params params = new Params().set("round_ms", round.toMillis()).set("limit", limit);
    return sql.alone(connection -> LeftDeliveries.giveUp(connection, params)).size();
  }

  /**
   * Removes deliveries that ended so long ago, with their tries.
   *
   * @return how many
   */
  public int forget(Duration kept, int limit) {
    Params params = new Params().set("kept_ms", kept.toMillis()).set("limit", limit);
    return sql.alone(connection -> LeftDeliveries.forget(connection, params)).size();
  }
}
