package dev.onejob.store;

import dev.onejob.domain.IntentKey;
import dev.onejob.domain.Owner;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import javax.sql.DataSource;

/**
 * Keys made for requests that came without one. Two equal requests of one owner have one key until
 * the job under it has been over for a window: a request that comes again while the job is at work,
 * or just after its end, finds that job.
 */
public final class DerivedKeys {
  /** How long a key is kept unused at least, beyond the window: longer than any pause of a node. */
  private static final Duration UNUSED_KEPT = Duration.ofHours(1);

  private final Sql sql;

  public DerivedKeys(DataSource database) {
    this.sql = new Sql(database);
  }

  /** Locks the row, whether it is new or not; what is read afterwards is read behind the lock. */
  private static final String BIND =
      """
      INSERT INTO onejob.derived_key (owner, request, key, used_at)
      VALUES (:owner, :request, :fresh, clock_timestamp())
      ON CONFLICT (owner, request) DO UPDATE SET used_at = clock_timestamp()
      RETURNING key
      """;

  private static final String OVER =
      """
      SELECT j.key FROM onejob.job AS j
      WHERE j.owner = :owner AND j.key = :bound
        AND j.ended_at < clock_timestamp() - :window_ms * interval '1 millisecond'
      """;

  private static final String RENEW =
      """
      UPDATE onejob.derived_key SET key = :fresh
      WHERE owner = :owner AND request = :request
      RETURNING key
      """;

  /** A few each time that one is made, so that no more are ever kept than were lately in use. */
  private static final String SWEEP =
      """
      DELETE FROM onejob.derived_key AS d
      USING (
        SELECT o.owner, o.request
        FROM onejob.derived_key AS o
        WHERE o.used_at < statement_timestamp() - :unused_ms * interval '1 millisecond'
          AND NOT EXISTS (
            SELECT FROM onejob.job AS j
            WHERE j.owner = o.owner AND j.key = o.key
              AND (
                j.ended_at IS NULL
                OR j.ended_at >= clock_timestamp() - :window_ms * interval '1 millisecond'))
        ORDER BY o.used_at
        LIMIT 4
        FOR UPDATE OF o SKIP LOCKED
      ) AS old
      WHERE d.owner = old.owner AND d.request = old.request
      RETURNING d.key
      """;

  /**
   * The key of a request.
   *
   * @param request 32 bytes, a digest of what makes two requests the same
   * @param fresh the key that it gets if it has none, or if the job under its key is over
   * @param window how long after the end of its job a request still finds it
   * @throws StoreException if the database fails; which key the request has is not known then
   */
  public IntentKey of(Owner owner, byte[] request, IntentKey fresh, Duration window) {
    Params params =
        new Params()
            .set("owner", owner.value())
            .set("request", request)
            .set("fresh", fresh.value())
            .set("window_ms", window.toMillis())
            .set("unused_ms", window.plus(UNUSED_KEPT).toMillis());
    return new IntentKey(sql.transaction(connection -> of(connection, params, fresh.value())));
  }

  private static String of(Connection connection, Params params, String fresh) throws SQLException {
    String bound = keys(connection, BIND, params).getFirst();
    params.set("bound", bound);
    if (bound.equals(fresh)) {
      keys(connection, SWEEP, params);
      return fresh;
    }
    return keys(connection, OVER, params).isEmpty()
        ? bound
        : keys(connection, RENEW, params).getFirst();
  }

  private static List<String> keys(Connection connection, String text, Params params)
      throws SQLException {
    return Sql.query(connection, text, params, row -> Rows.text(row, "key"));
  }
}
