package dev.onejob.server.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import tools.jackson.databind.JsonNode;

/** Qualifications in words. */
final class QualificationText {
  private QualificationText() {}

  /** A run in one line. */
  static String row(JsonNode run) {
    return String.format(
        Locale.ROOT,
        "%s  %-8s  %s at %s  %d of %d  by %s",
        run.path("id").asString(),
        run.path("state").asString(),
        run.path("kind").asString(),
        run.path("provider").asString(),
        run.path("answered").asInt(),
        run.path("asked").asInt(),
        run.path("requested_by").asString());
  }

  static String progress(JsonNode run) {
    return "%s: %d of %d questions answered"
        .formatted(
            run.path("provider").asString(),
            run.path("answered").asInt(),
            run.path("asked").asInt());
  }

  /** What a run would take. */
  static String prospect(JsonNode prospect) {
    String provider = prospect.path("provider").asString();
    JsonNode estimate = prospect.path("estimate");
    return estimate.isObject()
        ? "%s: %d questions, about %d prompt tokens, at most about %d completion tokens%s"
            .formatted(
                provider,
                estimate.path("questions").asInt(),
                estimate.path("prompt_tokens").asLong(),
                estimate.path("completion_tokens_max").asLong(),
                estimate.path("price_max").isObject()
                    ? ", " + CostText.money(estimate.path("price_max"))
                    : "")
        : provider + ": " + prospect.path("unusable").asString();
  }

  /** What the checks say. */
  static List<String> report(JsonNode run) {
    List<String> lines = new ArrayList<>();
    lines.add(row(run));
    JsonNode report = run.path("report");
    for (JsonNode check : report.path("checks")) {
      lines.add(check(check));
      for (JsonNode evidence : check.path("evidence")) {
        lines.add(
            "       " + evidence.path("ask").asString() + ": " + evidence.path("says").asString());
      }
    }
    JsonNode taken = report.path("taken");
    if (taken.isObject()) {
      lines.add(
          "took %d questions, %d prompt tokens, %d completion tokens%s"
              .formatted(
                  taken.path("asked").asInt(),
                  taken.path("prompt_tokens").asLong(),
                  taken.path("completion_tokens").asLong(),
                  price(taken)));
    }
    return lines;
  }

  private static String price(JsonNode taken) {
    int unpriced = taken.path("unpriced").asInt(0);
    return taken.path("price").isObject()
        ? ", "
            + CostText.money(taken.path("price"))
            + (unpriced == 0 ? "" : " and " + unpriced + " answers without a price")
        : "";
  }

  private static String check(JsonNode check) {
    String counted =
        check.path("asked").asInt() == 0
            ? check.path("note").asString("")
            : "%d of %d".formatted(check.path("right").asInt(), check.path("asked").asInt());
    return String.format(
        Locale.ROOT,
        "  %-4s %-14s %-6s %s  %s",
        check.path("check").asString(),
        check.path("verdict").asString().replace('_', ' '),
        check.path("bearing").asString(),
        check.path("title").asString(),
        counted);
  }

  /** Every question with its answer. */
  static List<String> transcript(JsonNode run) {
    List<String> lines = new ArrayList<>();
    for (JsonNode entry : run.path("transcript")) {
      JsonNode came = entry.path("came");
      lines.add("");
      lines.add(entry.path("ask").asString() + "  " + came.path("ending").asString());
      if (!entry.path("twist").isEmpty()) {
        lines.add("  asked with " + entry.path("twist"));
      }
      lines.add("  input  " + entry.path("input").asString());
      JsonNode said = came.path("said");
      String text = said.path("text").asString(came.path("result").asString(""));
      if (!text.isEmpty()) {
        lines.add("  came   " + text);
      }
      if (came.has("message")) {
        lines.add("  " + came.path("code").asString() + ": " + came.path("message").asString());
      }
    }
    return lines;
  }
}
