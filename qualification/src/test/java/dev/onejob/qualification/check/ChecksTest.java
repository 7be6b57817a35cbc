package dev.onejob.qualification.check;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.onejob.qualification.Ask;
import dev.onejob.qualification.Ask.Series;
import dev.onejob.qualification.Candidate;
import dev.onejob.qualification.Candidate.Ability;
import dev.onejob.qualification.Check;
import dev.onejob.qualification.Json;
import dev.onejob.qualification.Judgement;
import dev.onejob.qualification.Judgement.Bearing;
import dev.onejob.qualification.Judgement.Verdict;
import dev.onejob.qualification.Observation;
import dev.onejob.qualification.Observation.Ending;
import dev.onejob.qualification.Plan;
import dev.onejob.qualification.Promise;
import dev.onejob.qualification.Transcript;
import dev.onejob.qualification.Transcript.Entry;
import dev.onejob.qualification.Twist;
import dev.onejob.qualification.report.Report;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** What the run against the faulty peer does not show. */
class ChecksTest {
  private static final Promise PROMISE =
      new Plain(
          """
          {"properties": {"a": {"properties": {"b": {"type": "string"}}},
                          "n": {"$ref": "#/$defs/n"}},
           "$defs": {"n": {"properties": {"x": {}}}}}
          """);

  private static final Set<Ability> ALL = Set.of(Ability.values());

  private record Plain(String text, List<String> keyFields, Trust inputTrust, String sample)
      implements Promise {
    private Plain(String text) {
      this(text, List.of("/number", "/lines/0/amount"));
    }

    private Plain(String text, List<String> keyFields) {
      this(text, keyFields, Trust.TRUSTED, "one");
    }

    @Override
    public String hash() {
      return "h";
    }

    @Override
    public Optional<JsonNode> schema() {
      return Optional.of(Json.read(text));
    }

    @Override
    public List<Sample> samples() {
      return List.of(new Sample(sample, "{}".getBytes(UTF_8)));
    }

    @Override
    public @Nullable Double temperature() {
      return 0.0;
    }

    @Override
    public int repetitions() {
      return 5;
    }

    @Override
    public double passRate() {
      return 0.5;
    }

    @Override
    public double confidence() {
      return 0.95;
    }

    @Override
    public Speaking speaking() {
      return Speaking.ANY_LANGUAGE;
    }

    @Override
    public List<Breach> breaches(Sample sample, String result, @Nullable String usage) {
      return List.of();
    }
  }

  private static Candidate candidate(Set<Ability> abilities) {
    return new Candidate("p", "openai-chat", "b", "1", "m", Map.of(), abilities);
  }

  private static Judgement judged(String check, Set<Ability> abilities, List<Entry> entries) {
    return Checks.ALL.stream()
        .filter(each -> each.id().equals(check))
        .findFirst()
        .orElseThrow()
        .judge(new Transcript(PROMISE, candidate(abilities), entries, List.of()));
  }

  private static Judgement agreement(List<String> keyFields, String known, String answer) {
    Promise promise = new Plain("{}", keyFields);
    return new Agreement()
        .judge(new Transcript(promise, candidate(Set.of()), samples(answer), samples(known)));
  }

  @Test
  void answers_of_two_providers_are_compared_by_the_declared_key_fields_alone() {
    String known = "{\"total\": 1.50, \"who\": {\"id\": \"a\"}, \"note\": \"its words\"}";
    String other = "{\"note\": \"in others\", \"who\": {\"id\": \"a\"}, \"total\": 1.5}";
    List<String> keys = List.of("/total", "/who/id", "/lines/0/sku");

    assertThat(agreement(keys, known, other).verdict()).isEqualTo(Verdict.PASSED);
    Judgement all = agreement(List.of(), known, other);
    assertThat(all.verdict()).isEqualTo(Verdict.FAILED);
    assertThat(all.bearing()).isEqualTo(Judgement.Bearing.REPORT);
    assertThat(all.evidence().getFirst().says()).isEqualTo("another answer in note");
    assertThat(agreement(keys, known, other.replace("\"a\"", "\"b\"")).evidence())
        .singleElement()
        .extracting(Judgement.Evidence::says)
        .isEqualTo("another answer in /who/id");
    assertThat(agreement(keys, known, "{\"total\": 1.5}").evidence().getFirst().says())
        .isEqualTo("another answer in /who/id");
  }

  @Test
  void what_nobody_asks_yet_is_said_to_be_not_asked_and_why() {
    Judgement judgement = judged("Q25", Set.of(), samples("{}"));

    assertThat(judgement.verdict()).isEqualTo(Verdict.NOT_APPLICABLE);
    assertThat(judgement.blocks()).isFalse();
    assertThat(judgement.note())
        .isEqualTo(
            "not asked: no adapter streams yet, so that openai-chat asks production's questions in"
                + " one mode only");
  }

  private static List<Entry> samples(String... answers) {
    List<Entry> entries = new ArrayList<>();
    for (String answer : answers) {
      Observation.Said said = new Observation.Said(answer, "stop", "m", null, null, null);
      entries.add(
          new Entry(
              new Ask(Series.SAMPLE, "one", entries.size() + 1, new byte[0], Twist.none(), null),
              new Observation(Ending.SUCCEEDED, null, null, answer, said, null)));
    }
    return entries;
  }

  private static Entry rendering(Series series, Observation came) {
    return new Entry(new Ask(series, "one", 1, new byte[0], Twist.none(), null), came);
  }

  private static Observation without(Ending ending) {
    return new Observation(ending, "c", "m", null, null, null);
  }

  @Test
  void a_prompt_that_was_not_shown_for_now_is_no_reason_to_leave_its_checks_out() {
    Observation.Rendering prompt =
        new Observation.Rendering("<s> x <|assistant|>", Json.read("[]"), 3, null);
    Observation shown = new Observation(Ending.SUCCEEDED, null, null, null, null, prompt);
    for (Ending other : List.of(Ending.UNANSWERED, Ending.REFUSED, Ending.NOT_ASKABLE)) {
      Judgement judgement =
          judged(
              "Q11",
              Set.of(Ability.TWISTED),
              List.of(
                  rendering(Series.RENDERING, shown),
                  rendering(Series.RENDERED_CONTEXT, without(other))));
      assertThat(judgement.verdict()).as("%s", other).isEqualTo(Verdict.INCONCLUSIVE);
      assertThat(judgement.note()).contains("rendered-context/one/1 is missing");
    }
    for (String check : List.of("Q11", "Q13")) {
      List<Entry> never =
          List.of(
              rendering(Series.RENDERING, without(Ending.NOT_ASKABLE)),
              rendering(Series.RENDERED_CONTEXT, without(Ending.NOT_ASKABLE)));
      assertThat(judged(check, Set.of(), never).verdict()).isEqualTo(Verdict.NOT_APPLICABLE);
      List<Entry> unknown = List.of(rendering(Series.RENDERING, without(Ending.UNANSWERED)));
      assertThat(judged(check, Set.of(), unknown).blocks()).isTrue();
    }
  }

  @Test
  void what_nobody_knows_keeps_a_run_from_its_pass_and_is_no_wrong_answer() {
    List<Entry> entries = new ArrayList<>(samples("{}", "{}"));
    entries.add(
        new Entry(
            new Ask(Series.FAILURE, "cut", 1, new byte[0], Twist.none(), Json.read("{}")),
            without(Ending.UNANSWERED)));
    Transcript transcript = new Transcript(PROMISE, candidate(Set.of()), entries, List.of());
    Report report = Report.on(transcript, null);
    assertThat(report.unanswered()).isEqualTo(1);
    assertThat(report.passes()).isFalse();
    assertThat(Report.on(transcript.known(), null).disproves()).isFalse();
    entries.add(failure("cut", Ending.IN_DOUBT, Ending.FAILED));
    Transcript wrong = new Transcript(PROMISE, candidate(Set.of()), entries, List.of());
    assertThat(Report.on(wrong.known(), null).disproves()).isTrue();
  }

  private static Entry failure(String play, Ending expected, Ending came) {
    JsonNode words = Json.read("{\"ending\": \"" + expected.word() + "\"}");
    return new Entry(
        new Ask(Series.FAILURE, play, 1, new byte[0], Twist.none(), words),
        new Observation(came, "c", "m", null, null, null));
  }

  @Test
  void a_doubt_that_an_adapter_takes_for_a_failure_is_no_pass() {
    Judgement judgement =
        judged(
            "Q22",
            Set.of(),
            List.of(
                failure("cut", Ending.IN_DOUBT, Ending.FAILED),
                failure("status-429", Ending.REFUSED_FOR_NOW, Ending.REFUSED_FOR_NOW)));
    assertThat(judgement.verdict()).isEqualTo(Verdict.FAILED);
    assertThat(judgement.evidence().getFirst().says())
        .isEqualTo("a line that breaks after the request is taken for failed instead of in_doubt");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          Q1 | '\ufeff{}'                  | a byte order mark
          Q1 | I have no idea             | the answer is prose and no JSON
          Q1 | {} {}                      | more stands after the JSON
          Q4 | '{"wrapper": {"a": {}}}'   | it may be wrapped or renamed
          Q4 | '{"a": {}, "z": 1}'        | extra keys at the top level: z
          Q5 | '{"a": {"b": "string"}}'   | /a/b is
          Q5 | '{"a": {"b": ""}}'         | every text is empty
          Q8 | '{"a": {"b": "As an AI language model, I cannot"}}' | refusal
          Q12 | 'assistant: {}'           | assistant:
          """)
  void a_fault_is_named(String check, String answer, String says) {
    Judgement judgement = judged(check, Set.of(), samples(answer, answer, answer, answer, answer));
    assertThat(judgement.verdict()).isEqualTo(Verdict.FAILED);
    assertThat(judgement.evidence().getFirst().says()).contains(says);
  }

  @Test
  void keys_below_the_top_level_are_told_and_do_not_stand_in_the_way() {
    Judgement judgement = judged("Q4", Set.of(), samples("{\"a\":{\"c\":1},\"n\":{\"y\":1}}"));
    assertThat(judgement.verdict()).isEqualTo(Verdict.PASSED);
    assertThat(judgement.evidence().getFirst().says()).contains("/a/c").contains("/n/y");
  }

  @Test
  void one_wrong_answer_of_five_is_no_pass_and_one_of_twenty_is() {
    String[] answers = new String[20];
    Arrays.fill(answers, "{}");
    answers[3] = "no";
    assertThat(judged("Q1", Set.of(), samples(answers)).verdict()).isEqualTo(Verdict.PASSED);
    assertThat(judged("Q1", Set.of(), samples("{}", "{}", "no", "{}", "{}")).verdict())
        .isEqualTo(Verdict.FAILED);
  }

  @Test
  void a_model_that_takes_no_temperature_is_judged_by_what_production_asks() {
    List<Entry> entries = new ArrayList<>(samples("{}", "{}", "{}", "{}", "{}"));
    entries.add(
        new Entry(
            new Ask(Series.COLD, "one", 1, new byte[0], Twist.none(), null),
            new Observation(Ending.REFUSED, "status-400", "no temperature", null, null, null)));
    Judgement judgement = judged("Q17", Set.of(), entries);
    assertThat(judgement.verdict()).isEqualTo(Verdict.PASSED);
    assertThat(judgement.evidence().getFirst().says()).contains("temperature cannot be set");
  }

  @Test
  void a_gate_to_which_no_answer_says_anything_stands_in_the_way() {
    Judgement judgement = judged("Q1", Set.of(), List.of());
    assertThat(judgement.verdict()).isEqualTo(Verdict.INCONCLUSIVE);
    assertThat(judgement.blocks()).isTrue();
  }

  private static Entry echo(int number, @Nullable String text) {
    JsonNode expected = Json.read("{\"echo\": [\"x\"]}");
    Ending ending = text == null ? Ending.IN_DOUBT : Ending.SUCCEEDED;
    return new Entry(
        new Ask(Series.ECHO, "strings", number, new byte[0], Twist.none(), expected),
        new Observation(ending, "c", "m", text, null, null));
  }

  @Test
  void one_right_answer_among_questions_that_got_none_is_no_pass() {
    String right = "{\"echo\": [\"x\"]}";
    Set<Ability> twisted = Set.of(Ability.TWISTED);
    Judgement lone =
        judged(
            "Q15",
            twisted,
            List.of(echo(1, right), echo(2, null), echo(3, null), echo(4, null), echo(5, null)));
    assertThat(lone.verdict()).isEqualTo(Verdict.INCONCLUSIVE);
    assertThat(lone.blocks()).isTrue();
    assertThat(judged("Q15", twisted, List.of(echo(1, right), echo(2, right))).verdict())
        .isEqualTo(Verdict.PASSED);
  }

  @Test
  void a_contract_with_a_temperature_that_production_does_not_set_is_not_proved() {
    Set<Ability> twisted = Set.of(Ability.TWISTED);
    Judgement judgement = judged("Q18", twisted, samples("{}"));
    assertThat(judgement.verdict()).isEqualTo(Verdict.FAILED);
    assertThat(judgement.evidence().getFirst().says()).contains("production sets no temperature");

    Candidate set =
        new Candidate(
            "p", "openai-chat", "b", "1", "m", Map.of("temperature", Json.read("0.0")), twisted);
    assertThat(Plan.of(PROMISE, set, "run_1"))
        .filteredOn(ask -> ask.series() == Series.SAMPLE)
        .isNotEmpty()
        .allMatch(ask -> ask.twist().isNone());
  }

  @Test
  void untrusted_inputs_in_the_same_turn_as_the_instructions_are_no_pass_for_a_model() {
    Promise untrusted = new Plain("{}", List.of(), Promise.Trust.UNTRUSTED, "one");
    Judgement judgement =
        Canary.precedence()
            .judge(
                new Transcript(
                    untrusted, candidate(Set.of(Ability.TWISTED)), List.of(), List.of()));
    assertThat(judgement.verdict()).isEqualTo(Verdict.INCONCLUSIVE);
    assertThat(judgement.blocks()).isTrue();
  }

  @Test
  void what_has_to_be_cut_is_longer_than_the_limit_whatever_the_answers_of_the_contract_are() {
    assertThat(Plan.of(PROMISE, candidate(Set.of(Ability.TWISTED)), "run_1"))
        .filteredOn(ask -> ask.series() == Series.CUT)
        .singleElement()
        .satisfies(
            ask -> {
              JsonNode twist = ask.twist().document();
              assertThat(twist.path("user").asString().split(" ")).hasSizeGreaterThan(60);
              assertThat(twist.path("parameters").path("max_tokens").asInt()).isEqualTo(8);
            });
  }

  @Test
  void what_production_does_not_have_is_not_asked_for() {
    assertThat(judged("Q9", Set.of(Ability.TWISTED), List.of()).verdict())
        .isEqualTo(Verdict.NOT_APPLICABLE);
    assertThat(judged("Q10", Set.of(Ability.SYSTEM_TURN), List.of()).bearing())
        .as("of a contract that trusts its inputs")
        .isEqualTo(Bearing.REPORT);
  }

  @Test
  void a_program_is_asked_the_samples_and_what_cannot_be_asked_of_it_says_why() {
    Candidate program = new Candidate("p", "command", "b", "1", null, Map.of(), Set.of());
    List<Ask> asks = Plan.of(PROMISE, program, "run_1");
    assertThat(asks).isNotEmpty().allMatch(ask -> ask.series() == Series.SAMPLE);
    assertThat(Plan.Estimate.of(asks, program, null))
        .isEqualTo(new Plan.Estimate(asks.size(), 0, 0, null));
    for (Check check : Checks.ALL) {
      Judgement judgement = check.judge(new Transcript(PROMISE, program, List.of(), List.of()));
      assertThat(judgement.verdict()).as(check.id()).isNotEqualTo(Verdict.PASSED);
      assertThat(judgement.note()).as(check.id()).isNotEmpty();
    }
  }

  @Test
  void the_plan_of_a_run_is_the_same_wherever_it_is_made() {
    List<String> one = keysAndTwists(Plan.of(PROMISE, candidate(ALL), "run_1"));
    assertThat(keysAndTwists(Plan.of(PROMISE, candidate(ALL), "run_1"))).isEqualTo(one);
    assertThat(keysAndTwists(Plan.of(PROMISE, candidate(ALL), "run_2"))).isNotEqualTo(one);
    Promise oddlyCalled = new Plain("{}", List.of(), Promise.Trust.TRUSTED, "context");
    for (Promise promise : List.of(PROMISE, oddlyCalled)) {
      assertThat(Plan.of(promise, candidate(ALL), "run_1").stream().map(Ask::key))
          .doesNotHaveDuplicates();
    }
  }

  private static List<String> keysAndTwists(List<Ask> asks) {
    return asks.stream().map(ask -> ask.key() + Json.text(ask.twist().document())).toList();
  }
}
