package dev.onejob.providers.model;

import dev.onejob.providers.http.StatusMeaning;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/**
 * What an error object inside a 200, or inside a stream, proves. Only words that are known to be
 * said before any work count; every other one is doubt, and so are words that contradict each
 * other.
 */
final class ErrorMeaning {
  private static final Map<String, StatusMeaning> WORDS =
      Map.ofEntries(
          Map.entry("unauthorized", StatusMeaning.REFUSED_FINAL),
          Map.entry("authentication_error", StatusMeaning.REFUSED_FINAL),
          Map.entry("invalid_api_key", StatusMeaning.REFUSED_FINAL),
          Map.entry("permission_error", StatusMeaning.REFUSED_FINAL),
          Map.entry("permission_denied", StatusMeaning.REFUSED_FINAL),
          Map.entry("invalid_request", StatusMeaning.REFUSED_FINAL),
          Map.entry("invalid_request_error", StatusMeaning.REFUSED_FINAL),
          Map.entry("request_too_large", StatusMeaning.REFUSED_FINAL),
          Map.entry("billing_error", StatusMeaning.REFUSED_FINAL),
          Map.entry("model_not_found", StatusMeaning.REFUSED_FINAL),
          Map.entry("not_found_error", StatusMeaning.REFUSED_FINAL),
          Map.entry("context_length_exceeded", StatusMeaning.REFUSED_FINAL),
          Map.entry("insufficient_quota", StatusMeaning.REFUSED_FINAL),
          Map.entry("rate_limit", StatusMeaning.REFUSED_RETRYABLE),
          Map.entry("rate_limit_error", StatusMeaning.REFUSED_RETRYABLE),
          Map.entry("rate_limit_exceeded", StatusMeaning.REFUSED_RETRYABLE));

  private static final Pattern STATUS = Pattern.compile("[1-5][0-9]{2}");

  private ErrorMeaning() {}

  static StatusMeaning of(JsonNode error) {
    Set<StatusMeaning> meanings =
        (error.isObject() ? Stream.of(error.path("code"), error.path("type")) : Stream.of(error))
            .filter(ErrorMeaning::isWord)
            .map(ErrorMeaning::ofWord)
            .collect(Collectors.toSet());
    return meanings.size() == 1 ? meanings.iterator().next() : StatusMeaning.DOUBT;
  }

  /** What is missing says nothing, and {@code "type": "error"} no more than that it is one. */
  private static boolean isWord(JsonNode word) {
    boolean isThere = !word.isMissingNode() && !word.isNull();
    return isThere && !(word.isString() && word.stringValue().equals("error"));
  }

  /** Some gateways put the status that they mean into the error, as a number or its digits. */
  private static StatusMeaning ofWord(JsonNode word) {
    if (word.isInt()) {
      return StatusMeaning.of(word.intValue());
    }
    String said = word.isString() ? word.stringValue() : "";
    return STATUS.matcher(said).matches()
        ? StatusMeaning.of(Integer.parseInt(said))
        : WORDS.getOrDefault(said.toLowerCase(Locale.ROOT), StatusMeaning.DOUBT);
  }
}
