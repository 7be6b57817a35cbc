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
import java.util.ArrayList;
import java.util.List;

/** Plays the contest and writes what came of it into {@code docs/benchmarks.md}. */
public final class Contest {
  private final Path root;
  private final Sizes sizes;
  private final boolean whole;

  private Contest(Path root, Sizes sizes, boolean whole) {
    this.root = root;
    this.sizes = sizes;
    this.whole = whole;
  }

  /**
   * Plays. Ends with 1 if a scene could not be played.
   *
   * @param args the root of the repository; full, short or try; then scenes or contestants: none,
   *     all. A try, and a contest of some, are printed and change no page
   */
  public static void main(String[] args) throws Exception {
    Path root = Path.of(args[0]).toAbsolutePath();
    Sizes sizes = Sizes.named(args.length > 1 ? args[1] : "full");
    List<String> chosen = List.of(args).subList(Math.min(2, args.length), args.length);
    boolean whole = chosen.isEmpty() && !sizes.equals(Sizes.TRY);
    boolean played = new Contest(root, sizes, whole).play(scenes(root, sizes, chosen));
    System.exit(played ? 0 : 1);
  }

  private static List<Scene> scenes(Path root, Sizes sizes, List<String> chosen)
      throws IOException {
    Path bench = root.resolve("bench");
    List<PeerRecipe> peers = Roster.all(bench);
    PeerRecipe us = peers.getFirst();
    List<PeerRecipe> prompt =
        peers.stream().filter(one -> Roster.PROMPT.contains(one.name())).toList();
    List<Scene> others =
        List.of(
            new DoorsScene(sizes, Roster.doors(bench)),
            new ServerScene(root, sizes),
            new StartsScene(sizes, us, prompt),
            new NodesScene(sizes, us),
            new FlightScene(sizes),
            new HistoryScene(sizes, us));
    List<String> known = new ArrayList<>(peers.stream().map(PeerRecipe::name).toList());
    known.add(PeersScene.NAME);
    known.addAll(others.stream().map(Scene::name).toList());
    for (String name : chosen) {
      if (!known.contains(name)) {
        throw new IllegalArgumentException(name + " is not played; " + known + " are");
      }
    }
    boolean all = chosen.isEmpty() || chosen.contains(PeersScene.NAME);
    List<PeerRecipe> some =
        peers.stream().filter(one -> all || chosen.contains(one.name())).toList();
    List<Scene> scenes = new ArrayList<>();
    if (!some.isEmpty()) {
      scenes.add(new PeersScene(sizes, some));
    }
    others.stream()
        .filter(one -> chosen.isEmpty() || chosen.contains(one.name()))
        .forEach(scenes::add);
    return scenes;
  }

  private boolean play(List<Scene> scenes) throws IOException, InterruptedException, SQLException {
    Path folder = Files.createTempDirectory("onejob-contest");
    boolean played = true;
    BenchmarksPage page = new BenchmarksPage(root);
    try (Ground ground = Ground.prepare(folder.resolve("postgres"))) {
      for (Scene scene : scenes) {
        Path own = Files.createDirectory(folder.resolve(scene.name()));
        long from = System.nanoTime();
        String text;
        try {
          text = scene.play(ground, own, whole ? page::picture : (name, svg, says) -> "");
        } catch (IOException e) {
          e.printStackTrace();
          text = "Could not be played: " + e.getMessage() + "\n";
          played = false;
        }
        text = head(ground, Duration.ofNanos(System.nanoTime() - from)) + text;
        System.out.println("## " + scene.name() + "\n\n" + text);
        if (whole) {
          page.write(scene.name(), text);
        }
        Progress.say(scene.name() + " has been played");
      }
    } finally {
      Bench.delete(folder);
    }
    return played;
  }

  private String head(Ground ground, Duration took) throws IOException, SQLException {
    return """
        Measured on %s in the %s form: %d rounds in turn, %d s in all. Medians, in brackets the \
        range over the rounds. %s.

        """
        .formatted(
            LocalDate.now(ZoneOffset.UTC),
            sizes.name(),
            sizes.rounds(),
            took.toSeconds(),
            Machine.words(ground.version()));
  }
}
