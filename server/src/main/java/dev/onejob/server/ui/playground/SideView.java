package dev.onejob.server.ui.playground;

import java.util.List;
import java.util.SortedMap;

/**
 * One side of a run, as it is shown.
 *
 * @param requests how many the sandbox has counted
 * @param effects how many of them had their effect, by the sandbox's own count
 * @param byProvider the same for each of the providers
 * @param results how many were taken for the result
 * @param dropped how many answers were thrown away because they came too late to be it
 * @param jobs the ids of the jobs; none in the usual way
 */
public record SideView(
    List<Step> steps,
    List<Bar> bars,
    long requests,
    long effects,
    SortedMap<String, Long> byProvider,
    int results,
    int dropped,
    List<String> jobs) {
  /** Copies the lists. */
  public SideView {
    steps = List.copyOf(steps);
    bars = List.copyOf(bars);
    jobs = List.copyOf(jobs);
  }
}
