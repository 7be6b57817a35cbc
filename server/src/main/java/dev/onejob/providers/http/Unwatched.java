package dev.onejob.providers.http;

import dev.onejob.provider.CallWatch;
import org.jspecify.annotations.Nullable;

/**
 * The watch of a question, or of any request that starts no work: it is nobody's attempt, nothing
 * but its answer is waited for, and nothing stops it but an interrupt.
 */
public enum Unwatched implements CallWatch {
  /** Of any question. */
  QUESTION;

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
