package dev.onejob.store;

import dev.onejob.domain.Answer;
import dev.onejob.domain.AttemptId;
import dev.onejob.domain.ClaimedAttempt;
import dev.onejob.domain.Demand;
import dev.onejob.domain.JobEvent;
import dev.onejob.domain.Limits;
import dev.onejob.domain.Owner;
import dev.onejob.domain.StartCause;
import dev.onejob.store.DueJobs.Due;
import dev.onejob.store.Moves.Made;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Workers take jobs: the starts of one claim are one transaction, and happen once. */
public final class WorkerClaims {
  /** The node of an attempt that waits for a worker; no node can have this name. */
  public static final String NOBODY = "(none)";

  private static final String UNIQUE_VIOLATION = "23505";

  /** Looks of one claim: exactly, then wide, and once more if others were quicker there too. */
  private static final int LOOKS_MAX = 3;

  /** Where a claim ends: beyond it the places of one more batch may not fit into their column. */
  private static final int PLACES_MAX = Short.MAX_VALUE - Limits.CLAIM_ATTEMPTS_MAX;

  private final Sql sql;
  private final MoveTransactions transactions;
  private final Survey survey;

  /**
   * Makes one.
   *
   * @param demands as with {@link Moves}
   * @param told as with {@link Moves}
   */
  public WorkerClaims(DataSource database, Map<String, Demand> demands, Consumer<Made> told) {
    this.sql = new Sql(database);
    this.survey = new Survey(demands, Survey.Starting.FETCHES);
    this.transactions = new MoveTransactions(database, told);
  }

  /**
   * What a worker asks for.
   *
   * @param claimedBy the API key
   * @param request the id of the claim: the same for every try of it
   * @param owner the only owner whose jobs are taken; null: every owner
   * @param node that gives the attempts out
   * @param timeouts the kinds that it takes, and how long their attempts may last
   * @param terms of the providers whose work is fetched
   * @param count most attempts
   * @param rota whose turn it is among the owners, if all of them are served
   * @param ids makes the ids of attempts
   */
  public record Wish(
      UUID claimedBy,
      String worker,
      String request,
      @Nullable Owner owner,
      String node,
      Map<String, Duration> timeouts,
      Map<String, Terms> terms,
      int count,
      DueJobs.Rota rota,
      Supplier<AttemptId> ids) {
    @Nullable String ownerName() {
      return owner == null ? null : owner.value();
    }
  }

  /**
   * On which terms a worker gets attempts of a provider.
   *
   * @param heldMax attempts that one worker may hold at once
   */
  public record Terms(Duration lease, int heldMax) {}

  /** Work that waits for a worker. */
  public record Waiting(String kind, Owner owner) {}

  private static final String OFFERED =
      """
      SELECT j.kind, j.owner
      FROM onejob.attempt AS a
      JOIN onejob.job AS j ON j.id = a.job_id
      WHERE a.node = '(none)'
        AND a.state = 'starting'
        AND a.provider = ANY (:providers::text[])
        AND NOT j.contested
        AND j.completed_by IS NULL
        AND j.cancel_requested_at IS NULL
        AND j.kind = ANY (:kinds::text[])
      LIMIT :limit
      """;

  /** Attempts that the button has started and that wait for a worker. A hint: the claim decides. */
  public List<Waiting> offered(List<String> kinds, List<String> providers, int limit) {
    Params params =
        new Params()
            .column("kinds", "text", kinds, kind -> kind)
            .column("providers", "text", providers, provider -> provider)
            .set("limit", limit);
    return sql.alone(
        connection ->
            Sql.query(
                connection,
                OFFERED,
                params,
                row -> new Waiting(Rows.text(row, "kind"), new Owner(Rows.text(row, "owner")))));
  }

  /**
   * Starts attempts and hands them to the worker.
   *
   * @return the attempts of this claim: those of an earlier try of it as long as they are starting
   *     under their lease, and no others once one of them was accepted or reported; empty if there
   *     is nothing yet and the claim may be tried again
   */
  public Optional<List<ClaimedAttempt>> claim(Wish wish) {
    try {
      return transactions.run((connection, made) -> claimIn(connection, wish, made));
    } catch (StoreException e) {
      if (!UNIQUE_VIOLATION.equals(e.sqlState())) {
        throw e;
      }
      // The same claim came twice at once, and the other was first.
      return sql.transaction(connection -> earlier(connection, wish).answer());
    }
  }

  private Optional<List<ClaimedAttempt>> claimIn(
      Connection connection, Wish wish, Consumer<Made> made) throws SQLException {
    Earlier earlier = earlier(connection, wish);
    if (earlier.answer().isPresent()) {
      return earlier.answer();
    }
    if (earlier.lapsed()) {
      return Optional.empty(); // the sweep decides about it first
    }
    ClaimableWork work = ClaimableWork.of(connection, wish);
    List<AttemptId> given = new ArrayList<>(work.offered());
    for (int look = 1; look <= LOOKS_MAX && given.size() < wish.count(); look++) {
      int missing = wish.count() - given.size();
      List<Due> found = work.look(look == 1 ? missing : Limits.BATCH_MAX);
      if (found.isEmpty()) {
        break;
      }
      List<Due> locked = work.lock(found, missing);
      given.addAll(locked.isEmpty() ? List.of() : start(connection, wish, work, locked, made));
    }
    return given.isEmpty()
        ? Optional.empty()
        : Optional.of(hand(connection, wish, given, earlier.places()));
  }

  /**
   * What earlier tries of a claim have taken.
   *
   * @param waiting starting under their lease: given again
   * @param lapsed whether one is starting still, but not under its lease: it may be accepted yet
   * @param heard whether one was accepted or reported, so that its worker has had the answer
   * @param places the last that was given; 0: none
   */
  private record Earlier(List<ClaimedAttempt> waiting, boolean lapsed, boolean heard, int places) {
    /**
     * Empty if the claim goes on: nothing was taken, or the answer that brought it was lost for so
     * long that it is over, and its worker still asks.
     */
    Optional<List<ClaimedAttempt>> answer() {
      boolean closed = heard || places > PLACES_MAX;
      return waiting.isEmpty() && !closed ? Optional.empty() : Optional.of(waiting);
    }
  }

  private record Known(
      boolean lapsed, boolean heard, int place, @Nullable ClaimedAttempt waiting) {}

  private static final String EARLIER =
      """
      SELECT
        a.id, a.job_id, a.number, a.provider, a.provider_key, a.claim_token,
        coalesce(a.lease_until, a.timeout_at) AS lease_until, a.timeout_at,
        1000 * extract(epoch FROM a.lease_until - clock_timestamp()) AS lease_left_ms,
        1000 * extract(epoch FROM a.timeout_at - clock_timestamp()) AS timeout_left_ms,
        w.waits,
        a.state = 'starting' AND NOT w.waits AS lapsed,
        a.accepted_at IS NOT NULL
          OR a.report_outcome IS NOT NULL AND NOT EXISTS (
            SELECT FROM onejob.resolution AS r WHERE r.attempt_id = a.id AND r.verdict = 'done')
          AS heard,
        a.claim_place, j.owner, j.kind, CASE WHEN w.waits THEN j.input END AS input
      FROM onejob.attempt AS a
      JOIN onejob.job AS j ON j.id = a.job_id
      CROSS JOIN LATERAL (
        SELECT
          coalesce(a.state = 'starting' AND a.lease_until > clock_timestamp(), false) AS waits) AS w
      WHERE a.claimed_by = :claimed_by AND a.claim_request = :request
      ORDER BY a.claim_place
      """;

  private static Earlier earlier(Connection connection, Wish wish) throws SQLException {
    Params params = new Params().set("claimed_by", wish.claimedBy()).set("request", wish.request());
    List<Known> known =
        Sql.query(
            connection,
            EARLIER,
            params,
            row ->
                new Known(
                    row.getBoolean("lapsed"),
                    row.getBoolean("heard"),
                    row.getInt("claim_place"),
                    row.getBoolean("waits") ? claimedAttempt(row) : null));
    return new Earlier(
        known.stream().map(Known::waiting).filter(Objects::nonNull).toList(),
        known.stream().anyMatch(Known::lapsed),
        known.stream().anyMatch(Known::heard),
        known.isEmpty() ? 0 : known.getLast().place());
  }

  /** The guard of every start, behind the lock. */
  private List<AttemptId> start(
      Connection connection, Wish wish, ClaimableWork work, List<Due> due, Consumer<Made> told)
      throws SQLException {
    Lives.Locked locked = Lives.lock(connection, due.stream().map(Due::id).toList(), List.of());
    List<AttemptId> started = new ArrayList<>();
    for (Due each : due) {
      AttemptId attempt = wish.ids().get();
      MoveRequest request =
          new MoveRequest(
              each.id(),
              new JobEvent.Start(attempt, each.lane().provider(), StartCause.DISPATCH),
              new MoveRequest.Departure(
                  wish.node(), UUID.randomUUID(), lease(wish, each).toMillis()));
      Made made = Moves.moveOne(connection, request, locked, survey).orElse(null);
      if (made != null) {
        told.accept(made);
      }
      if (made != null && made.answer() instanceof Answer.Started) {
        started.add(attempt);
        if (wish.owner() == null) { // who serves one owner alone takes nobody's turn
          wish.rota().served(each);
        }
      } else {
        work.leave(each);
      }
    }
    return started;
  }

  private static Duration lease(Wish wish, Due due) {
    Duration lease = known(wish.terms(), due.lane().provider()).lease();
    Duration timeout = known(wish.timeouts(), due.lane().kind());
    return lease.compareTo(timeout) < 0 ? lease : timeout;
  }

  /** The statements ask for no others. */
  private static <T> T known(Map<String, T> terms, String name) {
    return Objects.requireNonNull(terms.get(name), name);
  }

  private static final String HAND =
      """
      UPDATE onejob.attempt AS a SET
        claimed_by = :claimed_by,
        worker = :worker,
        claim_request = :request,
        claim_place = h.place,
        claim_token = h.token,
        node = :node,
        lease_token = h.token,
        lease_ms = t.lease_ms,
        lease_until =
          clock_timestamp() + least(t.lease_ms, k.timeout_ms) * interval '1 millisecond',
        timeout_at = clock_timestamp() + k.timeout_ms * interval '1 millisecond'
      FROM unnest(:attempts::uuid[], :places::smallint[], :tokens::uuid[])
          AS h (attempt_id, place, token),
        unnest(:providers::text[], :leases_ms::bigint[]) AS t (provider, lease_ms),
        unnest(:kinds::text[], :timeouts_ms::bigint[]) AS k (kind, timeout_ms),
        onejob.job AS j
      WHERE a.id = h.attempt_id
        AND j.id = a.job_id
        AND t.provider = a.provider
        AND k.kind = j.kind
      RETURNING
        a.id, a.job_id, a.number, a.provider, a.provider_key, a.claim_token, a.lease_until,
        a.timeout_at,
        1000 * extract(epoch FROM a.lease_until - clock_timestamp()) AS lease_left_ms,
        1000 * extract(epoch FROM a.timeout_at - clock_timestamp()) AS timeout_left_ms,
        a.claim_place, j.owner, j.kind, j.input
      """;

  private record Placed(int place, ClaimedAttempt attempt) {}

  /** Places are given to what there is, without a gap: every try of a claim wants the next. */
  private static List<ClaimedAttempt> hand(
      Connection connection, Wish wish, List<AttemptId> given, int taken) throws SQLException {
    List<String> providers = List.copyOf(wish.terms().keySet());
    List<String> kinds = List.copyOf(wish.timeouts().keySet());
    List<Integer> places = IntStream.rangeClosed(taken + 1, taken + given.size()).boxed().toList();
    Params params =
        new Params()
            .set("claimed_by", wish.claimedBy())
            .set("worker", wish.worker())
            .set("request", wish.request())
            .column("attempts", "uuid", given, AttemptId::uuid)
            .column("places", "int2", places, place -> place)
            .column("tokens", "uuid", places, place -> UUID.randomUUID())
            .set("node", wish.node())
            .column("providers", "text", providers, provider -> provider)
            .column("leases_ms", "int8", providers, p -> known(wish.terms(), p).lease().toMillis())
            .column("kinds", "text", kinds, kind -> kind)
            .column("timeouts_ms", "int8", kinds, kind -> known(wish.timeouts(), kind).toMillis());
    return Sql.query(
            connection,
            HAND,
            params,
            row -> new Placed(row.getInt("claim_place"), claimedAttempt(row)))
        .stream()
        .sorted(Comparator.comparing(Placed::place))
        .map(Placed::attempt)
        .toList();
  }

  private static ClaimedAttempt claimedAttempt(ResultSet row) throws SQLException {
    return new ClaimedAttempt(
        Rows.jobId(row, "job_id"),
        Rows.attemptId(row, "id"),
        row.getInt("number"),
        new Owner(Rows.text(row, "owner")),
        Rows.text(row, "kind"),
        row.getBytes("input"),
        Rows.text(row, "provider"),
        Rows.text(row, "provider_key"),
        Rows.uuid(row, "claim_token"),
        Rows.instant(row, "lease_until"),
        Duration.ofMillis(row.getLong("lease_left_ms")),
        Rows.instant(row, "timeout_at"),
        Duration.ofMillis(row.getLong("timeout_left_ms")));
  }
}
