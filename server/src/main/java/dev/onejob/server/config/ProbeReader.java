package dev.onejob.server.config;

import dev.onejob.document.Pointers;
import dev.onejob.document.Problems;
import dev.onejob.document.YamlDocument;
import dev.onejob.engine.ProbePolicy;
import java.time.Duration;
import tools.jackson.databind.JsonNode;

/** Reads how a provider is asked about attempts in doubt. */
final class ProbeReader {
  private final YamlDocument yaml;
  private final Problems problems;

  ProbeReader(YamlDocument yaml, Problems problems) {
    this.yaml = yaml;
    this.problems = problems;
  }

  /** The usual if a rule is broken; the problem is noted then. */
  ProbePolicy read(String providerName, JsonNode provider) {
    JsonNode probe = provider.path("probe");
    ProbePolicy usual = ProbePolicy.USUAL;
    Duration first = duration(probe, "first", usual.first());
    Duration max = duration(probe, "max", usual.max());
    try {
      return new ProbePolicy(
          first,
          probe.has("max") || max.compareTo(first) >= 0 ? max : first,
          duration(probe, "timeout", usual.timeout()),
          duration(probe, "longest", usual.longest()),
          probe.path("in_flight").asInt(usual.inFlightMax()));
    } catch (IllegalArgumentException e) {
      String[] placed = String.valueOf(e.getMessage()).split(": ", 2);
      String at = Pointers.child("/providers", providerName) + "/" + placed[0].replace('.', '/');
      problems.add(yaml.problem(at, placed[1]));
      return usual;
    }
  }

  private static Duration duration(JsonNode probe, String name, Duration otherwise) {
    return DurationText.parse(probe.path(name).asString("")).orElse(otherwise);
  }
}
