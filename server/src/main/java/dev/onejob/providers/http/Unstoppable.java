package dev.onejob.providers.http;

import dev.onejob.provider.CallWatch;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The watch of a provider that cannot be stopped. Closing the line would not undo the act; it would
 * only lose the answer. So it is read to its end, as a late one if need be. Until the request has
 * left there is nothing to lose: then a stop keeps it from leaving.
 */
public record Unstoppable(CallWatch watch) implements CallWatch {
  @Override
  public boolean mayLeave() {
    return !watch.stopAsked() && watch.mayLeave();
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
  public void answeredBy(String model) {
    watch.answeredBy(model);
  }

  @Override
  public void onStop(Runnable stop) {
    // Nothing to be done: see above.
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
