package dev.onejob.store;

import dev.onejob.domain.AttemptEnding;
import dev.onejob.domain.AttemptId;
import dev.onejob.domain.AttemptStanding;
import dev.onejob.domain.AttemptState;
import dev.onejob.domain.Failure;
import dev.onejob.domain.JobId;
import dev.onejob.domain.JobStanding;
import dev.onejob.domain.JobState;
import dev.onejob.domain.Report;
import dev.onejob.domain.WaitingFor;
import dev.onejob.domain.Walk;
import dev.onejob.domain.WhenUnqualified;
import java.sql.Array;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** From rows to values. Column names are those of the tables. */
final class Rows {
  private Rows() {}

  static UUID uuid(ResultSet row, String column) throws SQLException {
    return Objects.requireNonNull(row.getObject(column, UUID.class), column);
  }

  static JobId jobId(ResultSet row, String column) throws SQLException {
    return new JobId(uuid(row, column));
  }

  static AttemptId attemptId(ResultSet row, String column) throws SQLException {
    return new AttemptId(uuid(row, column));
  }

  static @Nullable AttemptId attemptIdOrNull(ResultSet row, String column) throws SQLException {
    UUID id = row.getObject(column, UUID.class);
    return id == null ? null : new AttemptId(id);
  }

  static String text(ResultSet row, String column) throws SQLException {
    return Objects.requireNonNull(row.getString(column), column);
  }

  static @Nullable Instant instantOrNull(ResultSet row, String column) throws SQLException {
    OffsetDateTime time = row.getObject(column, OffsetDateTime.class);
    return time == null ? null : time.toInstant();
  }

  static Instant instant(ResultSet row, String column) throws SQLException {
    return Objects.requireNonNull(instantOrNull(row, column), column);
  }

  static List<String> texts(ResultSet row, String column) throws SQLException {
    Array array = row.getArray(column);
    return List.of((String[]) array.getArray());
  }

  static @Nullable Failure failureOrNull(ResultSet row) throws SQLException {
    return failureOrNull(row, "failure_code", "failure_message");
  }

  static @Nullable Failure failureOrNull(ResultSet row, String codeColumn, String messageColumn)
      throws SQLException {
    String code = row.getString(codeColumn);
    String message = row.getString(messageColumn);
    return code == null || message == null ? null : new Failure(code, message);
  }

  static JobStanding standing(ResultSet row) throws SQLException {
    String waitingFor = row.getString("waiting_for");
    long raceAfterMillis = row.getLong("race_after_ms");
    Duration raceAfter = row.wasNull() ? null : Duration.ofMillis(raceAfterMillis);
    return new JobStanding(
        JobState.of(text(row, "state")),
        waitingFor == null ? null : WaitingFor.of(waitingFor),
        row.getLong("version"),
        attemptIdOrNull(row, "completed_by"),
        row.getInt("live"),
        row.getInt("starting"),
        row.getInt("in_doubt"),
        row.getInt("attempts_started"),
        row.getInt("attempts_allowed"),
        instantOrNull(row, "run_at"),
        instantOrNull(row, "deadline"),
        instantOrNull(row, "cancel_requested_at"),
        row.getBoolean("contested"),
        failureOrNull(row),
        texts(row, "route"),
        walk(row),
        raceAfter,
        WhenUnqualified.of(text(row, "when_unqualified")));
  }

  private static Walk walk(ResultSet row) throws SQLException {
    String goesOnAt = row.getString("goes_on_at");
    Array givenUp = row.getArray("given_up");
    return new Walk(
        goesOnAt,
        givenUp == null ? List.of() : List.of((String[]) givenUp.getArray()),
        NotBefore.of(row.getString("not_before")));
  }

  static AttemptStanding attemptStanding(ResultSet row) throws SQLException {
    String ending = row.getString("ending");
    String outcome = row.getString("report_outcome");
    Report report =
        outcome == null
            ? null
            : new Report(
                Report.Outcome.valueOf(outcome.toUpperCase(Locale.ROOT)),
                text(row, "report_digest"),
                row.getLong("report_bytes"));
    return new AttemptStanding(
        attemptId(row, "id"),
        row.getInt("number"),
        text(row, "provider"),
        AttemptState.of(text(row, "state")),
        row.getLong("job_version"),
        instant(row, "started_at"),
        ending == null ? null : AttemptEnding.of(ending),
        report);
  }
}
