package dev.onejob.provider;

import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** What an adapter tells the engine while a call is under way, and hears from it. */
public interface CallWatch {
  /**
   * Whether a request may still leave. To be asked as the last thing before its first byte, once
   * all that takes time is done: a connection is made, a program is found.
   *
   * <p>Once the attempt is in doubt, or its lease may be over, nothing of it leaves any more:
   * somebody may have looked at the provider, seen nothing, and ended the doubt. The adapter then
   * answers {@link Outcome.Refused}, which is true: nothing was done.
   */
  boolean mayLeave();

  /** The request was handed over whole and the line is alive. Costs nothing; no write. */
  void handedOver();

  /**
   * The provider acknowledged the work. Recorded durably before this returns.
   *
   * @param providerRef the provider's id of the work, if it gave one
   */
  void accepted(@Nullable String providerRef);

  /**
   * The provider names the model that answers. To be said of every answer that names one: another
   * than was qualified ends the qualification.
   */
  default void answeredBy(String model) {}

  /**
   * Registers what to do when the result is no longer wanted; at once, if that is so already. At
   * most one action; it must not block.
   */
  void onStop(Runnable stop);

  /** Whether a stop has been asked. */
  boolean stopAsked();

  /**
   * The W3C trace context of the attempt, to be sent along where the provider's protocol has a
   * place for it. Empty while nothing is traced.
   */
  default Optional<String> traceparent() {
    return Optional.empty();
  }

  /**
   * Offers what the model said, for whoever wants to judge it himself; nobody does in production,
   * and then it is not made. Empty: the answer holds no words of a model.
   */
  default void said(Supplier<Optional<Said>> words) {}
}
