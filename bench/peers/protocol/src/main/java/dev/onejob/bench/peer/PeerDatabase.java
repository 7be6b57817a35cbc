package dev.onejob.bench.peer;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.Objects;
import javax.sql.DataSource;

/** The database that a contestant is given, by the environment variables of PostgreSQL's libpq. */
public record PeerDatabase(
    String host, String port, String database, String user, String password) {

  static PeerDatabase of(Map<String, String> environment) {
    return new PeerDatabase(
        required(environment, "PGHOST"),
        required(environment, "PGPORT"),
        required(environment, "PGDATABASE"),
        required(environment, "PGUSER"),
        environment.getOrDefault("PGPASSWORD", ""));
  }

  private static String required(Map<String, String> environment, String name) {
    return Objects.requireNonNull(environment.get(name), name + " is not set");
  }

  /** Its address, without user. */
  public String url() {
    return "jdbc:postgresql://" + host + ":" + port + "/" + database;
  }

  /** A pool of that many connections, all of them opened at once. */
  public HikariDataSource pool(int connections) {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(url());
    config.setUsername(user);
    config.setPassword(password);
    config.setMaximumPoolSize(connections);
    return new HikariDataSource(config);
  }

  /** The number that a query gives. */
  public static long count(DataSource database, String query) throws SQLException {
    try (Connection connection = database.getConnection();
        PreparedStatement statement = connection.prepareStatement(query);
        ResultSet row = statement.executeQuery()) {
      row.next();
      return row.getLong(1);
    }
  }

  /** Carries out a script. */
  public static void execute(DataSource database, String script) throws SQLException {
    try (Connection connection = database.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(script);
    }
  }
}
