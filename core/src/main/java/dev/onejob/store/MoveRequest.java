package dev.onejob.store;

import dev.onejob.domain.Answer;
import dev.onejob.domain.ContractVerdict;
import dev.onejob.domain.Failure;
import dev.onejob.domain.JobEvent;
import dev.onejob.domain.JobId;
import dev.onejob.domain.KindContract;
import dev.onejob.domain.Mark;
import dev.onejob.domain.Report;
import dev.onejob.domain.Result;
import dev.onejob.domain.Then;
import java.time.Duration;
import java.util.Locale;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * One event of one job, with what is to be written beside the states.
 *
 * @param details null where the event says everything
 * @param evident whether who asks keeps as evidence, by itself, what an attempt in doubt has said
 * @param question the number of the question to a provider that this follows from: the event holds
 *     only while no other was put about the attempt. 0: it follows from none
 * @param source how the attempt itself was heard, where the event is a report of it
 * @param asOf the event holds only while the job is as somebody has seen it; null: however it is
 */
public record MoveRequest(
    JobId job,
    JobEvent event,
    @Nullable Details details,
    boolean evident,
    int question,
    Source source,
    @Nullable Mark asOf) {
  /** A request of whose evidence the move itself takes care. */
  public MoveRequest(JobId job, JobEvent event, @Nullable Details details) {
    this(job, event, details, false, 0, Source.LATE_ANSWER, null);
  }

  /** The same, where its evidence is kept by who asks. */
  public MoveRequest asEvident() {
    return new MoveRequest(job, event, details, true, question, source, asOf);
  }

  /** The same, as what follows from the question of that number. */
  public MoveRequest following(int number) {
    return new MoveRequest(job, event, details, evident, number, source, asOf);
  }

  /** The same, heard in that way. */
  public MoveRequest from(Source other) {
    return new MoveRequest(job, event, details, evident, question, other, asOf);
  }

  /** The same, of the job as it was seen; see {@link Answer.Changed}. */
  public MoveRequest asOf(@Nullable Mark seen) {
    return new MoveRequest(job, event, details, evident, question, source, seen);
  }

  /** How an attempt is heard that has ended, or is in doubt: what evidence of it is called. */
  public enum Source {
    /** By the answer to its request. */
    LATE_ANSWER,
    /** At its callback address. */
    CALLBACK;

    String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** An event that says everything. */
  public static MoveRequest of(JobId job, JobEvent event) {
    return new MoveRequest(job, event, null);
  }

  /** Size of the result that it carries; 0 if it carries none. */
  public int payloadBytes() {
    if (details instanceof BrokenContract broken) {
      return broken.answer().bytes().length;
    }
    return details instanceof Payload payload ? payload.result().bytes().length : 0;
  }

  /** The decision that it carries; null: it carries none. */
  @Nullable Decided decision() {
    return switch (details) {
      case Decided decided -> decided;
      case ByItself byItself -> byItself.decided();
      case Parked parked -> parked.decided();
      case Departure d -> null;
      case Payload p -> null;
      case Cause c -> null;
      case BrokenContract b -> null;
      case Acceptance a -> null;
      case HandedOver h -> null;
      case LapsedLease l -> null;
      case null -> null;
    };
  }

  /** What is written beside the states. */
  public sealed interface Details {}

  /**
   * The lease of a fresh attempt.
   *
   * @param leaseMillis from the start, by the database clock
   */
  public record Departure(String node, UUID leaseToken, long leaseMillis) implements Details {}

  /**
   * A result, and the version under which the attempt may claim the slot.
   *
   * @param jobVersion as the attempt was started with; a hint that saves a look
   */
  public record Payload(Result result, @Nullable String cost, long jobVersion) implements Details {}

  /**
   * Why a result cannot be one: it breaks the contract of its kind. Kept, with the beginning of the
   * answer, only if it ends the attempt: not if the slot had gone.
   *
   * @param answer as it came
   * @param report of the answer as it was read
   */
  public record BrokenContract(
      Failure failure,
      KindContract contract,
      ContractVerdict.Broken verdict,
      Result answer,
      Report report,
      @Nullable String cost)
      implements Details {}

  /**
   * Why an attempt failed or is in doubt.
   *
   * @param cost of an attempt that failed; null if nothing is known of it
   */
  public record Cause(Failure failure, @Nullable String cost) implements Details {
    /** Of whose cost nothing is known. */
    public Cause(Failure failure) {
      this(failure, null);
    }
  }

  /**
   * The provider took the attempt on.
   *
   * @param providerRef its id of the work, if it gave one
   * @param leaseToken of the lease under which it is watched, if it has none at the moment
   */
  public record Acceptance(@Nullable String providerRef, UUID leaseToken, long leaseMillis)
      implements Details {}

  /**
   * The holder says by itself that the request is on its way. It is no word of the provider's: the
   * event holds only while the attempt is starting, and is no news about one in doubt or ended.
   */
  public record HandedOver() implements Details {}

  /**
   * The event, a doubt or a stop, holds only if the attempt's lease is this one, and has lapsed by
   * the database clock.
   */
  public record LapsedLease(UUID token, Failure failure) implements Details {}

  /**
   * A decision out of band.
   *
   * @param result with the verdict done
   */
  public record Decided(
      String verdict, @Nullable Then then, String reason, String decidedBy, @Nullable Result result)
      implements Details {}

  /** A decision that no person makes. */
  public sealed interface ByItself extends Details {
    /** The kind's bound; see {@link dev.onejob.domain.Crashes}. */
    int parkAfterCrashes();

    /** What is decided. */
    Decided decided();
  }

  /**
   * A decision by a rule of the kind. The event holds only if the attempt is in doubt, and has been
   * for this long by the database clock.
   */
  public record Ruled(Duration after, int parkAfterCrashes, Decided decided) implements ByItself {}

  /** A decision by what the provider of the attempt has proved. */
  public record Proved(int parkAfterCrashes, Decided decided) implements ByItself {}

  /**
   * What a decision {@link ByItself} becomes behind the lock, where the job has crashed too often
   * to be tried again.
   */
  public record Parked(Decided decided) implements Details {}
}
