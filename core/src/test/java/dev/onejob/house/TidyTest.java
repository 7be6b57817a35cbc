package dev.onejob.house;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.source.tree.CompilationUnitTree;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Every source of every module keeps the rules; {@link CrookedSourcesTest} shows they can fail. */
class TidyTest {
  /** Sources that may be longer than the rule, each with its reason; none so far. */
  private static final Set<String> LONG_FILES = Set.of();

  /** The one place where core asks what time it is. */
  private static final String CLOCKS = "core/src/main/java/dev/onejob/engine/Clocks.java";

  static final Set<String> TIME =
      Set.of("Instant.now", "System.currentTimeMillis", "System.nanoTime");
  static final Set<String> SLEEP = Set.of("Thread.sleep");

  @Test
  void the_tree_is_found() {
    assertThat(SourceTree.all())
        .extracting(SourceFile::path)
        .contains(
            "core/src/main/java/dev/onejob/domain/Limits.java",
            "core/src/test/java/dev/onejob/house/TidyTest.java",
            "testkit/src/main/java/dev/onejob/testkit/PostgresExtension.java",
            "server/src/main/java/dev/onejob/server/access/package-info.java");
  }

  @Test
  void no_file_is_longer_than_400_lines() {
    holds(SizeRules::longFile, source -> !LONG_FILES.contains(source.path()));
  }

  @Test
  void no_line_is_wider_than_100_columns() {
    holds(SizeRules::longLines, source -> true);
  }

  @Test
  void no_method_is_longer_than_60_lines() {
    holds(SizeRules::longMethods, source -> true);
  }

  @Test
  void core_asks_for_the_time_in_one_place() {
    holds(
        source -> BannedCalls.in(source, TIME),
        source -> source.isMainOf("core") && !source.path().equals(CLOCKS));
  }

  @Test
  void nothing_sleeps() {
    holds(
        source -> BannedCalls.in(source, SLEEP),
        source -> (source.isMainOf("core") && !source.path().equals(CLOCKS)) || source.isTest());
  }

  @Test
  void sql_is_never_put_together() {
    holds(SqlPieces::in, TidyTest::talksToTheDatabase);
  }

  @Test
  void nothing_is_left_for_later() {
    holds(WordRules::leftOvers, source -> true);
  }

  @Test
  void no_test_is_skipped() {
    holds(WordRules::skippedTests, source -> true);
  }

  @Test
  void classes_are_named_after_what_they_are() {
    holds(WordRules::classNames, source -> true);
  }

  @Test
  void packages_are_named_after_what_they_hold() {
    holds(WordRules::packageName, source -> !source.path().contains("/house/crooked/"));
  }

  @Test
  void every_main_package_says_what_it_is_for() {
    Set<String> described =
        SourceTree.all().stream()
            .filter(source -> source.className().equals("package-info"))
            .filter(source -> source.text().startsWith("/**"))
            .map(SourceFile::folder)
            .collect(Collectors.toSet());

    assertThat(SourceTree.all().stream().filter(SourceFile::isMain).map(SourceFile::folder))
        .isNotEmpty()
        .allSatisfy(folder -> assertThat(described).contains(folder));
  }

  /** The store, and what else of core or server knows JDBC; testkit and bench make databases. */
  private static boolean talksToTheDatabase(SourceFile source) {
    return (source.isMainOf("core") || source.isMainOf("server"))
        && (source.folder().endsWith("/store") || imports(source.tree(), "java.sql."));
  }

  private static boolean imports(CompilationUnitTree tree, String prefix) {
    return tree.getImports().stream()
        .anyMatch(line -> line.getQualifiedIdentifier().toString().startsWith(prefix));
  }

  private static void holds(Rule rule, Predicate<SourceFile> where) {
    List<SourceFile> looked = SourceTree.all().stream().filter(where).toList();
    List<String> findings =
        looked.stream()
            .flatMap(
                source ->
                    rule.findings(source).stream().map(finding -> source.path() + ": " + finding))
            .toList();

    assertThat(looked).as("sources looked at").isNotEmpty();
    assertThat(findings).isEmpty();
  }
}
