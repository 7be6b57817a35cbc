package dev.onejob.store;

import dev.onejob.domain.Answer;
import dev.onejob.domain.JobId;
import dev.onejob.store.Sql.RowMapper;
import dev.onejob.store.Write.Written;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import javax.sql.DataSource;

/**
 * The short way of the three frequent moves: births, starts and claims of the slot of many jobs in
 * one text, one round trip and one transaction. Each is guarded by the columns of its own job row
 * alone; whatever that does not cover goes the long way: {@link Moves#move}, and {@link
 * Admissions#lookAgain}.
 *
 * <p>Order of the locks: jobs by id, then new keys by owner and key.
 */
public final class ShortWay {
  private static final String SETTINGS =
      """
      SELECT
        set_config('lock_timeout', '250ms', true),
        set_config('enable_seqscan', 'off', true),
        set_config('enable_hashjoin', :hash_joins, true),
        set_config('enable_mergejoin', 'off', true),
        set_config('plan_cache_mode', 'force_generic_plan', true)
      """;

  private static final String LOCK =
      """
      SELECT j.id
      FROM onejob.job AS j
      WHERE j.id = ANY (:locked::uuid[])
      ORDER BY j.id
      FOR NO KEY UPDATE
      """;

  private final Sql sql;
  private final List<String> contracted;

  /** One of a node whose kinds have no contract. */
  public ShortWay(DataSource database) {
    this(database, Set.of());
  }

  /**
   * Makes one.
   *
   * @param contracted the kinds whose contracts the node knows: of another it starts no job that
   *     was admitted under a contract
   */
  public ShortWay(DataSource database, Set<String> contracted) {
    this.sql = new Sql(database);
    this.contracted = List.copyOf(contracted);
  }

  /**
   * One statement of the text. Its rows are the moves that it made, each with the id of its job.
   */
  record Part(String text, RowMapper<Written> mapper) {}

  /**
   * Makes the moves, at most one of each job, in one transaction. Durable when it returns.
   *
   * @return for each, in their order, what became of it
   * @throws StoreException.LockTimeout if another transaction holds one of the jobs or keys;
   *     nothing was done
   */
  public List<Written> write(List<Write> writes) {
    List<Write.Admit> births = new ArrayList<>();
    List<MoveRequest> starts = new ArrayList<>();
    List<MoveRequest> claims = new ArrayList<>();
    List<JobId> locked = new ArrayList<>();
    for (Write write : writes) {
      switch (write) {
        case Write.Admit admit -> births.add(admit);
        case Write.Start start -> {
          starts.add(start.request());
          locked.add(start.job());
        }
        case Write.ClaimSlot claim -> {
          claims.add(claim.request());
          locked.add(claim.job());
        }
      }
    }
    // Only births join rows of the text with each other; whatever is locked is found by its index.
    Params params = new Params().set("hash_joins", locked.isEmpty() ? "on" : "off");
    List<String> before = new ArrayList<>(List.of(SETTINGS));
    if (!locked.isEmpty()) {
      params.column("locked", "uuid", locked, JobId::uuid);
      before.add(LOCK);
    }
    List<Part> parts = new ArrayList<>();
    if (!starts.isEmpty()) {
      parts.add(Claims.starts(starts, contracted, params));
    }
    if (!claims.isEmpty()) {
      parts.add(Settlements.claims(claims, params));
    }
    if (!births.isEmpty()) {
      parts.add(Births.births(births, params));
    }
    Map<JobId, Written> made = sql.alone(connection -> run(connection, before, parts, params));
    return writes.stream().map(w -> made.getOrDefault(w.job(), Write.NOT_WRITTEN)).toList();
  }

  /**
   * Starts attempts of jobs that were just found due, by dispatch at the first provider of their
   * route, in one transaction. Durable when it returns. Waits for nobody.
   *
   * @return for each, in their order, what it was answered with; empty: somebody else holds the job
   *     or has taken it, or the short way does not say yes
   */
  public List<Optional<Answer.Started>> take(List<MoveRequest> starts) {
    Params params = new Params().set("hash_joins", "off");
    List<Part> parts = List.of(Claims.takes(starts, contracted, params));
    Map<JobId, Written> made =
        sql.alone(connection -> run(connection, List.of(SETTINGS), parts, params));
    return starts.stream()
        .map(start -> Optional.ofNullable(made.get(start.job())))
        .map(written -> written.map(it -> (Answer.Started) ((Write.Moved) it).answer()))
        .toList();
  }

  /** Every statement gives rows. */
  private static Map<JobId, Written> run(
      Connection connection, List<String> before, List<Part> parts, Params params)
      throws SQLException {
    List<String> texts = new ArrayList<>(before);
    parts.forEach(part -> texts.add(part.text()));
    Map<JobId, Written> made = new HashMap<>();
    try (PreparedStatement statement = Sql.prepare(connection, texts, params)) {
      List<ResultSet> results = Sql.results(statement);
      for (int i = 0; i < parts.size(); i++) {
        ResultSet rows = results.get(before.size() + i);
        while (rows.next()) {
          made.put(Rows.jobId(rows, "job_id"), parts.get(i).mapper().map(rows));
        }
      }
    }
    return made;
  }
}
