package dev.onejob.store;

import dev.onejob.domain.Owner;
import dev.onejob.domain.Webhook;
import dev.onejob.domain.Webhook.Event;
import dev.onejob.domain.Webhook.Jobs;
import dev.onejob.domain.WebhookId;
import java.sql.Array;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** The webhooks of the owners, and their secrets. */
public final class Webhooks {
  /** Secrets that sign at once, the present one included: each makes every request longer. */
  public static final int SECRETS_MAX = 4;

  private final Sql sql;

  public Webhooks(DataSource database) {
    this.sql = new Sql(database);
  }

  /**
   * One to be.
   *
   * @param secret 24 to 64 bytes
   */
  public record NewWebhook(
      WebhookId id,
      Owner owner,
      String name,
      String url,
      List<Event> events,
      Jobs jobs,
      byte[] secret) {}

  /** What became of a registration. */
  public sealed interface Registered {
    /** It is there. */
    record Made(Webhook webhook) implements Registered {}

    /** The owner has one of this name. */
    record NameTaken() implements Registered {}

    /** The owner has as many as an owner may have. */
    record Full() implements Registered {}
  }

  /** What became of a new secret. */
  public enum Rotated {
    DONE,
    /** As many secrets sign as may; the first of them has to run out. */
    TOO_MANY,
    NOT_FOUND
  }

  private static final String INSERT =
      """
      INSERT INTO onejob.webhook (id, owner, place, name, url, events, jobs)
      SELECT :id, :owner, p.place, :name, :url, :events::text[], :jobs
      FROM generate_series(1, :places) AS p (place)
      WHERE NOT EXISTS (
        SELECT 1 FROM onejob.webhook AS w WHERE w.owner = :owner AND w.place = p.place)
      ORDER BY p.place
      LIMIT 1
      ON CONFLICT DO NOTHING
      RETURNING id
      """;

  private static final String NAMED =
      """
      SELECT w.name FROM onejob.webhook AS w WHERE w.owner = :owner
      """;

  /** Registers one with its first secret. */
  public Registered register(NewWebhook made) {
    Optional<Registered> registered = Optional.empty();
    while (registered.isEmpty()) { // empty: the place was taken in between; another is looked for
      registered = sql.transaction(connection -> register(connection, made));
    }
    return registered.get();
  }

  private static Optional<Registered> register(Connection connection, NewWebhook made)
      throws SQLException {
    Params params =
        new Params()
            .set("id", made.id().uuid())
            .set("owner", made.owner().value())
            .set("name", made.name())
            .set("url", made.url())
            .column("events", "text", made.events(), Event::word)
            .set("jobs", made.jobs().word())
            .set("places", Webhook.OWNED_MAX)
            .set("secret", made.secret());
    if (!Sql.query(connection, INSERT, params, row -> Rows.uuid(row, "id")).isEmpty()) {
      Sql.query(connection, ADD_SECRET, params, row -> row.getLong("id"));
      return Sql.query(connection, READ, params, Webhooks::webhook).stream()
          .<Registered>map(Registered.Made::new)
          .findFirst();
    }
    List<String> names = Sql.query(connection, NAMED, params, row -> Rows.text(row, "name"));
    if (names.contains(made.name())) {
      return Optional.of(new Registered.NameTaken());
    }
    return names.size() < Webhook.OWNED_MAX ? Optional.empty() : Optional.of(new Registered.Full());
  }

  private static final String KNOWN =
      """
      SELECT w.id
      FROM onejob.webhook AS w
      WHERE w.owner = :owner AND w.name = :name AND w.disabled_at IS NULL
      """;

  /** Whether the owner has one of this name that is in use. */
  public boolean isKnown(Owner owner, String name) {
    Params params = new Params().set("owner", owner.value()).set("name", name);
    return !sql.alone(c -> Sql.query(c, KNOWN, params, row -> Rows.uuid(row, "id"))).isEmpty();
  }

  private static final String READ =
      """
      SELECT
        w.id, w.owner, w.name, w.url, w.events, w.jobs, w.created_at, w.failures, w.disabled_at,
        w.disabled_reason,
        ARRAY (
          SELECT s.valid_until
          FROM onejob.webhook_secret AS s
          WHERE s.webhook_id = w.id AND s.valid_until > now()
          ORDER BY s.id DESC) AS secrets_until
      FROM onejob.webhook AS w
      WHERE w.id = :id
      """;

  /** One of them. */
  public Optional<Webhook> webhook(WebhookId id) {
    Params params = new Params().set("id", id.uuid());
    return sql.alone(c -> Sql.query(c, READ, params, Webhooks::webhook)).stream().findFirst();
  }

  private static final String LIST =
      """
      SELECT
        w.id, w.owner, w.name, w.url, w.events, w.jobs, w.created_at, w.failures, w.disabled_at,
        w.disabled_reason,
        ARRAY (
          SELECT s.valid_until
          FROM onejob.webhook_secret AS s
          WHERE s.webhook_id = w.id AND s.valid_until > now()
          ORDER BY s.id DESC) AS secrets_until
      FROM onejob.webhook AS w
      WHERE (:owner::text IS NULL OR w.owner = :owner)
        AND (:before::uuid IS NULL OR w.id < :before)
      ORDER BY w.id DESC
      LIMIT :limit
      """;

  /**
   * Webhooks, newest first.
   *
   * @param owner null: of every owner
   * @param before only what is older than this one; null: from the newest on
   */
  public List<Webhook> list(@Nullable Owner owner, @Nullable WebhookId before, int limit) {
    Params params =
        new Params()
            .set("owner", owner == null ? null : owner.value())
            .set("before", before == null ? null : before.uuid())
            .set("limit", limit);
    return sql.alone(connection -> Sql.query(connection, LIST, params, Webhooks::webhook));
  }

  private static final String REMOVE =
      """
      DELETE FROM onejob.webhook WHERE id = :id RETURNING id
      """;

  /** Removes it with its secrets. What still waits for it is never sent, and ends as failed. */
  public void remove(WebhookId id) {
    Params params = new Params().set("id", id.uuid());
    sql.alone(connection -> Sql.query(connection, REMOVE, params, row -> Rows.uuid(row, "id")));
  }

  private static final String LOCK =
      """
      SELECT w.id FROM onejob.webhook AS w WHERE w.id = :id FOR UPDATE
      """;

  private static final String COUNT_SECRETS =
      """
      DELETE FROM onejob.webhook_secret
      WHERE webhook_id = :id AND valid_until <= clock_timestamp()
      ;
      SELECT count(*) AS secrets FROM onejob.webhook_secret WHERE webhook_id = :id
      """;

  private static final String END_ALL =
      """
      DELETE FROM onejob.webhook_secret WHERE webhook_id = :id RETURNING id
      """;

  private static final String END_PRESENT =
      """
      UPDATE onejob.webhook_secret SET
        valid_until = clock_timestamp() + :overlap_ms * interval '1 millisecond'
      WHERE webhook_id = :id AND valid_until IS NULL
      RETURNING id
      """;

  private static final String ADD_SECRET =
      """
      INSERT INTO onejob.webhook_secret (webhook_id, secret) VALUES (:id, :secret) RETURNING id
      """;

  /**
   * Makes a secret the present one. The one before goes on to sign beside it for the overlap.
   *
   * @param overlap zero: no other one signs anything from now on, as after a leak
   */
  public Rotated rotate(WebhookId id, byte[] secret, Duration overlap) {
    Params params =
        new Params()
            .set("id", id.uuid())
            .set("secret", secret)
            .set("overlap_ms", overlap.toMillis());
    return sql.transaction(connection -> rotate(connection, params, overlap));
  }

  private static Rotated rotate(Connection connection, Params params, Duration overlap)
      throws SQLException {
    if (Sql.query(connection, LOCK, params, row -> Rows.uuid(row, "id")).isEmpty()) {
      return Rotated.NOT_FOUND;
    }
    if (overlap.isZero()) {
      Sql.query(connection, END_ALL, params, row -> row.getLong("id"));
    } else {
      int secrets =
          Sql.query(connection, COUNT_SECRETS, params, row -> row.getInt("secrets")).getFirst();
      if (secrets >= SECRETS_MAX) {
        return Rotated.TOO_MANY;
      }
      Sql.query(connection, END_PRESENT, params, row -> row.getLong("id"));
    }
    Sql.query(connection, ADD_SECRET, params, row -> row.getLong("id"));
    return Rotated.DONE;
  }

  private static Webhook webhook(ResultSet row) throws SQLException {
    UUID id = Rows.uuid(row, "id");
    return new Webhook(
        new WebhookId(id),
        new Owner(Rows.text(row, "owner")),
        Rows.text(row, "name"),
        Rows.text(row, "url"),
        Rows.texts(row, "events").stream().map(Event::of).toList(),
        Jobs.of(Rows.text(row, "jobs")),
        Rows.instant(row, "created_at"),
        row.getInt("failures"),
        times(row.getArray("secrets_until")),
        Rows.instantOrNull(row, "disabled_at"),
        row.getString("disabled_reason"));
  }

  private static List<Instant> times(Array times) throws SQLException {
    return Stream.of((Timestamp[]) times.getArray()).map(t -> t.toInstant()).toList();
  }
}
