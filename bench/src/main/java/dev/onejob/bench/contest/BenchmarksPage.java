package dev.onejob.bench.contest;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The parts of {@code docs/benchmarks.md} that the bench writes: each between two markers. */
final class BenchmarksPage {
  private final Path page;
  private final Path pictures;

  /**
   * The page of a repository.
   *
   * @param root of the repository
   */
  BenchmarksPage(Path root) {
    page = root.resolve("docs/benchmarks.md");
    pictures = root.resolve("docs/pictures");
  }

  /**
   * Puts a text in the place of the one between the markers of a part.
   *
   * @throws IOException if the page lacks the markers
   */
  void write(String part, String text) throws IOException {
    String begin = "<!-- bench:" + part + " begins -->\n";
    String end = "<!-- bench:" + part + " ends -->";
    String before = Files.readString(page);
    int from = before.indexOf(begin);
    int to = before.indexOf(end);
    if (from < 0 || to < from) {
      throw new IOException("docs/benchmarks.md lacks the markers of " + part);
    }
    Files.writeString(
        page,
        before.substring(0, from + begin.length())
            + "\n"
            + text.strip()
            + "\n\n"
            + before.substring(to));
  }

  /** Writes a picture; the answer is its link for the page. */
  String picture(String name, String svg, String says) throws IOException {
    Files.createDirectories(pictures);
    Files.writeString(pictures.resolve(name + ".svg"), svg);
    return "![" + says + "](pictures/" + name + ".svg)\n";
  }
}
