package dev.onejob.qualification;

import java.util.Locale;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * What came of one question.
 *
 * @param code of the failure, refusal or doubt; null after a result
 * @param message for people, about the same
 * @param result what production would have kept as the result; null if nothing
 * @param said what the model said, before anybody judged it; null if nothing is known
 */
public record Observation(
    Ending ending,
    @Nullable String code,
    @Nullable String message,
    @Nullable String result,
    @Nullable Said said,
    @Nullable Rendering rendering) {

  /** How the adapter says that the call ended. */
  public enum Ending {
    SUCCEEDED,
    FAILED,
    REFUSED,
    /** Refused, and may be tried again. */
    REFUSED_FOR_NOW,
    IN_DOUBT,
    STOPPED,
    /** The adapter cannot be asked so; nothing was sent. */
    NOT_ASKABLE,
    /**
     * Nobody knows what the provider would have answered: the question is in doubt, was stopped or
     * refused for now to the end, or its answer is no longer kept. It proves nothing, either way.
     */
    UNANSWERED;

    /** The word in JSON. */
    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /**
   * The provider's own words.
   *
   * @param finish why it stopped
   * @param model who answers, by its own word
   * @param fingerprint of the system behind it
   * @param refusal the structured refusal
   * @param usage its own figures, as JSON
   */
  public record Said(
      @Nullable String text,
      @Nullable String finish,
      @Nullable String model,
      @Nullable String fingerprint,
      @Nullable String refusal,
      @Nullable String usage) {}

  /**
   * The prompt as the server renders it.
   *
   * @param pieces the text of each token, as far as the server tells it
   * @param tokens how many
   * @param roundTrip the tokens turned back into text; null if the server does not
   */
  public record Rendering(String prompt, JsonNode pieces, int tokens, @Nullable String roundTrip) {}

  /** Nothing could be asked. */
  public static Observation notAskable(String why) {
    return new Observation(Ending.NOT_ASKABLE, "not-askable", why, null, null, null);
  }

  /** The text to look at: the model's own, or else the result. */
  public @Nullable String text() {
    return said != null && said.text() != null ? said.text() : result;
  }

  /** A figure of the usage, such as {@code prompt_tokens}; -1 if it was not told. */
  public long usage(String figure) {
    JsonNode usage = Json.read(said == null ? null : said.usage());
    JsonNode found = usage.path(figure);
    return found.isIntegralNumber() ? found.longValue() : -1;
  }

  /** As it is kept. */
  public ObjectNode toJson() {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("ending", ending.word());
    put(json, "code", code);
    put(json, "message", message);
    put(json, "result", result);
    if (said != null) {
      ObjectNode words = json.putObject("said");
      put(words, "text", said.text());
      put(words, "finish", said.finish());
      put(words, "model", said.model());
      put(words, "fingerprint", said.fingerprint());
      put(words, "refusal", said.refusal());
      put(words, "usage", said.usage());
    }
    if (rendering != null) {
      ObjectNode prompt = json.putObject("rendering");
      prompt.put("prompt", rendering.prompt()).put("tokens", rendering.tokens());
      prompt.set("pieces", rendering.pieces());
      put(prompt, "round_trip", rendering.roundTrip());
    }
    return json;
  }

  private static void put(ObjectNode json, String name, @Nullable String value) {
    if (value != null) {
      json.put(name, value);
    }
  }

  /**
   * Reads what {@link #toJson} wrote.
   *
   * @throws IllegalArgumentException if it is nothing of the sort
   */
  public static Observation of(JsonNode json) {
    JsonNode words = json.path("said");
    JsonNode prompt = json.path("rendering");
    return new Observation(
        Ending.valueOf(json.path("ending").asString("").toUpperCase(Locale.ROOT)),
        text(json, "code"),
        text(json, "message"),
        text(json, "result"),
        words.isObject()
            ? new Said(
                text(words, "text"),
                text(words, "finish"),
                text(words, "model"),
                text(words, "fingerprint"),
                text(words, "refusal"),
                text(words, "usage"))
            : null,
        prompt.isObject()
            ? new Rendering(
                prompt.path("prompt").asString(""),
                prompt.path("pieces"),
                prompt.path("tokens").asInt(0),
                text(prompt, "round_trip"))
            : null);
  }

  private static @Nullable String text(JsonNode json, String name) {
    JsonNode value = json.path(name);
    return value.isString() ? value.stringValue() : null;
  }
}
