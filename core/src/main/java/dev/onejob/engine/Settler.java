package dev.onejob.engine;

import dev.onejob.domain.Answer;
import dev.onejob.domain.AttemptId;
import dev.onejob.domain.Failure;
import dev.onejob.domain.JobEvent;
import dev.onejob.domain.JobId;
import dev.onejob.domain.Kind;
import dev.onejob.domain.Limits;
import dev.onejob.domain.Report.Outcome;
import dev.onejob.domain.Result;
import dev.onejob.domain.Retryability;
import dev.onejob.engine.EngineListener.BatchSort;
import dev.onejob.intent.JsonRefused;
import dev.onejob.intent.ResultReading;
import dev.onejob.provider.Outcome.Failed;
import dev.onejob.provider.Outcome.InDoubt;
import dev.onejob.provider.Outcome.Refused;
import dev.onejob.provider.Outcome.Stopped;
import dev.onejob.provider.Outcome.Succeeded;
import dev.onejob.store.Events;
import dev.onejob.store.MoveRequest;
import dev.onejob.store.Moves;
import dev.onejob.store.StoreException;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Turns what an attempt said into moves, and sees to it that they are written. */
final class Settler {
  private static final Logger LOG = LoggerFactory.getLogger(Settler.class);

  /** First and longest pause between tries to write while the database is away. */
  private static final Duration FIRST_PAUSE = Duration.ofMillis(50);

  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(5);

  /** How long a settle is tried again; by then the attempt's lease has turned it into doubt. */
  private static final Duration PATIENCE = Duration.ofMinutes(5);

  private final GroupCommit<MoveRequest, Optional<Answer>> swaps;
  private final Moves moves;
  private final Chronicle chronicle;
  private final Waiters waiters;
  private final Runnable dueSignal;
  private final Consumer<Speaker> onWin;
  private volatile boolean closed;

  /**
   * Makes one.
   *
   * @param dueSignal run when a job may have become due
   * @param onWin told of each attempt that claimed a slot
   */
  Settler(
      Stores stores,
      Chronicle chronicle,
      Waiters waiters,
      Runnable dueSignal,
      Consumer<Speaker> onWin) {
    this.swaps =
        new GroupCommit<>(
            MoveRequest::job,
            chronicle.batches(BatchSort.SETTLE, stores.settlements()::claimSlots),
            Settler::payloadBytes);
    this.moves = stores.moves();
    this.chronicle = chronicle;
    this.waiters = waiters;
    this.dueSignal = dueSignal;
    this.onWin = onWin;
  }

  private static int payloadBytes(MoveRequest request) {
    return request.details() instanceof MoveRequest.Payload payload
        ? payload.result().bytes().length
        : 0;
  }

  /**
   * Which attempt speaks.
   *
   * @param number of the attempt, from which its backoff follows
   * @param jobVersion under which it may claim the slot
   */
  record Speaker(
      JobId job, AttemptId attempt, Kind kind, String provider, int number, long jobVersion) {}

  void settle(Speaker speaker, dev.onejob.provider.Outcome outcome) throws InterruptedException {
    switch (outcome) {
      case Succeeded succeeded -> succeeded(speaker, succeeded);
      case Failed f ->
          fail(speaker, delayed(speaker, f.failure(), f.retryability(), f.retryAfter()));
      case Refused r ->
          fail(speaker, delayed(speaker, r.failure(), r.retryability(), r.retryAfter()));
      case InDoubt doubt -> doubt(speaker, doubt.reason());
      case Stopped s ->
          write(
              MoveRequest.of(
                  speaker.job(), new JobEvent.Stopped(speaker.attempt(), Digests.stopped())));
    }
  }

  private static JobEvent.Fail delayed(
      Speaker speaker, Failure failure, Retryability retryability, @Nullable Duration retryAfter) {
    Duration delay =
        speaker.kind().retry().delay(speaker.number(), retryAfter, ThreadLocalRandom.current());
    return new JobEvent.Fail(
        speaker.attempt(), failure, retryability, delay, Digests.failed(failure));
  }

  private void succeeded(Speaker speaker, Succeeded succeeded) throws InterruptedException {
    try {
      Result result = read(succeeded.result());
      JobEvent.Finish finish =
          new JobEvent.Finish(speaker.attempt(), Digests.report(Outcome.SUCCEEDED, result.bytes()));
      swap(
          speaker,
          new MoveRequest(
              speaker.job(),
              finish,
              new MoveRequest.Payload(result, succeeded.cost(), speaker.jobVersion())));
    } catch (JsonRefused e) {
      fail(
          speaker,
          unusable(speaker, new Failure(Failure.RESULT_INVALID, String.valueOf(e.getMessage()))));
    } catch (TooLarge e) {
      fail(
          speaker,
          unusable(speaker, new Failure(Failure.RESULT_TOO_LARGE, String.valueOf(e.getMessage()))));
    }
  }

  private static JobEvent.Fail unusable(Speaker speaker, Failure failure) {
    return new JobEvent.Fail(
        speaker.attempt(), failure, Retryability.FINAL, Duration.ZERO, Digests.failed(failure));
  }

  private static final class TooLarge extends Exception {
    private static final long serialVersionUID = 1L;

    TooLarge(int bytes) {
      super(
          "the result has %d bytes, at most %d are kept".formatted(bytes, Limits.RESULT_BYTES_MAX));
    }
  }

  /** The one reading of a result: what is stored, shown and compared. */
  private static Result read(Result raw) throws JsonRefused, TooLarge {
    bounded(raw);
    return switch (raw.format()) {
      // Written anew it may have grown, by escapes.
      case JSON -> bounded(new Result(Result.Format.JSON, ResultReading.read(raw.bytes())));
      case TEXT -> new Result(Result.Format.TEXT, ResultReading.readText(raw.bytes()));
    };
  }

  private static Result bounded(Result result) throws TooLarge {
    if (result.bytes().length > Limits.RESULT_BYTES_MAX) {
      throw new TooLarge(result.bytes().length);
    }
    return result;
  }

  private void swap(Speaker speaker, MoveRequest request) throws InterruptedException {
    Optional<Answer> answer = persistently(request, () -> swaps.submit(request));
    if (answer.isPresent()) {
      chronicle.won(speaker);
    }
    if (answer.isPresent() || write(request).orElse(null) instanceof Answer.Moved) {
      waiters.ended(request.job());
      onWin.accept(speaker);
    }
  }

  private void fail(Speaker speaker, JobEvent.Fail event) throws InterruptedException {
    write(new MoveRequest(speaker.job(), event, new MoveRequest.Cause(event.failure())));
    dueSignal.run();
  }

  void doubt(Speaker speaker, Failure reason) throws InterruptedException {
    write(
        new MoveRequest(
            speaker.job(), new JobEvent.Doubt(speaker.attempt()), new MoveRequest.Cause(reason)));
  }

  void accepted(Speaker speaker, @Nullable String providerRef, Duration lease)
      throws InterruptedException {
    write(
        new MoveRequest(
            speaker.job(),
            new JobEvent.Accepted(speaker.attempt()),
            new MoveRequest.Acceptance(providerRef, UUID.randomUUID(), lease.toMillis())));
  }

  /** The request was handed over whole and the line is alive: what a race waits for. */
  void handedOver(Speaker speaker) throws InterruptedException {
    write(
        new MoveRequest(
            speaker.job(), new JobEvent.Accepted(speaker.attempt()), new MoveRequest.HandedOver()));
  }

  private Optional<Answer> write(MoveRequest request) throws InterruptedException {
    Optional<Answer> answer = persistently(request, () -> moves.move(request));
    if (answer.isEmpty()) {
      LOG.warn("{} {}: no such attempt", request.job(), eventOf(request));
    }
    waiters.look();
    return answer;
  }

  /** Its name and attempt only: failures may quote a provider. */
  private static String eventOf(MoveRequest request) {
    return JobLog.word(request.event())
        + Events.attempt(request.event()).map(attempt -> " of " + attempt).orElse("");
  }

  /** Gives up what cannot be written at once: its attempts are left to their leases. */
  void close() {
    closed = true;
  }

  boolean closed() {
    return closed;
  }

  private <T> T persistently(MoveRequest request, Supplier<T> write) throws InterruptedException {
    long from = Clocks.nanos();
    Duration pause = FIRST_PAUSE;
    while (true) {
      try {
        return write.get();
      } catch (StoreException e) {
        if (closed || e.blamesTheRow() || Clocks.since(from).compareTo(PATIENCE) > 0) {
          throw e;
        }
        LOG.warn("{} {} is not yet written: {}", request.job(), eventOf(request), e.getMessage());
        Clocks.pause(pause);
        pause =
            pause.multipliedBy(2).compareTo(LONGEST_PAUSE) > 0
                ? LONGEST_PAUSE
                : pause.multipliedBy(2);
      }
    }
  }
}
