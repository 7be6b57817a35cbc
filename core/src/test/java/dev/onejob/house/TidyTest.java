package dev.onejob.house;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The budgets and bans of STYLE.md, over the sources of every module. */
class TidyTest {
  private static final int FILE_LINES_MAX = 400;
  private static final int LINE_CHARS_MAX = 100;
  private static final int METHOD_LINES_MAX = 60;
  private static final Path ROOT = Path.of("..");

  /** Modules whose own engine code may not read clocks; the command line is a program by itself. */
  private static final Set<String> CLOCK_READERS = Set.of("Clocks.java");

  private record Source(Path path, List<String> lines) {
    boolean isMain() {
      return path.toString().contains("/src/main/");
    }

    boolean isCore() {
      return path.startsWith(ROOT.resolve("core"));
    }

    String name() {
      return path.getFileName().toString();
    }
  }

  private static final List<Source> SOURCES = sources();

  private static List<Source> sources() {
    try (Stream<Path> files = Files.walk(ROOT, 20)) {
      return files
          .filter(path -> path.toString().endsWith(".java"))
          .filter(path -> !path.toString().contains("/target/"))
          .map(TidyTest::source)
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Source source(Path path) {
    try {
      return new Source(path, Files.readAllLines(path));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<String> findings(Predicate<Source> where, String... patterns) {
    List<String> findings = new ArrayList<>();
    for (String text : patterns) {
      Pattern pattern = Pattern.compile(text);
      for (Source source : SOURCES) {
        for (int i = 0; where.test(source) && i < source.lines().size(); i++) {
          if (pattern.matcher(source.lines().get(i)).find()) {
            findings.add(source.path() + ":" + (i + 1) + ": " + source.lines().get(i).strip());
          }
        }
      }
    }
    return findings;
  }

  @Test
  void there_is_something_to_look_at() {
    assertThat(SOURCES).hasSizeGreaterThan(100);
  }

  @Test
  void no_file_is_longer_than_its_budget() {
    assertThat(SOURCES.stream().filter(s -> s.lines().size() > FILE_LINES_MAX).map(Source::path))
        .isEmpty();
  }

  @Test
  void no_line_is_longer_than_its_budget() {
    assertThat(findings(s -> true, "^(?!import ).{" + (LINE_CHARS_MAX + 1) + ",}$")).isEmpty();
  }

  @Test
  void no_method_is_longer_than_its_budget() {
    Pattern opens =
        Pattern.compile("^ {2,4}(?!(new|return|throw|else)\\b)[\\w<@].*\\(.*\\) .*\\{$");
    List<String> findings = new ArrayList<>();
    for (Source source : SOURCES) {
      for (int from = 0; from < source.lines().size(); from++) {
        String line = source.lines().get(from);
        if (opens.matcher(line).find()) {
          String close = line.substring(0, line.indexOf(line.strip())) + "}";
          int to = source.lines().subList(from, source.lines().size()).indexOf(close);
          if (to > METHOD_LINES_MAX) {
            findings.add(source.path() + ":" + (from + 1) + ": " + to + " lines");
          }
        }
      }
    }
    assertThat(findings).isEmpty();
  }

  @Test
  void every_package_of_the_product_says_what_it_is_for() {
    assertThat(
            SOURCES.stream()
                .filter(Source::isMain)
                .map(source -> source.path().getParent())
                .distinct()
                .filter(folder -> !Files.exists(folder.resolve("package-info.java"))))
        .isEmpty();
  }

  @Test
  void no_package_is_named_after_nothing() {
    assertThat(
            SOURCES.stream()
                .map(source -> source.path().getParent().getFileName().toString())
                .filter(
                    Set.of("util", "utils", "common", "helper", "manager", "impl", "base")
                        ::contains))
        .isEmpty();
  }

  @Test
  void core_reads_the_clock_and_sleeps_in_one_place_only() {
    assertThat(
            findings(
                s -> s.isCore() && s.isMain() && !CLOCK_READERS.contains(s.name()),
                "Instant\\.now\\(",
                "currentTimeMillis\\(",
                "nanoTime\\(",
                "Thread\\.sleep\\("))
        .isEmpty();
  }

  @Test
  void tests_wait_for_events_and_never_for_a_while() {
    assertThat(findings(s -> !s.isMain(), "Thread\\.sleep" + "\\(")).isEmpty();
  }

  @Test
  void sql_is_read_as_whole_statements() {
    assertThat(
            findings(
                s -> s.isMain() && s.path().toString().contains("/store/"),
                "\"\"\" *\\+",
                "\\+ *\"\"\"",
                "\"\"\"\\.formatted"))
        .isEmpty();
  }

  @Test
  void nothing_is_left_for_later() {
    assertThat(findings(s -> true, "TO" + "DO", "FIX" + "ME", "@Dis" + "abled", "XX" + "X:"))
        .isEmpty();
  }
}
