package dev.onejob.engine;

import dev.onejob.domain.Failure;
import dev.onejob.domain.JobEvent;
import dev.onejob.store.MoveRequest;
import dev.onejob.store.Moves;
import dev.onejob.store.StoreException;
import java.time.Duration;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How a node stops: nothing new starts, and its attempts are waited for, under leases that are
 * renewed. What is left when the grace is over is in doubt, at once and visibly; a request whose
 * start was only just being written then does not leave.
 */
final class Drain {
  private static final Logger LOG = LoggerFactory.getLogger(Drain.class);

  private static final Failure NODE_STOPPED =
      new Failure("node-stopped", "its node stopped before there was an answer");

  private final Slots slots;
  private final LeaseKeeper keeper;
  private final Dispatcher dispatcher;
  private final Runs runs;
  private final Moves moves;

  Drain(Slots slots, LeaseKeeper keeper, Dispatcher dispatcher, Runs runs, Moves moves) {
    this.slots = slots;
    this.keeper = keeper;
    this.dispatcher = dispatcher;
    this.runs = runs;
    this.moves = moves;
  }

  void run(Duration grace) {
    slots.close();
    dispatcher.close();
    int under = runs.underLease().size();
    if (under > 0) {
      LOG.info("stopping: {} attempts are waited for, {} s at most", under, grace.toSeconds());
    }
    boolean ended = ended(grace);
    slots.shut(); // before the look: an attempt is listed first, and then asks whether it may leave
    if (!ended) {
      putInDoubt(runs.underLease());
    }
  }

  private boolean ended(Duration grace) {
    long from = Clocks.nanos();
    try {
      return slots.awaitIdle(grace) && keeper.awaitNone(grace.minus(Clocks.since(from)));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  private void putInDoubt(List<AttemptRun> left) {
    for (int i = 0; i < left.size(); i++) {
      try {
        putInDoubt(left.get(i));
      } catch (StoreException e) {
        LOG.warn("{} attempts are left to their leases: {}", left.size() - i, e.getMessage());
        return; // the database is away: the others would fare no better
      }
    }
  }

  private void putInDoubt(AttemptRun run) {
    Settler.Speaker speaker = run.speaker();
    MoveRequest doubt =
        new MoveRequest(
            speaker.job(),
            new JobEvent.Doubt(speaker.attempt()),
            new MoveRequest.Cause(NODE_STOPPED));
    try {
      run.putInDoubt(() -> moves.move(doubt));
    } catch (StoreException e) {
      if (!StartWriter.nothingWasDone(e)) {
        throw e;
      }
      LOG.warn("{} {} is left to its lease", speaker.job(), speaker.attempt(), e);
    }
  }
}
