package dev.onejob.contract;

import com.networknt.schema.Error;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SchemaRegistryConfig;
import com.networknt.schema.SpecificationVersion;
import com.networknt.schema.ValidationLimitExceededException;
import com.networknt.schema.regex.RegularExpression;
import com.networknt.schema.regex.RegularExpressionFactory;
import dev.onejob.domain.Breach;
import dev.onejob.domain.Limits;
import java.util.List;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;

/**
 * A JSON Schema 2020-12, ready to judge: formats are asserted, patterns take linear time, nothing
 * is fetched, numbers are compared by exact value.
 */
public final class OutputSchema {
  /** The answer does not fit the schema. */
  public static final String CHECK = "schema";

  /** The answer cannot be checked within the bounds. */
  public static final String LIMIT = "check-limit";

  /**
   * Most keywords that are looked at for one answer. A bound in steps and not in seconds: a busy
   * node must not turn a good answer into a broken one.
   */
  static final long STEPS_MAX = 20_000_000;

  /** Most keywords that are looked at to tell all that is wrong, once something is. */
  private static final long TELLING_STEPS_MAX = 500_000;

  /** Deepest nesting of keywords: references within references, on the stack of the caller. */
  private static final int DEPTH_MAX = 2_000;

  private static final RegularExpressionFactory LINEAR =
      new RegularExpressionFactory() {
        @Override
        public RegularExpression getRegularExpression(String regex) {
          LinearPattern pattern = LinearPattern.of(regex);
          return pattern::find;
        }
      };

  private static final SchemaRegistry REGISTRY =
      SchemaRegistry.withDefaultDialect(
          SpecificationVersion.DRAFT_2020_12,
          builder ->
              builder
                  .schemaRegistryConfig(
                      SchemaRegistryConfig.builder()
                          .formatAssertionsEnabled(true)
                          .regularExpressionFactory(LINEAR)
                          .losslessNarrowing(true)
                          .build())
                  .schemaCacheEnabled(false));

  /** Inside of an alternative: what counts is only that no alternative fits. */
  private static final Pattern ALTERNATIVE = Pattern.compile("/(oneOf|anyOf|not)/.");

  private final Schema schema;

  /**
   * Compiles a schema.
   *
   * @param document with its numbers in their one form
   * @throws IllegalArgumentException if it cannot be used
   */
  public OutputSchema(JsonNode document) {
    try {
      this.schema = REGISTRY.getSchema(document);
      schema.initializeValidators();
    } catch (RuntimeException e) {
      throw new IllegalArgumentException("the schema cannot be used: " + e.getMessage(), e);
    }
  }

  /** Everything that does not fit, up to {@link Limits#BREACHES_MAX}; empty if all of it fits. */
  public List<Breach> breaches(JsonNode value) {
    try {
      List<Error> first = errors(value, true, STEPS_MAX);
      return first.isEmpty() ? List.of() : told(all(value, first));
    } catch (ValidationLimitExceededException | StackOverflowError e) {
      return List.of(
          new Breach(
              LIMIT, "", "", "the schema asks for more than " + STEPS_MAX + " steps of checking"));
    }
  }

  /** Only an answer that does not fit is looked at for everything; the first error is enough. */
  private List<Error> all(JsonNode value, List<Error> first) {
    try {
      List<Error> all = errors(value, false, TELLING_STEPS_MAX);
      return all.isEmpty() ? first : all;
    } catch (ValidationLimitExceededException | StackOverflowError e) {
      return first;
    }
  }

  private List<Error> errors(JsonNode value, boolean failFast, long stepsMax) {
    return schema.validate(
        value,
        context ->
            context.executionConfig(
                config ->
                    config
                        .formatAssertionsEnabled(true)
                        .failFast(failFast)
                        .maxEvaluationSteps(stepsMax)
                        .maxEvaluationDepth(DEPTH_MAX)));
  }

  private static List<Breach> told(List<Error> errors) {
    List<Error> telling =
        errors.stream()
            .filter(error -> !ALTERNATIVE.matcher(error.getEvaluationPath().toString()).find())
            .toList();
    return (telling.isEmpty() ? errors : telling)
        .stream().limit(Limits.BREACHES_MAX).map(OutputSchema::breach).toList();
  }

  private static Breach breach(Error error) {
    return new Breach(
        CHECK,
        PathText.cut(error.getInstanceLocation().toString()),
        PathText.cut(error.getSchemaLocation().getFragment().toString()),
        PathText.cut(error.getMessage()));
  }
}
