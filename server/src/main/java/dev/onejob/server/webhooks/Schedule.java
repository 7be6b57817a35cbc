package dev.onejob.server.webhooks;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;

/** When a delivery is tried again: eleven tries over about three days. */
final class Schedule {
  /** As the example of Standard Webhooks has it, with a short first pause. */
  private static final List<Duration> PAUSES =
      List.of(
          Duration.ofSeconds(5),
          Duration.ofMinutes(1),
          Duration.ofMinutes(5),
          Duration.ofMinutes(30),
          Duration.ofHours(2),
          Duration.ofHours(5),
          Duration.ofHours(10),
          Duration.ofHours(14),
          Duration.ofHours(20),
          Duration.ofHours(24));

  /** All pauses at their longest, and a week's half for turns that had to be waited for. */
  static final Duration ROUND_MAX = Duration.ofDays(7);

  /** Pauses are drawn from 80 to 120 hundredths of their length. */
  private static final double JITTER = 0.2;

  private Schedule() {}

  /**
   * The pause after a try that was in vain.
   *
   * @param tries that were made in this round, at least 1
   * @return empty after the last one
   */
  static Optional<Duration> pauseAfter(int tries, RandomGenerator random) {
    if (tries > PAUSES.size()) {
      return Optional.empty();
    }
    double factor = random.nextDouble(1 - JITTER, 1 + JITTER);
    return Optional.of(Duration.ofMillis((long) (PAUSES.get(tries - 1).toMillis() * factor)));
  }
}
