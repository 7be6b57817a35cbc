package dev.onejob.store;

import java.util.List;
import javax.sql.DataSource;

/** The one key of a deployment from which the secrets of callback addresses are derived. */
public final class CallbackKey {
  /** Length of the key, in bytes. */
  public static final int BYTES = 32;

  private final Sql sql;

  public CallbackKey(DataSource database) {
    this.sql = new Sql(database);
  }

  private static final String MAKE =
      """
      INSERT INTO onejob.callback_key (key)
      VALUES (:key)
      ON CONFLICT DO NOTHING
      RETURNING key
      """;

  private static final String READ =
      """
      SELECT k.key
      FROM onejob.callback_key AS k
      """;

  /**
   * The key of this deployment. Whoever comes first makes it; all others get the same one.
   *
   * @param fresh {@link #BYTES} random bytes, which become the key if there is none yet
   */
  public byte[] orElse(byte[] fresh) {
    List<byte[]> known = read();
    if (!known.isEmpty()) {
      return known.getFirst();
    }
    Params params = new Params().set("key", fresh);
    sql.alone(connection -> Sql.query(connection, MAKE, params, row -> row.getBytes("key")));
    return read().getFirst(); // in a statement of its own: it sees what another node has made
  }

  private List<byte[]> read() {
    return sql.alone(
        connection -> Sql.query(connection, READ, new Params(), row -> row.getBytes("key")));
  }
}
