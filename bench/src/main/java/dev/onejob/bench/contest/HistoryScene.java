package dev.onejob.bench.contest;

import com.zaxxer.hikari.HikariDataSource;
import dev.onejob.bench.Bench;
import dev.onejob.bench.EndedJobs;
import dev.onejob.bench.Ground;
import dev.onejob.bench.Progress;
import dev.onejob.bench.Rounds;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import tools.jackson.databind.JsonNode;

/**
 * Claim and settle over a table of millions that have ended, beside an (almost) empty one. There a
 * short queue and one as long as later are drained, and the faster of the two is what counts.
 */
final class HistoryScene implements Scene {
  private static final int TURNS = 3;
  private static final int BULK = 1_000;

  /** A short queue is this part of the usual backlog. */
  private static final int FEW = 5;

  private static final String DATABASE = "history";
  private static final double RATIO_MAX = 1.3;

  private final Sizes sizes;
  private final PeerRecipe node;

  HistoryScene(Sizes sizes, PeerRecipe node) {
    this.sizes = sizes;
    this.node = node;
  }

  @Override
  public String name() {
    return DATABASE;
  }

  @Override
  public String play(Ground ground, Path folder, Pictures pictures)
      throws IOException, InterruptedException, SQLException {
    Path own = Files.createDirectory(folder.resolve(DATABASE));
    ground.createEmpty(DATABASE);
    Map<String, String> environment = PeerRecipe.environment(ground, DATABASE, own);
    try (PeerProcess peer = PeerProcess.start(node, environment, folder.resolve("history.log"))) {
      drains(peer, "warm", 1, sizes.backlog()); // warms up
      List<Double> few = drains(peer, "few", TURNS, sizes.backlog() / FEW);
      List<Double> empty = drains(peer, "empty", TURNS, sizes.backlog() * 2);
      long from = System.nanoTime();
      try (HikariDataSource pool = Ground.pool(ground.url(DATABASE), 2)) {
        EndedJobs.fill(pool, sizes.history());
      }
      Duration filling = Duration.ofNanos(System.nanoTime() - from);
      List<Double> full = drains(peer, "full", TURNS, sizes.backlog() * 2);
      return report(few, empty, full, filling);
    } catch (PeerProcess.UnavailableException e) {
      throw new IOException(e);
    } finally {
      ground.drop(DATABASE);
      Bench.delete(own);
    }
  }

  /** Microseconds of a job, claimed and settled, of each turn. */
  private static List<Double> drains(PeerProcess peer, String prefix, int turns, int jobs)
      throws IOException, InterruptedException {
    List<Double> micros = new ArrayList<>();
    for (int turn = 0; turn < turns; turn++) {
      peer.ask("workers off");
      peer.ask("batch " + BULK + " " + jobs + " " + prefix + turn);
      JsonNode drained = peer.ask("drain");
      micros.add(drained.path("nanos").asDouble() / 1e3 / jobs);
    }
    Progress.say(prefix + ": " + micros + " µs a job");
    return micros;
  }

  private String report(List<Double> few, List<Double> empty, List<Double> full, Duration filling) {
    double fastest = Math.min(Rounds.median(few), Rounds.median(empty));
    return """
        | claimed and settled | µs a job |
        | --- | ---: |
        | %,d queued, table almost empty | %s |
        | %,d queued, table almost empty | %s |
        | %,d queued beside %,d ended | %s |

        | what | reached | bar | |
        | --- | ---: | --- | --- |
        %s
        Almost empty: at most the %,d jobs of the turns before. Filling took %d s.
        """
        .formatted(
            sizes.backlog() / FEW,
            words(few),
            sizes.backlog() * 2,
            words(empty),
            sizes.backlog() * 2,
            sizes.history(),
            words(full),
            ContestReport.row(
                "with history ÷ the faster without",
                OptionalDouble.of(Rounds.median(full) / fastest),
                "≤ ",
                RATIO_MAX,
                /* atLeast= */ false),
            sizes.backlog() * (1 + 2 * (TURNS - 1)) + TURNS * sizes.backlog() / FEW,
            filling.toSeconds());
  }

  private static String words(List<Double> all) {
    return Numbers.words(OptionalDouble.of(Rounds.median(all)), all);
  }
}
