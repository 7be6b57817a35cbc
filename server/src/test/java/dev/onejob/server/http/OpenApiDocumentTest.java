package dev.onejob.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import dev.onejob.server.testing.OpenApiCheck;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** The OpenAPI document by itself. */
final class OpenApiDocumentTest {
  private static final SchemaRegistry REGISTRY =
      SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12);

  @Test
  void every_reference_leads_somewhere() {
    for (JsonNode reference : OpenApiCheck.openApi().findValues("$ref")) {
      String pointer = reference.stringValue().substring(1);
      assertThat(OpenApiCheck.openApi().at(pointer).isMissingNode()).as(pointer).isFalse();
    }
  }

  @Test
  void every_example_fits_its_schema() {
    List<String> checked = new ArrayList<>();
    for (JsonNode content : OpenApiCheck.openApi().findValues("content")) {
      for (JsonNode media : content.values()) {
        examples(media)
            .forEach(
                example -> {
                  assertThat(REGISTRY.getSchema(whole(media.path("schema"))).validate(example))
                      .as(example.toString())
                      .isEmpty();
                  checked.add(example.toString());
                });
      }
    }
    assertThat(checked).hasSizeGreaterThan(10);
  }

  private static List<JsonNode> examples(JsonNode media) {
    List<JsonNode> examples = new ArrayList<>();
    if (media.has("example")) {
      examples.add(media.path("example"));
    }
    media.path("examples").values().forEach(example -> examples.add(example.path("value")));
    return examples;
  }

  private static ObjectNode whole(JsonNode schema) {
    ObjectNode whole = new JsonMapper().createObjectNode();
    whole.putArray("allOf").add(schema);
    whole.set("components", OpenApiCheck.openApi().path("components"));
    return whole;
  }

  @Test
  void every_operation_says_what_it_is_for_and_how_it_can_end() {
    OpenApiCheck.openApi()
        .path("paths")
        .values()
        .forEach(
            path ->
                path.values()
                    .forEach(
                        operation -> {
                          assertThat(operation.path("operationId").asString()).isNotEmpty();
                          assertThat(operation.path("summary").asString()).isNotEmpty();
                          assertThat(operation.path("responses").size()).isGreaterThan(1);
                        }));
  }
}
