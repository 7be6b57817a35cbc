package dev.onejob.providers.openai;

import dev.onejob.domain.Failure;
import dev.onejob.domain.Limits;
import dev.onejob.domain.Result;
import dev.onejob.domain.Retryability;
import dev.onejob.domain.Usage;
import dev.onejob.provider.Outcome;
import dev.onejob.providers.BoundedJson;
import dev.onejob.providers.Quoted;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * What a response object without an error means. Only a response that says of itself that it is
 * over is a result; its status is what the API's reference has for the member {@code status}.
 */
final class ResponseDocument {
  private ResponseDocument() {}

  static Outcome outcome(JsonNode document, byte[] body) {
    return switch (document.path("status").asString("")) {
      // The client has set the limits, and reads why the answer ends where it does.
      case "completed", "incomplete" -> succeeded(document, body);
      case "failed", "cancelled" ->
          new Outcome.Failed(
              new Failure("response-not-made", Quoted.message(BoundedJson.text(document))),
              Retryability.FINAL,
              null,
              cost(document),
              usage(document));
      default ->
          new Outcome.InDoubt(
              new Failure(
                  "unrecognised-answer",
                  Quoted.message("200 without a response that is over", text(document))));
    };
  }

  private static Outcome succeeded(JsonNode document, byte[] body) {
    return body.length > Limits.RESULT_BYTES_MAX
        ? Completion.tooLarge()
        : new Outcome.Succeeded(
            new Result(Result.Format.JSON, body), cost(document), usage(document));
  }

  private static @Nullable String cost(JsonNode document) {
    JsonNode usage = document.path("usage");
    return usage.isObject() ? Quoted.message(BoundedJson.text(usage)) : null;
  }

  private static Usage usage(JsonNode document) {
    JsonNode model = document.path("model");
    return document.path("usage").isObject() && model.isString()
        ? Completion.usage(document, model.stringValue())
        : Usage.UNSAID;
  }

  private static String text(JsonNode document) {
    return BoundedJson.text(document);
  }
}
