package dev.onejob.providers.http;

import dev.onejob.provider.CallWatch;
import org.jspecify.annotations.Nullable;

/** The watch of a question: nobody waits for anything but its answer, and nobody stops it. */
public record Unwatched() implements CallWatch {
  @Override
  public boolean mayLeave() {
    return true;
  }

  @Override
  public void handedOver() {
    // Whether a question was handed over makes no difference.
  }

  @Override
  public void accepted(@Nullable String providerRef) {
    // A question is not accepted; it is answered.
  }

  @Override
  public void onStop(Runnable stop) {
    // A question that nobody waits for any more is interrupted.
  }

  @Override
  public boolean stopAsked() {
    return false;
  }
}
