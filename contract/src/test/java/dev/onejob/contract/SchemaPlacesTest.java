package dev.onejob.contract;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What a schema declares, whatever it would allow. */
class SchemaPlacesTest {
  @Test
  void members_that_no_part_declares_are_listed_with_their_places() {
    assertThat(
            undeclared(
                "{'properties': {'a': {'properties': {'b': true}}}, 'additionalProperties': true}",
                "{'a': {'b': 1, 'c': 2}, 'd': 3}"))
        .containsExactly("/d", "/a/c");
  }

  @Test
  void every_alternative_reference_and_pattern_declares() {
    String schema =
        """
        {'$ref': '#/$defs/base', 'patternProperties': {'^x-': {}},
         'oneOf': [{'properties': {'one': {}}}, {'properties': {'two': {}}}],
         'if': {'properties': {'three': {}}}, 'then': {'properties': {'four': {}}},
         'dependentSchemas': {'one': {'properties': {'five': {}}}},
         '$defs': {'base': {'properties': {'self': {'$ref': '#'}}}}}
        """;

    assertThat(
            undeclared(
                schema,
                "{'one': 1, 'two': 1, 'three': 1, 'four': 1, 'five': 1, 'x-y': 1,"
                    + " 'self': {'one': 1, 'six': 1}, 'seven': 1}"))
        .containsExactly("/seven", "/self/six");
  }

  @Test
  void a_map_from_names_to_values_of_one_form_declares_its_members() {
    assertThat(
            undeclared(
                "{'additionalProperties': {'properties': {'n': {}}}}",
                "{'any': {'n': 1, 'm': 2}, 'other': {}}"))
        .containsExactly("/any/m");
  }

  @Test
  void items_are_looked_into_by_their_place_in_the_list() {
    assertThat(
            undeclared(
                "{'prefixItems': [{'properties': {'first': {}}}],"
                    + " 'items': {'properties': {'later': {}}}}",
                "[{'first': 1, 'later': 1}, {'first': 1, 'later': 1}]"))
        .containsExactlyInAnyOrder("/0/later", "/1/first");
  }

  @Test
  void a_schema_that_refers_to_itself_ends() {
    assertThat(undeclared("{'allOf': [{'$ref': '#'}], 'properties': {'a': {}}}", "{'b': 1}"))
        .containsExactly("/b");
  }

  private static List<String> undeclared(String schema, String value) {
    return UndeclaredMembers.of(new SchemaPlaces(json(schema)), json(value));
  }

  private static JsonNode json(String text) {
    return JsonMapper.shared().readTree(text.replace('\'', '"'));
  }
}
