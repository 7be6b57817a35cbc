package dev.onejob.contract;

import dev.onejob.domain.Breach;
import dev.onejob.domain.Limits;
import dev.onejob.domain.Result;
import dev.onejob.intent.JsonLimits;
import dev.onejob.intent.JsonRefused;
import dev.onejob.intent.JsonValue;
import dev.onejob.intent.ResultReading;
import dev.onejob.intent.StrictJson;
import dev.onejob.provider.Finish;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonPointer;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.StringNode;

/** The checks of one contract, in their order: what cannot be read is not looked at further. */
final class Checks {
  /** The provider did not stop because it was done. */
  static final String FINISH = "finish-reason";

  /** The answer is larger than it may be. */
  static final String SIZE = "answer-size";

  /** The answer has another form than the contract reads. */
  static final String FORM = "answer-form";

  /** A number is too large or too small to be looked at. */
  static final String NUMBER = "number-range";

  /** The answer differs from what is known of the right one. */
  static final String EXPECTED = "expected-value";

  private final Terms terms;
  private final @Nullable JsonNode schema;
  private final @Nullable OutputSchema output;
  private final @Nullable SchemaPlaces places;
  private final List<CompiledRule> rules;
  private final Map<String, List<CompiledRule>> sampleRules = new LinkedHashMap<>();

  Checks(Terms terms) {
    this.terms = terms;
    this.schema = terms.schema() == null ? null : ExactNodes.normalised(terms.schema());
    this.output = schema == null ? null : new OutputSchema(schema);
    this.places = schema == null ? null : new SchemaPlaces(schema);
    RuleLanguage language = new RuleLanguage();
    this.rules = terms.rules().stream().map(language::compile).toList();
    for (Sample sample : terms.samples()) {
      sampleRules.put(sample.name(), sample.rules().stream().map(language::compile).toList());
    }
  }

  /** An answer as it is looked at: a tree, or text. */
  private record Seen(@Nullable JsonNode tree, String text) {}

  List<Breach> of(byte[] input, Answer answer) {
    return new Judging(input, answer).all(rules);
  }

  List<Breach> of(Sample sample, Answer answer) {
    List<CompiledRule> own = sampleRules.get(sample.name());
    if (own == null) {
      throw new IllegalArgumentException(terms.name() + " has no sample " + sample.name());
    }
    List<CompiledRule> all = new ArrayList<>(rules);
    all.addAll(own);
    Judging judging = new Judging(sample.input(), answer);
    List<Breach> breaches = new ArrayList<>(judging.all(all));
    sample.equal().entrySet().stream()
        .sorted(Map.Entry.comparingByKey())
        .forEach(each -> judging.expect(each.getKey(), each.getValue()));
    breaches.addAll(judging.unexpected);
    return bounded(breaches);
  }

  private static List<Breach> bounded(List<Breach> breaches) {
    return List.copyOf(breaches.subList(0, Math.min(breaches.size(), Limits.BREACHES_MAX)));
  }

  /** One answer on its way through the checks. */
  private final class Judging {
    private final byte[] input;
    private final Answer answer;
    private final List<Breach> found = new ArrayList<>();
    private final List<Breach> unexpected = new ArrayList<>();
    private @Nullable Seen seen;

    Judging(byte[] input, Answer answer) {
      this.input = input;
      this.answer = answer;
    }

    List<Breach> all(List<CompiledRule> demanded) {
      if (answer.finish() != Finish.NORMAL) {
        return List.of(finish());
      }
      if (answer.result().bytes().length > terms.answerBytesMax()) {
        return List.of(
            breach(SIZE, "the answer is larger than " + terms.answerBytesMax() + " bytes"));
      }
      seen = read();
      if (seen == null) {
        return bounded(found);
      }
      form(seen);
      if (found.isEmpty()) { // rules may take for granted what the schema demands
        rules(seen, demanded);
      }
      return bounded(found);
    }

    private Breach finish() {
      return breach(
          FINISH,
          switch (answer.finish()) {
            case NORMAL -> "";
            case TRUNCATED -> "the model stopped at its token limit";
            case FILTERED -> "withheld by a filter";
            case TOOL_CALL -> "a call of a tool instead of an answer";
            case PAUSED -> "the model paused before it was done";
            case UNKNOWN -> "the reason why the model stopped is not known";
          });
    }

    private @Nullable Seen read() {
      return terms.answering() == Answering.TEXT ? text() : json();
    }

    private @Nullable Seen text() {
      if (answer.result().format() != Result.Format.TEXT) {
        found.add(breach(FORM, "expected text, got JSON"));
        return null;
      }
      try {
        byte[] utf8 = ResultReading.readText(answer.result().bytes());
        String text = new String(utf8, StandardCharsets.UTF_8);
        if (text.isBlank()) {
          found.add(breach(FORM, "the answer is empty"));
        }
        return new Seen(null, text);
      } catch (JsonRefused e) {
        found.add(breach(FORM, "the answer is not text in UTF-8"));
        return null;
      }
    }

    private @Nullable Seen json() {
      byte[] bytes = answer.result().bytes();
      String text = new String(bytes, StandardCharsets.UTF_8);
      return switch (WholeBody.read(bytes)) {
        case WholeBody.Reading.Spoiled spoiled -> {
          boolean refusal = RefusalPhrases.begins(text);
          found.add(
              refusal ? breach(RefusalPhrases.CHECK, "the answer is a refusal") : spoiled.breach());
          yield null;
        }
        case WholeBody.Reading.Whole whole -> tree(whole.value(), text);
      };
    }

    private @Nullable Seen tree(JsonValue value, String text) {
      try {
        return new Seen(ExactNodes.of(value), text);
      } catch (ExactNodes.OutOfRange e) {
        found.add(
            new Breach(NUMBER, PathText.cut(e.pointer()), "", String.valueOf(e.getMessage())));
        return null;
      }
    }

    private void form(Seen it) {
      String asked = new String(input, StandardCharsets.UTF_8);
      JsonNode tree = it.tree();
      if (tree == null) {
        texts("", it.text(), asked);
        return;
      }
      if (schema != null && output != null && places != null) {
        found.addAll(output.breaches(tree));
        undeclared(tree, schema, places);
        found.addAll(Echo.of(schema, places, tree));
      }
      if (terms.answering() == Answering.MEDIA) {
        found.addAll(MediaBody.breaches(tree, terms.mediaTypes()));
      } else {
        Strings.of(tree, (pointer, text) -> texts(pointer, text, asked));
      }
    }

    private void undeclared(JsonNode tree, JsonNode declared, SchemaPlaces at) {
      if (UndeclaredMembers.saysItself(declared)) {
        return;
      }
      for (String pointer : UndeclaredMembers.of(at, tree)) {
        if (UndeclaredMembers.isTop(pointer)) {
          found.add(
              new Breach(
                  UndeclaredMembers.CHECK,
                  PathText.cut(pointer),
                  "",
                  "the contract declares no such member"));
        }
      }
    }

    private void texts(String pointer, String text, String asked) {
      if (found.size() > Limits.BREACHES_MAX) {
        return;
      }
      if (terms.refusals() == Refusals.BROKEN && RefusalPhrases.begins(text)) {
        found.add(new Breach(RefusalPhrases.CHECK, PathText.cut(pointer), "", "a refusal"));
      }
      ControlMarkers.leaked(text, asked)
          .ifPresent(
              marker ->
                  found.add(
                      new Breach(
                          ControlMarkers.LEAKED,
                          PathText.cut(pointer),
                          "",
                          "the control marker " + PathText.cut(marker))));
      if (ControlMarkers.mangled(text, asked)) {
        found.add(
            new Breach(ControlMarkers.MANGLED, PathText.cut(pointer), "", "U+FFFD in the text"));
      }
    }

    private void rules(Seen it, List<CompiledRule> demanded) {
      if (demanded.isEmpty()) {
        return;
      }
      Optional<JsonNode> asked = inputTree();
      if (asked.isEmpty()) {
        found.add(breach(OutputSchema.LIMIT, "the input has a number that rules cannot look at"));
        return;
      }
      JsonNode said = it.tree() == null ? StringNode.valueOf(it.text()) : it.tree();
      RuleValues values = RuleValues.of(asked.get(), said, answer.usage());
      for (CompiledRule rule : demanded) {
        rule.breach(values).ifPresent(found::add);
      }
    }

    /** The input was read when it was admitted; a sample's when its contract was. */
    private Optional<JsonNode> inputTree() {
      try {
        return Optional.of(ExactNodes.of(StrictJson.read(input, JsonLimits.INPUT)));
      } catch (ExactNodes.OutOfRange e) {
        return Optional.empty();
      } catch (JsonRefused e) {
        throw new IllegalArgumentException("no input of a job: " + e.getMessage(), e);
      }
    }

    void expect(String pointer, JsonNode value) {
      JsonNode tree = seen == null ? null : seen.tree();
      if (tree == null) {
        return;
      }
      JsonNode there = tree.at(JsonPointer.compile(pointer));
      if (!there.equals(ExactNodes.normalised(value))) {
        unexpected.add(
            new Breach(
                EXPECTED,
                PathText.cut(pointer),
                "",
                PathText.cut("expected " + ExactNodes.normalised(value) + ", " + came(there))));
      }
    }

    /** Samples are nobody's secret: what came in place of the expected may be told. */
    private static String came(JsonNode there) {
      return there.isMissingNode()
          ? "nothing is there"
          : there.isContainer() ? "another value came" : there + " came";
    }
  }

  private static Breach breach(String check, String message) {
    return new Breach(check, "", "", message);
  }
}
