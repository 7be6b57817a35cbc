package dev.onejob.provider;

import dev.onejob.domain.Failure;
import dev.onejob.domain.Retryability;
import java.time.Duration;

/**
 * A provider that is not called: workers fetch its work and bring the results by themselves.
 *
 * <p>The engine never calls it. Who does is told the truth, that nothing was sent.
 */
public final class PulledProvider implements Provider {
  private static final Outcome NOT_CALLED =
      new Outcome.Refused(
          new Failure("not-called", "workers fetch the work of this provider; nothing was sent"),
          Retryability.RETRYABLE,
          null);

  private final Duration lease;

  /**
   * A provider whose work is fetched.
   *
   * @param lease how long an attempt stays with a worker that is not heard of
   * @throws IllegalArgumentException if it is not positive
   */
  public PulledProvider(Duration lease) {
    if (!lease.isPositive()) {
      throw new IllegalArgumentException("lease: must be positive");
    }
    this.lease = lease;
  }

  /** How long an attempt stays with a worker that is not heard of. */
  public Duration lease() {
    return lease;
  }

  @Override
  public Capabilities capabilities() {
    return Capabilities.NONE;
  }

  @Override
  public Outcome call(ProviderRequest request, CallWatch watch) {
    return NOT_CALLED;
  }
}
