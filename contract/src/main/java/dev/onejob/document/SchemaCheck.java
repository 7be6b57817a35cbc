package dev.onejob.document;

import com.networknt.schema.Error;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import java.util.List;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;

/** Holds a part of a document against a schema. */
public final class SchemaCheck {
  private static final SchemaRegistry REGISTRY =
      SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12);

  /** Inside an alternative: what counts is only that no alternative fits. */
  private static final Pattern ALTERNATIVE = Pattern.compile("/(oneOf|anyOf|not)/.*");

  private final JsonNode document;
  private final Schema schema;

  /** Makes a check by a schema, which is one of ours and right. */
  public SchemaCheck(JsonNode document) {
    this.document = document;
    this.schema = REGISTRY.getSchema(document);
  }

  /**
   * Everything that is wrong.
   *
   * @param at where {@code part} stands in {@code yaml}
   */
  public List<ConfigProblem> problems(YamlDocument yaml, String at, JsonNode part) {
    Wording wording = new Wording(document, part);
    return schema.validate(part).stream()
        .filter(error -> !ALTERNATIVE.matcher(error.getEvaluationPath().toString()).find())
        .map(error -> yaml.problem(at + place(error), wording.of(error)))
        .toList();
  }

  /** An unknown member is named itself, not the mapping that it stands in. */
  private static String place(Error error) {
    String pointer = error.getInstanceLocation().toString();
    boolean aboutMember = Wording.ABOUT_A_MEMBER.contains(error.getKeyword());
    return aboutMember && error.getProperty() != null
        ? Pointers.child(pointer, error.getProperty())
        : pointer;
  }
}
