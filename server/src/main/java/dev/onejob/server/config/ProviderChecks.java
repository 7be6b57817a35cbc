package dev.onejob.server.config;

import dev.onejob.document.Nearest;
import dev.onejob.document.Pointers;
import dev.onejob.document.Problems;
import dev.onejob.document.SchemaCheck;
import dev.onejob.document.YamlDocument;
import dev.onejob.domain.Names;
import dev.onejob.providers.ProviderType;
import java.util.List;
import java.util.Map;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Checks each provider by the schema of its type, and that routes name providers. */
record ProviderChecks(List<ProviderType> types) {
  /** What every provider has, whatever its type. */
  static final Set<String> COMMON = Set.of("type", "in_flight", "probe", "circuit", "price");

  /** What is wrong with the name of a kind or provider that the service brings along itself. */
  static final String RESERVED =
      "names that begin with " + Names.RESERVED + " are for the service itself";

  void check(YamlDocument yaml, Problems problems) {
    for (Map.Entry<String, JsonNode> each : members(yaml.root().path("providers"))) {
      String at = Pointers.child("/providers", each.getKey());
      if (Names.isReserved(each.getKey())) {
        problems.add(yaml.problem(at, RESERVED));
      }
      if (each.getValue() instanceof ObjectNode provider && provider.path("type").isString()) {
        checkType(yaml, at, provider, problems);
      }
    }
    for (Map.Entry<String, JsonNode> each : members(yaml.root().path("kinds"))) {
      String at = Pointers.child("/kinds", each.getKey());
      checkRoute(yaml, at + "/route", each.getValue().path("route"), problems);
    }
  }

  private void checkType(YamlDocument yaml, String at, ObjectNode provider, Problems problems) {
    String name = provider.path("type").stringValue();
    ProviderType type =
        types.stream().filter(each -> each.name().equals(name)).findFirst().orElse(null);
    if (type == null) {
      List<String> known = types.stream().map(ProviderType::name).toList();
      String near = Nearest.didYouMean(name, known);
      problems.add(
          yaml.problem(
              at + "/type",
              "no type of provider is named \""
                  + name
                  + "\""
                  + (near.isEmpty() ? "; expected one of " + String.join(", ", known) : near)));
    } else {
      problems.addAll(new SchemaCheck(withCommon(type)).problems(yaml, at, provider));
    }
  }

  /** The type's schema, with the common members let through and named among the known ones. */
  private static JsonNode withCommon(ProviderType type) {
    JsonNode schema = type.settingsSchema();
    if (schema instanceof ObjectNode object) {
      ObjectNode properties = object.withObjectProperty("properties");
      COMMON.forEach(name -> properties.put(name, true));
    }
    return schema;
  }

  private static void checkRoute(YamlDocument yaml, String at, JsonNode route, Problems problems) {
    Set<String> known = Set.copyOf(yaml.root().path("providers").propertyNames());
    if (route instanceof ArrayNode names) {
      for (int i = 0; i < names.size(); i++) {
        String name = names.get(i).asString("");
        if (!known.contains(name)) {
          String message = "no provider is named \"" + name + "\"";
          problems.add(
              yaml.problem(Pointers.child(at, i), message + Nearest.didYouMean(name, known)));
        }
      }
    }
  }

  private static Set<Map.Entry<String, JsonNode>> members(JsonNode object) {
    return object.properties();
  }
}
