package dev.onejob.server.ui.playground;

import java.time.Duration;
import java.util.Collection;
import java.util.Optional;
import java.util.UUID;

/** Whether one more run may begin on this node. */
final class Room {
  /** Runs at once on this node. */
  static final int AT_ONCE_MAX = 8;

  /** Runs at once of one API key. */
  static final int OF_KEY_AT_ONCE_MAX = 2;

  /** Runs of one API key within {@link #WINDOW}. */
  static final int OF_KEY_MAX = 30;

  static final Duration WINDOW = Duration.ofMinutes(10);

  private Room() {}

  /**
   * A run that is kept.
   *
   * @param key the API key that began it
   * @param beganAt in nanoseconds, by a clock that never goes back
   */
  record Taken(UUID key, long beganAt, RunView.Over over) {
    private boolean goesOn() {
      return over == RunView.Over.NO;
    }
  }

  /** Why no run of this key may begin now; empty: it may. */
  static Optional<String> refusal(Collection<Taken> taken, UUID key, long now) {
    if (taken.stream().filter(Taken::goesOn).count() >= AT_ONCE_MAX) {
      return Optional.of("This node plays " + AT_ONCE_MAX + " runs already; try again.");
    }
    if (taken.stream().filter(each -> each.key().equals(key) && each.goesOn()).count()
        >= OF_KEY_AT_ONCE_MAX) {
      return Optional.of(
          "This key has " + OF_KEY_AT_ONCE_MAX + " runs under way; wait until one is over.");
    }
    long lately =
        taken.stream()
            .filter(each -> each.key().equals(key))
            .filter(each -> now - each.beganAt() < WINDOW.toNanos())
            .count();
    return lately < OF_KEY_MAX
        ? Optional.empty()
        : Optional.of(
            "This key has begun "
                + OF_KEY_MAX
                + " runs within "
                + WINDOW.toMinutes()
                + " minutes; wait a little.");
  }
}
