package dev.onejob.domain;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * As what somebody has seen a job: two looks give the same mark only if nothing has happened to the
 * job between them that somebody who decides has to know. Opaque; it is compared and nothing else.
 *
 * @param text short and of letters and digits where it was made here; whatever else somebody sends
 *     is the mark of no job
 */
public record Mark(String text) {
  private static final int BYTES = 16;

  /**
   * What counts of an attempt.
   *
   * @param unknownAt when it came in doubt, the last time; null: never
   * @param evidence how many different things were learned about it; the same again is no news
   */
  public record Seen(AttemptStanding standing, @Nullable Instant unknownAt, long evidence) {}

  /** Of a job as it was read. */
  public static Mark of(Job job) {
    return ofRead(job.standing(), job.attempts());
  }

  /** The same of a job whose parts were read as of one moment. */
  public static Mark ofRead(JobStanding job, List<Attempt> attempts) {
    return of(
        job,
        attempts.stream()
            .map(each -> new Seen(each.standing(), each.unknownAt(), each.evidence().size()))
            .toList());
  }

  /**
   * Of a job.
   *
   * @param attempts all of them, in the order of their numbers
   */
  public static Mark of(JobStanding job, List<Seen> attempts) {
    StringBuilder all = new StringBuilder();
    add(all, job.version(), job.state(), job.waitingFor(), job.completedBy(), job.contested());
    add(all, job.attemptsStarted(), job.attemptsAllowed(), job.deadline());
    add(all, job.cancelRequestedAt());
    for (Seen each : attempts) {
      AttemptStanding it = each.standing();
      add(all, it.id(), it.state(), it.jobVersion(), it.ending(), each.unknownAt());
      add(all, each.evidence());
    }
    return new Mark(digest(all.toString()));
  }

  private static void add(StringBuilder all, @Nullable Object... parts) {
    for (Object part : parts) {
      all.append(part).append('\n'); // none of them has a line break in its text
    }
  }

  private static String digest(String text) {
    try {
      byte[] sha256 =
          MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(sha256, 0, BYTES);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }
}
