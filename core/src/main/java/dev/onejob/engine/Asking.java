package dev.onejob.engine;

import dev.onejob.domain.Failure;
import dev.onejob.provider.Finding;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Puts one question to a provider, on a virtual thread that does nothing else: it holds no
 * connection, so that it may be interrupted at any time. An adapter that ignores that keeps its
 * thread and its permit, and nothing more.
 */
final class Asking {
  private static final Logger LOG = LoggerFactory.getLogger(Asking.class);

  private Asking() {}

  /**
   * Waits for the answer, for as long as the timeout says. Whatever escapes from the adapter is
   * "cannot say".
   *
   * @param whenOver run when the adapter has really come back
   */
  static Finding ask(Callable<Finding> question, Duration timeout, Runnable whenOver)
      throws InterruptedException {
    CompletableFuture<Finding> answer = new CompletableFuture<>();
    Thread thread =
        Thread.ofVirtual().name("onejob-probe").start(() -> put(question, answer, whenOver));
    try {
      return answer.get(timeout.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      thread.interrupt();
      return new Finding.CannotSay(
          new Failure("timeout", "no answer within " + timeout.toMillis() + " ms"));
    } catch (ExecutionException e) {
      throw new IllegalStateException("an answer is never an exception", e);
    }
  }

  private static void put(
      Callable<Finding> question, CompletableFuture<Finding> answer, Runnable whenOver) {
    try {
      answer.complete(question.call());
    } catch (InterruptedException e) {
      answer.complete(new Finding.CannotSay(new Failure("timeout", "the question was given up")));
    } catch (Throwable e) { // also Errors: whatever escapes says nothing about the act
      LOG.error("the adapter failed when it was asked", e);
      answer.complete(new Finding.CannotSay(new Failure("adapter-failed", e.toString())));
    } finally {
      whenOver.run();
    }
  }
}
