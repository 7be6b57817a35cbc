package dev.onejob.engine;

import dev.onejob.domain.Answer;
import dev.onejob.domain.JobEvent;
import dev.onejob.store.Leases;
import dev.onejob.store.MoveRequest;
import dev.onejob.store.Moves;
import dev.onejob.store.StoreException;
import java.time.Duration;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes starts, and finds out what became of one whose answer was lost. Nothing of it has left
 * yet: if it was written after all, this node is its holder and nobody else knows of it.
 */
final class StartWriter {
  private static final Logger LOG = LoggerFactory.getLogger(StartWriter.class);

  /** What a birth may take that goes on without a connection; it waits 250 ms for each lock. */
  private static final Duration BIRTH_MAX = Duration.ofSeconds(2);

  private final Writes writes;
  private final Moves moves;
  private final Leases leases;
  private final Persistence persistence;

  StartWriter(Writes writes, Moves moves, Leases leases, Persistence persistence) {
    this.writes = writes;
    this.moves = moves;
    this.leases = leases;
    this.persistence = persistence;
  }

  /**
   * What came of a start.
   *
   * @param answer empty if there is no such job
   * @param since a moment of the monotonic clock, not after the attempt's lease was given
   */
  record Written(Optional<Answer> answer, long since) {}

  /**
   * Writes a start. It may be tried twice on its way, where the answer of the first try is lost,
   * and then it is its own attempt that stands in its way, or has changed the job: so a refusal is
   * believed only if that is not there.
   *
   * @throws RuntimeException as every Error: the start may have been written all the same, unless
   *     {@link #nothingWasDone}
   */
  Written write(String kind, MoveRequest request) {
    long since = Clocks.nanos();
    try {
      Optional<Answer> answer = writes.start(kind, request);
      return new Written(
          answer.isEmpty() || answer.get() instanceof Answer.Started
              ? answer
              : own(request).or(() -> answer),
          since);
    } catch (StoreException e) {
      Optional<Answer> own = nothingWasDone(e) ? own(request) : Optional.empty();
      if (own.isEmpty()) {
        throw e;
      }
      return new Written(own, since);
    }
  }

  /**
   * The same, until it is known what came of it.
   *
   * @throws RuntimeException if {@link #nothingWasDone}, or nothing is written any more
   */
  Written writeForSure(String kind, MoveRequest request) throws InterruptedException {
    long since = Clocks.nanos();
    try {
      return write(kind, request);
    } catch (RuntimeException | Error e) { // also Errors: it may be in the reading of the answer
      if (nothingWasDone(e)) {
        throw e;
      }
      LOG.warn("{} may have been started, it is asked again: {}", request.job(), e.toString());
      return ask(request, since);
    }
  }

  /** What it was answered with, if it was written and has not ended since. */
  private Optional<Answer> own(MoveRequest request) {
    return leases.started(((JobEvent.Start) request.event()).attempt()).map(Answer.class::cast);
  }

  static boolean nothingWasDone(Throwable e) {
    return e instanceof StoreException.LockTimeout
        || (e instanceof StoreException store && store.blamesTheRow());
  }

  /**
   * Asks for the same start once more, with the same attempt, until there is an answer. Behind the
   * lock of the job the first one is either written or will never be.
   *
   * @param since from before the first time
   */
  Written ask(MoveRequest request, long since) throws InterruptedException {
    return persistence.write(request, () -> askOnce(request, since));
  }

  /**
   * Asks the same of a job that was to be admitted with it. Its birth may still be under way in the
   * database, whose connection is gone: where there is no such job it is asked once more, later.
   */
  Written askOfBirth(MoveRequest request, long since) throws InterruptedException {
    Written written = ask(request, since);
    if (written.answer().isPresent()) {
      return written;
    }
    Clocks.pause(BIRTH_MAX);
    return ask(request, since);
  }

  private Written askOnce(MoveRequest request, long first) {
    long now = Clocks.nanos();
    Optional<Answer> answer = moves.move(request);
    if (answer.isEmpty() || answer.get() instanceof Answer.Started) {
      return new Written(answer, now);
    }
    Optional<Answer> own = own(request);
    return new Written(own.isPresent() ? own : answer, first);
  }
}
