package dev.onejob.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.onejob.document.ConfigException;
import dev.onejob.intent.JsonLimits;
import dev.onejob.intent.JsonRefused;
import dev.onejob.intent.StrictJson;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The validator, as contracts use it, against the 2020-12 part of the public JSON Schema Test
 * Suite: 414 schemas with 1,788 instances that are marked valid or invalid, optional keywords and
 * formats with them. Debian ships it inside a package. Every schema that a contract may not have is
 * listed here with what lint says of it; all the others must be judged as the suite judges them.
 */
class PublicSuite2020Test {
  /** The package as Debian 12 has it; another one may hold another state of the suite. */
  private static final String PACKAGE = "libtest-json-schema-acceptance-perl=1.019-1";

  /** What the package says of the suite in it. */
  private static final String STATE = "47958f82d0ca44b82f3fb32744a0fb5aead191a6";

  private static final Path FOLDER = Path.of("target", "json-schema-test-suite-2020-12");
  private static final Path SHARE =
      FOLDER.resolve("package/usr/share/perl5/auto/share/dist/Test-JSON-Schema-Acceptance");

  private static final int GROUPS = 414;
  private static final int TESTS = 1_788;

  /** Nothing is fetched, so a schema has all that it refers to within itself. */
  private static final String OTHER_DOCUMENT = "refers to another document; nothing is fetched";

  /** A schema has one base and one dialect. */
  private static final String NAMES_ITSELF = "$id: is not supported in a contract";

  private static final String OTHER_DIALECT = "only JSON Schema 2020-12 is read";

  /** The schemas that the validator cannot judge, and why a contract may not have them. */
  private static final Map<String, String> NOT_TAKEN =
      Map.ofEntries(
          Map.entry("const.json: nul characters in strings", "U+0000"),
          Map.entry("enum.json: nul characters in strings", "U+0000"),
          Map.entry(
              "dynamicRef.json: strict-tree schema, guards against misspelled properties",
              OTHER_DOCUMENT),
          Map.entry(
              "dynamicRef.json: tests for implementation dynamic anchor and reference link",
              OTHER_DOCUMENT),
          Map.entry(
              "dynamicRef.json: $ref and $dynamicAnchor are independent of order - $defs first",
              OTHER_DOCUMENT),
          Map.entry(
              "dynamicRef.json: $ref and $dynamicAnchor are independent of order - $ref first",
              OTHER_DOCUMENT),
          Map.entry("ref.json: order of evaluation: $id and $ref", NAMES_ITSELF),
          Map.entry("ref.json: order of evaluation: $id and $anchor and $ref", NAMES_ITSELF),
          Map.entry("refRemote.json: remote ref", OTHER_DOCUMENT),
          Map.entry("refRemote.json: fragment within remote ref", OTHER_DOCUMENT),
          Map.entry("refRemote.json: anchor within remote ref", OTHER_DOCUMENT),
          Map.entry("refRemote.json: ref within remote ref", OTHER_DOCUMENT),
          Map.entry("refRemote.json: base URI change", OTHER_DOCUMENT),
          Map.entry("refRemote.json: base URI change - change folder", OTHER_DOCUMENT),
          Map.entry("refRemote.json: base URI change - change folder in subschema", OTHER_DOCUMENT),
          Map.entry("refRemote.json: root ref in remote ref", OTHER_DOCUMENT),
          Map.entry("refRemote.json: remote ref with ref to defs", OTHER_DOCUMENT),
          Map.entry(
              "refRemote.json: Location-independent identifier in remote ref", OTHER_DOCUMENT),
          Map.entry(
              "refRemote.json: retrieved nested refs resolve relative to their URI not $id",
              OTHER_DOCUMENT),
          Map.entry("refRemote.json: remote HTTP ref with different $id", OTHER_DOCUMENT),
          Map.entry("refRemote.json: remote HTTP ref with different URN $id", OTHER_DOCUMENT),
          Map.entry("refRemote.json: remote HTTP ref with nested absolute ref", OTHER_DOCUMENT),
          Map.entry(
              "vocabulary.json: schema that uses custom metaschema with with no validation"
                  + " vocabulary",
              OTHER_DIALECT),
          Map.entry("vocabulary.json: ignore unrecognized optional vocabulary", OTHER_DIALECT),
          Map.entry(
              "cross-draft.json: refs to historic drafts are processed as historic drafts",
              OTHER_DOCUMENT),
          Map.entry(
              "format-assertion.json: schema that uses custom metaschema with format-assertion:"
                  + " false",
              OTHER_DIALECT),
          Map.entry(
              "format-assertion.json: schema that uses custom metaschema with format-assertion:"
                  + " true",
              OTHER_DIALECT));

  private static final JsonMapper JSON =
      JsonMapper.builder().enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS).build();

  @TempDir static Path scratch;

  /** A schema of the suite, and what is to be judged by it. */
  private record Group(String name, JsonNode schema, JsonNode tests) {}

  private static List<Group> groups = List.of();

  @BeforeAll
  static void fetch() throws IOException, InterruptedException {
    Path state = SHARE.resolve("submodule_status");
    if (!Files.exists(state)) {
      Files.createDirectories(FOLDER);
      String fetch = "apt-get download " + PACKAGE + " && dpkg-deb -x libtest-*.deb package";
      Assumptions.assumeTrue(
          ran("sh", "-c", fetch), "needs Debian's package " + PACKAGE + "; see " + FOLDER);
    }
    assertThat(Files.readString(state)).as("the suite in %s", PACKAGE).startsWith(STATE);
    groups = read();
  }

  private static boolean ran(String... command) throws IOException, InterruptedException {
    return new ProcessBuilder(command)
            .directory(FOLDER.toFile())
            .redirectErrorStream(true)
            .redirectOutput(FOLDER.resolve("fetch.log").toFile())
            .start()
            .waitFor()
        == 0;
  }

  private static List<Group> read() throws IOException {
    List<Group> read = new ArrayList<>();
    try (Stream<Path> files = Files.walk(SHARE.resolve("tests/draft2020-12"))) {
      for (Path file : files.filter(each -> each.toString().endsWith(".json")).sorted().toList()) {
        for (JsonNode group : JSON.readTree(Files.readAllBytes(file))) {
          String name = file.getFileName() + ": " + group.path("description").asString();
          read.add(new Group(name, group.path("schema"), group.path("tests")));
        }
      }
    }
    return read;
  }

  @Test
  void every_instance_is_judged_as_the_suite_does_under_every_schema_that_is_taken()
      throws Exception {
    Map<String, String> otherwise = new TreeMap<>();
    int judged = 0;
    for (Group group : groups) {
      if (!NOT_TAKEN.containsKey(group.name)) {
        OutputSchema schema = new OutputSchema(exact(group.schema));
        for (JsonNode test : group.tests) {
          judged++;
          boolean fits = schema.breaches(exact(test.path("data"))).isEmpty();
          if (fits != test.path("valid").asBoolean()) {
            otherwise.put(group.name, test.path("description").asString());
          }
        }
      }
    }

    assertThat(groups).hasSize(GROUPS);
    assertThat(groups.stream().mapToInt(group -> group.tests.size()).sum()).isEqualTo(TESTS);
    assertThat(judged).isEqualTo(TESTS - testsNotTaken());
    assertThat(otherwise).isEmpty();
  }

  private static int testsNotTaken() {
    return groups.stream()
        .filter(group -> NOT_TAKEN.containsKey(group.name))
        .mapToInt(group -> group.tests.size())
        .sum();
  }

  @Test
  void a_schema_that_is_not_taken_is_refused_when_the_contract_is_read_and_told_why()
      throws Exception {
    Map<String, String> refused = new TreeMap<>();
    for (Group group : groups) {
      if (NOT_TAKEN.containsKey(group.name)) {
        refused.put(group.name, complaints(group.schema));
      }
    }

    assertThat(refused).hasSize(NOT_TAKEN.size());
    assertThat(refused).allSatisfy((name, why) -> assertThat(why).contains(NOT_TAKEN.get(name)));
  }

  /** Lint goes further than the specification, but it does not refuse what people write. */
  @Test
  void most_of_the_schemas_may_stand_in_a_contract() throws Exception {
    int accepted = 0;
    for (Group group : groups) {
      accepted += complaints(group.schema).isEmpty() ? 1 : 0;
    }

    assertThat(accepted).isGreaterThanOrEqualTo(300);
  }

  private static String complaints(JsonNode schema) throws IOException {
    Path file =
        Files.writeString(
            scratch.resolve("contract.json"),
            "{\"contract\":\"suite\",\"version\":1,\"answer\":\"json\",\"output\":" + schema + "}");
    try {
      assertThat(Contracts.read("contract.json", file).terms().schema()).isNotNull();
      return "";
    } catch (ConfigException e) {
      return String.valueOf(e.getMessage());
    }
  }

  private static JsonNode exact(JsonNode value) throws JsonRefused {
    byte[] utf8 = value.toString().getBytes(StandardCharsets.UTF_8);
    return ExactNodes.of(StrictJson.read(utf8, JsonLimits.RESULT));
  }
}
