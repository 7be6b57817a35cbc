package dev.onejob.engine;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * When a node looks for due jobs again, between the polls. While there is work for every slot, a
 * look costs as much for one job as for many: it waits until half of the slots are free, but not
 * for long, as the others may be held by what takes its time, and the less the fewer jobs the last
 * look took. A look that found nothing it could take is followed by no other before a slot comes
 * free.
 */
final class Appetite {
  /** Longest wait for half of the slots. */
  static final Duration WAIT_MAX = Duration.ofMillis(25);

  /** For each job that the last look took: what a node needs for one, about. */
  static final Duration WAIT_FOR_ONE = Duration.ofMillis(1);

  /** After a look that found only what others had just taken. */
  static final Duration OTHERS_PAUSE = Duration.ofMillis(5);

  private final Runnable look;
  private final Later later;
  private final AtomicBoolean comes = new AtomicBoolean();
  private volatile boolean hungry;
  private volatile int took; // by the last look; 0: there is no backlog

  /** Runs something later. */
  interface Later {
    void after(Duration delay, Runnable what);
  }

  /**
   * Makes one.
   *
   * @param look asks for a look now; several that come close together are one
   */
  Appetite(Runnable look, Later later) {
    this.look = look;
    this.later = later;
  }

  /** A look begins: a slot that comes free meanwhile asks for another. */
  void looking() {
    hungry = true;
  }

  /** What the look has come to. */
  void looked(Look came, Slots slots) {
    switch (came) {
      case Look.Took it -> {
        took = it.jobs();
        if (took == 0) {
          lookLater(OTHERS_PAUSE);
        } else {
          lookOnceHalfIsFree(slots); // one look a pass: others wait for it too
        }
      }
      case Look.NothingDue nothing -> {
        hungry = false;
        took = 0;
      }
      case Look.LacksSlots lacks -> {} // the next that comes free asks
    }
  }

  /** A slot came free. */
  void slotReleased(Slots slots) {
    if (!hungry) {
      return;
    }
    if (took > 0) {
      lookOnceHalfIsFree(slots);
    } else {
      look.run();
    }
  }

  private void lookOnceHalfIsFree(Slots slots) {
    if (slots.halfFree()) {
      look.run();
    } else {
      lookLater(pause());
    }
  }

  private void lookLater(Duration pause) {
    if (comes.compareAndSet(false, true)) {
      later.after(pause, this::lookAfterAll);
    }
  }

  private Duration pause() {
    Duration pause = WAIT_FOR_ONE.multipliedBy(took);
    return pause.compareTo(WAIT_MAX) < 0 ? pause : WAIT_MAX;
  }

  private void lookAfterAll() {
    comes.set(false);
    look.run(); // also after a look that found nothing: what has asked for this may have come since
  }
}
