package dev.onejob.bench.contest;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Who takes part. */
final class Roster {
  static final String US = "onejob";

  /** With a kind whose attempts are born with their jobs. */
  static final String GOING_ON = "onejob-going-on";

  /** By how many sessions write at once; the fastest of them is the limit. */
  static final List<String> LIMITS = List.of("limit-2", "limit-4");

  /** The same with a job and its first attempt in one statement: two transactions a life. */
  static final List<String> FUSED_LIMITS = List.of("limit-fused-2", "limit-fused-4");

  static final String OUR_DOOR = "onejob-server";

  /** Our server before jobs that nobody works on. */
  static final String OUR_IDLE_DOOR = "onejob-server-admits";

  static final String BARE_DOOR = "bare";
  static final List<String> ONLY_INSERT = List.of(OUR_IDLE_DOOR, BARE_DOOR);
  static final List<String> RESTATE = List.of("restate-4", "restate-24");
  static final String DB_SCHEDULER = "db-scheduler";
  static final String BULLMQ = "bullmq";
  static final String GRAPHILE_WORKER = "graphile-worker";
  static final String PG_BOSS = "pg-boss";

  /** Of those on PostgreSQL the ones that wake a worker at once, and so start soonest. */
  static final List<String> PROMPT = List.of(DB_SCHEDULER, GRAPHILE_WORKER, PG_BOSS);

  /** Whose jobs are durable in PostgreSQL, but for ourselves. */
  static final List<String> ON_POSTGRES =
      List.of(
          DB_SCHEDULER,
          "jobrunr",
          "dbos",
          "dbos-direct",
          GRAPHILE_WORKER,
          PG_BOSS,
          PG_BOSS + "-polling");

  /** As {@code bench/peers/node/run} knows them, with their variants. */
  private static final List<List<String>> NODE =
      List.of(
          List.of(GRAPHILE_WORKER),
          List.of(PG_BOSS),
          List.of(PG_BOSS, "polling"),
          List.of(BULLMQ),
          List.of(BULLMQ, "everysec"),
          List.of("restate", "4"),
          List.of("restate", "24"));

  private static final String HERE = "dev.onejob.bench.";

  private Roster() {}

  /**
   * Everybody that was built.
   *
   * @param bench the folder of the bench
   */
  static List<PeerRecipe> all(Path bench) throws IOException {
    String ours = System.getProperty("java.class.path");
    List<PeerRecipe> all = new ArrayList<>();
    all.add(PeerRecipe.java(US, ours, OnejobPeer.class.getName()));
    all.add(PeerRecipe.java(GOING_ON, ours, OnejobPeer.class.getName(), OnejobPeer.GOING_ON));
    for (String limit : LIMITS) {
      all.add(PeerRecipe.java(limit, ours, LimitProgram.class.getName(), sessions(limit)));
    }
    for (String limit : FUSED_LIMITS) {
      all.add(
          PeerRecipe.java(
              limit, ours, LimitProgram.class.getName(), sessions(limit), LimitProgram.FUSED));
    }
    all.add(
        PeerRecipe.java(
            DB_SCHEDULER, classes(bench, "db-scheduler"), HERE + "dbscheduler.DbSchedulerPeer"));
    all.add(PeerRecipe.java("jobrunr", classes(bench, "jobrunr"), HERE + "jobrunr.JobRunrPeer"));
    String dbos = classes(bench, "dbos");
    all.add(PeerRecipe.java("dbos", dbos, HERE + "dbos.DbosPeer"));
    all.add(PeerRecipe.java("dbos-direct", dbos, HERE + "dbos.DbosPeer", "direct"));
    Path run = bench.resolve("peers/node/run");
    if (Files.isExecutable(run)) {
      for (List<String> words : NODE) {
        List<String> command = new ArrayList<>(List.of(run.toString()));
        command.addAll(words);
        all.add(new PeerRecipe(String.join("-", words), command));
      }
    }
    return all;
  }

  /** Those that speak HTTP themselves. */
  static List<PeerRecipe> doors(Path bench) throws IOException {
    String ours = System.getProperty("java.class.path");
    List<PeerRecipe> doors = new ArrayList<>();
    String door = OnejobDoorPeer.class.getName();
    doors.add(PeerRecipe.java(OUR_DOOR, ours, door));
    doors.add(PeerRecipe.java(OUR_IDLE_DOOR, ours, door, OnejobDoorPeer.ADMITS_ONLY));
    doors.add(PeerRecipe.java(BARE_DOOR, ours, BareDoorProgram.class.getName()));
    all(bench).stream().filter(one -> RESTATE.contains(one.name())).forEach(doors::add);
    return doors;
  }

  private static String sessions(String limit) {
    return limit.substring(limit.lastIndexOf('-') + 1);
  }

  private static String classes(Path bench, String peer) throws IOException {
    Path target = bench.resolve("peers").resolve(peer).resolve("target");
    String libraries = Files.readString(target.resolve("classpath.txt")).strip();
    return target.resolve("classes") + java.io.File.pathSeparator + libraries;
  }
}
