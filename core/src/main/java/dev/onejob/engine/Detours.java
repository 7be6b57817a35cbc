package dev.onejob.engine;

import dev.onejob.domain.Answer;
import dev.onejob.domain.JobEvent;
import dev.onejob.domain.JobId;
import dev.onejob.domain.Kind;
import dev.onejob.domain.Limits;
import dev.onejob.store.MoveRequest;
import dev.onejob.store.Moves;
import dev.onejob.store.StoreException;
import dev.onejob.store.Strays;
import dev.onejob.store.Strays.Qualified;
import dev.onejob.store.Sweeps;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends queued jobs on where the way has changed: those that wait for a qualification that is there
 * by now, those that are due at a fallback that has lost its own, and those that are due at a
 * provider that does not answer, where another may do it. Any number of nodes may do so at once.
 */
final class Detours implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Detours.class);

  private final ProviderHealth health;
  private final Strays strays;
  private final Moves moves;
  private final Sweeps sweeps;
  private final List<Kind> kinds;
  private final List<String> contracted;
  private final Runnable dueSignal;
  private final Pass pass;

  Detours(EngineConfig config, Stores stores, ProviderHealth health, Runnable dueSignal) {
    this.health = health;
    this.strays = stores.strays();
    this.moves = stores.moves();
    this.sweeps = stores.sweeps();
    this.kinds = config.kinds();
    this.contracted = List.copyOf(config.demands().keySet());
    this.dueSignal = dueSignal;
    this.pass = new Pass("detour", config.pollInterval(), this::lookOnce);
  }

  void start() {
    pass.start();
  }

  /** What is known of providers has changed. */
  void signal() {
    pass.signal();
  }

  void lookOnce() {
    health.lookOnce();
    List<Qualified> qualified = health.qualified();
    List<JobId> found = new ArrayList<>();
    if (!qualified.isEmpty()) {
      found.addAll(strays.waiting(qualified, Limits.BATCH_MAX));
    }
    List<String> shut = health.shut();
    List<String> withAnother = withAnother(shut, qualified);
    if (!shut.isEmpty() && !withAnother.isEmpty()) {
      found.addAll(strays.blocked(withAnother, shut, qualified, Limits.BATCH_MAX));
    }
    List<String> known = kinds.stream().map(Kind::name).toList();
    found.addAll(strays.astray(known, contracted, qualified, Limits.BATCH_MAX));
    reroute(found.stream().distinct().toList());
  }

  /** The kinds that have somebody who may be asked while these are shut. */
  private List<String> withAnother(List<String> shut, List<Qualified> qualified) {
    return kinds.stream()
        .filter(
            kind ->
                !shut.contains(kind.route().getFirst())
                    || qualified.stream()
                        .anyMatch(
                            each ->
                                each.kind().equals(kind.name()) && !shut.contains(each.provider())))
        .map(Kind::name)
        .toList();
  }

  /** Where one is held, no other that is held is waited for too. */
  private void reroute(List<JobId> jobs) {
    Set<JobId> left = new LinkedHashSet<>(jobs);
    boolean moved = false;
    boolean waited = false;
    while (!left.isEmpty()) {
      JobId job = left.iterator().next();
      left.remove(job);
      try {
        moved |= reroute(job);
      } catch (StoreException.LockTimeout e) {
        LOG.info("{} is held by somebody else; the next look finds it again", job);
        if (!waited) {
          waited = true;
          left.retainAll(sweeps.free(left));
        }
      }
    }
    if (moved) {
      dueSignal.run();
    }
  }

  private boolean reroute(JobId job) {
    try {
      return moves
          .move(MoveRequest.of(job, new JobEvent.Reroute()))
          .filter(Answer.Moved.class::isInstance)
          .isPresent();
    } catch (StoreException e) {
      if (!e.blamesTheRow()) {
        throw e; // it is held, or the database is away: then the others would fare no better
      }
      LOG.error("{} cannot be written; the others go on", job, e);
    } catch (IllegalStateException | IllegalArgumentException e) {
      LOG.error("{} cannot be moved; the others go on", job, e);
    }
    return false;
  }

  @Override
  public void close() {
    pass.close();
  }
}
