package dev.onejob.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.onejob.domain.Breach;
import dev.onejob.intent.JsonLimits;
import dev.onejob.intent.JsonRefused;
import dev.onejob.intent.StrictJson;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RuleLanguageTest {
  private static final String INPUT =
      """
      {"text": "Ada paid 12.30 and 0.70", "ids": ["a1", "b2"]}
      """;
  private static final String OUTPUT =
      """
      {"total": 13, "lines": [{"id": "a1", "amount": 12.30}, {"id": "b2", "amount": 0.7}],
       "tenth": 0.1, "big": 9007199254740993, "huge": 123456789012345678901234567890,
       "tiny": 1e-30, "whole": 1.0, "quote": "12.30", "none": null}
      """;

  private final RuleLanguage language = new RuleLanguage();

  @ParameterizedTest
  @ValueSource(
      strings = {
        "sum(output.lines.map(l, l.amount)) == output.total",
        "output.lines.all(l, l.id in input.ids)",
        "input.text.contains(output.quote)",
        "output.tenth + output.tenth + output.tenth == decimal('0.3')",
        "output.tenth * 3 == decimal('0.3')",
        "3 * output.tenth == decimal('0.30')",
        "output.big == 9007199254740993",
        "output.big != 9007199254740992",
        "output.huge == decimal('123456789012345678901234567890')",
        "output.huge > output.big && output.tiny < 1 && 1 > output.tiny && output.tiny > 0",
        "output.whole == 1",
        "decimal('2.50') == decimal('2.5') && decimal('2') == 2",
        "-output.tenth == decimal('-0.1') && output.tenth - output.tenth == 0",
        "decimal('0.1') in [output.tenth] && {'a': output.tenth} == {'a': decimal('0.1')}",
        "round(decimal('2.345'), 2) == decimal('2.35') && round(output.tiny, 3) == 0",
        "round(decimal('119') * decimal('1.19'), 2) == decimal('141.61')",
        "abs(output.tenth - 1) == decimal('0.9') && abs(-3) == 3",
        "ascending(output.lines.map(l, l.id)) && !ascending(output.lines.map(l, l.amount))",
        "words(input.text) == 5 && size(output.quote) <= 5",
        "output.none == null && has(output.total) && !has(output.missing)",
        "output.quote.matches('^[0-9]+[.][0-9]{2}$')",
        "usage.total_tokens < 100 && usage.price == decimal('0.001')",
      })
  void holds_by_exact_value(String expression) throws JsonRefused {
    assertThat(judged(expression)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "sum(output.lines.map(l, l.amount)) == output.total + 1",
        "output.big == 9007199254740992",
        "output.tenth + output.tenth + output.tenth != decimal('0.3')",
        "output.missing == 1",
        "output.total / 0 == 1",
        "output.quote",
        "sum(['a']) == 1",
        "[1, 2, 3].exists(x, x > 3)",
      })
  void does_not_hold_where_it_is_false_or_cannot_be_answered(String expression) throws JsonRefused {
    assertThat(judged(expression)).get().extracting(Breach::check).isEqualTo("rule");
  }

  @Test
  void an_expression_that_is_none_is_told_with_its_place() {
    assertThat(complaints("output.total == "))
        .singleElement()
        .asString()
        .startsWith("line 1, column ");
    assertThat(complaints("output.total ==\n  ouput.lines"))
        .singleElement()
        .asString()
        .startsWith("line 2, column 3 of the rule: undeclared reference to 'ouput'");
    assertThat(complaints("1 + 2")).singleElement().asString().contains("bool");
    assertThat(complaints("output.total > 1.5"))
        .containsExactly("1.5 is a double, and numbers here are exact: write decimal('1.5')");
    assertThat(complaints("double(output.total) > double(1)")).hasSize(2);
  }

  @Test
  void a_rule_that_would_never_end_is_given_up() throws JsonRefused {
    String many = "[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28]";
    String expression =
        "MANY.all(a, MANY.all(b, MANY.all(c, MANY.all(d, MANY.all(e, MANY.all(f, true))))))"
            .replace("MANY", many);

    assertThat(judged(expression))
        .get()
        .extracting(Breach::message)
        .asString()
        .contains("could not be evaluated");
  }

  private List<String> complaints(String expression) {
    return language.complaints(rule(expression));
  }

  private Optional<Breach> judged(String expression) throws JsonRefused {
    RuleValues values =
        RuleValues.of(tree(INPUT), tree(OUTPUT), "{\"total_tokens\": 42, \"price\": 0.0010}");
    return language.compile(rule(expression)).breach(values);
  }

  private static Rule rule(String expression) {
    return new Rule("it", expression, "it holds", "");
  }

  private static tools.jackson.databind.JsonNode tree(String json) throws JsonRefused {
    return ExactNodes.of(StrictJson.read(json.getBytes(StandardCharsets.UTF_8), JsonLimits.RESULT));
  }
}
