package dev.onejob.store;

import dev.onejob.domain.AttemptId;
import dev.onejob.domain.JobId;
import dev.onejob.store.WorkerClaims.Wish;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What a worker may have now; its jobs are locked as it is found. */
final class ClaimableWork {
  private final Connection connection;
  private final Wish wish;
  private final Map<String, Integer> room;

  private ClaimableWork(Connection connection, Wish wish, Map<String, Integer> room) {
    this.connection = connection;
    this.wish = wish;
    this.room = room;
  }

  /** With how many more attempts of each provider the worker may hold. */
  static ClaimableWork of(Connection connection, Wish wish) throws SQLException {
    return new ClaimableWork(connection, wish, room(connection, wish));
  }

  /** A job that may start, locked. */
  record Due(JobId id, String kind, String provider) {}

  private static final String HELD =
      """
      SELECT a.provider, count(*) AS held
      FROM onejob.attempt AS a
      WHERE a.claimed_by = :claimed_by AND a.worker = :worker
        AND a.state IN ('starting', 'running')
      GROUP BY a.provider
      """;

  /** Jobs that another session holds at this moment are left to it: nobody waits for anybody. */
  private static final String DUE =
      """
      SELECT j.id, j.kind, coalesce(j.goes_on_at, j.route[1]) AS provider
      FROM onejob.job AS j
      WHERE j.run_at IS NOT NULL
        AND j.run_at <= clock_timestamp()
        AND j.kind = ANY (:kinds::text[])
        AND coalesce(j.goes_on_at, j.route[1]) = ANY (:providers::text[])
        AND (:owner::text IS NULL OR j.owner = :owner)
      ORDER BY j.priority DESC, j.run_at
      LIMIT :limit
      FOR NO KEY UPDATE SKIP LOCKED
      """;

  /** Jobs that are due, at most so many. */
  List<Due> due(int limit) throws SQLException {
    Params params = wanted(limit);
    List<Due> found =
        Sql.query(
            connection,
            DUE,
            params,
            row ->
                new Due(Rows.jobId(row, "id"), Rows.text(row, "kind"), Rows.text(row, "provider")));
    return found.stream().filter(due -> room.merge(due.provider(), -1, Integer::sum) >= 0).toList();
  }

  private Params wanted(int limit) {
    List<String> providers =
        room.entrySet().stream().filter(e -> e.getValue() > 0).map(Map.Entry::getKey).toList();
    return new Params()
        .column("kinds", "text", List.copyOf(wish.timeouts().keySet()), kind -> kind)
        .column("providers", "text", providers, provider -> provider)
        .set("owner", wish.ownerName())
        .set("limit", limit);
  }

  private record Offered(AttemptId attempt, String provider) {}

  private static final String OFFERED_JOBS =
      """
      SELECT a.id, a.provider
      FROM onejob.attempt AS a
      JOIN onejob.job AS j ON j.id = a.job_id
      WHERE a.node = '(none)'
        AND a.state = 'starting'
        AND a.provider = ANY (:providers::text[])
        AND NOT j.contested
        AND j.completed_by IS NULL
        AND j.kind = ANY (:kinds::text[])
        AND (:owner::text IS NULL OR j.owner = :owner)
      ORDER BY j.priority DESC, a.started_at
      LIMIT :limit
      FOR NO KEY UPDATE OF j SKIP LOCKED
      """;

  /** Looked up behind the locks: what the statement before read of attempts may be old. */
  private static final String STILL_OFFERED =
      """
      SELECT a.id, a.provider
      FROM onejob.attempt AS a
      WHERE a.id = ANY (:attempts::uuid[])
        AND a.node = '(none)'
        AND a.state = 'starting'
        AND a.lease_until > clock_timestamp()
      ORDER BY a.started_at
      """;

  /** Attempts that the button has started and that no worker has yet. */
  List<AttemptId> offered() throws SQLException {
    List<Offered> found =
        Sql.query(connection, OFFERED_JOBS, wanted(wish.count()), ClaimableWork::offeredAttempt);
    if (found.isEmpty()) {
      return List.of();
    }
    Params params = new Params().column("attempts", "uuid", found, o -> o.attempt().uuid());
    return Sql.query(connection, STILL_OFFERED, params, ClaimableWork::offeredAttempt).stream()
        .filter(offered -> room.merge(offered.provider(), -1, Integer::sum) >= 0)
        .map(Offered::attempt)
        .toList();
  }

  private static Offered offeredAttempt(ResultSet row) throws SQLException {
    return new Offered(Rows.attemptId(row, "id"), Rows.text(row, "provider"));
  }

  /** How many more attempts of each provider the worker may hold. */
  private static Map<String, Integer> room(Connection connection, Wish wish) throws SQLException {
    Params params = new Params().set("claimed_by", wish.claimedBy()).set("worker", wish.worker());
    Map<String, Integer> room = new HashMap<>();
    wish.terms().forEach((provider, terms) -> room.put(provider, terms.heldMax()));
    Sql.query(
            connection,
            HELD,
            params,
            row -> Map.entry(Rows.text(row, "provider"), row.getInt("held")))
        .forEach(held -> room.computeIfPresent(held.getKey(), (p, max) -> max - held.getValue()));
    return room;
  }
}
