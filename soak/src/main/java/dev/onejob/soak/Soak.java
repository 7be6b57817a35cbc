package dev.onejob.soak;

import dev.onejob.domain.JobId;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

/** One soak, from the first node to the verdict. */
final class Soak {
  private static final int NODES = 3;
  private static final int STORIES_MAX = 3;
  private static final Duration END_PATIENCE = Duration.ofSeconds(90);

  private Soak() {}

  /**
   * Runs a soak: {@code [seconds] [seed] [jobs a second]}. Ends with 0 if no promise was broken,
   * with 1 if one was, and with another status if it could not be run.
   */
  public static void main(String[] args) throws Exception {
    int seconds = args.length > 0 ? Integer.parseInt(args[0]) : 600;
    long seed =
        args.length > 1 ? Long.parseLong(args[1]) : ThreadLocalRandom.current().nextInt(1_000_000);
    int rate = args.length > 2 ? Integer.parseInt(args[2]) : SoakSettings.JOBS_PER_SECOND;
    Report report = run(new SoakSettings(seconds, seed, rate, null));
    report.print(System.out);
    System.exit(report.breaches().isEmpty() ? 0 : 1);
  }

  static Report run(SoakSettings settings) throws Exception {
    System.out.printf(
        "seed %d: %d s, %d jobs a second, %d nodes%n",
        settings.seed(), settings.seconds(), settings.jobsPerSecond(), NODES);
    System.out.println("scripts:   " + Scripts.describe());
    System.out.println("trouble:   " + Trouble.describe());
    System.out.println("operator:  " + Operator.describe());
    System.out.println("impatient: " + Impatient.describe());
    try (Ground ground = Ground.prepare(settings.inFront())) {
      List<Node> nodes = new ArrayList<>();
      try {
        return run(settings, ground, nodes);
      } finally {
        for (Node node : nodes) {
          node.close();
        }
      }
    }
  }

  private static Report run(SoakSettings settings, Ground ground, List<Node> nodes)
      throws Exception {
    Api nobody = new Api("none");
    for (int i = 1; i <= NODES; i++) {
      Node node = new Node("n" + i, ground);
      nodes.add(node);
      node.start();
      node.awaitReady(nobody); // the first makes the keys
    }
    Recorder recorder = new Recorder();
    Cast cast = Cast.of(settings, ground, nodes, Keys.of(nodes.getFirst().folder()), recorder);
    List<Actor> all = new ArrayList<>(cast.load());
    all.addAll(cast.trouble());
    all.addAll(cast.care());
    all.forEach(Actor::start);
    Thread.sleep(Duration.ofSeconds(settings.seconds()));

    cast.trouble().forEach(Actor::stop);
    for (Node node : nodes) {
      node.awaitReady(nobody);
    }
    cast.load().forEach(Actor::stop);
    awaitEnd(ground);
    cast.care().forEach(Actor::stop);

    Tables tables = Dump.take(ground);
    List<Breach> breaches = Checker.check(recorder.history(), tables);
    return new Report(settings, recorder.counts(), tables, breaches, stories(ground, breaches));
  }

  private static List<String> stories(Ground ground, List<Breach> breaches) throws SQLException {
    List<String> stories = new ArrayList<>();
    List<JobId> jobs =
        breaches.stream()
            .flatMap(breach -> JobId.parse(breach.subject()).stream())
            .distinct()
            .limit(STORIES_MAX)
            .toList();
    for (JobId job : jobs) {
      stories.add("the story of " + job);
      stories.addAll(Dump.story(ground, job));
    }
    return stories;
  }

  /** Until nothing is due, under way or in doubt. If that never comes, the checker says why. */
  private static void awaitEnd(Ground ground) throws Exception {
    long from = System.nanoTime();
    long left = Dump.underWay(ground);
    while (left > 0 && System.nanoTime() - from < END_PATIENCE.toNanos()) {
      Thread.sleep(1_000);
      left = Dump.underWay(ground);
    }
    System.out.printf(
        "after %.0f s of peace %d jobs are due, at work or in doubt%n",
        (System.nanoTime() - from) / 1e9, left);
  }
}
