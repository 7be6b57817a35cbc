package dev.onejob.providers.openai;

import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * The settings of one endpoint, as the schema beside this class describes them.
 *
 * @param refusedStatuses statuses that this endpoint sends only before any work
 */
record ChatSettings(
    String baseUrl,
    String model,
    @Nullable String apiKeyEnv,
    @Nullable String apiKeyFile,
    @Nullable ObjectNode parameters,
    @Nullable String system,
    @Nullable List<Message> messages,
    @Nullable String prompt,
    @Nullable Reading result,
    @Nullable List<Integer> refusedStatuses) {

  /** One message; its content is a template. */
  record Message(String role, String content) {}

  /** What of the completion is the result. */
  enum Reading {
    /** The message's content, as text. */
    TEXT,
    /** The message's content, which has to be JSON. */
    JSON,
    /** The completion as it came. */
    WHOLE
  }

  Reading reading() {
    return result == null ? Reading.TEXT : result;
  }

  List<Integer> refused() {
    return refusedStatuses == null ? List.of() : refusedStatuses;
  }
}
