package dev.onejob.domain;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The durable record of one intent, whole, as it is read.
 *
 * @param input byte for byte as it was sent; null once the payloads were emptied
 * @param result null until the slot is claimed, and once the payloads were emptied
 * @param endedAt null until the job has ended
 * @param payloadEmptiedAt when retention let go of input and result; null: it has not
 * @param repeats how often its key was sent again and answered without running anything, as far as
 *     nodes have written down what they counted
 * @param resolutions decisions about the job as a whole (acknowledgements, reopenings); those about
 *     an attempt are with the attempt
 * @param skips the providers that the job was not given to by itself, and why
 */
public record Job(
    JobId id,
    Owner owner,
    IntentKey key,
    String kind,
    Effect effect,
    byte @Nullable [] input,
    JobStanding standing,
    int priority,
    List<String> tags,
    Instant createdAt,
    @Nullable Instant endedAt,
    @Nullable Result result,
    @Nullable Instant payloadEmptiedAt,
    long repeats,
    List<Attempt> attempts,
    List<Resolution> resolutions,
    List<Skip> skips) {

  /** What it has cost so far. */
  public JobCost cost() {
    return JobCost.of(attempts, repeats);
  }

  /** One of its attempts. */
  public Optional<Attempt> attempt(AttemptId id) {
    return attempts.stream().filter(attempt -> attempt.standing().id().equals(id)).findFirst();
  }

  /** A job without its payloads and attempts, for lists. */
  public record Summary(
      JobId id,
      Owner owner,
      IntentKey key,
      String kind,
      JobStanding standing,
      int priority,
      List<String> tags,
      Instant createdAt,
      @Nullable Instant endedAt) {}

  /**
   * A page of a list, newest first.
   *
   * @param paid what each of the jobs has cost so far; one that is not among them has no attempt
   * @param next where the next page begins: the last id of this one; null at the end
   */
  public record Page(List<Summary> jobs, Map<JobId, JobCost.Paid> paid, @Nullable JobId next) {
    /** What one of the jobs has cost. */
    public JobCost.Paid paid(JobId job) {
      return paid.getOrDefault(job, JobCost.Paid.NOTHING);
    }
  }
}
