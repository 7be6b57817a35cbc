package dev.onejob.domain;

import java.time.Duration;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Exponential backoff with jitter: the n-th wait lies between half of {@code first × 2^(n-1)} and
 * the whole of it, bounded by {@code max}, and is never shorter than what the provider asked for,
 * as far as that is at most {@link Limits#RETRY_AFTER_MAX}. Jobs that a provider sends away
 * together are spread too: up to half of the backoff is added to its wish.
 */
public record RetryPolicy(Duration first, Duration max) {
  public RetryPolicy {
    if (!first.isPositive() || max.compareTo(first) < 0) {
      throw new IllegalArgumentException("backoff: first must be positive and at most max");
    }
  }

  /**
   * How long to wait.
   *
   * @param attemptsStarted attempts so far, at least 1
   * @param retryAfter the provider's own wish, or null
   */
  public Duration delay(
      int attemptsStarted, @Nullable Duration retryAfter, RandomGenerator random) {
    int doublings = Math.min(attemptsStarted - 1, 30);
    double grown = first.toNanos() * Math.pow(2, doublings);
    double bounded = Math.min(grown, max.toNanos());
    Duration backoff = Duration.ofNanos((long) (bounded * (0.5 + random.nextDouble() / 2)));
    if (retryAfter == null || retryAfter.compareTo(backoff) <= 0) {
      return backoff;
    }
    Duration spread = Duration.ofNanos((long) (bounded * random.nextDouble() / 2));
    boolean absurd = retryAfter.compareTo(Limits.RETRY_AFTER_MAX) > 0;
    return (absurd ? Limits.RETRY_AFTER_MAX : retryAfter).plus(spread);
  }
}
