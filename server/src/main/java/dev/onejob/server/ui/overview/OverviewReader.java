package dev.onejob.server.ui.overview;

import dev.onejob.domain.Owner;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.OffsetDateTime;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Reads what the first page shows; no text of it reads a whole table. */
final class OverviewReader {
  private final DataSource database;

  OverviewReader(DataSource database) {
    this.database = database;
  }

  private static final String DOUBT =
      """
      SELECT count(*) AS attempts, min(a.unknown_at) AS oldest
        FROM onejob.attempt AS a
        JOIN onejob.job AS j ON j.id = a.job_id
       WHERE a.state = 'unknown'
         AND j.completed_by IS NULL
         AND (?::text IS NULL OR j.owner = ?)
      """;

  /** How much is in doubt; of one owner, or of all where it is null. */
  Doubt doubt(@Nullable Owner owner) throws SQLException {
    String name = owner == null ? null : owner.value();
    try (Connection connection = database.getConnection();
        PreparedStatement select = connection.prepareStatement(DOUBT)) {
      select.setString(1, name);
      select.setString(2, name);
      try (ResultSet rows = select.executeQuery()) {
        rows.next();
        OffsetDateTime oldest = rows.getObject("oldest", OffsetDateTime.class);
        return new Doubt(rows.getLong("attempts"), oldest == null ? null : oldest.toInstant());
      }
    }
  }
}
