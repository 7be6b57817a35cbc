package dev.onejob.contract;

import com.networknt.schema.SchemaLocation;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import dev.onejob.domain.Breach;
import java.util.List;
import tools.jackson.databind.JsonNode;

/** JSON Schema's own schema for schemas, which comes with the validator. */
final class MetaSchema {
  private static final com.networknt.schema.Schema SCHEMA =
      SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12)
          .getSchema(SchemaLocation.of("https://json-schema.org/draft/2020-12/schema"));

  private MetaSchema() {}

  /** What is wrong with a schema as such. */
  static List<Breach> breaches(JsonNode schema) {
    return SCHEMA.validate(schema).stream()
        .map(
            error ->
                new Breach(
                    "schema",
                    error.getInstanceLocation().toString(),
                    "",
                    String.valueOf(error.getMessage())))
        .toList();
  }
}
