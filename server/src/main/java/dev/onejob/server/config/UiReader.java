package dev.onejob.server.config;

import dev.onejob.document.Problems;
import dev.onejob.document.YamlDocument;
import dev.onejob.server.config.UiSettings.Presence;
import java.time.Duration;
import tools.jackson.databind.JsonNode;

/** Reads how the dashboard serves. */
final class UiReader {
  private final YamlDocument yaml;
  private final Problems problems;

  UiReader(YamlDocument yaml, Problems problems) {
    this.yaml = yaml;
    this.problems = problems;
  }

  /** The usual settings where one is broken; the problem is noted then. */
  UiSettings read(JsonNode ui) {
    UiSettings usual = UiSettings.USUAL;
    try {
      return new UiSettings(
          ui.path("enabled").asBoolean(true) ? Presence.SERVED : Presence.OFF,
          length(ui, "session_idle", usual.sessionIdle()),
          length(ui, "session_max", usual.sessionMax()),
          ui.path("pool_size").asInt(usual.poolSize()),
          length(ui, "statement_timeout", usual.statementTimeout()),
          ui.path("streams_max").asInt(usual.streamsMax()),
          ui.path("playground").asBoolean(false) ? Presence.SERVED : Presence.OFF);
    } catch (IllegalArgumentException e) { // the rules name the setting first: "session_max: …"
      String[] parts = String.valueOf(e.getMessage()).split(": ", 2);
      problems.add(yaml.problem("/ui/" + parts[0], parts[parts.length - 1]));
      return usual;
    }
  }

  private static Duration length(JsonNode ui, String name, Duration otherwise) {
    return DurationText.parse(ui.path(name).asString("")).orElse(otherwise);
  }
}
