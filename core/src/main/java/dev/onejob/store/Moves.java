package dev.onejob.store;

import dev.onejob.domain.Answer;
import dev.onejob.domain.AttemptId;
import dev.onejob.domain.AttemptState;
import dev.onejob.domain.JobEvent;
import dev.onejob.domain.JobId;
import dev.onejob.domain.Life;
import dev.onejob.domain.Lifecycle;
import dev.onejob.store.MoveRequest.LapsedLease;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import javax.sql.DataSource;

/**
 * The long way of every move: lock the jobs in order, look at them, let {@link Lifecycle} decide,
 * write what changed. What is looked up besides the job is looked up after the lock, and the time
 * is the database's, taken after the lock too.
 */
public final class Moves {
  private final Sql sql;

  public Moves(DataSource database) {
    this.sql = new Sql(database);
  }

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
   * Makes the moves of several jobs in one transaction, at most one move for each job.
   *
   * @return an answer for each, in their order
   */
  public List<Optional<Answer>> move(List<MoveRequest> requests) {
    requireOneMoveForEachJob(requests);
    return sql.transaction(connection -> moveIn(connection, requests));
  }

  private static void requireOneMoveForEachJob(List<MoveRequest> requests) {
    Set<JobId> jobs = new HashSet<>();
    for (MoveRequest request : requests) {
      if (!jobs.add(request.job())) {
        throw new IllegalArgumentException("two moves of " + request.job() + " in one batch");
      }
    }
  }

  private static List<Optional<Answer>> moveIn(Connection connection, List<MoveRequest> requests)
      throws SQLException {
    Lives.Locked locked =
        Lives.lock(
            connection,
            requests.stream().map(MoveRequest::job).toList(),
            requests.stream().flatMap(Moves::judged).toList());
    List<Optional<Answer>> answers = new ArrayList<>(requests.size());
    for (MoveRequest request : requests) {
      answers.add(moveOne(connection, request, locked));
    }
    return answers;
  }

  /** The attempt whose lease decides whether the event holds. */
  private static Stream<AttemptId> judged(MoveRequest request) {
    return request.details() instanceof LapsedLease
        ? Events.attempt(request.event()).stream()
        : Stream.empty();
  }

  static Optional<Answer> moveOne(Connection connection, MoveRequest request, Lives.Locked locked)
      throws SQLException {
    Life before = locked.lives().get(request.job());
    if (before == null || !knowsAttempt(before, request.event())) {
      return Optional.empty();
    }
    if (!leaseHolds(request, locked.lapsed())
        || isOldNews(request, before)
        || !ruleHolds(request, locked)) {
      return Optional.of(new Answer.Repeated());
    }
    Instant now = locked.now();
    Lifecycle.Move move = Lifecycle.apply(before, request.event(), now);
    if (runsAgainWithoutInput(request, move, locked)) {
      return Optional.of(
          new Answer.NotAllowed("the payloads of the job were emptied; there is no input to run"));
    }
    new LifeWriter(connection, request, now).write(before, move);
    return Optional.of(move.answer());
  }

  private static boolean leaseHolds(MoveRequest request, Map<AttemptId, UUID> lapsed) {
    return !(request.details() instanceof LapsedLease lease)
        || !(request.event() instanceof JobEvent.Doubt doubt)
        || lease.token().equals(lapsed.get(doubt.attempt()));
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
