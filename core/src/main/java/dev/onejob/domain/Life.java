package dev.onejob.domain;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * A job and its attempts, as {@link Lifecycle} sees them.
 *
 * @param attempts in order of their numbers
 */
public record Life(JobStanding job, List<AttemptStanding> attempts) {
  public Life {
    attempts = List.copyOf(attempts);
  }

  /** The attempt of that id, if it belongs to this job. */
  public Optional<AttemptStanding> attempt(AttemptId id) {
    return attempts.stream().filter(a -> a.id().equals(id)).findFirst();
  }

  Life with(JobStanding changed) {
    return new Life(changed, attempts);
  }

  Life with(AttemptStanding changed) {
    return new Life(
        job, attempts.stream().map(a -> a.id().equals(changed.id()) ? changed : a).toList());
  }

  Life plus(AttemptStanding fresh) {
    List<AttemptStanding> more = new ArrayList<>(attempts);
    more.add(fresh);
    return new Life(job, more);
  }

  Life withLiveAttempts(UnaryOperator<AttemptStanding> change) {
    return new Life(
        job, attempts.stream().map(a -> a.state().live() ? change.apply(a) : a).toList());
  }

  Optional<AttemptStanding> firstIn(AttemptState state) {
    return attempts.stream().filter(a -> a.state() == state).findFirst();
  }

  /** The counts of the job row, counted anew from the attempts. */
  Life recounted() {
    int starting = count(AttemptState.STARTING);
    int inDoubt = count(AttemptState.UNKNOWN);
    int live = starting + inDoubt + count(AttemptState.RUNNING);
    return with(job.withCounts(live, starting, inDoubt));
  }

  private int count(AttemptState state) {
    return (int) attempts.stream().filter(a -> a.state() == state).count();
  }
}
