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

/** Claim and settle over a table of millions that have ended, beside an empty one. */
final class HistoryScene implements Scene {
  private static final int TURNS = 3;
  private static final int BULK = 1_000;
  private static final String DATABASE = "history";

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
      List<Double> empty = drains(peer, "empty", TURNS, sizes.backlog() * 2);
      long from = System.nanoTime();
      try (HikariDataSource pool = Ground.pool(ground.url(DATABASE), 1)) {
        EndedJobs.fill(pool, sizes.history());
      }
      Duration filling = Duration.ofNanos(System.nanoTime() - from);
      List<Double> full = drains(peer, "full", TURNS, sizes.backlog() * 2);
      return report(empty, full, filling);
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

  private String report(List<Double> empty, List<Double> full, Duration filling) {
    double ratio = Rounds.median(full) / Rounds.median(empty);
    return """
        | claimed and settled | µs a job |
        | --- | ---: |
        | %,d queued, nothing else | %s |
        | %,d queued beside %,d ended | %s |

        | what | reached | bar | |
        | --- | ---: | --- | --- |
        %s
        Filling took %d s.
        """
        .formatted(
            sizes.backlog() * 2,
            Numbers.words(OptionalDouble.of(Rounds.median(empty)), empty),
            sizes.backlog() * 2,
            sizes.history(),
            Numbers.words(OptionalDouble.of(Rounds.median(full)), full),
            ContestReport.row("with history ÷ without", OptionalDouble.of(ratio), "≤ ", 1.3, false),
            filling.toSeconds());
  }
}
