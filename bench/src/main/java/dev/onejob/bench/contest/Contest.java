package dev.onejob.bench.contest;

import dev.onejob.bench.Bench;
import dev.onejob.bench.Ground;
import dev.onejob.bench.Progress;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Plays the contest and writes what came of it into {@code docs/benchmarks.md}. */
public final class Contest {
  private static final String PART = "contest";
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
  private final Set<String> absent = new LinkedHashSet<>();

  private Contest(Sizes sizes, List<PeerRecipe> recipes) {
    this.sizes = sizes;
    this.recipes = recipes;
  }

  /**
   * Plays.
   *
   * @param args the root of the repository; full, short or try; then who takes part: none, all. A
   *     try, and a contest of some, are printed and change no page
   */
  public static void main(String[] args) throws Exception {
    Path root = Path.of(args[0]).toAbsolutePath();
    Sizes sizes = Sizes.named(args.length > 1 ? args[1] : "full");
    List<String> chosen = List.of(args).subList(Math.min(2, args.length), args.length);
    List<PeerRecipe> recipes = chosen(Roster.all(root.resolve("bench")), chosen);
    Path folder = Files.createTempDirectory("onejob-contest");
    try (Ground ground = Ground.prepare(folder.resolve("postgres"))) {
      Contest contest = new Contest(sizes, recipes);
      long from = System.nanoTime();
      contest.play(ground, folder);
      Duration took = Duration.ofNanos(System.nanoTime() - from);
      boolean whole = chosen.isEmpty() && !sizes.equals(Sizes.TRY);
      contest.report(ground, took, whole ? new BenchmarksPage(root) : null);
    } finally {
      Bench.delete(folder);
    }
  }

  private static List<PeerRecipe> chosen(List<PeerRecipe> all, List<String> names) {
    List<String> known = all.stream().map(PeerRecipe::name).toList();
    for (String name : names) {
      if (!known.contains(name)) {
        throw new IllegalArgumentException(name + " does not take part; " + known + " do");
      }
    }
    return all.stream().filter(one -> names.isEmpty() || names.contains(one.name())).toList();
  }

  private void play(Ground ground, Path folder) throws InterruptedException, SQLException {
    for (int round = 1; round <= sizes.rounds(); round++) {
      for (PeerRecipe recipe : recipes) {
        if (!absent.contains(recipe.name())) {
          Progress.say("round " + round + ", " + recipe.name());
          turn(new ContestRound(ground, sizes, recipe, round), recipe.name(), round, folder);
        }
      }
    }
  }

  private void turn(ContestRound turn, String name, int round, Path folder)
      throws InterruptedException, SQLException {
    try {
      turn.play(folder, scores);
    } catch (PeerProcess.UnavailableException e) {
      absent.add(name);
      scores.trouble(name, "could not be run: " + e.getMessage());
    } catch (IOException e) {
      Progress.say(name + ": " + e);
      scores.trouble(name, "round " + round + ": " + e.getMessage());
    }
  }

  private void report(Ground ground, Duration took, @Nullable BenchmarksPage page)
      throws IOException, SQLException {
    ContestReport report = new ContestReport(scores);
    String tables = head(ground, took) + report.tables();
    System.out.println(tables);
    if (page == null) {
      return;
    }
    StringBuilder charts = new StringBuilder();
    for (Figure figure : List.of(Figure.values())) {
      String chart = CHARTS.containsKey(figure) ? report.chart(figure) : "";
      if (!chart.isEmpty()) {
        charts.append(page.picture(CHARTS.get(figure), chart, figure.words())).append("\n");
      }
    }
    page.write(PART, tables + "\n" + charts);
  }

  private String head(Ground ground, Duration took) throws IOException, SQLException {
    return """
        Measured on %s in the %s form: %d rounds in turn, %d minutes in all. Medians, in brackets the \
        range over the rounds. %s.

        """
        .formatted(
            LocalDate.now(ZoneOffset.UTC),
            sizes.name(),
            sizes.rounds(),
            took.toMinutes(),
            Machine.words(ground.version()));
  }
}
