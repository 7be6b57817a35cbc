package dev.onejob.engine;

import dev.onejob.domain.RetryPolicy;
import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * How a provider is asked about attempts in doubt.
 *
 * @param first from the doubt to the first question, and between it and the second; then it doubles
 * @param max the longest wait between two questions
 * @param timeout how long one answer is waited for
 * @param longest from the start of an attempt; after it nothing is asked, however long the provider
 *     would know
 * @param inFlightMax questions at once on one node
 */
public record ProbePolicy(
    Duration first, Duration max, Duration timeout, Duration longest, int inFlightMax) {

  /** What is used where nothing is set. */
  public static final ProbePolicy USUAL =
      new ProbePolicy(
          Duration.ofSeconds(1),
          Duration.ofMinutes(5),
          Duration.ofSeconds(10),
          Duration.ofDays(1),
          4);

  /**
   * Checks what must hold between the settings.
   *
   * @throws IllegalArgumentException naming the setting
   */
  public ProbePolicy {
    require(first.toMillis() > 0, "probe.first: must be positive");
    require(max.compareTo(first) >= 0, "probe.max: must not be shorter than probe.first");
    require(timeout.toMillis() > 0, "probe.timeout: must be positive");
    require(longest.toMillis() > 0, "probe.longest: must be positive");
    require(inFlightMax >= 1, "probe.in_flight: at least 1");
  }

  private static void require(boolean holds, String what) {
    if (!holds) {
      throw new IllegalArgumentException(what);
    }
  }

  /** How long to wait after the n-th question, from 1; grows, with jitter. */
  Duration delay(int asked, RandomGenerator random) {
    return new RetryPolicy(first, max).delay(asked, null, random);
  }
}
