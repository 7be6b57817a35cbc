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
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
import javax.sql.DataSource;

/**
 * The long way of every move: lock the jobs in order, look at them, let {@link Lifecycle} decide,
 * write what changed. What is looked up besides the job is looked up after the lock, and the time
 * is the database's, taken after the lock too.
 */
public final class Moves {
  private final Sql sql;
  private final Consumer<Made> told;

  public Moves(DataSource database) {
    this(database, made -> {});
  }

  /**
   * Makes one that tells of its moves.
   *
   * @param told of every decision, after its commit, in the thread that asked for the move; must be
   *     quick, and must not throw
   */
  public Moves(DataSource database, Consumer<Made> told) {
    this.sql = new Sql(database);
    this.told = told;
  }

  /**
   * A decision that was made, and written if it changed anything.
   *
   * @param kind of the job
   */
  public record Made(MoveRequest request, String kind, Life before, Life after, Answer answer) {}

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
    List<Optional<Made>> moves = sql.transaction(connection -> moveIn(connection, requests));
    moves.forEach(made -> made.ifPresent(told));
    return moves.stream().map(made -> made.map(Made::answer)).toList();
  }

  private static void requireOneMoveForEachJob(List<MoveRequest> requests) {
    Set<JobId> jobs = new HashSet<>();
    for (MoveRequest request : requests) {
      if (!jobs.add(request.job())) {
        throw new IllegalArgumentException("two moves of " + request.job() + " in one batch");
      }
    }
  }

  private static List<Optional<Made>> moveIn(Connection connection, List<MoveRequest> requests)
      throws SQLException {
    Lives.Locked locked = Lives.lock(connection, requests.stream().map(MoveRequest::job).toList());
    List<Optional<Made>> made = new ArrayList<>(requests.size());
    for (MoveRequest request : requests) {
      made.add(moveOne(connection, request, locked));
    }
    return made;
  }

  private static Optional<Made> moveOne(
      Connection connection, MoveRequest request, Lives.Locked locked) throws SQLException {
    Life before = locked.lives().get(request.job());
    if (before == null || !knowsAttempt(before, request.event())) {
      return Optional.empty();
    }
    if (!leaseHolds(request, locked.lapsed()) || isOldNews(request, before)) {
      return Optional.of(
          new Made(request, kind(request, locked), before, before, new Answer.Repeated()));
    }
    Instant now = locked.now();
    Lifecycle.Move move = Lifecycle.apply(before, request.event(), now);
    new LifeWriter(connection, request, now).write(before, move);
    return Optional.of(
        new Made(request, kind(request, locked), before, move.life(), move.answer()));
  }

  private static String kind(MoveRequest request, Lives.Locked locked) {
    return Objects.requireNonNull(locked.kinds().get(request.job()));
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

  private static boolean knowsAttempt(Life life, JobEvent event) {
    return Events.attempt(event).map(id -> life.attempt(id).isPresent()).orElse(true);
  }
}
