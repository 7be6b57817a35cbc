package dev.onejob.providers.responses;

import dev.onejob.providers.BoundedJson;
import dev.onejob.providers.model.Spoken;
import java.util.Optional;
import java.util.Set;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/**
 * The event that OpenAI sends when a response in the background has ended. It names the response
 * and brings no result: it is a reason to look, whoever sent it.
 */
final class WebhookEvent {
  private static final Set<String> ENDS =
      Set.of("response.completed", "response.failed", "response.cancelled", "response.incomplete");

  private WebhookEvent() {}

  /** The id of the response that has ended; empty if the event says nothing of the sort. */
  static Optional<String> endedResponse(byte[] body) {
    try {
      JsonNode event = BoundedJson.read(body);
      String id = Spoken.string(event.path("data").path("id"));
      return id != null
              && ResponseReading.isId(id)
              && ENDS.contains(event.path("type").asString(""))
          ? Optional.of(id)
          : Optional.empty();
    } catch (JacksonException e) {
      return Optional.empty(); // whoever sent it, it is none of these events
    }
  }
}
