package dev.onejob.server.config;

import dev.onejob.document.Pointers;
import dev.onejob.document.Problems;
import dev.onejob.document.YamlDocument;
import dev.onejob.domain.CircuitPolicy;
import java.time.Duration;
import tools.jackson.databind.JsonNode;

/** Reads when a provider that does not answer is left alone. */
final class CircuitReader {
  private final YamlDocument yaml;
  private final Problems problems;

  CircuitReader(YamlDocument yaml, Problems problems) {
    this.yaml = yaml;
    this.problems = problems;
  }

  /** The usual if a rule is broken; the problem is noted then. */
  CircuitPolicy read(String providerName, JsonNode provider) {
    JsonNode circuit = provider.path("circuit");
    CircuitPolicy usual = CircuitPolicy.USUAL;
    Duration pause = duration(circuit, "pause", usual.pause());
    Duration max = duration(circuit, "pause_max", usual.pauseMax());
    try {
      return new CircuitPolicy(
          circuit.path("failures").asInt(usual.failures()),
          pause,
          circuit.has("pause_max") || max.compareTo(pause) >= 0 ? max : pause);
    } catch (IllegalArgumentException e) {
      String[] placed = String.valueOf(e.getMessage()).split(": ", 2);
      String at = Pointers.child("/providers", providerName) + "/" + placed[0].replace('.', '/');
      problems.add(yaml.problem(at, placed[1]));
      return usual;
    }
  }

  private static Duration duration(JsonNode circuit, String name, Duration otherwise) {
    return DurationText.parse(circuit.path(name).asString("")).orElse(otherwise);
  }
}
