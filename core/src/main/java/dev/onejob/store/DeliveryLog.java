package dev.onejob.store;

import dev.onejob.domain.Delivery;
import dev.onejob.domain.Delivery.News;
import dev.onejob.domain.Delivery.Outcome;
import dev.onejob.domain.Delivery.State;
import dev.onejob.domain.Delivery.Try;
import dev.onejob.domain.DeliveryId;
import dev.onejob.domain.IntentKey;
import dev.onejob.domain.JobState;
import dev.onejob.domain.Owner;
import dev.onejob.domain.Webhook.Event;
import dev.onejob.domain.WebhookId;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** The log of what was told, tried and not told. */
public final class DeliveryLog {
  private final Sql sql;

  public DeliveryLog(DataSource database) {
    this.sql = new Sql(database);
  }

  private static final String LIST =
      """
      SELECT
        d.id, d.webhook_id, d.owner, d.event, d.job_id, d.job_key, d.kind, d.job_state,
        d.failure_code, d.occurred_at, d.state, d.next_at, d.ended_at, d.tries
      FROM onejob.webhook_delivery AS d
      WHERE d.webhook_id = :webhook
        AND (:before::uuid IS NULL OR d.id < :before)
      ORDER BY d.id DESC
      LIMIT :limit
      """;

  /** Each state in its own words: what is rare has an index of its own. */
  private static final String LIST_FAILED =
      """
      SELECT
        d.id, d.webhook_id, d.owner, d.event, d.job_id, d.job_key, d.kind, d.job_state,
        d.failure_code, d.occurred_at, d.state, d.next_at, d.ended_at, d.tries
      FROM onejob.webhook_delivery AS d
      WHERE d.webhook_id = :webhook
        AND d.state = 'failed'
        AND (:before::uuid IS NULL OR d.id < :before)
      ORDER BY d.id DESC
      LIMIT :limit
      """;

  private static final String LIST_WAITING =
      """
      SELECT
        d.id, d.webhook_id, d.owner, d.event, d.job_id, d.job_key, d.kind, d.job_state,
        d.failure_code, d.occurred_at, d.state, d.next_at, d.ended_at, d.tries
      FROM onejob.webhook_delivery AS d
      WHERE d.webhook_id = :webhook
        AND d.next_at IS NOT NULL
        AND (:before::uuid IS NULL OR d.id < :before)
      ORDER BY d.id DESC
      LIMIT :limit
      """;

  private static final String LIST_DELIVERED =
      """
      SELECT
        d.id, d.webhook_id, d.owner, d.event, d.job_id, d.job_key, d.kind, d.job_state,
        d.failure_code, d.occurred_at, d.state, d.next_at, d.ended_at, d.tries
      FROM onejob.webhook_delivery AS d
      WHERE d.webhook_id = :webhook
        AND d.state = 'delivered'
        AND (:before::uuid IS NULL OR d.id < :before)
      ORDER BY d.id DESC
      LIMIT :limit
      """;

  private static final String READ =
      """
      SELECT
        d.id, d.webhook_id, d.owner, d.event, d.job_id, d.job_key, d.kind, d.job_state,
        d.failure_code, d.occurred_at, d.state, d.next_at, d.ended_at, d.tries
      FROM onejob.webhook_delivery AS d
      WHERE d.id = :id
      """;

  /** The last ones only: a delivery that is sent again and again must not fill a page. */
  private static final String TRIES =
      """
      SELECT t.delivery_id, t.number, t.node, t.started_at, t.ended_at, t.outcome, t.status,
        t.message
      FROM unnest(:deliveries::uuid[]) AS d (id)
      CROSS JOIN LATERAL (
        SELECT * FROM onejob.webhook_try AS e
        WHERE e.delivery_id = d.id
        ORDER BY e.number DESC
        LIMIT 20) AS t
      ORDER BY t.delivery_id, t.number
      """;

  /**
   * The log of one webhook as of one moment, newest first, with the last twenty tries of each
   * delivery.
   *
   * @param state null: in every state
   * @param before only what is older than this one; null: from the newest on
   */
  public List<Delivery> list(
      WebhookId webhook, @Nullable State state, @Nullable DeliveryId before, int limit) {
    Params params =
        new Params()
            .set("webhook", webhook.uuid())
            .set("before", before == null ? null : before.uuid())
            .set("limit", limit);
    String text =
        switch (state) {
          case WAITING -> LIST_WAITING;
          case DELIVERED -> LIST_DELIVERED;
          case FAILED -> LIST_FAILED;
          case null -> LIST;
        };
    return sql.transaction(connection -> read(connection, text, params));
  }

  /** One delivery with its last twenty tries, as of one moment. */
  public Optional<Delivery> delivery(DeliveryId id) {
    Params params = new Params().set("id", id.uuid());
    return sql.transaction(connection -> read(connection, READ, params)).stream().findFirst();
  }

  /** A try is never seen to have ended while its delivery still waits for that. */
  private static final String AS_OF_ONE_MOMENT =
      """
      SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY
      """;

  private static List<Delivery> read(Connection connection, String text, Params params)
      throws SQLException {
    Sql.query(connection, AS_OF_ONE_MOMENT, new Params(), row -> row);
    List<Delivery> bare = Sql.query(connection, text, params, DeliveryLog::delivery);
    Map<DeliveryId, List<Try>> tries = new HashMap<>();
    Params of = new Params().column("deliveries", "uuid", bare, each -> each.id().uuid());
    for (Map.Entry<DeliveryId, Try> each :
        Sql.query(connection, TRIES, of, row -> Map.entry(id(row, "delivery_id"), tried(row)))) {
      tries.computeIfAbsent(each.getKey(), id -> new ArrayList<>()).add(each.getValue());
    }
    return bare.stream().map(each -> with(each, tries.getOrDefault(each.id(), List.of()))).toList();
  }

  private static Delivery with(Delivery bare, List<Try> tries) {
    return new Delivery(
        bare.id(),
        bare.webhook(),
        bare.owner(),
        bare.news(),
        bare.state(),
        bare.nextAt(),
        bare.endedAt(),
        bare.triesInAll(),
        List.copyOf(tries));
  }

  private static Delivery delivery(ResultSet row) throws SQLException {
    return new Delivery(
        id(row, "id"),
        new WebhookId(Rows.uuid(row, "webhook_id")),
        new Owner(Rows.text(row, "owner")),
        news(row),
        State.of(Rows.text(row, "state")),
        Rows.instantOrNull(row, "next_at"),
        Rows.instantOrNull(row, "ended_at"),
        row.getInt("tries"),
        List.of());
  }

  private static Try tried(ResultSet row) throws SQLException {
    String outcome = row.getString("outcome");
    int status = row.getInt("status");
    return new Try(
        row.getInt("number"),
        Rows.text(row, "node"),
        Rows.instant(row, "started_at"),
        Rows.instantOrNull(row, "ended_at"),
        outcome == null ? null : Outcome.of(outcome),
        status == 0 ? null : status,
        row.getString("message"));
  }

  private static DeliveryId id(ResultSet row, String column) throws SQLException {
    return new DeliveryId(Rows.uuid(row, column));
  }

  static News news(ResultSet row) throws SQLException {
    return new News(
        Event.of(Rows.text(row, "event")),
        Rows.jobId(row, "job_id"),
        new IntentKey(Rows.text(row, "job_key")),
        Rows.text(row, "kind"),
        JobState.of(Rows.text(row, "job_state")),
        row.getString("failure_code"),
        Rows.instant(row, "occurred_at"));
  }
}
