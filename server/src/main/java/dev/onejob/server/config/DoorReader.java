package dev.onejob.server.config;

import dev.onejob.document.Nearest;
import dev.onejob.document.Pointers;
import dev.onejob.document.Problems;
import dev.onejob.document.YamlDocument;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SequencedMap;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Reads the OpenAI door, and says where it leads to nothing that could answer. */
final class DoorReader {
  private static final String AT = "/openai_door";
  private static final String CHAT = "openai-chat";

  /**
   * Clearly shorter than the 10 minutes after which the official clients give up and ask again: the
   * last word, with what it says about asking again, has to reach them before that.
   */
  private static final Duration PATIENCE = Duration.ofMinutes(9);

  /** Time for an answer that is a little late; who cannot be told more is told of the doubt. */
  private static final Duration DOUBT_PATIENCE = Duration.ofSeconds(10);

  private static final Duration PATIENCE_MAX = Duration.ofDays(1);

  /** Shorter than what proxies allow a silent line: a minute with most of them. */
  private static final Duration KEEP_ALIVE = Duration.ofSeconds(15);

  private static final Duration KEEP_ALIVE_MAX = Duration.ofMinutes(1);

  /** Longer than the pauses between the retries of a client, which are seconds. */
  private static final Duration WINDOW = Duration.ofMinutes(1);

  private static final Duration WINDOW_MAX = Duration.ofDays(1);

  private final YamlDocument yaml;
  private final Problems problems;

  DoorReader(YamlDocument yaml, Problems problems) {
    this.yaml = yaml;
    this.problems = problems;
  }

  /** Null without a door. */
  @Nullable DoorSettings read(JsonNode root) {
    JsonNode door = root.path("openai_door");
    if (door.isMissingNode()) {
      return null;
    }
    if (!door.has("chat_completions") && !door.has("responses")) {
      problems.add(yaml.problem(AT, "needs at least one of chat_completions, responses"));
    }
    JsonNode derived = door.path("derived_keys");
    return new DoorSettings(
        kinds(root, "chat_completions"),
        kinds(root, "responses"),
        duration("/patience", PATIENCE, PATIENCE_MAX),
        duration("/doubt_patience", DOUBT_PATIENCE, PATIENCE_MAX),
        duration("/keep_alive", KEEP_ALIVE, KEEP_ALIVE_MAX),
        derived.isMissingNode() ? null : duration("/derived_keys/window", WINDOW, WINDOW_MAX));
  }

  private SequencedMap<String, String> kinds(JsonNode root, String endpoint) {
    SequencedMap<String, String> kinds = new LinkedHashMap<>();
    Set<String> known = Set.copyOf(root.path("kinds").propertyNames());
    for (Map.Entry<String, JsonNode> each : root.at(AT).path(endpoint).properties()) {
      String at = Pointers.child(AT + "/" + endpoint, each.getKey());
      String kind = each.getValue().asString("");
      if (known.contains(kind)) {
        checkRoute(root, endpoint, at, kind);
      } else {
        problems.add(
            yaml.problem(
                at, "no kind is named \"" + kind + "\"" + Nearest.didYouMean(kind, known)));
      }
      kinds.put(each.getKey(), kind);
    }
    return kinds;
  }

  /** Any other type of provider may give what it likes; what this one gives is known. */
  private void checkRoute(JsonNode root, String endpoint, String at, String kind) {
    for (JsonNode name : root.path("kinds").path(kind).path("route")) {
      JsonNode provider = root.path("providers").path(name.asString(""));
      if (provider.path("type").asString("").equals(CHAT)
          && !(provider.path("request").asString("").equals("input")
              && provider.path("endpoint").asString("chat_completions").equals(endpoint))) {
        problems.add(
            yaml.problem(
                at,
                "the provider "
                    + name.asString("")
                    + " of the kind "
                    + kind
                    + " cannot answer here: it needs request: input, and endpoint: "
                    + endpoint));
      }
    }
  }

  private Duration duration(String setting, Duration otherwise, Duration most) {
    Duration read = DurationText.parse(yaml.root().at(AT + setting).asString("")).orElse(otherwise);
    if (read.isZero() || read.compareTo(most) > 0) {
      problems.add(
          yaml.problem(
              AT + setting, "must be longer than nothing, and at most " + most.toSeconds() + "s"));
    }
    return read;
  }
}
