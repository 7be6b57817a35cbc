package dev.onejob.providers.responses;

import dev.onejob.provider.CallWatch;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The watch of the one request that submits the work. A stop does not close its line at once: the
 * id that it may be about to bring is what the work can be cancelled by.
 */
record Submit(CallWatch engine, Stopping stopping) implements CallWatch {
  @Override
  public boolean mayLeave() {
    return !stopping.isAsked() && engine.mayLeave();
  }

  @Override
  public void handedOver() {
    engine.handedOver();
  }

  @Override
  public void accepted(@Nullable String providerRef) {
    engine.accepted(providerRef);
  }

  @Override
  public void onStop(Runnable stop) {
    stopping.onCut(stop);
  }

  @Override
  public boolean stopAsked() {
    return engine.stopAsked();
  }

  @Override
  public Optional<String> traceparent() {
    return engine.traceparent();
  }
}
