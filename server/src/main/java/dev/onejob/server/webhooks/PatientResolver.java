package dev.onejob.server.webhooks;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Looks names up on threads of its own. A look-up blocks its thread for as long as strangers' name
 * servers are silent; on a virtual thread it would hold one of the few that carry all others, and
 * an owner could bring a node to a standstill by a name.
 */
public final class PatientResolver implements Resolver, AutoCloseable {
  private static final long IDLE_SECONDS = 30;

  /** Registrations that look up at once. */
  private static final int REGISTERING_MAX = 8;

  private final Resolver slow;
  private final Duration patience;
  private final ThreadPoolExecutor threads;

  /**
   * Makes one.
   *
   * @param slow what looks up, and may block
   * @param lookUpsMax at once; one more is not made, and its name counts as unknown
   * @param patience with one look-up; then its name counts as unknown
   */
  public PatientResolver(Resolver slow, int lookUpsMax, Duration patience) {
    this.slow = slow;
    this.patience = patience;
    this.threads =
        new ThreadPoolExecutor(
            0,
            lookUpsMax,
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            new SynchronousQueue<>(),
            Thread.ofPlatform().daemon().name("onejob-names-", 0).factory());
  }

  /**
   * As many at once as tries, each with about the patience of a system itself: a try that waits for
   * its look-up begins no other, so that one owner's silent name servers take few threads.
   */
  public static PatientResolver forSending() {
    return new PatientResolver(SYSTEM, Sender.TRIES_MAX, Duration.ofSeconds(20));
  }

  /** Somebody waits: what is not found soon is judged when something is sent. */
  public static PatientResolver forRegistering() {
    return new PatientResolver(SYSTEM, REGISTERING_MAX, Duration.ofSeconds(3));
  }

  @Override
  public InetAddress[] resolve(String host) throws UnknownHostException {
    try {
      Future<InetAddress[]> found = threads.submit(() -> slow.resolve(host));
      return found.get(patience.toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException e) {
      throw unknown("it was not found");
    } catch (RejectedExecutionException | TimeoutException | CancellationException e) {
      throw unknown("name servers are too slow");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw unknown("nobody waits for it any more");
    }
  }

  private static UnknownHostException unknown(String why) {
    return new UnknownHostException(why);
  }

  /** Look-ups under way end by themselves. */
  @Override
  public void close() {
    threads.shutdown();
  }
}
