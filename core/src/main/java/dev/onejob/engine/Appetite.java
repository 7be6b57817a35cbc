package dev.onejob.engine;

import java.time.Duration;

/**
 * When a node looks for due jobs again, between the polls. While there is work for every slot, a
 * look costs as much for one job as for many: it waits until half of the slots are free, but not
 * for long, as the others may be held by what takes its time.
 */
final class Appetite {
  /** Longest wait for half of the slots. */
  private static final Duration WAIT_MAX = Duration.ofMillis(25);

  private final Runnable look;
  private final Timers timers;
  private volatile boolean hungry;
  private volatile boolean backlog;

  /**
   * Makes one.
   *
   * @param look asks for a look now; several that come close together are one
   */
  Appetite(Runnable look, Timers timers) {
    this.look = look;
    this.timers = timers;
  }

  /** A look begins: a slot that comes free meanwhile asks for another. */
  void looking() {
    hungry = true;
  }

  /** What the look has come to. */
  void looked(Dispatcher.Look came, Slots slots) {
    backlog = came == Dispatcher.Look.TOOK;
    switch (came) {
      case TOOK -> lookSoon(slots);
      case NOTHING_DUE -> hungry = false;
      case LACKS_SLOTS -> {} // whichever slot comes free next may be one that is lacking
    }
  }

  /** One look a pass: others wait for it too. */
  private void lookSoon(Slots slots) {
    if (slots.halfFree()) {
      look.run();
    } else {
      timers.afterIfOpen(WAIT_MAX, this::lookIfHungry);
    }
  }

  private void lookIfHungry() {
    if (hungry) {
      look.run();
    }
  }

  /** A slot came free. */
  void slotReleased(Slots slots) {
    if (hungry && (!backlog || slots.halfFree())) {
      look.run();
    }
  }
}
