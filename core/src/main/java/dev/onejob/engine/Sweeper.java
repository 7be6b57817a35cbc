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
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
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

  /**
   * Looks of one sort in a pass: further ones are past what could not be written in those before.
   */
  private static final int LOOKS_MAX = 4;

  private final Sweeps sweeps;
  private final Moves moves;
  private final Runs runs;
  private final Waiters waiters;
  private final ProviderHealth health;
  private final List<Kind> kinds;
  private final Runnable dueSignal;

  /** Both pass all that is in doubt, however much that is. */
  private final Pace silences = new Pace(Clocks::nanos);

  private final Map<String, Pace> doubts = new HashMap<>();

  Sweeper(
      Stores stores,
      Runs runs,
      Waiters waiters,
      ProviderHealth health,
      List<Kind> kinds,
      Runnable dueSignal) {
    this.health = health;
    this.kinds = kinds;
    this.dueSignal = dueSignal;
    this.sweeps = stores.sweeps();
    this.moves = stores.moves();
    this.runs = runs;
    this.waiters = waiters;
  }

  /** The moment by the clock of the database. */
  Instant now() {
    return sweeps.now();
  }

  /**
   * One look for all that time has done.
   *
   * @param asOf leases that lapsed later are left to the next sweep
   */
  void sweepOnce(Instant asOf) {
    each(look -> sweeps.lapsed(asOf, look), Sweeper::lapsed, this::inDoubt);
    each(
        sweeps::expired,
        expired -> MoveRequest.of(expired, new JobEvent.DeadlineReached()),
        moved -> {});
    each(look -> silences.look(() -> sweeps.silent(SILENCE, look)), Sweeper::silence, moved -> {});
    each(sweeps::untaken, Sweeper::silence, moved -> {});
    kinds.forEach(this::endDoubtsByRule);
    waiters.look();
  }

  /**
   * Moves what one look finds. Where some of it cannot be written, it looks again past that, so
   * that it does not take the places of the others for ever.
   *
   * @param moved told of each that was moved by this
   */
  private <T> void each(
      Function<Sweeps.Look, List<T>> find, Function<T, MoveRequest> move, Consumer<T> moved) {
    Set<JobId> stuck = new HashSet<>();
    for (int looks = 0; looks < LOOKS_MAX; looks++) {
      int before = stuck.size();
      List<T> found = find.apply(new Sweeps.Look(stuck, Limits.BATCH_MAX));
      boolean allTried = true;
      for (T one : found) {
        MoveRequest request = move.apply(one);
        if (stuck.contains(request.job())) {
          continue;
        }
        Answer answer = move(request).orElse(null);
        if (answer instanceof Answer.Moved) {
          moved.accept(one);
        }
        if (answer == null && allTried) {
          stuck.addAll(held(found.stream().map(move).map(MoveRequest::job).toList()));
          allTried = false;
        }
        if (answer == null || answer instanceof Answer.NotAllowed) {
          stuck.add(request.job());
        }
      }
      if (stuck.size() == before) {
        return;
      }
    }
  }

  /** Where one could not be written it is perhaps held: no other that is held is waited for too. */
  private Set<JobId> held(List<JobId> jobs) {
    Set<JobId> held = new HashSet<>(jobs);
    held.removeAll(sweeps.free(jobs));
    return held;
  }

  private void inDoubt(Sweeps.Lapsed lapsed) {
    if (lapsed.holder() == Sweeps.Holder.NODE) {
      health.lapsed(lapsed.attempt());
    }
  }

  private void endDoubtsByRule(Kind kind) {
    UnknownRule rule = kind.unknownRule();
    if (rule == null) {
      return;
    }
    Pace pace = doubts.computeIfAbsent(kind.name(), name -> new Pace(Clocks::nanos));
    each(
        look -> pace.look(() -> sweeps.overdue(kind.name(), rule.after(), look)),
        overdue -> Decisions.byRule(overdue.job(), overdue.attempt(), kind, rule),
        ended -> {
          LOG.info("{} {} was ended: {}", ended.job(), ended.attempt(), rule.inWords(kind.name()));
          dueSignal.run();
        });
  }

  /** Tells attempts of this node to stop whose results are no longer wanted. */
  void stopUnwantedOnce() {
    List<AttemptId> here = runs.listeningTo();
    if (!here.isEmpty()) {
      sweeps.unwanted(here).forEach(runs::askToStop);
    }
  }

  private static MoveRequest silence(Sweeps.Silent silent) {
    return MoveRequest.of(silent.job(), new JobEvent.Silence(silent.attempt()));
  }

  /** What nobody had was not sent, and there is no doubt about it. */
  private static MoveRequest lapsed(Sweeps.Lapsed lapsed) {
    AttemptId attempt = lapsed.attempt();
    return switch (lapsed.holder()) {
      case NODE ->
          lapsed(lapsed, new JobEvent.Doubt(attempt), Failure.LEASE_LAPSED, unheard("node"));
      case WORKER ->
          lapsed(lapsed, new JobEvent.Doubt(attempt), Failure.LEASE_LAPSED, unheard("worker"));
      case NOBODY ->
          lapsed(
              lapsed,
              new JobEvent.Stopped(attempt, Digests.stopped()),
              Failure.NO_WORKER,
              Failure.NO_WORKER_SAYS);
      case NOBODY_IN_A_RACE ->
          lapsed(
              lapsed,
              new JobEvent.Untaken(attempt, Digests.stopped()),
              Failure.NO_WORKER,
              Failure.NO_WORKER_SAYS);
    };
  }

  private static String unheard(String holder) {
    return "its " + holder + " was not heard of before the lease was over";
  }

  private static MoveRequest lapsed(
      Sweeps.Lapsed lapsed, JobEvent event, String code, String message) {
    return new MoveRequest(
        lapsed.job(),
        event,
        new MoveRequest.LapsedLease(lapsed.token(), new Failure(code, message)));
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
