package dev.onejob.soak;

import java.io.PrintStream;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * What a soak found.
 *
 * @param counts what was done and told
 * @param breaches promises that were not kept
 * @param stories of the first jobs for which one was not kept, a line for each event
 */
record Report(
    SoakSettings settings,
    Map<String, Long> counts,
    Tables tables,
    List<Breach> breaches,
    List<String> stories) {
  private static final int SHOWN_MAX = 20;

  void print(PrintStream out) {
    out.println();
    out.printf(
        "seed %d, %d s, %d jobs a second, %s%n",
        settings.seed(), settings.seconds(), settings.jobsPerSecond(), Stage.describe());
    out.println("operator: " + Policy.describe());
    counts.forEach((what, count) -> out.printf("%10d  %s%n", count, what));
    out.printf("%10d  jobs kept%n", tables.jobs().size());
    Map<String, Long> states =
        tables.jobs().stream()
            .collect(
                Collectors.groupingBy(job -> job.state(), TreeMap::new, Collectors.counting()));
    states.forEach((state, count) -> out.printf("%10d  jobs %s%n", count, state));
    Map<String, Long> kinds =
        tables.jobs().stream()
            .collect(Collectors.groupingBy(job -> job.kind(), TreeMap::new, Collectors.counting()));
    kinds.forEach((kind, count) -> out.printf("%10d  jobs of the kind %s%n", count, kind));
    out.printf("%10d  attempts%n", tables.attempts().size());
    out.printf("%10d  decisions%n", tables.decisions().size());
    out.printf("%10d  requests at the provider%n", tables.calls().size());
    out.printf("%10d  effects%n", tables.calls().stream().filter(c -> c.actedAt() != null).count());
    out.printf("%10d  BREACHES%n", breaches.size());
    Map<Breach.Promise, Long> byPromise =
        breaches.stream()
            .collect(Collectors.groupingBy(Breach::promise, TreeMap::new, Collectors.counting()));
    byPromise.forEach((promise, count) -> out.printf("%10d    of %s%n", count, promise));
    breaches.stream().limit(SHOWN_MAX).forEach(out::println);
    stories.forEach(out::println);
  }
}
