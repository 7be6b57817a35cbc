package dev.onejob.testkit;

import dev.onejob.domain.AttemptId;
import dev.onejob.domain.JobId;
import dev.onejob.domain.Owner;
import dev.onejob.provider.Outcome;
import dev.onejob.provider.Provider;
import dev.onejob.provider.ProviderRequest;
import java.net.URI;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** One call of a provider, on a virtual thread as the engine makes it. */
public final class ProviderCall {
  /** Longer than any call of a test may take; only a hanging one gets there. */
  private static final Duration HANGS = Duration.ofSeconds(60);

  private final RecordingWatch watch = new RecordingWatch();
  private final CompletableFuture<Outcome> outcome = new CompletableFuture<>();
  private final Thread thread;

  private ProviderCall(Provider provider, ProviderRequest request) {
    thread =
        Thread.ofVirtual()
            .unstarted(
                () -> {
                  try {
                    outcome.complete(provider.call(request, watch));
                  } catch (Throwable e) {
                    outcome.completeExceptionally(e);
                  }
                });
  }

  /** Starts a call. */
  public static ProviderCall start(Provider provider, ProviderRequest request) {
    ProviderCall call = new ProviderCall(provider, request);
    call.thread.start();
    return call;
  }

  /** Starts a call of which a stop was asked before. */
  public static ProviderCall startStopped(Provider provider, ProviderRequest request) {
    ProviderCall call = new ProviderCall(provider, request);
    call.watch.stop();
    call.thread.start();
    return call;
  }

  /** Starts a call of an attempt that is in doubt already: nothing of it may leave. */
  public static ProviderCall startWithheld(Provider provider, ProviderRequest request) {
    ProviderCall call = new ProviderCall(provider, request);
    call.watch.withhold();
    call.thread.start();
    return call;
  }

  /** A first attempt of a new job. */
  public static ProviderRequest request(byte[] input, Duration timeout, Duration lateAnswerLimit) {
    long now = System.currentTimeMillis();
    ThreadLocalRandom random = ThreadLocalRandom.current();
    JobId job = JobId.next(now, random);
    return new ProviderRequest(
        job,
        AttemptId.next(now, random),
        1,
        new Owner("default"),
        "demo",
        "key-of-" + job,
        input,
        timeout,
        lateAnswerLimit);
  }

  /** The same request with another body. */
  public static ProviderRequest withInput(ProviderRequest request, byte[] input) {
    return new ProviderRequest(
        request.jobId(),
        request.attemptId(),
        request.number(),
        request.owner(),
        request.kind(),
        request.providerKey(),
        input,
        request.timeout(),
        request.lateAnswerLimit());
  }

  /** The same request with an address for calling back. */
  public static ProviderRequest withCallback(ProviderRequest request, URI callback) {
    return new ProviderRequest(
        request.jobId(),
        request.attemptId(),
        request.number(),
        request.owner(),
        request.kind(),
        request.providerKey(),
        request.input(),
        request.timeout(),
        request.lateAnswerLimit(),
        callback);
  }

  /** What the adapter told so far. */
  public RecordingWatch watch() {
    return watch;
  }

  /** Whether the call has ended. */
  public boolean isOver() {
    return outcome.isDone();
  }

  /** Interrupts the thread of the call, as an engine that no longer listens. */
  public void interrupt() {
    thread.interrupt();
  }

  /**
   * Waits for the outcome.
   *
   * @throws ExecutionException if an exception escaped from the call
   */
  public Outcome outcome() throws InterruptedException, ExecutionException, TimeoutException {
    return outcome.get(HANGS.toMillis(), TimeUnit.MILLISECONDS);
  }
}
