package dev.onejob.bench.contest;

import dev.onejob.bench.Ground;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;

/** A part of the contest, and of the page of benchmarks. */
interface Scene {
  /** Of the part, in the markers of the page and on the command line. */
  String name();

  /**
   * Plays it.
   *
   * @param folder for its files; empty
   * @param pictures where charts go
   * @return what came of it, as Markdown
   */
  String play(Ground ground, Path folder, Pictures pictures)
      throws IOException, InterruptedException, SQLException;

  /** Takes a chart. */
  @FunctionalInterface
  interface Pictures {
    /** Keeps an SVG under that name; gives the Markdown that shows it. */
    String show(String name, String svg, String says) throws IOException;
  }
}
