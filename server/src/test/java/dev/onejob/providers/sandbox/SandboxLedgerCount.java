package dev.onejob.providers.sandbox;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import javax.sql.DataSource;

/** All requests in a ledger, of whatever job. */
final class SandboxLedgerCount {
  private static final String ALL = "SELECT count(*) FROM onejob_server.sandbox_call";
  private static final String ACTED = "SELECT count(acted_at) FROM onejob_server.sandbox_call";

  private final DataSource database;

  SandboxLedgerCount(DataSource database) {
    this.database = database;
  }

  int requests() {
    return count(ALL);
  }

  int effects() {
    return count(ACTED);
  }

  private int count(String text) {
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
