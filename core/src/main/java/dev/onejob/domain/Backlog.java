package dev.onejob.domain;

import java.time.Duration;
import java.util.List;

/**
 * What waits at the moment, over all nodes.
 *
 * @param oldestTransaction how long the oldest open transaction of the database that can be seen
 *     has lasted; zero if there is none
 */
public record Backlog(List<InDoubt> inDoubt, List<Due> due, Duration oldestTransaction) {
  /** Copies the lists. */
  public Backlog {
    inDoubt = List.copyOf(inDoubt);
    due = List.copyOf(due);
  }

  /**
   * Attempts in doubt whose jobs have no result yet.
   *
   * @param oldest for how long the oldest has been in doubt
   */
  public record InDoubt(String kind, String provider, long attempts, Duration oldest) {}

  /**
   * Jobs that could start and have not.
   *
   * @param jobs counted up to {@link Limits#DUE_COUNTED_MAX}
   * @param oldest for how long the oldest of those counted has been due
   */
  public record Due(String kind, long jobs, Duration oldest) {}
}
