package dev.onejob.bench.contest;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import tools.jackson.databind.JsonNode;

/** The tables of a contest, as Markdown. */
final class ContestReport {
  private final Scores scores;

  ContestReport(Scores scores) {
    this.scores = scores;
  }

  String tables() {
    StringBuilder text = new StringBuilder();
    text.append(
        table(
            "Rates",
            true,
            List.of(
                Figure.LIVES,
                Figure.DRAIN,
                Figure.BACKLOG,
                Figure.BULK,
                Figure.SUBMITS_16,
                Figure.SUBMITS_64)));
    text.append(
        table(
            "Latency in an open loop, milliseconds, from the moment when a job was due",
            false,
            List.of(
                Figure.SUBMIT_P50_AT_300,
                Figure.SUBMIT_P99_AT_300,
                Figure.START_P50_AT_300,
                Figure.START_P99_AT_300,
                Figure.SUBMIT_P50_AT_50,
                Figure.SUBMIT_P99_AT_50,
                Figure.START_P50_AT_50,
                Figure.START_P99_AT_50)));
    text.append(
        table(
            "What it takes",
            false,
            List.of(
                Figure.CPU,
                Figure.CPU_PEER,
                Figure.CPU_POSTGRES,
                Figure.PEAK_MEMORY,
                Figure.FIRST_START,
                Figure.START)));
    text.append(ratios());
    text.append(who());
    text.append(troubles("Every job of every contestant ran exactly once, in every round."));
    return text.toString();
  }

  /** The name for people; that of the recipe, if it never spoke. */
  String name(String contestant) {
    JsonNode said = scores.descriptions().get(contestant);
    if (said == null) {
      return contestant;
    }
    String variant = said.path("variant").asString("");
    return said.path("peer").asString() + (variant.isEmpty() ? "" : ", " + variant);
  }

  /**
   * Contestants and figures; what nobody has is left out.
   *
   * @param lacks whether what each does not do stands beside
   */
  String table(String title, boolean lacks, List<Figure> figures) {
    List<Figure> shown =
        figures.stream()
            .filter(
                figure ->
                    scores.contestants().stream()
                        .anyMatch(one -> !scores.of(one, figure).isEmpty()))
            .toList();
    if (shown.isEmpty()) {
      return "";
    }
    StringBuilder text = new StringBuilder("### " + title + "\n\n| |");
    shown.forEach(figure -> text.append(" ").append(figure.words()).append(" |"));
    text.append(lacks ? " does not do |" : "");
    text.append("\n| --- |").append(" ---: |".repeat(shown.size()));
    text.append(lacks ? " --- |" : "").append("\n");
    for (String one : scores.contestants()) {
      if (shown.stream().allMatch(figure -> scores.of(one, figure).isEmpty())) {
        continue;
      }
      text.append("| ").append(name(one)).append(" |");
      for (Figure figure : shown) {
        String cell = Numbers.words(scores.median(one, figure), scores.of(one, figure));
        text.append(" ").append(cell).append(" |");
      }
      text.append(lacks ? " " + lacks(one) + " |" : "").append("\n");
    }
    return text.append("\n").toString();
  }

  private String lacks(String contestant) {
    JsonNode said = scores.descriptions().get(contestant);
    List<String> lacks = new ArrayList<>();
    if (said != null) {
      said.path("does_not").forEach(word -> lacks.add(word.asString()));
    }
    return lacks.isEmpty() ? "–" : String.join(", ", lacks);
  }

  /** What is asked of us, beside what came out. */
  private String ratios() {
    StringBuilder text =
        new StringBuilder("### Bars\n\n| what | reached | bar | |\n| --- | ---: | --- | --- |\n");
    List<String> rows = new ArrayList<>();
    best(rows, "whole lives ÷ best on PostgreSQL", Roster.ON_POSTGRES, Figure.LIVES, 2.5);
    best(rows, "whole lives ÷ BullMQ", List.of(Roster.BULLMQ), Figure.LIVES, 1.0);
    best(rows, "whole lives ÷ the limit", Roster.LIMITS, Figure.LIVES, 0.55);
    String fused = scores.best(Roster.FUSED_LIMITS, Figure.LIVES).orElse("");
    rows.add(
        plain(
            "whole lives of a kind that goes on from doubt ÷ the fused limit (%s)"
                .formatted(rival(fused)),
            scores.ratio(Roster.GOING_ON, fused, Figure.LIVES)));
    best(rows, "drain ÷ the limit", Roster.LIMITS, Figure.DRAIN, 0.6);
    best(rows, "bulk submit ÷ the limit", Roster.LIMITS, Figure.BULK, 0.7);
    best(
        rows,
        "submit p99 at 300/s ÷ best on PostgreSQL",
        Roster.ON_POSTGRES,
        Figure.SUBMIT_P99_AT_300,
        1.1);
    best(
        rows,
        "submit to start p50 at 50/s, one node ÷ best on PostgreSQL",
        Roster.ON_POSTGRES,
        Figure.START_P50_AT_50,
        1.2);
    best(
        rows,
        "submit to start p99 at 50/s, one node ÷ best on PostgreSQL",
        Roster.ON_POSTGRES,
        Figure.START_P99_AT_50,
        1.2);
    best(rows, "CPU per life ÷ db-scheduler", List.of(Roster.DB_SCHEDULER), Figure.CPU, 0.5);
    rows.forEach(text::append);
    return text.append("\n").toString();
  }

  private void best(List<String> rows, String what, List<String> among, Figure figure, double bar) {
    String rival = scores.best(among, figure).orElse("");
    OptionalDouble ratio = scores.ratio(Roster.US, rival, figure);
    String word = figure.moreIsBetter() ? "≥ " : "≤ ";
    rows.add(row(what + " (" + rival(rival) + ")", ratio, word, bar, figure.moreIsBetter()));
  }

  private String rival(String contestant) {
    return contestant.isEmpty() ? "not measured" : name(contestant);
  }

  /** A figure that has no bar. */
  static String plain(String what, OptionalDouble figure) {
    return "| %s | %s | – | |\n"
        .formatted(what, figure.isEmpty() ? "–" : Numbers.words(figure.getAsDouble()));
  }

  static String row(String what, OptionalDouble reached, String word, double bar, boolean atLeast) {
    String verdict =
        reached.isEmpty()
            ? "–"
            : (atLeast ? reached.getAsDouble() >= bar : reached.getAsDouble() <= bar)
                ? "reached"
                : "**not reached**";
    String figure = reached.isEmpty() ? "–" : Numbers.words(reached.getAsDouble());
    return "| %s | %s | %s%s | %s |\n".formatted(what, figure, word, Numbers.words(bar), verdict);
  }

  /** Versions and settings. */
  String who() {
    StringBuilder text =
        new StringBuilder(
            "### Who takes part\n\n"
                + "| | version | settings | durable in | keeps of a finished job |\n"
                + "| --- | --- | --- | --- | --- |\n");
    for (Map.Entry<String, JsonNode> one : scores.descriptions().entrySet()) {
      JsonNode said = one.getValue();
      text.append(
          "| %s | %s, %s | %s | %s | %s |\n"
              .formatted(
                  name(one.getKey()),
                  said.path("version").asString(),
                  said.path("runtime").asString(),
                  said.path("settings").asString(),
                  said.path("store").asString(),
                  said.path("keeps").asString()));
    }
    return text.append("\n").toString();
  }

  /**
   * The turns without figures, and why.
   *
   * @param none what is said if there are none
   */
  String troubles(String none) {
    if (scores.troubles().isEmpty()) {
      return none + "\n";
    }
    StringBuilder text = new StringBuilder("Rounds without figures:\n\n");
    scores.troubles().forEach((one, why) -> text.append("- %s: %s\n".formatted(name(one), why)));
    return text.toString();
  }

  /** A chart of one figure; empty if nobody has it. */
  String chart(Figure figure) {
    List<Bars.Bar> bars = new ArrayList<>();
    for (String one : scores.contestants()) {
      List<Double> all = scores.of(one, figure);
      if (!all.isEmpty()) {
        bars.add(
            new Bars.Bar(
                name(one),
                scores.median(one, figure).orElseThrow(),
                Collections.min(all),
                Collections.max(all),
                one.equals(Roster.US) || one.equals(Roster.GOING_ON)));
      }
    }
    return bars.isEmpty() ? "" : Bars.draw(figure.words(), bars);
  }
}
