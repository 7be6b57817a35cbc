package dev.onejob.provider;

import dev.onejob.domain.Failure;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * One way to have work done. Implementations are safe for use by many threads.
 *
 * <p>Exactly one request leaves per call: every hidden retry of a client library is off.
 */
public interface Provider extends AutoCloseable {
  /** What this provider can do and promises; constant for the life of the adapter. */
  Capabilities capabilities();

  /**
   * Makes the call and waits for its end, for at most {@link ProviderRequest#timeout} and {@link
   * ProviderRequest#lateAnswerLimit} together. The engine takes silence at the timeout for doubt by
   * itself and goes on listening for a late answer; an adapter that ends the work at the timeout
   * returns then.
   *
   * <p>Whatever is not understood is {@link Outcome.InDoubt}. An exception that escapes counts as
   * in doubt too.
   *
   * @throws InterruptedException if the engine no longer listens
   */
  Outcome call(ProviderRequest request, CallWatch watch) throws InterruptedException;

  /**
   * Asks what became of an attempt, by {@link Inquiry#providerRef} or by our reference. It starts
   * no work; where "not found" is declared to be final, asking may close the reference for good.
   * Called only if {@link Capabilities#statusProbe} says that it can be asked so.
   *
   * <p>Whatever is not understood is {@link Finding.CannotSay}, and so is an exception that
   * escapes. One request at most leaves per question, and one more where the provider keeps the
   * result of what it calls done at another address.
   *
   * @throws InterruptedException if the engine no longer waits
   */
  default Finding lookup(Inquiry inquiry) throws InterruptedException {
    return new Finding.CannotSay(
        new Failure("no-look-up", "this provider cannot be asked about " + inquiry.attemptId()));
  }

  /**
   * Sends the request of an attempt once more, the very same under the same provider key, to hear
   * its answer. Called only if {@link Capabilities#submitDeduplication} says that the provider acts
   * once for a key, and within {@link Capabilities#evidenceRetention} of the attempt's start.
   *
   * <p>The answer is about the attempt, not about this one request: a request that could not be
   * sent, or was turned away for being sent again, is {@link Finding.CannotSay}.
   *
   * @param request as it was sent first, but for its timeout
   * @param mayLeave whether the key is still sure to hold. To be asked as the last thing before the
   *     first byte, as {@link CallWatch#mayLeave} is: sent later it could be a second act. Once it
   *     is false nothing leaves, and the answer is {@link Finding.CannotSay}
   * @throws InterruptedException if the engine no longer waits
   */
  default Finding replay(ProviderRequest request, BooleanSupplier mayLeave)
      throws InterruptedException {
    return new Finding.CannotSay(
        new Failure("no-replay", "this provider takes no second " + request.attemptId()));
  }

  /**
   * How its callbacks are read; empty if it speaks no form of its own and is expected to speak
   * Onejob's. The same for the life of the adapter.
   */
  default Optional<CallbackReader> callbackReader() {
    return Optional.empty();
  }

  /** Lets go of connections. Calls under way may break. */
  @Override
  default void close() {}
}
