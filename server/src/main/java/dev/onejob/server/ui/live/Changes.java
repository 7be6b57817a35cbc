package dev.onejob.server.ui.live;

import dev.onejob.domain.JobId;
import dev.onejob.domain.Owner;
import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import javax.sql.DataSource;

/** Asks the database whether anything has changed; never what. */
final class Changes {
  private final DataSource database;

  Changes(DataSource database) {
    this.database = database;
  }

  private static final String WRITTEN =
      """
      SELECT coalesce(sum(s.n_tup_ins + s.n_tup_upd + s.n_tup_del), 0)::bigint AS all_of_it,
             coalesce(sum(s.n_tup_ins + s.n_tup_upd + s.n_tup_del)
               FILTER (WHERE s.relname NOT IN ('tally', 'tally_paid')), 0)::bigint AS moves
        FROM pg_stat_user_tables AS s
       WHERE s.schemaname IN ('onejob', 'onejob_server')
         AND s.relname <> 'ui_session'
      """;

  /**
   * How many rows were ever written, as the server counts them; about a second behind.
   *
   * @param all of every table
   * @param moves without those that nodes count into, every few seconds
   */
  record Written(long all, long moves) {}

  /** How many rows were ever written. */
  Written written() throws SQLException {
    try (Connection connection = database.getConnection();
        PreparedStatement select = connection.prepareStatement(WRITTEN);
        ResultSet rows = select.executeQuery()) {
      rows.next();
      return new Written(rows.getLong("all_of_it"), rows.getLong("moves"));
    }
  }

  private static final String MARKS =
      """
      SELECT j.id,
             concat_ws(' ', j.version, j.state, j.waiting_for, j.live, j.starting, j.in_doubt,
               j.attempts_started, j.attempts_allowed, j.contested, j.cancel_requested_at, j.run_at,
               j.deadline, j.goes_on_at, j.payload_emptied_at,
               (SELECT string_agg(concat_ws(' ', a.number, a.state, a.accepted_at, a.provider_ref),
                         ',' ORDER BY a.number)
                  FROM onejob.attempt AS a WHERE a.job_id = j.id),
               (SELECT concat_ws(' ', count(*), sum(e.times))
                  FROM onejob.evidence AS e WHERE e.job_id = j.id),
               (SELECT count(*) FROM onejob.resolution AS r WHERE r.job_id = j.id),
               (SELECT t.repeats FROM onejob.job_repeat AS t WHERE t.job_id = j.id)) AS mark
        FROM onejob.job AS j
       WHERE j.id = ANY (?)
      """;

  /** A text for each job that is there: another as soon as anything about it is another. */
  Map<JobId, String> marks(Collection<JobId> jobs) throws SQLException {
    try (Connection connection = database.getConnection();
        PreparedStatement select = connection.prepareStatement(MARKS)) {
      Array ids = connection.createArrayOf("uuid", jobs.stream().map(JobId::uuid).toArray());
      select.setArray(1, ids);
      Map<JobId, String> marks = new HashMap<>();
      try (ResultSet rows = select.executeQuery()) {
        while (rows.next()) {
          marks.put(new JobId(rows.getObject("id", UUID.class)), rows.getString("mark"));
        }
      }
      return marks;
    }
  }

  private static final String OWNER =
      """
      SELECT j.owner FROM onejob.job AS j WHERE j.id = ?
      """;

  /** Whose job this is; empty if there is none. */
  Optional<Owner> owner(JobId job) throws SQLException {
    try (Connection connection = database.getConnection();
        PreparedStatement select = connection.prepareStatement(OWNER)) {
      select.setObject(1, job.uuid());
      try (ResultSet rows = select.executeQuery()) {
        return rows.next() ? Optional.of(new Owner(rows.getString("owner"))) : Optional.empty();
      }
    }
  }
}
