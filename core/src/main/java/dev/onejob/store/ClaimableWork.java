package dev.onejob.store;

import dev.onejob.domain.AttemptId;
import dev.onejob.domain.JobId;
import dev.onejob.store.DueJobs.Due;
import dev.onejob.store.WorkerClaims.Wish;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What a worker may have now; its jobs are locked as it is found. */
final class ClaimableWork {
  private final Connection connection;
  private final Wish wish;
  private final Map<String, Integer> room;
  private final Set<JobId> shown = new HashSet<>();

  private ClaimableWork(Connection connection, Wish wish, Map<String, Integer> room) {
    this.connection = connection;
    this.wish = wish;
    this.room = room;
  }

  /** With how many more attempts of each provider the worker may hold. */
  static ClaimableWork of(Connection connection, Wish wish) throws SQLException {
    return new ClaimableWork(connection, wish, room(connection, wish));
  }

  private static final String HELD =
      """
      SELECT a.provider, count(*) AS held
      FROM onejob.attempt AS a
      WHERE a.claimed_by = :claimed_by AND a.worker = :worker
        AND a.state IN ('starting', 'running')
      GROUP BY a.provider
      """;

  /**
   * Jobs that are due and were not shown by an earlier look of this claim, the first to start
   * first. They are not locked.
   */
  List<Due> look(int limit) throws SQLException {
    List<String> providers = providersWithRoom();
    if (providers.isEmpty()) {
      return List.of();
    }
    DueJobs.Look look =
        new DueJobs.Look(kinds(), providers, wish.rota().turns(), Set.copyOf(shown), limit);
    List<Due> found =
        wish.owner() == null
            ? DueJobs.find(connection, look)
            : DueJobs.findOf(connection, List.of(wish.owner()), look);
    found.forEach(due -> shown.add(due.id()));
    return found;
  }

  /**
   * Jobs that another session holds at this moment are left to it: nobody waits for anybody, so the
   * order of the locks is free.
   */
  private static final String LOCK =
      """
      SELECT
        set_config('enable_hashjoin', 'off', true),
        set_config('enable_mergejoin', 'off', true)
      ;
      SELECT j.id
      FROM unnest(:jobs::uuid[]) WITH ORDINALITY AS w (id, place)
      JOIN onejob.job AS j ON j.id = w.id
      WHERE j.run_at IS NOT NULL AND j.run_at <= clock_timestamp()
      ORDER BY w.place
      LIMIT :limit
      FOR NO KEY UPDATE OF j SKIP LOCKED
      """;

  /** Those of the found that are still to be had, locked, at most so many, in their order. */
  List<Due> lock(List<Due> found, int limit) throws SQLException {
    Map<String, Integer> left = new HashMap<>(room);
    List<Due> fitting =
        found.stream()
            .filter(due -> left.merge(due.lane().provider(), -1, Integer::sum) >= 0)
            .toList();
    Params params =
        new Params().column("jobs", "uuid", fitting, due -> due.id().uuid()).set("limit", limit);
    Set<JobId> locked =
        Set.copyOf(Sql.query(connection, LOCK, params, row -> Rows.jobId(row, "id")));
    List<Due> had = fitting.stream().filter(due -> locked.contains(due.id())).toList();
    had.forEach(due -> room.merge(due.lane().provider(), -1, Integer::sum));
    return had;
  }

  /** A job that was locked did not start: another may have its place. */
  void leave(Due due) {
    room.merge(due.lane().provider(), 1, Integer::sum);
  }

  private List<String> kinds() {
    return List.copyOf(wish.timeouts().keySet());
  }

  private List<String> providersWithRoom() {
    return room.entrySet().stream().filter(e -> e.getValue() > 0).map(Map.Entry::getKey).toList();
  }

  private Params wanted(int limit) {
    return new Params()
        .column("kinds", "text", kinds(), kind -> kind)
        .column("providers", "text", providersWithRoom(), provider -> provider)
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
        AND j.cancel_requested_at IS NULL
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
