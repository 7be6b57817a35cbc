package dev.onejob.providers.openai;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/**
 * Where a request reaches beyond one answer of the one provider that it is sent to: another model
 * or provider beside it, a state that stays beside the answer, or what others have left at the
 * provider, whose one account all owners share. Sources: the reference of OpenAI's API for its two
 * endpoints; those of OpenRouter and LiteLLM for routes and fallbacks.
 *
 * @param pointer where in the request, as a JSON Pointer
 * @param why a sentence for whoever has written the request
 */
public record Overreach(String pointer, String why) {
  private static final String ELSEWHERE =
      "Which model and which provider are asked, and what comes after a failure, is said by the"
          + " route of the kind; leave this out.";
  private static final String KEPT =
      "What the provider keeps is shared by all owners; send the whole of the conversation"
          + " instead.";
  private static final String STORED =
      "Answers are not stored at the provider beside the job; leave this out, or send false.";
  private static final String STORE = "store";
  private static final String INPUT = "input";
  private static final String REFERENCE = "item_reference";

  /** In the order in which they are told. */
  private static final List<Map.Entry<String, String>> REFUSED =
      List.of(
          Map.entry("models", ELSEWHERE),
          Map.entry("fallbacks", ELSEWHERE),
          Map.entry("context_window_fallbacks", ELSEWHERE),
          Map.entry("content_policy_fallbacks", ELSEWHERE),
          Map.entry("num_retries", ELSEWHERE),
          Map.entry("route", ELSEWHERE),
          Map.entry("provider", ELSEWHERE),
          Map.entry("preset", ELSEWHERE),
          Map.entry("conversation", KEPT),
          Map.entry("previous_response_id", KEPT),
          Map.entry("prompt", KEPT));

  /**
   * The first one of a request. A member that is null is left out.
   *
   * @param request an object
   */
  public static Optional<Overreach> of(JsonNode request) {
    for (Map.Entry<String, String> each : REFUSED) {
      if (request.hasNonNull(each.getKey())) {
        return Optional.of(new Overreach("/" + each.getKey(), each.getValue()));
      }
    }
    JsonNode store = request.path(STORE);
    boolean stores = request.hasNonNull(STORE) && !(store.isBoolean() && !store.booleanValue());
    return stores
        ? Optional.of(new Overreach("/" + STORE, STORED))
        : reference(request.path(INPUT));
  }

  private static Optional<Overreach> reference(JsonNode input) {
    if (input.isArray()) {
      int place = 0;
      for (JsonNode item : input) {
        if (isReference(item)) {
          return Optional.of(new Overreach("/" + INPUT + "/" + place, KEPT));
        }
        place++;
      }
    }
    return Optional.empty();
  }

  /** One without a type is a message if it has a role; else its id is all that it has to say. */
  private static boolean isReference(JsonNode item) {
    return item.hasNonNull("type")
        ? item.path("type").asString("").equals(REFERENCE)
        : item.hasNonNull("id") && !item.hasNonNull("role");
  }
}
