package dev.onejob.providers.sandbox;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import javax.sql.DataSource;

/** All requests that have come to a ledger since, of whatever job. */
final class SandboxLedgerCount {
  private static final String ALL = "SELECT count(*) FROM onejob_server.sandbox_call";
  private static final String ACTED = "SELECT count(acted_at) FROM onejob_server.sandbox_call";

  private final DataSource database;
  private final int requestsBefore;
  private final int effectsBefore;

  SandboxLedgerCount(DataSource database) {
    this.database = database;
    this.requestsBefore = count(database, ALL);
    this.effectsBefore = count(database, ACTED);
  }

  int requests() {
    return count(database, ALL) - requestsBefore;
  }

  int effects() {
    return count(database, ACTED) - effectsBefore;
  }

  private static int count(DataSource database, String text) {
    try (Connection connection = database.getConnection();
        PreparedStatement count = connection.prepareStatement(text);
        ResultSet rows = count.executeQuery()) {
      rows.next();
      return rows.getInt(1);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }
}
