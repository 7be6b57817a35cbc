package dev.onejob.providers.httpasync;

import dev.onejob.provider.CallWatch;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The watch of a submit. A stop does not close the line at once: its answer names the work that is
 * to be stopped. But nobody waits for that for ever.
 */
final class Submitting implements CallWatch {
  private static final long GRACE_SECONDS = 5;

  private final CallWatch watch;
  private final CompletableFuture<Runnable> cut = new CompletableFuture<>();

  Submitting(CallWatch watch) {
    this.watch = watch;
  }

  /** A stop was asked: the line is closed after a while, if it is open still. */
  void stop() {
    cut.thenAcceptAsync(
        Runnable::run, CompletableFuture.delayedExecutor(GRACE_SECONDS, TimeUnit.SECONDS));
  }

  @Override
  public boolean mayLeave() {
    return watch.mayLeave();
  }

  @Override
  public void handedOver() {
    watch.handedOver();
  }

  @Override
  public void accepted(@Nullable String providerRef) {
    watch.accepted(providerRef);
  }

  @Override
  public void onStop(Runnable stop) {
    cut.complete(stop);
  }

  @Override
  public boolean stopAsked() {
    return watch.stopAsked();
  }

  @Override
  public Optional<String> traceparent() {
    return watch.traceparent();
  }
}
