package dev.onejob.house;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Every rule of {@link TidyTest} finds what it is there for, and leaves the rest alone. */
class CrookedSourcesTest {
  @Test
  void a_file_may_have_400_lines_and_no_more() {
    assertThat(SizeRules.longFile(source("// x\n".repeat(400)))).isEmpty();
    assertThat(SizeRules.longFile(source("// x\n".repeat(401))))
        .containsExactly("the file has 401 lines");
  }

  @Test
  void a_line_may_have_100_columns_and_no_more() {
    assertThat(SizeRules.longLines(source("//" + "é".repeat(98)))).isEmpty();
    assertThat(SizeRules.longLines(source("\n//" + "é".repeat(99))))
        .containsExactly("line 2: 101 columns");
    assertThat(SizeRules.longLines(source("import a." + "x".repeat(100) + ";"))).isEmpty();
  }

  @Test
  void a_method_may_have_60_lines_and_no_more() {
    assertThat(SizeRules.longMethods(source(method("long_one", 60)))).isEmpty();
    assertThat(SizeRules.longMethods(source(method("long_one", 61))))
        .containsExactly("line 2: long_one has 61 lines");
    assertThat(SizeRules.longMethods(source(method("X", 61).replace("void ", "")))).hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "class X { Object o = Instant.now(); }",
        "class X { Object o = java.time.Instant.now(); }",
        "class X { java.util.function.Supplier<Object> o = Instant::now; }",
        "class X { long o = System.currentTimeMillis(); }",
        "class X { java.util.function.LongSupplier o = System::nanoTime; }",
        "import static java.lang.System.nanoTime; class X { long o = nanoTime(); }",
        "class X { Object o = Instant\n.now(); }"
      })
  void asking_for_the_time_is_found_however_written(String text) {
    assertThat(BannedCalls.in(source(text), TidyTest.TIME)).hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "class X { void x() throws Exception { Thread.sleep(1); } }",
        "import static java.lang.Thread.sleep; class X { void x() throws Exception { sleep(1); } }"
      })
  void sleeping_is_found(String text) {
    assertThat(BannedCalls.in(source(text), TidyTest.SLEEP)).hasSize(1);
  }

  @Test
  void speaking_of_a_call_is_not_making_it() {
    SourceFile source =
        source("/** Thread.sleep(1) */ class X { String s = \"Thread.sleep(1)\"; }");

    assertThat(BannedCalls.in(source, TidyTest.SLEEP)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "class X { String s = \"SELECT 1\" + tail(); }",
        "class X { String s = head() + \" WHERE id = 1\"; }",
        "class X { String s = \"\"\"\n      a\n      \"\"\" + tail(); }",
        "class X { String s = \"\"\"\n      UPDATE %s\n      \"\"\".formatted(table()); }",
        "class X { static final String A = \"SELECT 1\"; String s = A + tail(); }",
        "class X { static final String A = \"SELECT 1\"; String s = X.A.replace('a', 'b'); }",
        "class X { String s = String.format(\"DELETE FROM %s\", table()); }",
        "class X { void x(StringBuilder b) { b.append(\" LIMIT 1\"); } }",
        "class X { void x(String b) { b += \" ORDER BY id\"; } }"
      })
  void sql_put_together_is_found(String text) {
    assertThat(SqlPieces.in(source(text))).hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "class X { static final String A = \"SELECT 1\"; Object o = run(A, 1 + 2); }",
        "class X { String s = \"no job \" + id(); }",
        "class X { String s = \"no job %s\".formatted(id()); }"
      })
  void whole_statements_and_other_texts_are_left_alone(String text) {
    assertThat(SqlPieces.in(source(text))).isEmpty();
  }

  @Test
  void what_is_left_for_later_is_found() {
    assertThat(WordRules.leftOvers(source("class X {\n  // TO" + "DO: think\n}"))).hasSize(1);
    assertThat(WordRules.leftOvers(source("// FIX" + "ME"))).hasSize(1);
    assertThat(WordRules.leftOvers(source("// MASTODON"))).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"@Disabled class X {}", "class X { @org.x.Disabled(\"why\") void x() {} }"})
  void a_skipped_test_is_found(String text) {
    assertThat(WordRules.skippedTests(source(text))).hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "class JsonUtils {}",
        "interface JobManager {}",
        "record JobInfo() {}",
        "class X { static class PoolBase {} }",
        "enum RequestHandler {}",
        "class StoreImpl {}"
      })
  void a_name_that_hides_is_found(String text) {
    assertThat(WordRules.classNames(source(text))).hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "class Database {}",
        "class ProcessTree {}",
        "class Info {}",
        "class JsonObject {}"
      })
  void a_name_that_says_something_is_left_alone(String text) {
    assertThat(WordRules.classNames(source(text))).isEmpty();
  }

  @Test
  void a_package_without_a_noun_is_found() {
    SourceFile crooked = SourceFile.parse("core/src/main/java/dev/onejob/util/X.java", "");

    assertThat(WordRules.packageName(crooked)).isEqualTo(List.of("a package named util"));
    assertThat(WordRules.packageName(source(""))).isEmpty();
  }

  private static SourceFile source(String text) {
    return SourceFile.parse("core/src/main/java/dev/onejob/store/X.java", text);
  }

  private static String method(String name, int lines) {
    return "class X {\n  void " + name + "() {" + "\n".repeat(lines - 1) + "  }\n}\n";
  }
}
