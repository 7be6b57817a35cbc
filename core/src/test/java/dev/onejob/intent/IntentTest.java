package dev.onejob.intent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.onejob.domain.Fingerprint;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class IntentTest {
  static JsonValue json(String text) {
    try {
      return StrictJson.read(text.getBytes(StandardCharsets.UTF_8), JsonLimits.INPUT);
    } catch (JsonRefused e) {
      throw new AssertionError(text, e);
    }
  }

  static String canonical(String text) {
    return new String(CanonicalJson.write(json(text)), StandardCharsets.UTF_8);
  }

  private static Fingerprint of(String input) {
    return Intent.fingerprint("kind", json(input), null);
  }

  private static final String C24 = "{\"a\":1,\"b\":{\"c\":2,\"d\":[1,2]}}";

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"b\":{\"d\":[1,2],\"c\":2},\"a\":1}",
        " {\r\n \"a\" : 1 ,\t\"b\" : { \"c\" : 2 , \"d\" : [ 1 , 2 ] } } ",
        "{\"\\u0061\":1,\"b\":{\"c\":2,\"d\":[1,2]}}",
        "{\"a\":1.0,\"b\":{\"c\":2e0,\"d\":[10e-1,0.2E+1]}}"
      })
  void c24_other_spellings_of_one_value_are_the_same_intent(String spelling) {
    assertThat(of(spelling)).isEqualTo(of(C24));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"a\":1,\"b\":{\"c\":2,\"d\":[2,1]}}",
        "{\"a\":1,\"b\":{\"c\":2}}",
        "{\"a\":1,\"b\":{\"c\":2,\"d\":null}}",
        "{\"a\":\"1\",\"b\":{\"c\":2,\"d\":[1,2]}}"
      })
  void c24_other_values_are_other_intents(String other) {
    assertThat(of(other)).isNotEqualTo(of(C24));
  }

  @Test
  void an_escaped_slash_is_a_slash() {
    assertThat(of("\"a\\/b\"")).isEqualTo(of("\"a/b\""));
  }

  @ParameterizedTest
  @CsvSource({
    "1, 1",
    "1.0, 1",
    "1e0, 1",
    "10e-1, 1",
    "100, 1e2",
    "-0, 0",
    "0.000, 0",
    "0e999999999, 0",
    "-1.50, -15e-1",
    "1e400000000, 1e400000000",
    "1e-400000000, 1e-400000000",
    "12300e5, 123e7",
    "0.00120, 12e-4",
    "9007199254740993, 9007199254740993"
  })
  void numbers_are_compared_by_exact_decimal_value(String number, String canonical) {
    assertThat(canonical(number)).isEqualTo(canonical);
  }

  @Test
  void an_exponent_of_a_thousand_digits_is_neither_rounded_nor_expanded() {
    String huge = "1e" + "9".repeat(900);

    assertThat(canonical(huge)).isEqualTo(huge);
    assertThat(canonical("1e9007199254740993")).isNotEqualTo(canonical("1e9007199254740992"));
  }

  @Test
  void numbers_that_a_double_would_fold_into_one_stay_apart() {
    assertThat(of("9007199254740993")).isNotEqualTo(of("9007199254740992"));
    assertThat(of("333333333.33333329")).isNotEqualTo(of("333333333.3333333"));
  }

  @Test
  void composed_and_decomposed_text_are_different() {
    assertThat(of("\"\\u00e9\"")).isNotEqualTo(of("\"e\\u0301\""));
  }

  @Test
  void members_are_sorted_by_utf16_code_unit() {
    assertThat(canonical("{\"\\ufb33\":1,\"\\ud83d\\ude00\":2,\"\\u20ac\":3,\"\\r\":4,\"1\":5}"))
        .isEqualTo("{\"\\u000d\":4,\"1\":5,\"€\":3,\"😀\":2,\"\uFB33\":1}");
  }

  @Test
  void kind_and_explicit_route_are_part_of_the_intent_and_no_route_is_no_route() {
    JsonValue input = json("{}");
    Fingerprint none = Intent.fingerprint("kind", input, null);

    assertThat(Intent.fingerprint("other", input, null)).isNotEqualTo(none);
    assertThat(Intent.fingerprint("kind", input, List.of("a"))).isNotEqualTo(none);
    assertThat(Intent.fingerprint("kind", input, List.of("a", "b")))
        .isNotEqualTo(Intent.fingerprint("kind", input, List.of("b", "a")))
        .isNotEqualTo(Intent.fingerprint("kind", input, List.of("ab")));
  }

  @Test
  void a_route_without_a_provider_is_no_choice() {
    assertThatThrownBy(() -> Intent.fingerprint("kind", json("{}"), List.of()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("an explicit route names at least one provider");
  }

  /** Checked with another program that follows the framing and not this code. */
  @Test
  void fingerprints_of_version_1_never_change() {
    Fingerprint spelled =
        Intent.fingerprint(
            "ocr.read",
            json(
                "[-0.0,1.50,10e399999999,"
                    + "{\"é\\n\\u0001\\\"\\\\\\/\\uD83D\\ude00\":-2.5e1,\"\":false}]"),
            null);
    Fingerprint plain = Intent.fingerprint("demo", json(C24), null);
    Fingerprint routed = Intent.fingerprint("demo", json("[1.5,\"ü\",null]"), List.of("a", "b"));

    assertThat(HexFormat.of().formatHex(plain.sha256()))
        .isEqualTo("e19f4e7e65cdc05bd0fd802009d3f538736829e55d0e21f089f4eb7618069281");
    assertThat(HexFormat.of().formatHex(spelled.sha256()))
        .isEqualTo("206289b4e08402a455a7bead89a7e2ae7fa8a9e613e9fbb3a85333649b3372ee");
    assertThat(HexFormat.of().formatHex(routed.sha256()))
        .isEqualTo("f4671b68f968a5fab298d742b1391733fdf991bef384b43faeabb1af66c7c566");
  }

  @Test
  void a_version_that_is_not_known_is_an_error_and_never_a_guess() {
    assertThatThrownBy(() -> Intent.fingerprint(2, "kind", json("{}"), null))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
