package dev.onejob.server.ui.qualifications;

import dev.onejob.domain.QualificationRun;
import dev.onejob.server.ui.page.Shown;
import dev.onejob.server.ui.qualifications.QuestionPage.Came;
import dev.onejob.server.ui.qualifications.QuestionPage.Words;
import dev.onejob.server.ui.qualifications.RunPage.Beside;
import dev.onejob.server.ui.qualifications.RunPage.Check;
import dev.onejob.server.ui.qualifications.RunPage.Line;
import dev.onejob.server.ui.qualifications.RunPage.Question;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Reads reports and transcripts of runs for people, as the command line does. */
final class RunReading {
  /** What a first view has room for; everything is kept, and told by the API. */
  private static final int LINES_MAX = 6;

  private static final int SAYS_CHARS_MAX = 300;
  private static final int ANSWERS_MAX = 8;

  private static final JsonMapper MAPPER =
      JsonMapper.builder().enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS).build();

  private RunReading() {}

  static RunPage page(QualificationRun run, List<Beside> beside) {
    JsonNode report = tree(run.report());
    JsonNode transcript = tree(run.transcript());
    List<Question> questions = questions(transcript, report.path("checks"));
    Set<String> keys = questions.stream().map(Question::key).collect(Collectors.toSet());
    List<Check> checks =
        report.path("checks").valueStream().map(each -> check(each, keys)).toList();
    return new RunPage(run, checks, questions, taken(report), beside);
  }

  private static JsonNode tree(@Nullable String json) {
    return json == null ? MAPPER.missingNode() : MAPPER.readTree(json);
  }

  private static Check check(JsonNode check, Set<String> keys) {
    List<Line> lines = lines(check.path("evidence"), keys);
    return new Check(
        text(check, "check"),
        text(check, "title"),
        text(check, "verdict").replace('_', ' '),
        text(check, "bearing"),
        check.path("asked").asInt(0) == 0
            ? text(check, "note")
            : check.path("right").asInt(0) + " of " + check.path("asked").asInt(0),
        lines.stream().limit(LINES_MAX).map(RunReading::brief).toList(),
        Math.max(0, lines.size() - LINES_MAX));
  }

  /** What follows one another and says the same of one question stands in one line. */
  private static List<Line> lines(JsonNode evidence, Set<String> keys) {
    List<Line> lines = new ArrayList<>();
    for (JsonNode each : evidence) {
      String ask = text(each, "ask");
      String says = text(each, "says");
      String question = keys.contains(question(ask)) ? question(ask) : "";
      Line last = lines.isEmpty() ? null : lines.getLast();
      if (last != null && last.says().equals(says) && question(last.ask()).equals(question(ask))) {
        lines.set(lines.size() - 1, new Line(last.question(), last.ask(), says, last.alike() + 1));
      } else {
        lines.add(new Line(question, ask, says, 0));
      }
    }
    return lines;
  }

  private static Line brief(Line line) {
    String says = line.says();
    return says.length() <= SAYS_CHARS_MAX
        ? line
        : new Line(
            line.question(), line.ask(), Words.of(says, SAYS_CHARS_MAX).text() + "…", line.alike());
  }

  /** Without the number of the repetition. */
  private static String question(String ask) {
    return ask.substring(0, Math.max(0, ask.lastIndexOf('/')));
  }

  private static List<Question> questions(JsonNode transcript, JsonNode checks) {
    Map<String, Long> faults =
        checks
            .valueStream()
            .flatMap(check -> check.path("evidence").valueStream())
            .collect(
                Collectors.groupingBy(each -> question(text(each, "ask")), Collectors.counting()));
    SequencedMap<String, List<JsonNode>> byQuestion = byQuestion(transcript);
    return byQuestion.entrySet().stream()
        .map(
            each ->
                new Question(
                    each.getKey(),
                    each.getValue().size(),
                    endings(each.getValue()),
                    faults.getOrDefault(each.getKey(), 0L).intValue()))
        .toList();
  }

  private static SequencedMap<String, List<JsonNode>> byQuestion(JsonNode transcript) {
    SequencedMap<String, List<JsonNode>> all = new LinkedHashMap<>();
    for (JsonNode entry : transcript) {
      all.computeIfAbsent(question(text(entry, "ask")), key -> new ArrayList<>()).add(entry);
    }
    return all;
  }

  private static String endings(List<JsonNode> entries) {
    return entries.stream()
        .collect(
            Collectors.groupingBy(
                entry -> text(entry.path("came"), "ending"),
                LinkedHashMap::new,
                Collectors.counting()))
        .entrySet()
        .stream()
        .map(each -> each.getValue() + " " + each.getKey().replace('_', ' '))
        .collect(Collectors.joining(", "));
  }

  private static String taken(JsonNode report) {
    JsonNode taken = report.path("taken");
    if (!taken.isObject()) {
      return "";
    }
    long prompt = taken.path("prompt_tokens").asLong(0);
    long completion = taken.path("completion_tokens").asLong(0);
    String questions = Shown.count(taken.path("asked").asLong(0)) + " questions";
    if (prompt + completion == 0) {
      return questions;
    }
    JsonNode price = taken.path("price");
    int unpriced = taken.path("unpriced").asInt(0);
    return questions
        + ", "
        + Shown.count(prompt)
        + " prompt tokens, "
        + Shown.count(completion)
        + " completion tokens"
        + (price.isObject() ? ", " + text(price, "amount") + " " + text(price, "currency") : "")
        + (price.isObject() && unpriced > 0 ? " and " + unpriced + " answers without a price" : "");
  }

  /**
   * A question of a run.
   *
   * @param with runs to stand beside it
   * @return empty if the run was not asked so
   */
  static Optional<QuestionPage> question(
      QualificationRun run, String key, List<QualificationRun> with, List<Beside> beside) {
    List<JsonNode> entries = byQuestion(tree(run.transcript())).get(key);
    if (entries == null) {
      return Optional.empty();
    }
    JsonNode first = entries.getFirst();
    JsonNode twist = first.path("twist");
    List<QuestionPage.Side> sides =
        Stream.concat(Stream.of(run), with.stream()).map(each -> side(each, key)).toList();
    return Optional.of(
        new QuestionPage(
            run.id().toString(),
            run.subject().kind(),
            key,
            Words.of(text(first, "input")),
            twist.isEmpty() ? "" : twist.toString(),
            first.has("expected") ? first.path("expected").toString() : null,
            sides,
            beside));
  }

  private static QuestionPage.Side side(QualificationRun run, String key) {
    JsonNode checks = tree(run.report()).path("checks");
    List<Came> all = new ArrayList<>();
    for (JsonNode entry : byQuestion(tree(run.transcript())).getOrDefault(key, List.of())) {
      add(all, came(entry, checks));
    }
    return new QuestionPage.Side(
        run.id().toString(),
        run.subject().provider(),
        all.stream().limit(ANSWERS_MAX).toList(),
        Math.max(0, all.size() - ANSWERS_MAX));
  }

  private static void add(List<Came> all, Came next) {
    for (int i = 0; i < all.size(); i++) {
      Came known = all.get(i);
      if (alike(known, next)) {
        all.set(
            i,
            new Came(
                joined(known.asks(), next.asks()),
                known.ending(),
                known.said(),
                known.text(),
                known.besides(),
                joined(known.judged(), next.judged()).stream().distinct().toList()));
        return;
      }
    }
    all.add(next);
  }

  private static <T> List<T> joined(List<T> some, List<T> more) {
    return Stream.concat(some.stream(), more.stream()).toList();
  }

  private static boolean alike(Came one, Came other) {
    return one.ending().equals(other.ending())
        && one.text().equals(other.text())
        && Objects.equals(one.said(), other.said());
  }

  private static Came came(JsonNode entry, JsonNode checks) {
    JsonNode came = entry.path("came");
    JsonNode said = came.path("said");
    String ask = text(entry, "ask");
    List<String> judged =
        checks
            .valueStream()
            .flatMap(
                check ->
                    check
                        .path("evidence")
                        .valueStream()
                        .filter(each -> text(each, "ask").equals(ask))
                        .map(each -> text(check, "check") + ": " + text(each, "says")))
            .toList();
    return new Came(
        List.of(entry.path("number").asInt(0)),
        text(came, "ending").replace('_', ' '),
        came.has("message") ? text(came, "code") + ": " + text(came, "message") : null,
        Words.of(said.has("text") ? text(said, "text") : text(came, "result")),
        Stream.of("finish", "model", "usage")
            .filter(said::has)
            .map(name -> name + " " + text(said, name))
            .collect(Collectors.joining(" · ")),
        judged);
  }

  private static String text(JsonNode json, String name) {
    return json.path(name).asString("");
  }
}
