package dev.onejob.bench;

import dev.onejob.provider.CallWatch;
import dev.onejob.provider.Capabilities;
import dev.onejob.provider.Outcome;
import dev.onejob.provider.Provider;
import dev.onejob.provider.ProviderRequest;
import java.util.concurrent.CountDownLatch;

/** Occupies the only slot of a node, so that the node admits and does nothing else. */
final class NeverAnswers implements Provider {
  private final CountDownLatch called = new CountDownLatch(1);

  @Override
  public Capabilities capabilities() {
    return Capabilities.NONE;
  }

  @Override
  public Outcome call(ProviderRequest request, CallWatch watch) throws InterruptedException {
    called.countDown();
    new CountDownLatch(1).await();
    throw new IllegalStateException("nobody counts down");
  }

  void awaitCall() throws InterruptedException {
    called.await();
  }
}
