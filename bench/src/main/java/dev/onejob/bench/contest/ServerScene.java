package dev.onejob.bench.contest;

import dev.onejob.bench.Bench;
import dev.onejob.bench.Ground;
import dev.onejob.bench.Progress;
import dev.onejob.bench.Rounds;
import dev.onejob.bench.Wrk;
import dev.onejob.bench.contest.DoorLoad.Keys;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;

/** The server as its launcher starts it: how soon it is ready, and how much memory it takes. */
final class ServerScene implements Scene {
  private static final String NAME = "server";
  private static final int CONNECTIONS = 64;
  private static final double START_MILLIS_MAX = 1_500;
  private static final double EMBEDDED_START_MILLIS_MAX = 10_000;
  private static final double MEGABYTES_MAX = 400;
  private static final double NANOS_OF_A_MILLI = 1e6;

  private final Path root;
  private final Sizes sizes;
  private final List<Double> starts = new ArrayList<>();
  private final List<Double> embeddedStarts = new ArrayList<>();
  private final List<Double> admitting = new ArrayList<>();
  private final List<Double> working = new ArrayList<>();

  /**
   * Not yet played.
   *
   * @param root of the repository
   */
  ServerScene(Path root, Sizes sizes) {
    this.root = root;
    this.sizes = sizes;
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public String play(Ground ground, Path folder, Pictures pictures)
      throws IOException, InterruptedException, SQLException {
    Path script = DoorLoad.unpack(folder);
    for (int round = 1; round <= sizes.rounds(); round++) {
      String database = NAME + "_" + round;
      Path own = Files.createDirectory(folder.resolve(database));
      ground.createEmpty(database);
      try {
        ServedNode.start(root, ground, database, own).close(); // makes schema, keys, and archive
        try (ServedNode node = ServedNode.start(root, ground, database, own)) {
          starts.add(millis(node));
          if (Wrk.isInstalled()) {
            load(node, script);
          }
        }
      } finally {
        ground.drop(database);
        Bench.delete(own);
      }
      startEmbedded(Files.createDirectory(folder.resolve(NAME + "_embedded_" + round)));
      Progress.say(
          "starts %s ms, embedded %s ms; peaks %s and %s MB"
              .formatted(starts, embeddedStarts, admitting, working));
    }
    return report();
  }

  /** The first start makes the database, the second is measured. */
  private void startEmbedded(Path own) throws IOException, InterruptedException {
    try {
      ServedNode.startEmbedded(root, own).close();
      try (ServedNode node = ServedNode.startEmbedded(root, own)) {
        embeddedStarts.add(millis(node));
      }
    } finally {
      Bench.delete(own);
    }
  }

  private static double millis(ServedNode node) {
    return node.startUp().toNanos() / NANOS_OF_A_MILLI;
  }

  /** First jobs that wait for workers, then jobs that the node works on too. */
  private void load(ServedNode node, Path script) throws IOException, InterruptedException {
    Duration turn = Duration.ofSeconds(sizes.warmUpSeconds() + sizes.livesSeconds());
    DoorLoad admitted = new DoorLoad(script, node.door(ServedNode.ADMITTED));
    admitted.warmUp(Keys.fresh(), CONNECTIONS, turn);
    admitted.oneWay(Keys.fresh(), CONNECTIONS, turn);
    admitting.add(node.peakMegabytes());
    new DoorLoad(script, node.door(ServedNode.WORKED_ON)).oneWay(Keys.fresh(), CONNECTIONS, turn);
    working.add(node.peakMegabytes());
  }

  private String report() {
    return """
        | | ms, or MB of a million bytes |
        | --- | ---: |
        | from the launcher to ready, external database with its schema, ms | %s |
        | from the launcher to ready, embedded database, second start, ms | %s |
        | peak resident memory under submits, 64 connections, MB | %s |
        | peak with as many submits more, whose jobs the node works on too, MB | %s |

        | what | reached | bar | |
        | --- | ---: | --- | --- |
        """
            .formatted(words(starts), words(embeddedStarts), words(admitting), words(working))
        + ContestReport.row(
            "start-up to ready, ms", median(starts), "≤ ", START_MILLIS_MAX, /* atLeast= */ false)
        + ContestReport.row(
            "second start to ready, embedded database, ms",
            median(embeddedStarts),
            "≤ ",
            EMBEDDED_START_MILLIS_MAX,
            /* atLeast= */ false)
        + ContestReport.row(
            "peak resident memory under the submit load, MB",
            median(admitting),
            "≤ ",
            MEGABYTES_MAX,
            /* atLeast= */ false)
        + ContestReport.row(
            "peak resident memory, jobs worked on too, MB",
            median(working),
            "≤ ",
            MEGABYTES_MAX,
            /* atLeast= */ false);
  }

  private static String words(List<Double> all) {
    return Numbers.words(median(all), all);
  }

  private static OptionalDouble median(List<Double> all) {
    return all.isEmpty() ? OptionalDouble.empty() : OptionalDouble.of(Rounds.median(all));
  }
}
