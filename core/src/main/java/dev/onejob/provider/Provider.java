package dev.onejob.provider;

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

  /** Lets go of connections. Calls under way may break. */
  @Override
  default void close() {}
}
