package dev.onejob.domain;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What the attempt row carries for the guards.
 *
 * @param number from 1, in order of start
 * @param jobVersion the version of the job that a result of this attempt is compared with
 * @param ending how it ended; null while it is live
 * @param report the answer it ended with, to recognise a repeat; null if it ended without one
 */
public record AttemptStanding(
    AttemptId id,
    int number,
    String provider,
    AttemptState state,
    long jobVersion,
    Instant startedAt,
    @Nullable AttemptEnding ending,
    @Nullable Report report) {

  AttemptStanding carriedTo(long version) {
    return new AttemptStanding(id, number, provider, state, version, startedAt, ending, report);
  }

  AttemptStanding in(AttemptState live) {
    return new AttemptStanding(id, number, provider, live, jobVersion, startedAt, null, null);
  }

  AttemptStanding ended(AttemptState end, AttemptEnding how, @Nullable Report what) {
    return new AttemptStanding(id, number, provider, end, jobVersion, startedAt, how, what);
  }
}
