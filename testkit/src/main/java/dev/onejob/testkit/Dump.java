package dev.onejob.testkit;

import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;

/** Every row of every table, as text; bytes are read as UTF-8. */
public final class Dump {
  private Dump() {}

  /** Everything in every table that is not the system's. */
  public static String of(DataSource database) throws SQLException {
    StringBuilder dump = new StringBuilder();
    try (Connection connection = database.getConnection();
        Statement statement = connection.createStatement()) {
      for (String table : tables(statement)) {
        try (ResultSet rows = statement.executeQuery("SELECT * FROM " + table)) {
          while (rows.next()) {
            append(dump.append('\n').append(table), rows);
          }
        }
      }
    }
    return dump.toString();
  }

  private static List<String> tables(Statement statement) throws SQLException {
    List<String> tables = new ArrayList<>();
    try (ResultSet rows =
        statement.executeQuery(
            """
            SELECT format('%I.%I', schemaname, tablename) FROM pg_tables
            WHERE schemaname NOT IN ('pg_catalog', 'information_schema')
            """)) {
      while (rows.next()) {
        tables.add(rows.getString(1));
      }
    }
    return tables;
  }

  private static void append(StringBuilder dump, ResultSet row) throws SQLException {
    for (int column = 1; column <= row.getMetaData().getColumnCount(); column++) {
      Object value = row.getObject(column);
      dump.append('|')
          .append(
              value instanceof byte[] bytes ? new String(bytes, StandardCharsets.UTF_8) : value);
    }
  }
}
