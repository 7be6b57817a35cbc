package dev.onejob.providers.httpasync;

import dev.onejob.providers.BoundedJson;
import dev.onejob.providers.InvalidSetting;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * What is known of providers beforehand. Sources: the public documentation of Replicate's HTTP API
 * and of fal's queue.
 */
final class Profiles {
  /** Whole values: laying one over another would make a third that nobody wrote. */
  private static final Set<String> WHOLE = Set.of("/submit/body", "/callback/also");

  private static final String GENERIC =
      """
      {
        "submit": {"method": "POST", "body": "{{}}"},
        "authorization": "Bearer",
        "id": "/id",
        "status": {"word": "/status", "error": "/error"},
        "poll": {"every": "2s"}
      }
      """;

  private static final String REPLICATE =
      """
      {
        "base_url": "https://api.replicate.com/v1",
        "submit": {"body": {"input": "{{}}"}},
        "status": {
          "path": "/predictions/{id}",
          "at_work": ["starting", "processing"],
          "succeeded": ["succeeded"],
          "failed": ["failed"],
          "stopped": ["canceled", "aborted"],
          "cost": "/metrics"
        },
        "result": {"at": "/output"},
        "cancel": {"path": "/predictions/{id}/cancel", "method": "POST"},
        "callback": {"body": "webhook", "also": {"webhook_events_filter": ["start", "completed"]}},
        "promises": {
          "evidence_for": "1h",
          "ended": "stable",
          "cancel": "best-effort",
          "hidden_reexecution": "none",
          "billing_on_cancel": "partial"
        }
      }
      """;

  private static final String FAL =
      """
      {
        "base_url": "https://queue.fal.run",
        "authorization": "Key",
        "submit": {"headers": {"X-Fal-No-Retry": "1", "X-App-Fal-Disable-Fallback": "true"}},
        "id": "/request_id",
        "status": {
          "at_work": ["IN_QUEUE", "IN_PROGRESS"],
          "succeeded": ["COMPLETED"],
          "url": "/status_url",
          "cost": "/metrics"
        },
        "result": {"at": "", "url": "/response_url", "failed_statuses": [400, 422]},
        "cancel": {"method": "PUT", "url": "/cancel_url"},
        "callback": {
          "query": "fal_webhook",
          "succeeded": ["OK"],
          "failed": ["ERROR"],
          "result": "/payload",
          "error": "/error",
          "signature": {"keys_url": "https://rest.alpha.fal.ai/.well-known/jwks.json"}
        },
        "promises": {"ended": "stable", "cancel": "best-effort", "billing_on_cancel": "unknown"}
      }
      """;

  private Profiles() {}

  /** The settings, laid over those of their profile. */
  static ObjectNode over(JsonNode settings) {
    ObjectNode merged = read(GENERIC);
    switch (settings.path("profile").asString("")) {
      case "replicate" -> {
        lay(merged, read(REPLICATE), "");
        replicate(merged, settings);
      }
      case "fal" -> {
        lay(merged, read(FAL), "");
        fal(merged, settings);
      }
      default -> {}
    }
    lay(merged, settings, "");
    return merged;
  }

  private static ObjectNode read(String json) {
    return (ObjectNode) BoundedJson.read(json.getBytes(StandardCharsets.UTF_8));
  }

  /** Members of objects one by one; anything else takes the place of what was there. */
  private static void lay(ObjectNode below, JsonNode above, String at) {
    for (Map.Entry<String, JsonNode> member : above.properties()) {
      String place = at + "/" + member.getKey();
      if (member.getValue().isNull()) {
        below.remove(member.getKey());
      } else if (below.get(member.getKey()) instanceof ObjectNode inner
          && member.getValue().isObject()
          && !WHOLE.contains(place)) {
        lay(inner, member.getValue(), place);
      } else {
        below.set(member.getKey(), member.getValue().deepCopy());
      }
    }
  }

  /** Official models have an address of their own; a version is named in the body. */
  private static void replicate(ObjectNode merged, JsonNode settings) {
    String model = settings.path("model").asString("");
    String version = settings.path("version").asString("");
    ObjectNode submit = merged.withObjectProperty("submit");
    if (!version.isEmpty()) {
      submit.put("path", "/predictions");
      submit.withObjectProperty("body").put("version", version);
    } else if (!model.isEmpty()) {
      submit.put("path", "/models/" + model + "/predictions");
    } else if (!settings.path("submit").has("path")) {
      throw new InvalidSetting("/model", "say which model or version: neither is there");
    }
  }

  /** Requests are known under the app alone: its owner and its name, without what follows. */
  private static void fal(ObjectNode merged, JsonNode settings) {
    String model = settings.path("model").asString("");
    String[] parts = model.split("/", -1);
    if (parts.length < 2) {
      throw new InvalidSetting("/model", "expected an app such as fal-ai/flux/dev");
    }
    String request = "/" + parts[0] + "/" + parts[1] + "/requests/{id}";
    merged.withObjectProperty("submit").put("path", "/" + model);
    merged.withObjectProperty("status").put("path", request + "/status");
    merged.withObjectProperty("result").put("path", request);
    merged.withObjectProperty("cancel").put("path", request + "/cancel");
  }
}
