package dev.onejob.testkit;

import dev.onejob.provider.Provider;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * A provider as {@link PromiseContract} sees it: an adapter, and behind it a server over a real
 * socket, or a real process, in the hands of the test.
 */
public interface FarSide extends AutoCloseable {
  /** What happens to the first request of a job. Every further one is served. */
  enum Fate {
    /** It acts and answers. */
    SERVE,
    /** It acts at once, acknowledges nothing, and is cut off without a word. */
    LOSE_ANSWER,
    /** It is cut off before anything was taken in; it never acts. */
    LOSE_REQUEST,
    /** It acts and gives its id of the work, and nothing more is heard of how it ended. */
    ACCEPT,
    /** It is taken in, and is at work until {@link FarSide#release}. */
    HOLD,
    /** It fails without an effect, and that is not heard. An id is given where ids are. */
    FAIL_UNHEARD
  }

  /**
   * What has really happened so far.
   *
   * @param requests for work that have arrived, the same one again included
   * @param questions about work that have arrived
   * @param cancels that have arrived
   * @param effects how often it acted
   */
  record Tally(int requests, int questions, int cancels, int effects) {
    /** What has happened since. */
    Tally since(Tally before) {
      return new Tally(
          requests - before.requests,
          questions - before.questions,
          cancels - before.cancels,
          effects - before.effects);
    }
  }

  /** The adapter, with the settings that are held to their promises. */
  Provider provider();

  /**
   * The input of a job to which this happens; empty if it cannot happen here. An adapter that
   * declares what only this can show fails then.
   */
  Optional<byte[]> input(Fate fate);

  /**
   * How long an attempt is waited for before it is in doubt. Shorter where the adapter goes on
   * listening to work that it has been told of, and nothing is heard.
   */
  default Duration timeout() {
    return Duration.ofSeconds(20);
  }

  /** What has happened, to all jobs. */
  Tally tally();

  /** What is at work comes to its end, or is seen to have been stopped, before this returns. */
  default void release() {}

  /**
   * As much time passes at the provider. To be implemented where a bound on life is declared.
   *
   * @throws UnsupportedOperationException if time cannot pass here
   */
  default void pass(Duration time) {
    throw new UnsupportedOperationException("declares a bound on life, and cannot show it");
  }

  /** The addresses that requests carried for calling back, in order. */
  default List<URI> callbacks() {
    return List.of();
  }

  @Override
  default void close() throws IOException {}
}
