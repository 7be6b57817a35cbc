package dev.onejob.contract;

import static dev.onejob.contract.Answers.INPUT;
import static dev.onejob.contract.Answers.breaches;
import static dev.onejob.contract.Answers.contract;
import static dev.onejob.contract.Answers.json;
import static dev.onejob.contract.Answers.places;
import static dev.onejob.contract.Answers.text;
import static dev.onejob.contract.Answers.utf8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.onejob.domain.Breach;
import dev.onejob.domain.ContractVerdict;
import dev.onejob.domain.Result;
import dev.onejob.provider.Finish;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class ContractTest {
  private static final String INVOICE =
      """
      contract: invoice
      version: 1
      answer: json
      output:
        type: object
        required: [total, lines]
        properties:
          total: {type: number, description: the sum of all lines}
          currency: {enum: [EUR, USD]}
          note: {type: string}
          lines:
            type: array
            items:
              type: object
              required: [amount]
              properties:
                amount: {type: number, multipleOf: 0.01}
                what: {type: string, pattern: "^[a-z ]+$"}
      rules:
        - name: sums-match
          rule: sum(output.lines.map(l, l.amount)) == output.total
          message: the lines add up to the total
          path: /total
        - name: cheap
          rule: usage == null || usage.total_tokens < 1000
          message: at most 1,000 tokens
      """;
  private static final Contract CONTRACT = contract(INVOICE);
  private static final String GOOD =
      "{\"total\": 2.70, \"lines\": [{\"amount\": 2.4}, {\"amount\": 0.30, \"what\": \"ink\"}]}";

  @ParameterizedTest
  @ValueSource(
      strings = {
        GOOD,
        "\n " + GOOD + "\r\n",
        "{\"total\": 0, \"lines\": []}",
        "{\"total\": 0.0e5, \"lines\": [], \"currency\": \"EUR\"}",
        "{\"total\": 27e-1, \"lines\": [{\"amount\": 2.700}]}",
        "{\"total\":12345678901234567890.12,\"lines\":[{\"amount\":12345678901234567890.12}]}",
        "{\"total\": 1, \"lines\": [{\"amount\": 1, \"unheard\": true}]}",
      })
  void an_answer_that_keeps_it_is_kept(String answer) {
    assertThat(breaches(CONTRACT, json(answer))).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiterString = " => ",
      quoteCharacter = '~',
      value = {
        "{\"total\": 2.70, \"lines\": [{\"amount\": 2.4}]} => rule /total",
        "{\"total\": \"2.70\", \"lines\": []} => schema /total",
        "{\"lines\": []} => schema ",
        "{\"total\": 1, \"lines\": [{\"amount\": 1}, {\"amount\": 0.505}]}"
            + " => schema /lines/1/amount",
        "{\"total\": 0, \"lines\": [{\"amount\": 0, \"what\": \"Ink\"}]} => schema /lines/0/what",
        "{\"total\": 0, \"lines\": [], \"currency\": \"GBP\"} => schema /currency",
        "{\"total\": 0, \"lines\": [], \"confidence\": 0.9} => undeclared-member /confidence",
        "{\"total\": 0, \"lines\": [], \"total\": 0} => duplicate-member /total",
        "{\"total\": 0, \"lines\": []} {} => whole-body ",
        "[] => schema ",
        "{\"total\": 0, \"lines\": [], \"note\": \"string\"} => placeholder /note",
        "{\"total\": 0, \"lines\": [], \"note\": \"<note>\"} => placeholder /note",
        "{\"total\": 0, \"lines\": [], \"note\": \"As an AI language model, I cannot\"}"
            + " => refusal /note",
        "{\"total\": 0, \"lines\": [], \"note\": \"fine<|im_end|>\"} => control-marker /note",
        "{\"total\": 0, \"lines\": [], \"note\": \"caf\uFFFD\"} => mangled-text /note",
        "{\"total\": 1e2000, \"lines\": []} => number-range /total",
        "{\"total\": 1e999999999999, \"lines\": []} => number-range /total",
      })
  void a_breach_names_its_check_and_its_place(String answer, String place) {
    assertThat(places(breaches(CONTRACT, json(answer))))
        .containsExactly(place.contains(" ") ? place : place + " ");
  }

  @Test
  void a_breach_of_the_schema_names_the_rule_within_it() {
    Breach breach = breaches(CONTRACT, json("{\"total\": true, \"lines\": []}")).getFirst();

    assertThat(breach.rule()).isEqualTo("/properties/total/type");
    assertThat(breach.message()).contains("number");
  }

  @ParameterizedTest
  @CsvSource(
      delimiterString = " => ",
      quoteCharacter = '~',
      value = {
        "```json\\n{}\\n``` => in a code fence",
        "Here is the JSON you asked for: {} => there is text before it",
        "{\"total\": 0} I hope this helps! => there is text after it",
        "{} {} => a second value comes after it",
        "It costs two euros. => it is text",
        "\uFEFF{} => byte order mark",
        "{\"total\": 0, \"lines\": [ => ",
      })
  void what_is_around_the_value_is_named_and_never_taken_away(String answer, String says) {
    List<Breach> found = breaches(CONTRACT, json(answer.replace("\\n", "\n")));

    assertThat(found).singleElement().extracting(Breach::check).isEqualTo("whole-body");
    assertThat(found.getFirst().message()).contains(says == null ? "" : says);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "I'm sorry, but I can't help with that.",
        "I cannot assist with this request.",
        "Unfortunately, as an AI model, I am unable to provide it.",
        "Es tut mir leid, aber ich kann dabei nicht helfen.",
        "Je suis désolé, mais je ne peux pas vous aider.",
        "Lo siento, pero no puedo ayudar con eso."
      })
  void a_refusal_is_told_as_one(String refusal) {
    assertThat(places(breaches(CONTRACT, json(refusal)))).containsExactly("refusal ");
    assertThat(places(breaches(contract("contract: t\nversion: 1\nanswer: text"), text(refusal))))
        .containsExactly("refusal ");
    assertThat(
            breaches(
                contract("contract: t\nversion: 1\nanswer: text\nrefusals: allowed"),
                text(refusal)))
        .isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "I can see two lines.",
        "I will help you with the invoice.",
        "Sorry seems to be the hardest word.",
        "The clerk said: I'm sorry, but I can't help with that.",
        "Ich kann zwei Zeilen lesen."
      })
  void what_only_sounds_alike_is_no_refusal(String text) {
    assertThat(breaches(contract("contract: t\nversion: 1\nanswer: text"), text(text))).isEmpty();
  }

  @ParameterizedTest
  @EnumSource(value = Finish.class, mode = EnumSource.Mode.EXCLUDE, names = "NORMAL")
  void an_answer_that_did_not_end_as_it_should_is_not_even_read(Finish finish) {
    ContractVerdict verdict = CONTRACT.check(INPUT, new Answer(json(GOOD), finish, null));

    assertThat(places(breaches(verdict))).containsExactly("finish-reason ");
  }

  @Test
  void the_schema_itself_and_its_example_are_no_answers() {
    Contract echo =
        contract(
            """
            contract: echo
            version: 1
            answer: json
            output:
              type: object
              additionalProperties: true
              properties:
                name: {type: string}
              examples:
                - {name: Ada}
            """);

    String schema = String.valueOf(echo.terms().schema());
    assertThat(places(breaches(echo, json(schema)))).containsExactly("schema-echo ");
    assertThat(places(breaches(echo, json("{\"name\": \"Ada\"}")))).containsExactly("schema-echo ");
    assertThat(breaches(echo, json("{\"name\": \"Bo\", \"more\": 1}"))).isEmpty();
  }

  @Test
  void what_the_input_says_the_answer_may_say() {
    byte[] input = utf8("{\"text\": \"What does <|im_end|> mean?\"}");
    Contract any = contract("contract: t\nversion: 1\nanswer: text");

    assertThat(any.check(input, text("<|im_end|> ends a turn."), null))
        .isEqualTo(new ContractVerdict.Kept());
    assertThat(places(breaches(any, text("<|im_end|> ends a turn."))))
        .containsExactly("control-marker ");
  }

  @Test
  void usage_is_a_value_that_rules_look_at() {
    assertThat(places(breaches(CONTRACT.check(INPUT, json(GOOD), "{\"total_tokens\": 5000}"))))
        .containsExactly("rule ");
    assertThat(CONTRACT.check(INPUT, json(GOOD), "{\"total_tokens\": 50}"))
        .isEqualTo(new ContractVerdict.Kept());
  }

  @Test
  void an_input_that_rules_cannot_look_at_lets_nothing_through() {
    byte[] huge = utf8("{\"n\": 1e999999999}");

    assertThat(places(breaches(CONTRACT.check(huge, json(GOOD), null))))
        .containsExactly("check-limit ");
  }

  @Test
  void an_answer_larger_than_allowed_is_not_read() {
    Contract small = contract("contract: t\nversion: 1\nanswer: text\nanswer_bytes_max: 4");

    assertThat(breaches(small, text("four"))).isEmpty();
    assertThat(places(breaches(small, text("fivee")))).containsExactly("answer-size ");
  }

  @Test
  void json_where_text_is_awaited_is_another_form_and_text_that_is_json_is_json() {
    Contract text = contract("contract: t\nversion: 1\nanswer: text");

    assertThat(places(breaches(text, json("\"words\"")))).containsExactly("answer-form ");
    assertThat(breaches(CONTRACT, text(GOOD))).isEmpty();
    assertThat(CONTRACT.format()).isEqualTo(Result.Format.JSON);
  }

  @Test
  void a_medium_is_of_its_declared_type() {
    Contract picture = contract("contract: p\nversion: 1\nanswer: media\nmedia_types: [image/png]");
    String png =
        "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5C"
            + "YII=";

    assertThat(breaches(picture, json(medium("image/png", png)))).isEmpty();
    assertThat(places(breaches(picture, json(medium("image/jpeg", png)))))
        .containsExactly("media /media_type", "media /data");
    assertThat(places(breaches(picture, json(medium("image/png", "R0lGODlhAQABAAAAACw=")))))
        .containsExactly("media /data");
    assertThat(places(breaches(picture, json(medium("image/png", "no base 64!")))))
        .containsExactly("media /data");
  }

  private static String medium(String type, String data) {
    return "{\"media_type\": \"%s\", \"data\": \"%s\"}".formatted(type, data);
  }

  @Test
  void the_hash_binds_every_character_and_no_layout() {
    String hash = CONTRACT.hash();

    assertThat(hash).matches("[0-9a-f]{64}");
    assertThat(contract(INVOICE + "\n# a comment\n").hash()).isEqualTo(hash);
    assertThat(contract(INVOICE.replace("{type: string}", "{\"type\":   \"string\"}")).hash())
        .isEqualTo(hash);
    for (String changed :
        List.of(
            INVOICE.replace("add up to the total", "add up to the totals"),
            INVOICE.replace("1000", "1001"),
            INVOICE.replace("the sum of all lines", "The sum of all lines"),
            INVOICE.replace("version: 1", "version: 2"),
            INVOICE + "temperature: 0.1\n",
            INVOICE + "samples: [{name: a, input: {}}]\n")) {
      assertThat(contract(changed).hash()).as(changed).isNotEqualTo(hash);
    }
  }

  @Test
  void a_sample_knows_more_of_its_answer() {
    Contract known =
        contract(
            INVOICE
                + """
                samples:
                  - name: pens
                    input: {text: Two pens}
                    equal: {/total: 2.40, /lines/0/amount: 2.4}
                    rules:
                      - name: one-line
                        rule: size(output.lines) == 1
                        message: there is one line
                """);
    Sample pens = known.terms().samples().getFirst();

    assertThat(known.check(pens, Answer.of(json("{\"total\":2.4,\"lines\":[{\"amount\":2.40}]}"))))
        .isEqualTo(new ContractVerdict.Kept());
    assertThat(
            places(
                breaches(
                    known.check(
                        pens, Answer.of(json("{\"total\":2.5,\"lines\":[{\"amount\":2.5}]}"))))))
        .containsExactly("expected-value /lines/0/amount", "expected-value /total");
    assertThat(places(breaches(known.check(pens, Answer.of(json(GOOD))))))
        .contains("rule ", "expected-value /total");
  }
}
