package dev.onejob.server.config;

import dev.onejob.document.Problems;
import dev.onejob.document.YamlDocument;
import dev.onejob.engine.RetentionRules;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Reads how long what has ended is kept. */
final class RetentionReader {
  private static final String NEVER = "never";

  private final YamlDocument yaml;
  private final Problems problems;

  RetentionReader(YamlDocument yaml, Problems problems) {
    this.yaml = yaml;
    this.problems = problems;
  }

  /** The usual rules where one is broken; the problem is noted then. */
  RetentionRules read(JsonNode retention) {
    try {
      return new RetentionRules(
          after(retention, "payload_after", RetentionRules.USUAL.payloadAfter()),
          after(retention, "tombstone_after", RetentionRules.USUAL.tombstoneAfter()),
          retention.path("batch").asInt(RetentionRules.USUAL.batch()),
          DurationText.parse(retention.path("interval").asString(""))
              .orElse(RetentionRules.USUAL.interval()));
    } catch (IllegalArgumentException e) {
      String message = String.valueOf(e.getMessage());
      int colon = message.indexOf(": ");
      problems.add(
          yaml.problem("/retention/" + message.substring(0, colon), message.substring(colon + 2)));
      return RetentionRules.USUAL;
    }
  }

  private static @Nullable Duration after(
      JsonNode retention, String name, @Nullable Duration otherwise) {
    String text = retention.path(name).asString("");
    return text.equals(NEVER) ? null : DurationText.parse(text).orElse(otherwise);
  }
}
