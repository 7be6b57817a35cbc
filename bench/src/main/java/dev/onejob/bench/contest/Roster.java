package dev.onejob.bench.contest;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Who takes part. */
final class Roster {
  static final String US = "onejob";

  /** By how many sessions write at once; the fastest of them is the limit. */
  static final List<String> LIMITS = List.of("limit-1", "limit-2", "limit-4");

  static final String OUR_DOOR = "onejob-server";
  static final String BARE_DOOR = "bare";
  static final List<String> RESTATE = List.of("restate-4", "restate-24");
  static final String DB_SCHEDULER = "db-scheduler";
  static final String BULLMQ = "bullmq";

  /** Whose jobs are durable in PostgreSQL, but for ourselves. */
  static final List<String> ON_POSTGRES =
      List.of(
          DB_SCHEDULER,
          "jobrunr",
          "dbos",
          "dbos-direct",
          "graphile-worker",
          "pg-boss",
          "pg-boss-polling");

  /** As {@code bench/peers/node/run} knows them, with their variants. */
  private static final List<List<String>> NODE =
      List.of(
          List.of("graphile-worker"),
          List.of("pg-boss"),
          List.of("pg-boss", "polling"),
          List.of(BULLMQ),
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
    for (String limit : LIMITS) {
      String sessions = limit.substring(limit.lastIndexOf('-') + 1);
      all.add(PeerRecipe.java(limit, ours, LimitProgram.class.getName(), sessions));
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
    doors.add(PeerRecipe.java(OUR_DOOR, ours, OnejobDoorPeer.class.getName()));
    doors.add(PeerRecipe.java(BARE_DOOR, ours, BareDoorProgram.class.getName()));
    all(bench).stream().filter(one -> RESTATE.contains(one.name())).forEach(doors::add);
    return doors;
  }

  private static String classes(Path bench, String peer) throws IOException {
    Path target = bench.resolve("peers").resolve(peer).resolve("target");
    String libraries = Files.readString(target.resolve("classpath.txt")).strip();
    return target.resolve("classes") + java.io.File.pathSeparator + libraries;
  }
}
