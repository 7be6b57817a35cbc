package dev.onejob.engine;

import dev.onejob.domain.Answer;
import dev.onejob.domain.AttemptId;
import dev.onejob.domain.Cost;
import dev.onejob.domain.Failure;
import dev.onejob.domain.JobEvent;
import dev.onejob.domain.JobId;
import dev.onejob.domain.Kind;
import dev.onejob.domain.Report.Outcome;
import dev.onejob.domain.Retryability;
import dev.onejob.domain.Then;
import dev.onejob.domain.Verdict;
import dev.onejob.provider.Outcome.Failed;
import dev.onejob.provider.Outcome.InDoubt;
import dev.onejob.provider.Outcome.Refused;
import dev.onejob.provider.Outcome.Stopped;
import dev.onejob.provider.Outcome.Succeeded;
import dev.onejob.store.Events;
import dev.onejob.store.MoveRequest;
import dev.onejob.store.MoveRequest.BrokenContract;
import dev.onejob.store.Moves;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Turns what an attempt said into moves, and sees to it that they are written. */
final class Settler {
  private static final Logger LOG = LoggerFactory.getLogger(Settler.class);

  /** Who decided, where proof did and no person. */
  private static final String PROBE = "probe";

  private final Writes writes;
  private final Moves moves;
  private final Chronicle chronicle;
  private final Waiters waiters;
  private final Runnable dueSignal;
  private final ProviderHealth health;
  private final Consumer<Speaker> onWin;
  private final Persistence persistence;
  private final Pricing pricing;

  /**
   * Makes one.
   *
   * @param persistence with which everything is written
   * @param dueSignal run when a job may have become due
   * @param health told of all that attempts say
   * @param onWin told of each attempt that claimed a slot
   * @param pricing what calls cost
   */
  Settler(
      Stores stores,
      Writes writes,
      Persistence persistence,
      Chronicle chronicle,
      Waiters waiters,
      Runnable dueSignal,
      ProviderHealth health,
      Consumer<Speaker> onWin,
      Pricing pricing) {
    this.writes = writes;
    this.moves = stores.moves();
    this.persistence = persistence;
    this.chronicle = chronicle;
    this.waiters = waiters;
    this.dueSignal = dueSignal;
    this.health = health;
    this.onWin = onWin;
    this.pricing = pricing;
  }

  /**
   * Which attempt speaks.
   *
   * @param number of the attempt, from which its backoff follows
   * @param jobVersion under which it may claim the slot
   * @param evident whether it is another who speaks for it, and keeps the evidence
   */
  record Speaker(
      JobId job,
      AttemptId attempt,
      Kind kind,
      String provider,
      int number,
      long jobVersion,
      boolean evident) {
    MoveRequest request(JobEvent event, MoveRequest.@Nullable Details details) {
      MoveRequest request = new MoveRequest(job, event, details);
      return evident ? request.asEvident() : request;
    }
  }

  /**
   * Writes what became of an attempt.
   *
   * @param input of the job, asked for if the kind has a contract
   * @param late whether it is a late answer by now: from an attempt in doubt, or one whose lease is
   *     lost. Asked at every try. It goes to the swap all the same, and leaves evidence
   */
  void settle(
      Speaker speaker,
      dev.onejob.provider.Outcome outcome,
      Supplier<Optional<byte[]>> input,
      BooleanSupplier late)
      throws InterruptedException {
    health.heard(speaker, outcome);
    Cost cost = pricing.cost(speaker.provider(), outcome);
    switch (outcome) {
      case Succeeded it ->
          judged(
              speaker,
              ResultGate.judge(speaker.kind().contract(), input, it.result(), it.cost()),
              cost,
              late);
      case Failed f ->
          fail(speaker, delayed(speaker, f.failure(), f.retryability(), f.retryAfter()), cost);
      case Refused r ->
          fail(speaker, delayed(speaker, r.failure(), r.retryability(), r.retryAfter()), cost);
      case InDoubt doubt -> doubt(speaker, doubt.reason());
      case Stopped s ->
          write(speaker.request(new JobEvent.Stopped(speaker.attempt(), Digests.stopped()), null));
    }
  }

  private static JobEvent.Fail delayed(
      Speaker speaker, Failure failure, Retryability retryability, @Nullable Duration retryAfter) {
    Duration delay =
        speaker.kind().retry().delay(speaker.number(), retryAfter, ThreadLocalRandom.current());
    return new JobEvent.Fail(
        speaker.attempt(), failure, retryability, delay, Digests.failed(failure));
  }

  private void judged(Speaker speaker, ResultGate.Judged judged, Cost cost, BooleanSupplier late)
      throws InterruptedException {
    switch (judged) {
      case ResultGate.Judged.Fit fit -> {
        JobEvent.Finish finish =
            new JobEvent.Finish(
                speaker.attempt(), Digests.report(Outcome.SUCCEEDED, fit.result().bytes()));
        swap(
            speaker,
            speaker.request(
                finish, new MoveRequest.Payload(fit.result(), cost.text(), speaker.jobVersion())),
            cost,
            late);
      }
      case ResultGate.Judged.Unfit unfit -> fail(speaker, unusable(speaker, unfit.failure()), cost);
      case ResultGate.Judged.Broken broken -> breached(speaker, broken, cost);
    }
  }

  private static JobEvent.Fail unusable(Speaker speaker, Failure failure) {
    return new JobEvent.Fail(
        speaker.attempt(), failure, Retryability.FINAL, Duration.ZERO, Digests.failed(failure));
  }

  /** The short way is for those on time; the long way says what a late answer was. */
  private void swap(Speaker speaker, MoveRequest request, Cost cost, BooleanSupplier late)
      throws InterruptedException {
    Optional<Answer> answer =
        persistence.write(
            request, () -> late.getAsBoolean() ? Optional.empty() : writes.claimSlot(request));
    if (answer.isPresent()) {
      chronicle.won(speaker);
    }
    Answer became = answer.isPresent() ? answer.get() : write(request).orElse(null);
    charged(speaker, cost, became);
    if (became instanceof Answer.Moved) {
      waiters.ended(request.job());
      onWin.accept(speaker);
    }
  }

  /** The model that answers, as its provider names it. */
  void answeredBy(Speaker speaker, String model) {
    health.answeredBy(speaker.kind(), speaker.provider(), model);
  }

  private void charged(Speaker speaker, Cost cost, @Nullable Answer answer) {
    if (answer instanceof Answer.Moved || answer instanceof Answer.Lost) {
      chronicle.charged(speaker.kind().name(), speaker.provider(), cost);
    }
  }

  private void fail(Speaker speaker, JobEvent.Fail event, Cost cost) throws InterruptedException {
    ended(speaker, event, new MoveRequest.Cause(event.failure(), cost.text()), cost);
  }

  private void breached(Speaker speaker, ResultGate.Judged.Broken broken, Cost cost)
      throws InterruptedException {
    BrokenContract details = Digests.broken(broken, cost.text());
    Answer became =
        ended(
            speaker,
            new JobEvent.Breached(speaker.attempt(), details.failure(), details.report()),
            details,
            cost);
    if (became instanceof Answer.Moved) {
      health.broke(speaker.kind(), speaker.provider());
    }
  }

  private @Nullable Answer ended(
      Speaker speaker, JobEvent event, MoveRequest.Details details, Cost cost)
      throws InterruptedException {
    Answer became = write(speaker.request(event, details)).orElse(null);
    charged(speaker, cost, became);
    dueSignal.run();
    return became;
  }

  /** No answer came in time. */
  void timedOut(Speaker speaker, Failure reason) throws InterruptedException {
    health.heard(speaker, new InDoubt(reason));
    doubt(speaker, reason);
  }

  void doubt(Speaker speaker, Failure reason) throws InterruptedException {
    write(speaker.request(new JobEvent.Doubt(speaker.attempt()), new MoveRequest.Cause(reason)));
  }

  /**
   * What came of an acknowledgement.
   *
   * @param answer null if there is no such attempt
   * @param sent a moment of the monotonic clock, not after a lease that it may have given
   */
  record Accepted(@Nullable Answer answer, long sent) {}

  /**
   * The provider acknowledged the work.
   *
   * @param lease under which it is watched, if it has none at the moment
   */
  Accepted accepted(Speaker speaker, @Nullable String providerRef, Lease lease)
      throws InterruptedException {
    health.accepted(speaker);
    MoveRequest request = acceptance(speaker, providerRef, lease.token(), lease.length());
    AtomicLong sent = new AtomicLong();
    Optional<Answer> answer =
        write(
            request,
            () -> {
              sent.set(Clocks.nanos()); // of the last try, which may be long after the first
              return moves.move(request);
            });
    return new Accepted(answer.orElse(null), sent.get());
  }

  /**
   * Its provider says that it is at work: it is watched from now on, under this lease.
   *
   * @param question the number of the question that brought it
   */
  void watched(
      Speaker speaker, int question, @Nullable String providerRef, UUID token, Duration lease)
      throws InterruptedException {
    write(acceptance(speaker, providerRef, token, lease).following(question));
  }

  private static MoveRequest acceptance(
      Speaker speaker, @Nullable String providerRef, UUID token, Duration lease) {
    return speaker.request(
        new JobEvent.Accepted(speaker.attempt()),
        new MoveRequest.Acceptance(providerRef, token, lease.toMillis()));
  }

  /**
   * Its provider has proved that the act did not happen and will not.
   *
   * @param question the number of the question that brought it
   */
  void notDone(Speaker speaker, int question, String reason) throws InterruptedException {
    write(
        speaker
            .request(
                new JobEvent.Resolve(speaker.attempt(), Verdict.NOT_DONE, Then.RETRY),
                new MoveRequest.Proved(
                    speaker.kind().parkAfterCrashes(),
                    new MoveRequest.Decided(
                        Verdict.NOT_DONE.word(), Then.RETRY, reason, PROBE, /* result= */ null)))
            .following(question));
    dueSignal.run();
  }

  /** The request was handed over whole and the line is alive: what a race waits for. */
  void handedOver(Speaker speaker) throws InterruptedException {
    write(speaker.request(new JobEvent.Accepted(speaker.attempt()), new MoveRequest.HandedOver()));
  }

  private Optional<Answer> write(MoveRequest request) throws InterruptedException {
    return write(request, () -> moves.move(request));
  }

  private Optional<Answer> write(MoveRequest request, Supplier<Optional<Answer>> move)
      throws InterruptedException {
    Optional<Answer> answer = persistence.write(request, move);
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

  /** Whether nothing is tried again any more. */
  boolean closed() {
    return persistence.closed();
  }
}
