package dev.onejob.engine;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/**
 * When a node looks for due jobs again, between the polls. While there is work for every slot, a
 * look costs as much for one job as for many: it waits until half of the slots are free, but not
 * for long, as the others may be held by what takes its time. A look that found nothing it could
 * take is followed by no other before a slot comes free.
 */
final class Appetite {
  /** Longest wait for half of the slots. */
  static final Duration WAIT_MAX = Duration.ofMillis(25);

  private final Runnable look;
  private final Consumer<Runnable> later;
  private final AtomicBoolean comes = new AtomicBoolean();
  private volatile boolean hungry;
  private volatile boolean backlog;

  /**
   * Makes one.
   *
   * @param look asks for a look now; several that come close together are one
   * @param later runs something in {@link #WAIT_MAX}
   */
  Appetite(Runnable look, Consumer<Runnable> later) {
    this.look = look;
    this.later = later;
  }

  /** A look begins: a slot that comes free meanwhile asks for another. */
  void looking() {
    hungry = true;
  }

  /** What the look has come to. */
  void looked(Dispatcher.Look came, Slots slots) {
    switch (came) {
      case TOOK -> {
        backlog = true; // one look a pass: others wait for it too
        lookOnceHalfIsFree(slots);
      }
      case NOTHING_DUE -> {
        hungry = false;
        backlog = false;
      }
      case LACKS_SLOTS -> {} // the next that comes free asks
    }
  }

  /** A slot came free. */
  void slotReleased(Slots slots) {
    if (!hungry) {
      return;
    }
    if (backlog) {
      lookOnceHalfIsFree(slots);
    } else {
      look.run();
    }
  }

  private void lookOnceHalfIsFree(Slots slots) {
    if (slots.halfFree()) {
      look.run();
    } else if (comes.compareAndSet(false, true)) {
      later.accept(this::lookIfHungry);
    }
  }

  private void lookIfHungry() {
    comes.set(false);
    if (hungry) {
      look.run();
    }
  }
}
