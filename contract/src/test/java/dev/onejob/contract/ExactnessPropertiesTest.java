package dev.onejob.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.onejob.intent.JsonLimits;
import dev.onejob.intent.JsonRefused;
import dev.onejob.intent.StrictJson;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import tools.jackson.databind.JsonNode;

/** Numbers are what they are worth, however they are written, in schemas and in rules. */
class ExactnessPropertiesTest {
  private static final CompiledRule SUM =
      new RuleLanguage()
          .compile(new Rule("sum", "sum(output.list) == output.sum", "it adds up", ""));
  private static final CompiledRule ORDER =
      new RuleLanguage()
          .compile(
              new Rule(
                  "order",
                  "(output.a < output.b) == output.less && (output.a == output.b) == output.same"
                      + " && output.a + output.b - output.b == output.a",
                  "they compare",
                  ""));

  @Provide
  Arbitrary<BigDecimal> numbers() {
    Arbitrary<BigDecimal> any =
        Combinators.combine(Arbitraries.bigIntegers(), Arbitraries.integers().between(-30, 30))
            .as((unscaled, scale) -> new BigDecimal(unscaled, scale));
    return Arbitraries.oneOf(
        any,
        Arbitraries.longs().map(BigDecimal::valueOf),
        Arbitraries.integers().between(-999, 999).map(cents -> BigDecimal.valueOf(cents, 2)));
  }

  @Property(tries = 300)
  void every_spelling_of_a_number_is_the_same_node(
      @ForAll("numbers") BigDecimal number, @ForAll("shifts") int shift) {
    String plain = number.toPlainString();
    String shifted = number.movePointRight(shift).toPlainString() + "e" + -shift;
    String padded = plain.contains(".") ? plain + "000" : plain + ".000";

    assertThat(tree(shifted)).isEqualTo(tree(plain)).isEqualTo(tree(padded));
    assertThat(tree(plain).decimalValue()).isEqualByComparingTo(number);
  }

  @Provide
  Arbitrary<Integer> shifts() {
    return Arbitraries.integers().between(-20, 20);
  }

  @Property(tries = 200)
  void a_sum_in_a_rule_is_the_exact_sum(@ForAll("lists") List<BigDecimal> numbers) {
    BigDecimal sum = numbers.stream().reduce(BigDecimal.ZERO, BigDecimal::add);
    BigDecimal off = sum.add(new BigDecimal("1e-40"));

    assertThat(SUM.breach(values(Map.of("list", numbers, "sum", sum)))).isEmpty();
    assertThat(SUM.breach(values(Map.of("list", numbers, "sum", off)))).isPresent();
  }

  @Provide
  Arbitrary<List<BigDecimal>> lists() {
    return numbers().list().ofMaxSize(20);
  }

  @Property(tries = 300)
  void numbers_in_a_rule_compare_by_their_value(
      @ForAll("safe") BigDecimal a, @ForAll("safe") BigDecimal b) {
    int order = a.compareTo(b);

    assertThat(ORDER.breach(values(Map.of("a", a, "b", b, "less", order < 0, "same", order == 0))))
        .isEmpty();
  }

  /** Without the integers whose sum is none of 64 bits: CEL calls that an overflow. */
  @Provide
  Arbitrary<BigDecimal> safe() {
    return Arbitraries.oneOf(
        Arbitraries.integers().map(BigDecimal::valueOf),
        Arbitraries.integers().map(it -> BigDecimal.valueOf(it, 3)),
        Arbitraries.longs().map(it -> BigDecimal.valueOf(it, 9)));
  }

  private static RuleValues values(Map<String, Object> output) {
    StringBuilder json = new StringBuilder("{");
    output.forEach(
        (name, value) ->
            json.append(json.length() > 1 ? "," : "")
                .append('"')
                .append(name)
                .append("\":")
                .append(value));
    return RuleValues.of(tree("{}"), tree(json.append('}').toString()), null);
  }

  private static JsonNode tree(String json) {
    try {
      return ExactNodes.of(
          StrictJson.read(json.getBytes(StandardCharsets.UTF_8), JsonLimits.RESULT));
    } catch (JsonRefused e) {
      throw new AssertionError(json, e);
    }
  }
}
