package dev.onejob.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.onejob.document.ConfigException;
import dev.onejob.document.ConfigProblem;
import dev.onejob.document.TextFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every mistake in a contract is told with its file and line. */
class ContractsTest {
  @TempDir Path folder;

  @Test
  void a_contract_says_what_its_file_says_and_defaults_for_the_rest() throws IOException {
    write("schema.json", "{\"type\": \"object\", \"properties\": {\"a\": {\"const\": 1.50}}}");
    write("input.json", "{\"text\": \"as  it is\"}");
    Contract contract =
        read(
            """
            contract: one
            version: 7
            answer: json
            output_file: schema.json
            temperature: 0.7
            when_unqualified: fail
            key_fields: [/a]
            pass: {rate: 0.9}
            samples:
              - name: from-a-file
                input_file: input.json
                good: {a: 1.5}
            """);

    Terms terms = contract.terms();
    assertThat(contract.title()).isEqualTo("one/7");
    assertThat(terms.schema())
        .hasToString("{\"type\":\"object\",\"properties\":{\"a\":{\"const\":1.50}}}");
    assertThat(terms.samples().getFirst().input())
        .asString()
        .isEqualTo("{\"text\": \"as  it is\"}");
    assertThat(terms.repetitions()).isEqualTo(5);
    assertThat(terms.pass().confidence()).isEqualByComparingTo("0.95");
    assertThat(terms.pass().rate()).isEqualByComparingTo("0.9");
    assertThat(terms.temperature()).isEqualByComparingTo("0.7");
  }

  @Test
  void json_is_taken_as_well_with_its_lines() throws IOException {
    write("it.json", "{\n\t\"contract\": \"one\",\n\t\"version\": 0,\n\t\"answer\": \"text\"\n}");

    assertThat(problems("it.json"))
        .containsExactly("it.json:3: version: expected at least 1, got 0");
    write("it.json", "{\"contract\": \"one\",\n\"contract\": \"two\"}");
    assertThat(problems("it.json"))
        .containsExactly(
            "it.json:2: is not JSON: the same member a second time at /contract, byte 20");
  }

  @Test
  void the_form_is_checked_first() throws IOException {
    assertThat(
            problemsOf(
                """
                contract: one
                version: two
                answer: xml
                rule: []
                repetitions: 4
                """))
        .containsExactly(
            "it.yaml:2: version: expected a whole number, got \"two\"",
            "it.yaml:3: answer: expected json, text or media, got \"xml\"",
            "it.yaml:4: rule: unknown setting; did you mean \"rules\"?",
            "it.yaml:5: repetitions: expected at least 5, got 4");
  }

  @Test
  void mistakes_in_the_schema_are_told_also_those_that_json_schema_lets_pass() throws IOException {
    assertThat(
            problemsOf(
                """
                contract: one
                version: 1
                answer: json
                output:
                  type: object
                  required: [totl]
                  propertys: {}
                  properties:
                    total: {type: number, minLenght: 3}
                    when: {type: string, format: datetime}
                    id: {type: string, pattern: "(?=a)b"}
                    line: {$ref: "#/$defs/lines"}
                    far: {$ref: "https://example.org/far.json"}
                  $defs:
                    line: {type: object}
                """))
        .containsExactly(
            "it.yaml:6: output.required.0: requires \"totl\", which properties does not declare;"
                + " did you mean \"total\"?",
            "it.yaml:7: output.propertys: is no keyword of JSON Schema 2020-12 and would check"
                + " nothing; did you mean \"properties\"?",
            "it.yaml:9: output.properties.total.minLenght: is no keyword of JSON Schema 2020-12 and"
                + " would check nothing; did you mean \"minLength\"?",
            "it.yaml:10: output.properties.when.format: the format \"datetime\" is not checked by"
                + " anybody; did you mean \"date-time\"?",
            "it.yaml:11: output.properties.id.pattern: the pattern uses look-around, which has no"
                + " bound in time",
            "it.yaml:12: output.properties.line.$ref: there is nothing at #/$defs/lines in this"
                + " schema",
            "it.yaml:13: output.properties.far.$ref: refers to another document; nothing is"
                + " fetched: put it under $defs");
  }

  @Test
  void a_schema_that_is_none_is_told_by_its_place() throws IOException {
    write("out.yaml", "type: object\nrequird: [a]\nproperties:\n  total:\n    type: nubmer\n");

    assertThat(problemsOf("contract: one\nversion: 1\nanswer: json\noutput_file: out.yaml\n"))
        .satisfiesExactly(
            keyword ->
                assertThat(keyword)
                    .startsWith("out.yaml:2: requird: is no keyword of JSON Schema 2020-12"),
            type -> assertThat(type).startsWith("out.yaml:5: properties.total.type: "));
    assertThat(problemsOf("contract: one\nversion: 1\nanswer: json\noutput_file: no.yaml\n"))
        .containsExactly("no.yaml: there is no such file");
    assertThat(problemsOf("contract: one\nversion: 1\nanswer: json\n"))
        .containsExactly(
            "it.yaml:1: an answer that is JSON needs output or output_file, its schema");
    assertThat(problemsOf("contract: one\nversion: 1\nanswer: media\n"))
        .containsExactly("it.yaml:1: media_types: an answer that is a medium needs media_types");
  }

  @Test
  void mistakes_in_rules_are_told_with_their_line_and_column() throws IOException {
    assertThat(
            problemsOf(
                """
                contract: one
                version: 1
                answer: text
                rules:
                  - name: same
                    rule: size(output) > 1
                    message: has text
                  - name: same
                    rule: output.size( > 1
                    message: has text
                  - name: price
                    rule: usage.price < 0.5
                    message: is cheap
                """))
        .anySatisfy(
            problem ->
                assertThat(problem)
                    .isEqualTo("it.yaml:8: rules.1.name: a second rule named \"same\""))
        .anySatisfy(
            problem ->
                assertThat(problem)
                    .startsWith("it.yaml:9: rules.1.rule: line 1, column 14 of the rule: "))
        .contains(
            "it.yaml:12: rules.2.rule: 0.5 is a double, and numbers here are exact: write"
                + " decimal('0.5')");
  }

  @Test
  void an_expected_number_that_no_answer_can_have_is_named() throws IOException {
    assertThat(
            problemsOf(
                """
                contract: one
                version: 1
                answer: json
                output: {type: object, properties: {total: {type: number}}}
                samples:
                  - name: a
                    input: {text: hello}
                    equal: {/total: 1e+2000}
                """))
        .singleElement()
        .asString()
        .contains("no answer could be equal: a number beyond 1e1000");
  }

  @Test
  void a_good_answer_that_breaks_the_contract_shows_that_one_of_the_two_is_wrong()
      throws IOException {
    assertThat(
            problemsOf(
                """
                contract: one
                version: 1
                answer: json
                output: {type: object, properties: {total: {type: number}}}
                samples:
                  - name: a
                    input: {text: hello}
                    equal: {total: 3}
                    good: {total: 3}
                  - name: b
                    input: {text: hello}
                    good:
                      total: "3"
                      more: true
                """))
        .containsExactly(
            "it.yaml:8: samples.0.equal.total: expected a JSON pointer, such as /total");
    assertThat(
            problemsOf(
                """
                contract: one
                version: 1
                answer: json
                output: {type: object, properties: {total: {type: number}}}
                samples:
                  - name: b
                    input: {text: hello}
                    good:
                      total: "3"
                      more: true
                """))
        .satisfiesExactly(
            first ->
                assertThat(first)
                    .startsWith("it.yaml:9: samples.0.good.total: breaks the contract: schema"),
            second ->
                assertThat(second)
                    .startsWith(
                        "it.yaml:10: samples.0.good.more: breaks the contract: undeclared-member"));
  }

  @Test
  void files_of_a_contract_lie_beside_it_and_are_files() throws IOException {
    Path inner = Files.createDirectory(folder.resolve("inner"));
    write("secret.json", "{}");
    Files.createSymbolicLink(inner.resolve("link.json"), folder.resolve("secret.json"));
    Files.createSymbolicLink(inner.resolve("zero.json"), Path.of("/dev/zero"));
    for (String name : List.of("../secret.json", "/dev/zero", "link.json", "zero.json")) {
      write(
          "inner/it.yaml",
          "contract: one\nversion: 1\nanswer: json\noutput: {}\nsamples:\n"
              + "  - {name: a, input_file: %s}\n".formatted(name));
      assertThat(problems("inner/it.yaml"))
          .as(name)
          .anyMatch(problem -> problem.contains("lies outside of the folder of the contract"));
    }
    ConfigException device =
        catchThrowableOfType(
            ConfigException.class, () -> TextFiles.text("zero", Path.of("/dev/zero")));
    assertThat(device.problems().toString()).contains("is no regular file");
  }

  private Path write(String name, String text) throws IOException {
    return Files.writeString(folder.resolve(name), text);
  }

  private Contract read(String yaml) throws IOException {
    return Contracts.read("it.yaml", write("it.yaml", yaml));
  }

  private List<String> problemsOf(String yaml) throws IOException {
    write("it.yaml", yaml);
    return problems("it.yaml");
  }

  private List<String> problems(String name) {
    ConfigException thrown =
        catchThrowableOfType(
            ConfigException.class, () -> Contracts.read(name, folder.resolve(name)));
    return thrown.problems().stream().map(ConfigProblem::toString).toList();
  }
}
