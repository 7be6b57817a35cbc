package dev.onejob.providers;

import com.networknt.schema.Error;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Objects;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.MapperFeature;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.json.JsonMapper;

/** The schema of a type's settings, and the reading of settings that obey it. */
public final class SettingsSchema {
  private static final JsonMapper MAPPER =
      JsonMapper.builder()
          .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
          .enable(MapperFeature.ACCEPT_CASE_INSENSITIVE_ENUMS)
          .build();
  private static final SchemaRegistry REGISTRY =
      SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12);

  private final JsonNode document;
  private final Schema schema;

  private SettingsSchema(JsonNode document) {
    this.document = document;
    this.schema = REGISTRY.getSchema(document);
  }

  /** Reads {@code settings-schema.json} beside the class. */
  public static SettingsSchema beside(Class<?> type) {
    try (InputStream in = type.getResourceAsStream("settings-schema.json")) {
      return new SettingsSchema(MAPPER.readTree(Objects.requireNonNull(in, type.getName())));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A copy of the document. */
  public JsonNode document() {
    return document.deepCopy();
  }

  /**
   * Checks settings and reads them into a record whose components are their names in camel case.
   *
   * @throws InvalidSetting naming the first setting that the schema does not allow
   */
  public <T> T read(JsonNode settings, Class<T> form) {
    List<Error> errors = schema.validate(settings);
    if (!errors.isEmpty()) {
      Error first = errors.getFirst();
      throw new InvalidSetting(first.getInstanceLocation().toString(), first.getMessage());
    }
    try {
      return MAPPER.treeToValue(settings, form);
    } catch (JacksonException e) {
      throw new InvalidSetting("", e.getOriginalMessage());
    }
  }
}
