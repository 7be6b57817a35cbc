package dev.onejob.providers.http;

import dev.onejob.provider.CallWatch;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The watch of a request that is sent again under its key. Its answer is waited for like that of a
 * question; but it is an act like the first one once the key holds no more, and so must not leave.
 *
 * @param permission whether the key is still sure to hold
 */
public record Repetition(BooleanSupplier permission) implements CallWatch {
  @Override
  public boolean mayLeave() {
    return permission.getAsBoolean();
  }

  @Override
  public void handedOver() {
    // The attempt was handed over, or was not, by its first request.
  }

  @Override
  public void accepted(@Nullable String providerRef) {
    // Not accepted; answered.
  }

  @Override
  public void onStop(Runnable stop) {
    // One that nobody waits for any more is interrupted.
  }

  @Override
  public boolean stopAsked() {
    return false;
  }
}
