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
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
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
  private final ShortWay shortWay;

  public Admissions(DataSource database) {
    this.sql = new Sql(database);
    this.shortWay = new ShortWay(database);
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
  }

  /** What the database's clock made of a new job. */
  public record Birth(Instant createdAt, Instant runAt, @Nullable Instant deadline) {}

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
    Map<JobId, Bound> bound = new HashMap<>();
    return bind(jobs, insert(jobs, bound), bound);
  }

  /**
   * Goes on where the short way did not make these jobs: their keys are bound, or were about to be.
   * A job that is found under its own id was made by an earlier try, whose answer was lost: it is
   * created, not a repeat.
   *
   * @return as {@link #admit}
   * @throws StoreException.LockTimeout as {@link #admit}
   */
  public List<Bound> lookAgain(List<NewJob> jobs) {
    return bind(jobs, jobs, new HashMap<>());
  }

  private List<Bound> bind(List<NewJob> jobs, List<NewJob> notMade, Map<JobId, Bound> bound) {
    List<NewJob> open = notMade;
    for (int round = 1; !open.isEmpty(); round++) {
      Map<OwnerKey, Found> found = find(open);
      for (NewJob job : open) {
        Found one = found.get(OwnerKey.of(job));
        if (one != null) {
          bound.put(job.id(), one.isOf(job) ? one.created() : one.bound());
        }
      }
      open = open.stream().filter(job -> !bound.containsKey(job.id())).toList();
      if (round >= ROUNDS_MAX && !open.isEmpty()) {
        throw new IllegalStateException(
            "neither inserted nor found: " + open.stream().map(OwnerKey::of).toList());
      }
      open = insert(open, bound);
    }
    return jobs.stream().map(job -> Objects.requireNonNull(bound.get(job.id()))).toList();
  }

  /** Those that were not made. */
  private List<NewJob> insert(List<NewJob> jobs, Map<JobId, Bound> bound) {
    if (jobs.isEmpty()) {
      return List.of();
    }
    List<Write.Written> written =
        shortWay.write(jobs.stream().<Write>map(Write.Admit::new).toList());
    List<NewJob> open = new ArrayList<>();
    for (int i = 0; i < jobs.size(); i++) {
      NewJob job = jobs.get(i);
      if (written.get(i) instanceof Write.Born born) {
        bound.put(job.id(), new Bound(job.id(), job.fingerprint(), born.birth()));
      } else {
        open.add(job);
      }
    }
    return open;
  }

  private static final String INSERT =
      """
      INSERT INTO onejob.job (
        id, owner, key, kind, effect, fingerprint_version, fingerprint, input, route,
        priority, tags, state, version, live, starting, in_doubt, attempts_started,
        attempts_allowed, run_at, deadline, expires_at, contested, race_after_ms, when_unqualified,
        webhook, contracted)
      SELECT
        n.id, n.owner, n.key, n.kind, n.effect, n.fingerprint_version, n.fingerprint, n.input,
        string_to_array(n.route, ','), n.priority, string_to_array(n.tags, ','), 'queued', 0, 0,
        0, 0, 0, n.attempts_allowed, clock_timestamp(), d.deadline, d.deadline, false,
        n.race_after_ms, n.when_unqualified, n.webhook, n.contracted
      FROM unnest(
          :id::uuid[], :owner::text[], :key::text[], :kind::text[], :effect::text[],
          :fingerprint_version::smallint[], :fingerprint::bytea[], :input::bytea[], :route::text[],
          :priority::smallint[], :tags::text[], :attempts_allowed::integer[],
          :deadline::timestamptz[], :deadline_after_ms::bigint[], :race_after_ms::bigint[],
          :when_unqualified::text[], :webhook::text[], :contracted::boolean[])
        AS n (
          id, owner, key, kind, effect, fingerprint_version, fingerprint, input, route,
          priority, tags, attempts_allowed, deadline, deadline_after_ms, race_after_ms,
          when_unqualified, webhook, contracted)
      CROSS JOIN LATERAL (
        SELECT coalesce(
          n.deadline, clock_timestamp() + n.deadline_after_ms * interval '1 millisecond')
          AS deadline) AS d
      ORDER BY n.owner, n.key
      ON CONFLICT (owner, key) DO NOTHING
      RETURNING id AS job_id, created_at, run_at, deadline
      """;

  static ShortWay.Part births(List<NewJob> jobs, Params params) {
    params
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
        .column("when_unqualified", "text", jobs, job -> job.rules().whenUnqualified().word())
        .column("webhook", "text", jobs, NewJob::webhook)
        .column("contracted", "bool", jobs, NewJob::contracted);
    return new ShortWay.Part(INSERT, row -> new Write.Born(birth(row)));
  }

  private static Birth birth(ResultSet row) throws SQLException {
    return new Birth(
        Rows.instant(row, "created_at"),
        Rows.instant(row, "run_at"),
        Rows.instantOrNull(row, "deadline"));
  }

  static @Nullable Long millis(@Nullable Duration duration) {
    return duration == null ? null : duration.toMillis();
  }

  private static final String FIND =
      """
      SELECT
        j.owner, j.key, j.id, j.fingerprint_version, j.fingerprint, j.created_at,
        coalesce(j.run_at, j.created_at) AS run_at, j.deadline
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

  private record Found(OwnerKey ownerKey, Bound bound, Birth birth) {
    boolean isOf(NewJob job) {
      return bound.id().equals(job.id());
    }

    Bound created() {
      return new Bound(bound.id(), bound.fingerprint(), birth);
    }
  }

  private Map<OwnerKey, Found> find(List<NewJob> jobs) {
    Params params =
        new Params()
            .column("owner", "text", jobs, job -> job.owner().value())
            .column("key", "text", jobs, job -> job.key().value());
    Map<OwnerKey, Found> found = new HashMap<>();
    for (Found one : sql.alone(c -> find(c, params))) {
      found.put(one.ownerKey(), one);
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
    return new Found(ownerKey, new Bound(Rows.jobId(row, "id"), fingerprint, null), birth(row));
  }
}
