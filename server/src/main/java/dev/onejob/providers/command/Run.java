package dev.onejob.providers.command;

import dev.onejob.domain.Limits;
import dev.onejob.provider.CallWatch;
import dev.onejob.provider.Outcome;
import dev.onejob.provider.ProviderRequest;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** One run of the program, from its start to the death of the last process of it. */
final class Run {
  /** With every process of the run gone, its pipes end at once. */
  private static final Duration PIPES_BOUND = Duration.ofSeconds(5);

  /** Leaves room for an introduction, and for escapes. */
  private static final int ERROR_CHARS_MAX = Limits.MESSAGE_CHARS_MAX / 2;

  private enum End {
    EXITED,
    STOPPED,
    OVERFLOWED,
    TIMED_OUT
  }

  private final Process process;
  private final ProcessTree tree;
  private final Endings endings;
  private final CompletableFuture<End> end = new CompletableFuture<>();

  Run(Process process, ProviderRequest request, Endings endings) {
    this.process = process;
    this.tree = new ProcessTree(process, request.attemptId().toString());
    this.endings = endings;
  }

  /** Asks for its end from outside; does not wait. */
  void stop() {
    end.complete(End.STOPPED);
  }

  Outcome outcome(ProviderRequest request, CallWatch watch) throws InterruptedException {
    Outcome outcome = null;
    try {
      Pipes pipes = Pipes.open(process, request.input(), watch::handedOver);
      process.onExit().thenRun(() -> end.complete(End.EXITED));
      pipes.overflow().thenRun(() -> end.complete(End.OVERFLOWED));
      watch.onStop(this::stop);
      outcome = conclude(first(request.timeout()), pipes);
      return outcome;
    } finally {
      if (outcome == null) {
        tree.kill(); // interrupted, or worse: nothing is left behind all the same
      }
    }
  }

  private End first(Duration timeout) throws InterruptedException {
    try {
      return end.get(timeout.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      return End.TIMED_OUT;
    } catch (ExecutionException e) {
      throw new IllegalStateException(e);
    }
  }

  private Outcome conclude(End first, Pipes pipes) throws InterruptedException {
    // A program that ended by itself at the last moment has said its word, whatever we wanted.
    End ended = first != End.OVERFLOWED && !process.isAlive() ? End.EXITED : first;
    tree.end();
    return switch (ended) {
      case EXITED -> exited(pipes);
      case STOPPED -> new Outcome.Stopped("the program and what it had started are ended");
      case OVERFLOWED -> endings.tooLarge();
      case TIMED_OUT -> endings.timedOut(errors(pipes));
    };
  }

  private Outcome exited(Pipes pipes) throws InterruptedException {
    byte[] output = read(pipes.output());
    if (pipes.overflow().isDone()) {
      return endings.tooLarge();
    }
    if (output == null) {
      return endings.unread();
    }
    return endings.exited(process.exitValue(), output, errors(pipes));
  }

  private static String errors(Pipes pipes) throws InterruptedException {
    byte[] errors = read(pipes.errors());
    return errors == null ? "" : tail(new String(errors, StandardCharsets.UTF_8).strip());
  }

  /** The last lines: what a program complains about last is most often why it ended. */
  private static String tail(String text) {
    if (text.length() <= ERROR_CHARS_MAX) {
      return text;
    }
    String last = text.substring(text.length() - ERROR_CHARS_MAX);
    return "(…) " + last.substring(last.indexOf('\n') + 1);
  }

  /** Null if the pipe is held open by somebody whom we could not find, or broke. */
  private static byte @Nullable [] read(CompletableFuture<byte[]> pipe)
      throws InterruptedException {
    try {
      return pipe.get(PIPES_BOUND.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException | ExecutionException e) {
      return null;
    }
  }
}
