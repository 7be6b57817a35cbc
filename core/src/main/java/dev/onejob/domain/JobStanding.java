package dev.onejob.domain;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the job row carries for the guards: all that a move may look at, besides the attempts.
 *
 * @param version raised by every ending and every decision; live attempts carry it along
 * @param completedBy the attempt that claimed the result slot; null while the slot is empty
 * @param live attempts that are starting, running or unknown
 * @param starting attempts that are starting
 * @param inDoubt attempts that are unknown
 * @param runAt when it may start by itself; set exactly while queued and waiting for nothing else
 * @param walk where it is on its route
 * @param raceAfter how long an attempt must have lasted before a second may race it; null: never
 * @param failure set exactly while failed
 */
public record JobStanding(
    JobState state,
    @Nullable WaitingFor waitingFor,
    long version,
    @Nullable AttemptId completedBy,
    int live,
    int starting,
    int inDoubt,
    int attemptsStarted,
    int attemptsAllowed,
    @Nullable Instant runAt,
    @Nullable Instant deadline,
    @Nullable Instant cancelRequestedAt,
    boolean contested,
    @Nullable Failure failure,
    List<String> route,
    Walk walk,
    @Nullable Duration raceAfter,
    WhenUnqualified whenUnqualified) {

  public JobStanding {
    route = List.copyOf(route);
  }

  /** A job as it is admitted: queued, due at the given time, nothing tried. */
  public static JobStanding admitted(
      List<String> route, Instant runAt, @Nullable Instant deadline, KindRules rules) {
    return new JobStanding(
        JobState.QUEUED,
        null,
        0,
        null,
        0,
        0,
        0,
        0,
        rules.attemptsAllowed(),
        runAt,
        deadline,
        null,
        false,
        null,
        route,
        Walk.START,
        rules.raceAfter(),
        rules.whenUnqualified());
  }

  /** The rules of a kind that are fixed for a job when it is admitted. */
  public record KindRules(
      int attemptsAllowed, @Nullable Duration raceAfter, WhenUnqualified whenUnqualified) {}

  boolean deadlinePassed(Instant now) {
    return deadline != null && !now.isBefore(deadline);
  }

  boolean slotTaken() {
    return completedBy != null;
  }

  JobStanding withCounts(int live, int starting, int inDoubt) {
    return new JobStanding(
        state,
        waitingFor,
        version,
        completedBy,
        live,
        starting,
        inDoubt,
        attemptsStarted,
        attemptsAllowed,
        runAt,
        deadline,
        cancelRequestedAt,
        contested,
        failure,
        route,
        walk,
        raceAfter,
        whenUnqualified);
  }

  JobStanding withVersion(long version) {
    return new JobStanding(
        state,
        waitingFor,
        version,
        completedBy,
        live,
        starting,
        inDoubt,
        attemptsStarted,
        attemptsAllowed,
        runAt,
        deadline,
        cancelRequestedAt,
        contested,
        failure,
        route,
        walk,
        raceAfter,
        whenUnqualified);
  }

  JobStanding withCompletedBy(AttemptId completedBy) {
    return new JobStanding(
        state,
        waitingFor,
        version,
        completedBy,
        live,
        starting,
        inDoubt,
        attemptsStarted,
        attemptsAllowed,
        runAt,
        deadline,
        cancelRequestedAt,
        contested,
        failure,
        route,
        walk,
        raceAfter,
        whenUnqualified);
  }

  JobStanding withAttemptsStarted(int attemptsStarted) {
    return new JobStanding(
        state,
        waitingFor,
        version,
        completedBy,
        live,
        starting,
        inDoubt,
        attemptsStarted,
        attemptsAllowed,
        runAt,
        deadline,
        cancelRequestedAt,
        contested,
        failure,
        route,
        walk,
        raceAfter,
        whenUnqualified);
  }

  JobStanding withCancelRequestedAt(Instant cancelRequestedAt) {
    return new JobStanding(
        state,
        waitingFor,
        version,
        completedBy,
        live,
        starting,
        inDoubt,
        attemptsStarted,
        attemptsAllowed,
        runAt,
        deadline,
        cancelRequestedAt,
        contested,
        failure,
        route,
        walk,
        raceAfter,
        whenUnqualified);
  }

  JobStanding withContested(boolean contested) {
    return new JobStanding(
        state,
        waitingFor,
        version,
        completedBy,
        live,
        starting,
        inDoubt,
        attemptsStarted,
        attemptsAllowed,
        runAt,
        deadline,
        cancelRequestedAt,
        contested,
        failure,
        route,
        walk,
        raceAfter,
        whenUnqualified);
  }

  JobStanding withLimits(int attemptsAllowed, @Nullable Instant deadline) {
    return new JobStanding(
        state,
        waitingFor,
        version,
        completedBy,
        live,
        starting,
        inDoubt,
        attemptsStarted,
        attemptsAllowed,
        runAt,
        deadline,
        cancelRequestedAt,
        contested,
        failure,
        route,
        walk,
        raceAfter,
        whenUnqualified);
  }

  JobStanding withWalk(Walk walk) {
    return new JobStanding(
        state,
        waitingFor,
        version,
        completedBy,
        live,
        starting,
        inDoubt,
        attemptsStarted,
        attemptsAllowed,
        runAt,
        deadline,
        cancelRequestedAt,
        contested,
        failure,
        route,
        walk,
        raceAfter,
        whenUnqualified);
  }

  /** The provider at which it goes on by itself, if it does. */
  public String goesOnAt() {
    return walk.at(route);
  }

  /** The four columns that follow from the one rule of the state. */
  JobStanding at(Place place) {
    return new JobStanding(
        place.state,
        place.waitingFor,
        version,
        completedBy,
        live,
        starting,
        inDoubt,
        attemptsStarted,
        attemptsAllowed,
        place.runAt,
        deadline,
        cancelRequestedAt,
        contested,
        place.failure,
        route,
        walk,
        raceAfter,
        whenUnqualified);
  }

  /** Where a job stands: its state and what goes with it. */
  record Place(
      JobState state,
      @Nullable WaitingFor waitingFor,
      @Nullable Instant runAt,
      @Nullable Failure failure) {
    static final Place RUNNING = new Place(JobState.RUNNING, null, null, null);
    static final Place UNKNOWN = new Place(JobState.UNKNOWN, null, null, null);
    static final Place SUCCEEDED = new Place(JobState.SUCCEEDED, null, null, null);
    static final Place CANCELLED = new Place(JobState.CANCELLED, null, null, null);

    static Place due(Instant runAt) {
      return new Place(JobState.QUEUED, null, runAt, null);
    }

    static Place waitingFor(WaitingFor what) {
      return new Place(JobState.QUEUED, what, null, null);
    }

    static Place failed(Failure failure) {
      return new Place(JobState.FAILED, null, null, failure);
    }
  }
}
