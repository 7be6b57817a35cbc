package dev.onejob.house.crooked.engine;

import dev.onejob.house.crooked.store.Shelf;
import java.sql.Connection;
import java.sql.SQLException;

/** Breaks two rules: only the store talks SQL, and no public method takes a flag. */
public final class TalksSql {
  Shelf shelf = new Shelf();

  /** Does one thing or another. */
  public void run(boolean flag) {
    throw new IllegalStateException(String.valueOf(flag));
  }

  void commit(Connection connection) throws SQLException {
    connection.commit();
  }
}
