package dev.onejob.domain;

import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * How a provider has lately failed to answer, over all nodes. One that never failed has none.
 *
 * @param failures in a row, without an answer between them
 * @param failure the last of them
 * @param opened null: closed
 * @param now the database's clock when it was read
 */
public record Circuit(
    String provider,
    int failures,
    Failure failure,
    Instant failedAt,
    @Nullable Opened opened,
    Instant now) {

  /**
   * It is open.
   *
   * @param at since when
   * @param until nobody asks before that; then one attempt at a time does
   * @param pause between the last failure and {@code until}
   * @param trial the attempt that tries it, while it is starting or running; null: none does
   */
  public record Opened(Instant at, Instant until, Duration pause, @Nullable AttemptId trial) {}

  /** Where it stands. */
  public enum State {
    CLOSED,
    OPEN,
    HALF_OPEN;

    /** The word used in JSON, logs and metrics. */
    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** Open until its pause is over; then half open, until an attempt has been answered. */
  public State state() {
    if (opened == null) {
      return State.CLOSED;
    }
    return now.isBefore(opened.until()) ? State.OPEN : State.HALF_OPEN;
  }

  /** Whether an attempt may start by itself: it is closed, or half open and nobody tries it. */
  public boolean passable() {
    return opened == null || (state() == State.HALF_OPEN && opened.trial() == null);
  }
}
