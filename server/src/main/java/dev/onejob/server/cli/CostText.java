package dev.onejob.server.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/** What jobs, attempts and qualifications have cost, as people read it. */
final class CostText {
  private CostText() {}

  /** An amount with its currency. */
  static String money(JsonNode money) {
    return JobText.word(money, "amount") + " " + JobText.word(money, "currency");
  }

  private static String sum(JsonNode amounts) {
    return amounts.valueStream().map(CostText::money).collect(Collectors.joining(" + "));
  }

  /** In short: a plus sign says that there are attempts whose price is not known. */
  static String paid(JsonNode cost) {
    String paid = sum(cost.path("paid"));
    boolean more = cost.path("unpriced_attempts").asInt(0) > 0;
    return paid.isEmpty() ? "-" : paid + (more ? " +" : "");
  }

  /** A line about a job that has cost something, as far as prices are known; else nothing. */
  static String job(JsonNode job) {
    JsonNode cost = job.path("cost");
    String paid = sum(cost.path("paid"));
    if (paid.isEmpty()) {
      return "";
    }
    List<String> parts = new ArrayList<>(List.of("cost " + paid));
    String lost = sum(cost.path("paid_for_lost"));
    if (!lost.isEmpty()) {
      parts.add(lost + " of it for answers that came too late");
    }
    String saved = sum(cost.path("saved_by_repeats"));
    if (!saved.isEmpty()) {
      parts.add(saved + " saved by " + cost.path("repeats").asLong(0) + " repeats");
    }
    int unpriced = cost.path("unpriced_attempts").asInt(0);
    if (unpriced > 0) {
      parts.add(unpriced + " attempts without a price");
    }
    return "\n  " + String.join("; ", parts);
  }

  /** What is known of the cost of an attempt; else nothing. */
  static String attempt(JsonNode attempt) {
    List<String> parts = new ArrayList<>();
    JsonNode usage = attempt.path("usage");
    if (usage.isObject()) {
      parts.add(tokens(usage, "input_tokens") + " + " + tokens(usage, "output_tokens") + " tokens");
    }
    if (attempt.path("price").isObject()) {
      parts.add(money(attempt.path("price")));
    }
    return parts.isEmpty() ? "" : ", " + String.join(", ", parts);
  }

  private static String tokens(JsonNode usage, String member) {
    JsonNode tokens = usage.path(member);
    return tokens.isIntegralNumber() ? tokens.asString() : "?";
  }
}
