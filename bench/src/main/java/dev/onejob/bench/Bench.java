package dev.onejob.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** Runs the benchmarks and prints their figures as Markdown. */
public final class Bench {
  private static final String SUBMITS = "submits";
  private static final String LIVES = "lives";

  private Bench() {}

  /**
   * Runs.
   *
   * @param args the folder of the single-row classes, then which benchmarks; none: all
   */
  public static void main(String[] args) throws Exception {
    if (args.length == 0) {
      throw new IllegalArgumentException("the folder of the single-row classes is missing");
    }
    Path singleRow = Path.of(args[0]).toAbsolutePath();
    Set<String> chosen = args.length == 1 ? Set.of(SUBMITS, LIVES) : Set.copyOf(tail(args));
    Path folder = Files.createTempDirectory("onejob-bench");
    try (Ground ground = Ground.prepare(folder)) {
      System.out.println("PostgreSQL " + ground.version() + ", Java " + Runtime.version());
      System.out.println();
      if (chosen.contains(LIVES)) {
        System.out.println(new LivesComparison(ground).run());
      }
      if (chosen.contains(SUBMITS)) {
        System.out.println(submits(ground, singleRow, folder));
      }
    } finally {
      delete(folder);
    }
  }

  private static List<String> tail(String[] args) {
    return List.of(args).subList(1, args.length);
  }

  private static String submits(Ground ground, Path singleRow, Path folder) throws Exception {
    return Wrk.isInstalled()
        ? new SubmitComparison(ground, singleRow, Wrk.unpack(folder)).run()
        : "Submits over HTTP were not measured: wrk is missing (Debian: apt-get install wrk).";
  }

  /** Deletes a folder with all that is in it. */
  public static void delete(Path folder) throws IOException {
    try (Stream<Path> all = Files.walk(folder)) {
      all.sorted(Comparator.reverseOrder()).forEach(Bench::deleteOne);
    }
  }

  private static void deleteOne(Path path) {
    try {
      Files.deleteIfExists(path);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
