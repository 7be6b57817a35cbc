package dev.onejob.engine;

import dev.onejob.domain.Answer;
import dev.onejob.domain.AttemptId;
import dev.onejob.domain.Failure;
import dev.onejob.domain.JobEvent;
import dev.onejob.domain.JobId;
import dev.onejob.domain.Kind;
import dev.onejob.domain.Limits;
import dev.onejob.domain.UnknownRule;
import dev.onejob.store.MoveRequest;
import dev.onejob.store.Moves;
import dev.onejob.store.StoreException;
import dev.onejob.store.Sweeps;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds what time has done and makes the moves: lapsed leases become doubt, deadlines end queued
 * jobs, losers that fell silent end as lost and those that no worker has fetched as cancelled,
 * doubts end by the rule of their kind, and work that nobody wants is told to stop. Any number of
 * nodes may sweep at once.
 */
final class Sweeper {
  private static final Logger LOG = LoggerFactory.getLogger(Sweeper.class);

  /** How long after another's result an attempt in doubt may still be heard of. */
  private static final Duration SILENCE = Duration.ofHours(1);

  private final Sweeps sweeps;
  private final Moves moves;
  private final Dispatcher dispatcher;
  private final Waiters waiters;
  private final List<Kind> kinds;
  private final Runnable dueSignal;

  Sweeper(
      Stores stores, Dispatcher dispatcher, Waiters waiters, List<Kind> kinds, Runnable dueSignal) {
    this.kinds = kinds;
    this.dueSignal = dueSignal;
    this.sweeps = stores.sweeps();
    this.moves = stores.moves();
    this.dispatcher = dispatcher;
    this.waiters = waiters;
  }

  void sweepOnce() {
    for (Sweeps.Lapsed lapsed : sweeps.lapsed(Limits.BATCH_MAX)) {
      move(doubt(lapsed));
    }
    for (JobId expired : sweeps.expired(Limits.BATCH_MAX)) {
      move(MoveRequest.of(expired, new JobEvent.DeadlineReached()));
    }
    for (Sweeps.Silent silent : sweeps.silent(SILENCE, Limits.BATCH_MAX)) {
      move(MoveRequest.of(silent.job(), new JobEvent.Silence(silent.attempt())));
    }
    for (Sweeps.Unfetched unfetched : sweeps.unfetched(Limits.BATCH_MAX)) {
      move(
          MoveRequest.of(
              unfetched.job(), new JobEvent.Stopped(unfetched.attempt(), Digests.stopped())));
    }
    kinds.forEach(this::endDoubtsByRule);
    waiters.look();
  }

  private void endDoubtsByRule(Kind kind) {
    UnknownRule rule = kind.unknownRule();
    if (rule == null) {
      return;
    }
    for (Sweeps.Overdue overdue : sweeps.overdue(kind.name(), rule.after(), Limits.BATCH_MAX)) {
      move(Decisions.byRule(overdue.job(), overdue.attempt(), kind, rule))
          .filter(Answer.Moved.class::isInstance)
          .ifPresent(
              moved -> {
                LOG.info(
                    "{} {} was ended: {}",
                    overdue.job(),
                    overdue.attempt(),
                    rule.inWords(kind.name()));
                dueSignal.run();
              });
    }
  }

  /** Tells attempts of this node to stop whose results are no longer wanted. */
  void stopUnwantedOnce() {
    List<AttemptId> here = dispatcher.listeningTo();
    if (!here.isEmpty()) {
      sweeps.unwanted(here).forEach(dispatcher::askToStop);
    }
  }

  private static MoveRequest doubt(Sweeps.Lapsed lapsed) {
    Failure failure =
        new Failure("lease-lapsed", "its node was not heard of before the lease was over");
    return new MoveRequest(
        lapsed.job(),
        new JobEvent.Doubt(lapsed.attempt()),
        new MoveRequest.LapsedLease(lapsed.token(), failure));
  }

  private Optional<Answer> move(MoveRequest request) {
    try {
      return moves.move(request);
    } catch (StoreException.LockTimeout e) {
      LOG.info("{} is held by somebody else; the next sweep looks again", request.job());
    } catch (StoreException e) {
      if (!e.blamesTheRow()) {
        throw e; // the database is away: the others would fare no better
      }
      LOG.error("{} {} cannot be written; the others go on", request.job(), request.event(), e);
    } catch (IllegalStateException | IllegalArgumentException e) {
      LOG.error("{} {} cannot be moved; the others go on", request.job(), request.event(), e);
    }
    return Optional.empty();
  }
}
