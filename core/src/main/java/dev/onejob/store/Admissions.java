package dev.onejob.store;

import dev.onejob.domain.Fingerprint;
import dev.onejob.domain.IntentKey;
import dev.onejob.domain.JobId;
import dev.onejob.domain.Owner;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * The birth of jobs: insert, or find by owner and key. The unique constraint decides; nothing is
 * looked up before the insert.
 */
public final class Admissions {
  /**
   * Rounds of insert and find. A second is needed only when the winner of a key rolled back between
   * the two; more than a few mean that something is badly wrong.
   */
  private static final int ROUNDS_MAX = 10;

  private final Sql sql;

  public Admissions(DataSource database) {
    this.sql = new Sql(database);
  }

  /**
   * The job that a key is bound to.
   *
   * @param fingerprint as it was stored, whatever its version
   * @param birth when this admission made it; null if it was there before
   */
  public record Bound(JobId id, Fingerprint fingerprint, @Nullable Birth birth) {
    /** Whether this admission made it. */
    public boolean created() {
      return birth != null;
    }

    Bound foundAgain() {
      return new Bound(id, fingerprint, null);
    }
  }

  /** What the database's clock made of a new job. */
  public record Birth(Instant createdAt, Instant runAt, @Nullable Instant deadline) {}

  private record Born(UUID id, Birth birth) {}

  private record OwnerKey(Owner owner, IntentKey key) {
    static OwnerKey of(NewJob job) {
      return new OwnerKey(job.owner(), job.key());
    }
  }

  /**
   * Admits a batch in one statement. Durable when it returns.
   *
   * @return an answer for each job, in their order; a key that comes twice makes one job
   * @throws StoreException.LockTimeout if another transaction holds one of the keys; nothing was
   *     done
   */
  public List<Bound> admit(List<NewJob> jobs) {
    Map<OwnerKey, NewJob> firsts = new LinkedHashMap<>();
    for (NewJob job : jobs) {
      firsts.putIfAbsent(OwnerKey.of(job), job);
    }
    Map<OwnerKey, Bound> bound = bind(firsts);
    Set<JobId> told = new HashSet<>();
    List<Bound> answers = new ArrayList<>(jobs.size());
    for (NewJob job : jobs) {
      Bound found = Objects.requireNonNull(bound.get(OwnerKey.of(job)));
      answers.add(told.add(found.id()) ? found : found.foundAgain());
    }
    return answers;
  }

  private Map<OwnerKey, Bound> bind(Map<OwnerKey, NewJob> wanted) {
    Map<OwnerKey, Bound> bound = new HashMap<>();
    Map<OwnerKey, NewJob> open = new LinkedHashMap<>(wanted);
    for (int round = 0; round < ROUNDS_MAX && !open.isEmpty(); round++) {
      List<NewJob> batch = List.copyOf(open.values());
      Map<UUID, NewJob> byId = new HashMap<>();
      batch.forEach(job -> byId.put(job.id().uuid(), job));
      for (Born born : insert(batch)) {
        NewJob made = Objects.requireNonNull(byId.get(born.id()));
        bound.put(OwnerKey.of(made), new Bound(made.id(), made.fingerprint(), born.birth()));
        open.remove(OwnerKey.of(made));
      }
      if (!open.isEmpty()) {
        find(List.copyOf(open.values())).forEach(bound::put);
        open.keySet().removeAll(bound.keySet());
      }
    }
    if (!open.isEmpty()) {
      throw new IllegalStateException("neither inserted nor found: " + open.keySet());
    }
    return bound;
  }

  private static final String INSERT =
      """
      SELECT
        set_config('lock_timeout', '250ms', true),
        set_config('plan_cache_mode', 'force_generic_plan', true)
      ;
      INSERT INTO onejob.job (
        id, owner, key, kind, effect, fingerprint_version, fingerprint, input, route,
        priority, tags, state, version, live, starting, in_doubt, attempts_started,
        attempts_allowed, run_at, deadline, expires_at, contested, race_after_ms, when_unqualified)
      SELECT
        n.id, n.owner, n.key, n.kind, n.effect, n.fingerprint_version, n.fingerprint, n.input,
        string_to_array(n.route, ','), n.priority, string_to_array(n.tags, ','), 'queued', 0, 0,
        0, 0, 0, n.attempts_allowed, clock_timestamp(), d.deadline, d.deadline, false,
        n.race_after_ms, n.when_unqualified
      FROM unnest(
          :id::uuid[], :owner::text[], :key::text[], :kind::text[], :effect::text[],
          :fingerprint_version::smallint[], :fingerprint::bytea[], :input::bytea[], :route::text[],
          :priority::smallint[], :tags::text[], :attempts_allowed::integer[],
          :deadline::timestamptz[], :deadline_after_ms::bigint[], :race_after_ms::bigint[],
          :when_unqualified::text[])
        AS n (
          id, owner, key, kind, effect, fingerprint_version, fingerprint, input, route,
          priority, tags, attempts_allowed, deadline, deadline_after_ms, race_after_ms,
          when_unqualified)
      CROSS JOIN LATERAL (
        SELECT coalesce(
          n.deadline, clock_timestamp() + n.deadline_after_ms * interval '1 millisecond')
          AS deadline) AS d
      ORDER BY n.owner, n.key
      ON CONFLICT (owner, key) DO NOTHING
      RETURNING id, created_at, run_at, deadline
      """;

  private List<Born> insert(List<NewJob> jobs) {
    Params params =
        new Params()
            .column("id", "uuid", jobs, job -> job.id().uuid())
            .column("owner", "text", jobs, job -> job.owner().value())
            .column("key", "text", jobs, job -> job.key().value())
            .column("kind", "text", jobs, NewJob::kind)
            .column("effect", "text", jobs, job -> job.effect().word())
            .column("fingerprint_version", "int2", jobs, job -> (short) job.fingerprint().version())
            .column("fingerprint", "bytea", jobs, job -> job.fingerprint().sha256())
            .column("input", "bytea", jobs, NewJob::input)
            .column("route", "text", jobs, job -> String.join(",", job.route()))
            .column("priority", "int2", jobs, job -> (short) job.priority())
            .column("tags", "text", jobs, job -> String.join(",", job.tags()))
            .column("attempts_allowed", "int4", jobs, job -> job.rules().attemptsAllowed())
            .column("deadline", "text", jobs, NewJob::deadline)
            .column("deadline_after_ms", "int8", jobs, job -> millis(job.deadlineAfter()))
            .column("race_after_ms", "int8", jobs, job -> millis(job.rules().raceAfter()))
            .column("when_unqualified", "text", jobs, job -> job.rules().whenUnqualified().word());
    return sql.alone(connection -> Sql.query(connection, INSERT, params, Admissions::born));
  }

  private static Born born(ResultSet row) throws SQLException {
    return new Born(
        Rows.uuid(row, "id"),
        new Birth(
            Rows.instant(row, "created_at"),
            Rows.instant(row, "run_at"),
            Rows.instantOrNull(row, "deadline")));
  }

  static @Nullable Long millis(@Nullable Duration duration) {
    return duration == null ? null : duration.toMillis();
  }

  private static final String FIND =
      """
      SELECT j.owner, j.key, j.id, j.fingerprint_version, j.fingerprint
      FROM unnest(:owner::text[], :key::text[]) AS n (owner, key)
      JOIN onejob.job AS j ON j.owner = n.owner AND j.key = n.key
      """;

  /** The job that a key is bound to, without admitting anything. */
  public Optional<Bound> find(Owner owner, IntentKey key) {
    Params params =
        new Params()
            .column("owner", "text", List.of(owner.value()), value -> value)
            .column("key", "text", List.of(key.value()), value -> value);
    return sql.alone(connection -> find(connection, params)).stream().map(Found::bound).findFirst();
  }

  private record Found(OwnerKey ownerKey, Bound bound) {}

  private Map<OwnerKey, Bound> find(List<NewJob> jobs) {
    Params params =
        new Params()
            .column("owner", "text", jobs, job -> job.owner().value())
            .column("key", "text", jobs, job -> job.key().value());
    Map<OwnerKey, Bound> found = new HashMap<>();
    for (Found one : sql.alone(c -> find(c, params))) {
      found.put(one.ownerKey(), one.bound());
    }
    return found;
  }

  private static List<Found> find(Connection connection, Params params) throws SQLException {
    return Sql.query(connection, FIND, params, Admissions::found);
  }

  private static Found found(ResultSet row) throws SQLException {
    OwnerKey ownerKey =
        new OwnerKey(new Owner(row.getString("owner")), new IntentKey(row.getString("key")));
    Fingerprint fingerprint =
        new Fingerprint(row.getInt("fingerprint_version"), row.getBytes("fingerprint"));
    return new Found(ownerKey, new Bound(Rows.jobId(row, "id"), fingerprint, null));
  }
}
