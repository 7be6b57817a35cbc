package dev.onejob.server.config;

import dev.onejob.document.Problems;
import dev.onejob.document.YamlDocument;
import dev.onejob.server.webhooks.AddressPolicy;
import dev.onejob.server.webhooks.AddressPolicy.Reach;
import dev.onejob.server.webhooks.Network;
import dev.onejob.server.webhooks.WebhookSettings;
import dev.onejob.server.webhooks.WebhookSettings.Scheme;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;

/** Reads where webhooks may reach. */
final class WebhookReader {
  private final YamlDocument yaml;
  private final Problems problems;

  WebhookReader(YamlDocument yaml, Problems problems) {
    this.yaml = yaml;
    this.problems = problems;
  }

  /** The usual settings where one is broken; the problem is noted then. */
  WebhookSettings read(JsonNode webhooks) {
    WebhookSettings usual = WebhookSettings.USUAL;
    boolean reachesPrivate = webhooks.path("allow_private_addresses").asBoolean(false);
    boolean allowsHttp = webhooks.path("allow_http").asBoolean(false);
    AddressPolicy policy =
        new AddressPolicy(
            reachesPrivate ? Reach.PRIVATE : Reach.PUBLIC,
            networks(webhooks.path("allowed_networks")));
    try {
      return new WebhookSettings(
          policy,
          allowsHttp ? Scheme.HTTP_TOO : Scheme.HTTPS,
          length(webhooks, "timeout", usual.timeout()),
          length(webhooks, "keep_for", usual.kept()));
    } catch (IllegalArgumentException e) { // the rules name the setting first: "timeout: …"
      String[] parts = String.valueOf(e.getMessage()).split(": ", 2);
      problems.add(yaml.problem("/webhooks/" + parts[0], parts[parts.length - 1]));
      return usual;
    }
  }

  private List<Network> networks(JsonNode texts) {
    List<Network> networks = new ArrayList<>();
    for (int i = 0; i < texts.size(); i++) {
      try {
        networks.add(Network.of(texts.path(i).asString()));
      } catch (IllegalArgumentException e) {
        problems.add(
            yaml.problem("/webhooks/allowed_networks/" + i, String.valueOf(e.getMessage())));
      }
    }
    return networks;
  }

  private static Duration length(JsonNode webhooks, String name, Duration otherwise) {
    return DurationText.parse(webhooks.path(name).asString("")).orElse(otherwise);
  }
}
