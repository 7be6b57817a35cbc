package dev.onejob.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.onejob.intent.JsonLimits;
import dev.onejob.intent.JsonRefused;
import dev.onejob.intent.StrictJson;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/**
 * The validator, as contracts use it, against the public JSON Schema Test Suite: what the npm
 * registry has of it is draft 4, of which those files are taken whose keywords mean the same in
 * 2020-12. Every difference is listed here with its reason; one more or one fewer is a failure.
 */
class PublicSuiteTest {
  private static final String PACKAGE = "json-schema-test-suite@0.0.10";

  /** Files whose keywords have another meaning, another name, or refer to other documents. */
  private static final Set<String> OTHER_DRAFT =
      Set.of(
          "additionalItems.json",
          "definitions.json",
          "dependencies.json",
          "ref.json",
          "refRemote.json");

  /** Schemas of draft 4 within files that are otherwise the same; and what we read otherwise. */
  private static final Set<String> DIFFERENCES =
      Set.of(
          // A boolean beside the bound in draft 4, a bound of its own since.
          "maximum.json: exclusiveMaximum validation",
          "minimum.json: exclusiveMinimum validation",
          "bignum.json: float comparison with high precision",
          "bignum.json: float comparison with high precision on negative numbers",
          // A number without a fraction is an integer since, however it is written.
          "zeroTerminatedFloats.json: some languages do not distinguish between different types of"
              + " numeric value",
          // A reference without a scheme, which draft 4 took for a URI, is none.
          "format.json: validation of URIs",
          // A list of schemas is prefixItems since.
          "items.json: an array of schemas for items");

  private static final Path FOLDER = Path.of("target", "json-schema-test-suite");

  @BeforeAll
  static void fetch() throws IOException, InterruptedException {
    if (Files.isDirectory(FOLDER.resolve("package"))) {
      return;
    }
    Files.createDirectories(FOLDER);
    boolean there =
        run("npm", "pack", "--silent", PACKAGE)
            && run("tar", "xzf", "json-schema-test-suite-0.0.10.tgz");
    Assumptions.assumeTrue(there, "needs npm and its registry for " + PACKAGE);
  }

  private static boolean run(String... command) throws IOException, InterruptedException {
    try {
      Process process =
          new ProcessBuilder(command)
              .directory(FOLDER.toFile())
              .redirectErrorStream(true)
              .redirectOutput(FOLDER.resolve("fetch.log").toFile())
              .start();
      return process.waitFor() == 0;
    } catch (IOException e) {
      return false; // no such program
    }
  }

  @Test
  void it_judges_as_the_suite_does_but_for_the_differences_listed() throws Exception {
    Set<String> differing = new TreeSet<>();
    int asked = 0;
    for (Path file : files()) {
      for (JsonNode group : read(file)) {
        for (JsonNode test : group.path("tests")) {
          asked++;
          if (!judgedAlike(group.path("schema"), test)) {
            differing.add(file.getFileName() + ": " + group.path("description").asString());
          }
        }
      }
    }

    assertThat(asked).isGreaterThan(150);
    assertThat(differing).isEqualTo(new TreeSet<>(DIFFERENCES));
  }

  private static boolean judgedAlike(JsonNode schema, JsonNode test) {
    try {
      boolean fits = new OutputSchema(schema).breaches(test.path("data")).isEmpty();
      return fits == test.path("valid").asBoolean();
    } catch (IllegalArgumentException e) {
      return false; // no schema of 2020-12
    }
  }

  private static List<Path> files() throws IOException {
    List<Path> found = new ArrayList<>();
    for (String folder : List.of("draft4", "draft4/optional")) {
      try (Stream<Path> all = Files.list(FOLDER.resolve("package/tests").resolve(folder))) {
        all.filter(file -> file.toString().endsWith(".json"))
            .filter(file -> !OTHER_DRAFT.contains(file.getFileName().toString()))
            .sorted()
            .forEach(found::add);
      }
    }
    return found;
  }

  private static JsonNode read(Path file) throws IOException, JsonRefused {
    try (InputStream in = Files.newInputStream(file)) {
      return ExactNodes.of(StrictJson.read(in.readAllBytes(), JsonLimits.RESULT));
    }
  }

  @Test
  void numbers_are_compared_by_exact_value() throws Exception {
    assertThat(fits("{\"multipleOf\": 0.01}", "0.07")).isTrue();
    assertThat(fits("{\"multipleOf\": 0.1}", "0.30000000000000004")).isFalse();
    assertThat(fits("{\"maximum\": 9007199254740992}", "9007199254740993")).isFalse();
    assertThat(fits("{\"const\": 0.1}", "0.10")).isTrue();
    assertThat(fits("{\"const\": 0.1}", "0.1000000000000000055511151231257827")).isFalse();
    assertThat(fits("{\"enum\": [1]}", "1.0")).isTrue();
    assertThat(fits("{\"enum\": [100]}", "1e2")).isTrue();
    assertThat(fits("{\"type\": \"integer\"}", "1.0")).isTrue();
    assertThat(fits("{\"type\": \"integer\"}", "1.00000000000000000000000001")).isFalse();
    assertThat(fits("{\"uniqueItems\": true}", "[1, 1.0]")).isFalse();
    assertThat(fits("{\"minimum\": 1e-400}", "1e-401")).isFalse();
    assertThat(fits("{\"exclusiveMaximum\": 12345678901234567890}", "12345678901234567889"))
        .isTrue();
    assertThat(fits("{\"const\": {\"a\": [1]}}", "{\"a\": [1e0]}")).isTrue();
  }

  private static boolean fits(String schema, String value) throws JsonRefused {
    return new OutputSchema(tree(schema)).breaches(tree(value)).isEmpty();
  }

  private static JsonNode tree(String json) throws JsonRefused {
    return ExactNodes.of(StrictJson.read(json.getBytes(StandardCharsets.UTF_8), JsonLimits.RESULT));
  }

  @Test
  void a_schema_that_asks_for_endless_work_is_given_up_on() throws Exception {
    String again = "{\"items\": {\"$ref\": \"#/$defs/d\"}, \"type\": \"array\"}";
    String doubling =
        "{\"$defs\": {\"d\": {\"anyOf\": [AGAIN, AGAIN]}}, \"$ref\": \"#/$defs/d\"}"
            .replace("AGAIN", again);
    String deep = "[".repeat(100) + "1" + "]".repeat(100);

    assertThat(new OutputSchema(tree(doubling)).breaches(tree(deep)))
        .singleElement()
        .extracting(dev.onejob.domain.Breach::check)
        .isEqualTo("check-limit");
  }

  @Test
  void a_schema_that_refers_to_itself_is_given_up_on() throws Exception {
    assertThat(new OutputSchema(tree("{\"allOf\": [{\"$ref\": \"#\"}]}")).breaches(tree("1")))
        .singleElement()
        .extracting(dev.onejob.domain.Breach::check)
        .isEqualTo("check-limit");
  }
}
