package dev.onejob.providers.openai;

import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * The settings of one endpoint, as the schema beside this class describes them.
 *
 * @param refusedStatuses statuses that this endpoint sends only before any work
 * @param request where the request comes from; null: from templates
 * @param endpoint which of the API it is sent to; null: chat completions
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
    @Nullable List<Integer> refusedStatuses,
    @Nullable Source request,
    @Nullable Endpoint endpoint) {

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

  /** Where the request comes from, if not from templates. */
  enum Source {
    /** The job's input is the request, as a client of the API has written it. */
    INPUT
  }

  /** Which endpoint of the API. */
  enum Endpoint {
    CHAT_COMPLETIONS("/chat/completions"),
    RESPONSES("/responses");

    private final String path;

    Endpoint(String path) {
      this.path = path;
    }
  }

  /** Whether the job's input is the request. */
  boolean passesInputOn() {
    return request == Source.INPUT;
  }

  /** Whether it speaks of responses, not of chat completions. */
  boolean asksForResponses() {
    return endpoint == Endpoint.RESPONSES;
  }

  /** The path below the address of the API. */
  String path() {
    return endpoint == null ? Endpoint.CHAT_COMPLETIONS.path : endpoint.path;
  }

  Reading reading() {
    return result == null ? Reading.TEXT : result;
  }

  List<Integer> refused() {
    return refusedStatuses == null ? List.of() : refusedStatuses;
  }
}
