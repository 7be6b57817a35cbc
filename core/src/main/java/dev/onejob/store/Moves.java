package dev.onejob.store;

import dev.onejob.domain.Answer;
import dev.onejob.domain.AttemptId;
import dev.onejob.domain.AttemptState;
import dev.onejob.domain.Demand;
import dev.onejob.domain.JobEvent;
import dev.onejob.domain.JobId;
import dev.onejob.domain.Life;
import dev.onejob.domain.Lifecycle;
import dev.onejob.domain.Objection;
import dev.onejob.domain.Qualification;
import dev.onejob.domain.Ways;
import dev.onejob.store.MoveRequest.LapsedLease;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.stream.Stream;
import javax.sql.DataSource;

/**
 * The long way of every move: lock the jobs in order, look at them, let {@link Lifecycle} decide,
 * write what changed. What is looked up besides the job is looked up after the lock, and the time
 * is the database's, taken after the lock too.
 */
public final class Moves {
  private final MoveTransactions transactions;
  private final Survey survey;

  public Moves(DataSource database) {
    this(database, Map.of(), made -> {});
  }

  /**
   * Makes one that tells of its moves.
   *
   * @param demands of the kinds with a contract, as this node is configured
   * @param told of every decision, after its commit, in the thread that asked for the move; must be
   *     quick, and must not throw
   */
  public Moves(DataSource database, Map<String, Demand> demands, Consumer<Made> told) {
    this.transactions = new MoveTransactions(database, told);
    this.survey = new Survey(demands, Survey.Starting.CALLS);
  }

  /**
   * A decision that was made, and written if it changed anything.
   *
   * @param kind of the job
   * @param objections as {@link Lifecycle.Move#objections}
   * @param withdrawn the qualifications that it has ended, by one breach too many
   */
  public record Made(
      MoveRequest request,
      String kind,
      Life before,
      Life after,
      Answer answer,
      List<Objection> objections,
      List<Qualification> withdrawn) {}

  /**
   * Makes one move.
   *
   * @return empty if there is no such job, or no such attempt of it
   * @throws StoreException.LockTimeout if another transaction holds the job; nothing was done
   */
  public Optional<Answer> move(MoveRequest request) {
    return move(List.of(request)).getFirst();
  }

  /**
   * Makes one move, and gives the whole decision.
   *
   * @return empty if there is no such job, or no such attempt of it
   * @throws StoreException.LockTimeout if another transaction holds the job; nothing was done
   */
  public Optional<Made> make(MoveRequest request) {
    return make(List.of(request)).getFirst();
  }

  /**
   * Makes the moves of several jobs in one transaction, at most one move for each job.
   *
   * @return an answer for each, in their order
   */
  public List<Optional<Answer>> move(List<MoveRequest> requests) {
    return make(requests).stream().map(made -> made.map(Made::answer)).toList();
  }

  private List<Optional<Made>> make(List<MoveRequest> requests) {
    requireOneMoveForEachJob(requests);
    return transactions.run((connection, told) -> moveIn(connection, requests, told));
  }

  private static void requireOneMoveForEachJob(List<MoveRequest> requests) {
    Set<JobId> jobs = new HashSet<>();
    for (MoveRequest request : requests) {
      if (!jobs.add(request.job())) {
        throw new IllegalArgumentException("two moves of " + request.job() + " in one batch");
      }
    }
  }

  private List<Optional<Made>> moveIn(
      Connection connection, List<MoveRequest> requests, Consumer<Made> told) throws SQLException {
    Lives.Locked locked =
        Lives.lock(
            connection,
            requests.stream().map(MoveRequest::job).toList(),
            requests.stream().flatMap(Moves::judged).toList());
    List<Optional<Made>> made = new ArrayList<>(requests.size());
    for (MoveRequest request : requests) {
      made.add(moveOne(connection, request, locked, survey));
    }
    made.forEach(one -> one.ifPresent(told));
    return made;
  }

  /** The attempt whose lease decides whether the event holds. */
  private static Stream<AttemptId> judged(MoveRequest request) {
    return request.details() instanceof LapsedLease
        ? Events.attempt(request.event()).stream()
        : Stream.empty();
  }

  static Optional<Made> moveOne(
      Connection connection, MoveRequest asked, Lives.Locked locked, Survey survey)
      throws SQLException {
    Life before = locked.lives().get(asked.job());
    if (before == null || !knowsAttempt(before, asked.event())) {
      return Optional.empty();
    }
    if (Marks.isOld(connection, asked, before)) {
      return Optional.of(unchanged(asked, before, locked, new Answer.Changed()));
    }
    if (!leaseHolds(asked, locked.lapsed())
        || isOldNews(asked, before)
        || Probes.isOvertaken(connection, asked)
        || !ruleHolds(asked, locked)) {
      return Optional.of(unchanged(asked, before, locked, new Answer.Repeated()));
    }
    Optional<Answer> inTheWay = Replays.inTheWay(connection, asked, before);
    if (inTheWay.isPresent()) {
      return Optional.of(unchanged(asked, before, locked, inTheWay.get()));
    }
    MoveRequest request = Parking.heeded(connection, asked);
    Instant now = locked.now();
    String kind = kind(request, locked);
    boolean contracted = locked.contracted().contains(request.job());
    Ways ways = survey.ways(connection, request, kind, before.job(), contracted);
    Lifecycle.Move move = Lifecycle.apply(before, asKnown(request.event(), locked), now, ways);
    if (runsAgainWithoutInput(request, move, locked)) {
      return Optional.of(
          unchanged(
              request,
              before,
              locked,
              new Answer.NotAllowed(
                  "the payloads of the job were emptied; there is no input to run")));
    }
    if (move.answer() instanceof Answer.Recorded) {
      Optional<Answer> then = new Beside(connection, request).recordedBefore(before);
      if (then.isPresent()) { // it contests nothing again that somebody may have acknowledged
        return Optional.of(unchanged(request, before, locked, then.get()));
      }
    }
    new LifeWriter(connection, request, now, ways).write(before, move);
    List<Qualification> withdrawn =
        BreachStreaks.count(connection, request, move.answer(), before, kind, survey.demand(kind));
    return Optional.of(
        new Made(request, kind, before, move.life(), move.answer(), move.objections(), withdrawn));
  }

  /** The event with what only the lock can tell. */
  private static JobEvent asKnown(JobEvent event, Lives.Locked locked) {
    return event instanceof JobEvent.CancelRequest
        ? new JobEvent.CancelRequest(locked.untaken())
        : event;
  }

  private static Made unchanged(
      MoveRequest request, Life life, Lives.Locked locked, Answer answer) {
    return new Made(request, kind(request, locked), life, life, answer, List.of(), List.of());
  }

  private static String kind(MoveRequest request, Lives.Locked locked) {
    return Objects.requireNonNull(locked.kinds().get(request.job()));
  }

  private static boolean leaseHolds(MoveRequest request, Map<AttemptId, UUID> lapsed) {
    return !(request.details() instanceof LapsedLease lease)
        || Events.attempt(request.event())
            .filter(attempt -> lease.token().equals(lapsed.get(attempt)))
            .isPresent();
  }

  private static boolean isOldNews(MoveRequest request, Life life) {
    return request.details() instanceof MoveRequest.HandedOver
        && Events.attempt(request.event())
            .flatMap(life::attempt)
            .filter(attempt -> attempt.state() == AttemptState.STARTING)
            .isEmpty();
  }

  private static boolean ruleHolds(MoveRequest request, Lives.Locked locked) {
    return !(request.details() instanceof MoveRequest.Ruled rule)
        || Events.attempt(request.event())
            .map(locked.inDoubtSince()::get)
            .filter(since -> !since.plus(rule.after()).isAfter(locked.now()))
            .isPresent();
  }

  private static boolean runsAgainWithoutInput(
      MoveRequest request, Lifecycle.Move move, Lives.Locked locked) {
    return request.event() instanceof JobEvent.Reopen
        && move.answer() instanceof Answer.Moved
        && locked.emptied().contains(request.job());
  }

  private static boolean knowsAttempt(Life life, JobEvent event) {
    return Events.attempt(event).map(id -> life.attempt(id).isPresent()).orElse(true);
  }
}
