package dev.onejob.providers.openai;

import dev.onejob.domain.Failure;
import dev.onejob.providers.BoundedJson;
import dev.onejob.providers.Quoted;
import dev.onejob.providers.model.Dialect;
import dev.onejob.providers.model.Gathering;
import dev.onejob.providers.model.Spoken;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Response objects, which are kept whole. Only one that says of itself that it is over is an
 * answer; its status is what the API's reference has for the member {@code status}.
 */
final class ResponseDialect implements Dialect {
  /** Whoever set the limits reads in the response why it ends where it does. */
  private static final Set<String> SPOKEN = Set.of("completed", "incomplete");

  private static final Set<String> NOT_MADE = Set.of("failed", "cancelled");

  @Override
  public Spoken spoken(JsonNode document) throws Unrecognised {
    String status = status(document);
    if (!SPOKEN.contains(status)) {
      throw new Unrecognised("200 without a response that is over");
    }
    String model = Spoken.string(document.path("model"));
    return new Spoken(null, status, null, model, null, document.path("usage"));
  }

  @Override
  public @Nullable Failure failure(JsonNode document) {
    return NOT_MADE.contains(status(document))
        ? new Failure("response-not-made", Quoted.message(BoundedJson.text(document)))
        : null;
  }

  private static String status(JsonNode document) {
    return document.path("status").asString("");
  }

  /** What has an id has been taken in hand. */
  @Override
  public boolean begun(JsonNode document) {
    return document.has("id");
  }

  @Override
  public Gathering gathering() {
    throw new IllegalStateException("settings that pass the input on ask for no stream");
  }

  @Override
  public @Nullable String endMark() {
    return null;
  }
}
