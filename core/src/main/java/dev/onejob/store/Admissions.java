package dev.onejob.store;

import dev.onejob.domain.Fingerprint;
import dev.onejob.domain.IntentKey;
import dev.onejob.domain.JobId;
import dev.onejob.domain.Owner;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
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
   * @param started whether this admission is known to have started its first attempt as well
   */
  public record Bound(JobId id, Fingerprint fingerprint, @Nullable Birth birth, boolean started) {
    /** Whether this admission made it. */
    public boolean created() {
      return birth != null;
    }
  }

  /**
   * What the database's clock made of a new job.
   *
   * @param runAt when it could start: of one that was started with its birth, the same moment
   */
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
        shortWay.write(jobs.stream().<Write>map(job -> new Write.Admit(job, null)).toList());
    List<NewJob> open = new ArrayList<>();
    for (int i = 0; i < jobs.size(); i++) {
      NewJob job = jobs.get(i);
      if (written.get(i) instanceof Write.Born born) {
        bound.put(job.id(), born.bound(job));
      } else {
        open.add(job);
      }
    }
    return open;
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
      return new Bound(bound.id(), bound.fingerprint(), birth, false);
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
    Bound bound = new Bound(Rows.jobId(row, "id"), fingerprint, null, false);
    return new Found(ownerKey, bound, Births.birth(row));
  }
}
