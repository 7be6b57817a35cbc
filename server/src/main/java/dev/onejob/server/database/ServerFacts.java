package dev.onejob.server.database;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.postgresql.PGConnection;

/**
 * What a server says of itself when a node starts, and what that means for jobs.
 *
 * @param versionNumber as {@code server_version_num}
 * @param synchronousStandbys {@code synchronous_standby_names}; empty: none is waited for
 * @param lent a pooler such as PgBouncer lends the server's connections out
 */
record ServerFacts(
    int versionNumber,
    String version,
    String fsync,
    String fullPageWrites,
    String synchronousCommit,
    String synchronousStandbys,
    boolean lent) {
  /** Oldest server that is supported. */
  private static final int VERSION_MIN = 140_000;

  private static final String SERVER =
      """
      SELECT current_setting('server_version_num')::int    AS version_num,
             current_setting('server_version')             AS version,
             current_setting('fsync')                      AS fsync,
             current_setting('full_page_writes')           AS full_page_writes,
             current_setting('synchronous_commit')         AS synchronous_commit,
             current_setting('synchronous_standby_names')  AS standbys,
             pg_backend_pid()                              AS backend
      """;

  static ServerFacts of(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(SERVER)) {
      row.next();
      return new ServerFacts(
          row.getInt("version_num"),
          row.getString("version"),
          row.getString("fsync"),
          row.getString("full_page_writes"),
          row.getString("synchronous_commit"),
          row.getString("standbys"),
          // A pooler makes up its own answer to which process of the server is on the line.
          row.getInt("backend") != connection.unwrap(PGConnection.class).getBackendPID());
    }
  }

  /** Present if the server is too old, whatever the settings. */
  Optional<String> tooOld() {
    return versionNumber < VERSION_MIN
        ? Optional.of("it is PostgreSQL " + version + "; 14 or newer is needed")
        : Optional.empty();
  }

  /** Settings under which it forgets in a crash what it has acknowledged; one line each. */
  List<String> forgetful() {
    List<String> found = new ArrayList<>();
    if (fsync.equals("off")) {
      found.add("fsync is off: a crash of the machine may damage or lose anything");
    }
    if (fullPageWrites.equals("off")) {
      found.add("full_page_writes is off: a crash of the machine may damage what is stored");
    }
    if (synchronousCommit.equals("off")) {
      found.add(
          "synchronous_commit is off: jobs that were acknowledged may be lost in a crash, and with"
              + " them the knowledge of attempts that were made");
    }
    return found;
  }

  /** What holds in a crash but not in a failover; one line each. */
  List<String> doubtful() {
    return synchronousCommit.equals("local") && !synchronousStandbys.isEmpty()
        ? List.of(
            "synchronous_commit is local: a failover to a standby may lose jobs that were"
                + " acknowledged")
        : List.of();
  }
}
