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
import java.util.ArrayList;
import java.util.List;
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
  private final List<String> kinds;
  private final List<String> contracted;
  private final Runnable dueSignal;
  private final Pass pass;

  Detours(EngineConfig config, Stores stores, ProviderHealth health, Runnable dueSignal) {
    this.health = health;
    this.strays = stores.strays();
    this.moves = stores.moves();
    this.kinds = config.kinds().stream().map(Kind::name).toList();
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
    if (!shut.isEmpty()) {
      found.addAll(strays.blocked(kinds, shut, qualified, Limits.BATCH_MAX));
    }
    found.addAll(strays.astray(kinds, contracted, qualified, Limits.BATCH_MAX));
    long moved = found.stream().distinct().filter(this::reroute).count();
    if (moved > 0) {
      dueSignal.run();
    }
  }

  private boolean reroute(JobId job) {
    try {
      return moves
          .move(MoveRequest.of(job, new JobEvent.Reroute()))
          .filter(Answer.Moved.class::isInstance)
          .isPresent();
    } catch (StoreException.LockTimeout e) {
      LOG.info("{} is held by somebody else; the next look finds it again", job);
      return false;
    }
  }

  @Override
  public void close() {
    pass.close();
  }
}
