package dev.onejob.bench.contest;

import dev.onejob.bench.Ground;
import dev.onejob.bench.Progress;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** Us, the peers and the limit, side by side. */
final class PeersScene implements Scene {
  static final String NAME = "peers";

  private static final Map<Figure, String> CHARTS =
      Map.of(
          Figure.LIVES, "bench-lives",
          Figure.DRAIN, "bench-drain",
          Figure.BULK, "bench-bulk",
          Figure.START_P99_AT_50, "bench-start",
          Figure.CPU, "bench-cpu");

  private final Sizes sizes;
  private final List<PeerRecipe> recipes;
  private final Scores scores = new Scores();
  private final Set<String> absent = new HashSet<>();

  PeersScene(Sizes sizes, List<PeerRecipe> recipes) {
    this.sizes = sizes;
    this.recipes = recipes;
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public String play(Ground ground, Path folder, Pictures pictures)
      throws IOException, InterruptedException, SQLException {
    for (int round = 1; round <= sizes.rounds(); round++) {
      for (PeerRecipe recipe : recipes) {
        if (!absent.contains(recipe.name())) {
          Progress.say("round " + round + ", " + recipe.name());
          turn(ground, recipe, round, folder);
        }
      }
    }
    ContestReport report = new ContestReport(scores);
    StringBuilder text = new StringBuilder(report.tables());
    for (Map.Entry<Figure, String> each : new TreeMap<>(CHARTS).entrySet()) {
      String chart = report.chart(each.getKey());
      if (!chart.isEmpty()) {
        text.append("\n").append(pictures.show(each.getValue(), chart, each.getKey().words()));
      }
    }
    return text.toString();
  }

  private void turn(Ground ground, PeerRecipe recipe, int round, Path folder)
      throws InterruptedException, SQLException {
    try {
      new ContestRound(ground, sizes, recipe, round).play(folder, scores);
    } catch (PeerProcess.UnavailableException e) {
      absent.add(recipe.name());
      scores.trouble(recipe.name(), "could not be run: " + e.getMessage());
    } catch (IOException e) {
      Progress.say(recipe.name() + ": " + e);
      scores.trouble(recipe.name(), "round " + round + ": " + e.getMessage());
    }
  }
}
