package dev.onejob.server.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import tools.jackson.databind.JsonNode;

/** Qualifications in words. */
final class QualificationText {
  /** An image in base 64 would fill the screen. */
  private static final int INPUT_CHARS_SHOWN = 1_000;

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
    if (!estimate.isObject()) {
      return provider + ": " + prospect.path("unusable").asString();
    }
    String questions = provider + ": " + estimate.path("questions").asInt() + " questions";
    long prompt = estimate.path("prompt_tokens").asLong();
    return prompt == 0
        ? questions + "; no model is asked, and there are no tokens"
        : "%s, about %d prompt tokens, at most about %d completion tokens%s"
            .formatted(
                questions,
                prompt,
                estimate.path("completion_tokens_max").asLong(),
                estimate.path("price_max").isObject()
                    ? ", " + CostText.money(estimate.path("price_max"))
                    : "");
  }

  /** What the checks say. */
  static List<String> report(JsonNode run) {
    List<String> lines = new ArrayList<>();
    lines.add(row(run));
    JsonNode report = run.path("report");
    for (JsonNode check : report.path("checks")) {
      lines.add(check(check));
      evidence(check.path("evidence"), lines);
    }
    JsonNode taken = report.path("taken");
    if (taken.isObject()) {
      long prompt = taken.path("prompt_tokens").asLong();
      long completion = taken.path("completion_tokens").asLong();
      String questions = "took " + taken.path("asked").asInt() + " questions";
      lines.add(
          prompt + completion == 0
              ? questions
              : "%s, %d prompt tokens, %d completion tokens%s"
                  .formatted(questions, prompt, completion, price(taken)));
    }
    return lines;
  }

  /** What follows one another and says the same of one question stands in one line. */
  private static void evidence(JsonNode all, List<String> lines) {
    for (int i = 0; i < all.size(); i++) {
      String ask = all.path(i).path("ask").asString();
      String says = all.path(i).path("says").asString();
      int alike = 0;
      while (saysTheSame(all.path(i + 1), question(ask), says)) {
        alike++;
        i++;
      }
      String more = alike == 0 ? "" : " (and " + alike + " more alike)";
      lines.add("       " + ask + ": " + says + more);
    }
  }

  private static boolean saysTheSame(JsonNode evidence, String question, String says) {
    return evidence.path("says").asString("").equals(says)
        && question(evidence.path("ask").asString("")).equals(question);
  }

  /** Without the number of the repetition. */
  private static String question(String ask) {
    return ask.substring(0, Math.max(0, ask.lastIndexOf('/')));
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

  /** The JSON form has it whole. */
  private static String beginning(String input) {
    return input.length() <= INPUT_CHARS_SHOWN
        ? input
        : input.substring(0, INPUT_CHARS_SHOWN) + "… (" + input.length() + " characters)";
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
      lines.add("  input  " + beginning(entry.path("input").asString()));
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
