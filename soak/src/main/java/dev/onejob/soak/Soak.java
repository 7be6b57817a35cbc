package dev.onejob.soak;

import dev.onejob.domain.JobId;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

/** One soak, from the first node to the verdict. */
final class Soak {
  private static final int STORIES_MAX = 20;
  private static final Duration END_PATIENCE = Duration.ofSeconds(150);
  private static final int COULD_NOT_BE_RUN = 2;

  private Soak() {}

  /**
   * Runs a soak: {@code [seconds] [seed] [jobs a second]}. Ends with 0 if no promise was broken,
   * with 1 if one was, and with 2 if it could not be run.
   */
  public static void main(String[] args) {
    System.exit(verdict(args));
  }

  private static int verdict(String[] args) {
    try {
      int seconds = args.length > 0 ? Integer.parseInt(args[0]) : 600;
      long seed =
          args.length > 1
              ? Long.parseLong(args[1])
              : ThreadLocalRandom.current().nextInt(1_000_000);
      int rate = args.length > 2 ? Integer.parseInt(args[2]) : SoakSettings.JOBS_PER_SECOND;
      Report report = run(new SoakSettings(seconds, seed, rate, null));
      report.print(System.out);
      return report.breaches().isEmpty() ? 0 : 1;
    } catch (Exception e) {
      System.out.println("the soak could not be run to its end:");
      e.printStackTrace(System.out);
      return COULD_NOT_BE_RUN;
    }
  }

  static Report run(SoakSettings settings) throws Exception {
    System.out.printf(
        "seed %d: %d s, %d jobs a second, %s%n",
        settings.seed(), settings.seconds(), settings.jobsPerSecond(), Stage.describe());
    System.out.println("scripts:   " + Scripts.describe());
    System.out.println("trouble:   " + Trouble.describe());
    System.out.println("operator:  " + Policy.describe());
    System.out.println("impatient: " + Impatient.describe());
    Twist twist = settings.twist();
    List<Target> started = new ArrayList<>();
    try (Ground ground = Ground.prepare(twist == null ? null : twist.inFront())) {
      try {
        Stage stage = Stage.set(ground, started);
        return twist == null ? whole(settings, stage) : until(twist, settings, stage);
      } catch (Exception e) {
        ground.keep();
        throw e;
      } finally {
        for (Target target : started) {
          target.close();
        }
      }
    }
  }

  private static Report whole(SoakSettings settings, Stage stage) throws Exception {
    Recorder recorder = new Recorder();
    Cast cast = Cast.of(settings, stage, recorder);
    cast.start();
    Thread.sleep(Duration.ofSeconds(settings.seconds()));

    cast.trouble().forEach(Actor::stop);
    stage.awaitReady();
    cast.load().forEach(Actor::stop);
    awaitEnd(stage.ground());
    cast.care().forEach(Actor::stop);

    Tables tables = Dump.take(stage.ground());
    List<Breach> breaches = Checker.check(recorder.history(), tables);
    return report(settings, stage.ground(), recorder, tables, breaches);
  }

  /** Ends as soon as the breach is there, or when the time is over. Nothing is brought to rest. */
  private static Report until(Twist twist, SoakSettings settings, Stage stage) throws Exception {
    Recorder recorder = new Recorder();
    Cast cast = Cast.of(settings, stage, recorder);
    cast.start();
    long from = System.nanoTime();
    long length = Duration.ofSeconds(settings.seconds()).toNanos();
    Tables tables;
    List<Breach> breaches;
    do {
      Thread.sleep(500);
      tables = dumpWhenItCanBe(stage.ground());
      breaches = Checker.check(recorder.history(), tables).stream().filter(twist.until()).toList();
    } while (breaches.isEmpty() && System.nanoTime() - from < length);
    System.out.printf("ends after %.1f s%n", (System.nanoTime() - from) / 1e9);

    Report report = report(settings, stage.ground(), recorder, tables, breaches);
    cast.trouble().forEach(Actor::stop);
    stage.programs().forEach(Program::kill); // then nobody waits for an answer
    cast.load().forEach(Actor::stop);
    cast.care().forEach(Actor::stop);
    return report;
  }

  private static Tables dumpWhenItCanBe(Ground ground) throws InterruptedException, SQLException {
    SQLException last = null;
    for (int tries = 0; tries < 100; tries++) {
      try {
        return Dump.take(ground);
      } catch (SQLException e) { // the database is being restarted
        last = e;
        Thread.sleep(100);
      }
    }
    throw new SQLException("the database does not come back", last);
  }

  private static Report report(
      SoakSettings settings, Ground ground, Recorder recorder, Tables tables, List<Breach> breaches)
      throws SQLException, IOException {
    if (breaches.isEmpty()) {
      return new Report(settings, recorder.counts(), tables, breaches, List.of());
    }
    List<JobId> jobs =
        breaches.stream()
            .flatMap(breach -> JobId.parse(breach.subject()).stream())
            .distinct()
            .limit(settings.twist() == null ? STORIES_MAX : 1)
            .toList();
    List<String> stories = new ArrayList<>(Stories.of(ground, jobs));
    if (settings.twist() == null) {
      ground.keep();
      stories.add("all logs are kept in " + ground.folder());
    }
    return new Report(settings, recorder.counts(), tables, breaches, stories);
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
