package dev.onejob.server.ui.playground;

import dev.onejob.domain.Attempt;
import dev.onejob.domain.Evidence;
import dev.onejob.domain.Job;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The attempts of a job over the time of a run. */
final class AttemptBars {
  private AttemptBars() {}

  /**
   * Draws them.
   *
   * @param offset when the job was admitted, in milliseconds since the run began
   * @param wholeMillis how long the run has lasted
   */
  static List<Bar> of(Job job, long offset, long wholeMillis) {
    List<Bar> bars = new ArrayList<>();
    for (Attempt each : job.attempts()) {
      Instant zero = job.createdAt();
      LinkedHashMap<String, Instant> begins = new LinkedHashMap<>();
      begins.put("starting", each.standing().startedAt());
      put(begins, "running", each.acceptedAt());
      put(begins, "unknown", each.unknownAt());
      List<Bar.Turn> turns =
          begins.entrySet().stream()
              .map(at -> new Bar.Turn(at.getKey(), offset + between(zero, at.getValue())))
              .sorted(Comparator.comparingLong(Bar.Turn::atMillis))
              .toList();
      long until = each.endedAt() == null ? wholeMillis : offset + between(zero, each.endedAt());
      List<Long> marks =
          each.evidence().stream()
              .map(Evidence::learnedAt)
              .map(at -> offset + between(zero, at))
              .toList();
      String label = "Attempt " + each.standing().number() + " at " + each.standing().provider();
      bars.add(Bar.of(label, each.standing().state().word(), turns, until, marks, wholeMillis));
    }
    return bars;
  }

  private static void put(LinkedHashMap<String, Instant> all, String state, @Nullable Instant at) {
    if (at != null) {
      all.put(state, at);
    }
  }

  private static long between(Instant from, Instant to) {
    return Duration.between(from, to).toMillis();
  }
}
