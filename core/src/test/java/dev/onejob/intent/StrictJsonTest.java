package dev.onejob.intent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.onejob.domain.Limits;
import dev.onejob.intent.JsonRefused.Reason;
import dev.onejob.intent.JsonValue.JsonArray;
import dev.onejob.intent.JsonValue.JsonObject;
import dev.onejob.intent.JsonValue.JsonString;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StrictJsonTest {
  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static JsonValue read(String text) throws JsonRefused {
    return StrictJson.read(utf8(text), JsonLimits.INPUT);
  }

  private static JsonRefused refusal(String text) {
    return refusal(utf8(text));
  }

  private static JsonRefused refusal(byte[] bytes) {
    JsonRefused refused =
        catchThrowableOfType(JsonRefused.class, () -> StrictJson.read(bytes, JsonLimits.INPUT));
    assertThat(refused).isNotNull();
    return refused;
  }

  @Test
  void a_member_is_cut_out_of_its_body_byte_for_byte() throws JsonRefused {
    String body = " { \"a\" : 1 , \"input\" : [ 1.50 , \"ü\\u00fc\" , { } ]  , \"b\": null } ";
    JsonValue input = ((JsonObject) read(body)).member("input").orElseThrow();
    byte[] bytes = utf8(body);

    assertThat(
            new String(bytes, input.start(), input.end() - input.start(), StandardCharsets.UTF_8))
        .isEqualTo("[ 1.50 , \"ü\\u00fc\" , { } ]");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"1", "-0.5e+10", "true", "\"x\"", "null", "[]", "{}", "[1,[2,{\"a\":[]}]]"})
  void every_sort_of_value_ends_where_it_ends(String text) throws JsonRefused {
    JsonValue value = ((JsonArray) read("[ " + text + " ]")).elements().getFirst();

    assertThat(value.start()).isEqualTo(2);
    assertThat(value.end()).isEqualTo(2 + text.length());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "{",
        "[",
        "[1",
        "[1,",
        "[1,]",
        "{\"a\"}",
        "{\"a\":}",
        "{\"a\":1,}",
        "{a:1}",
        "01",
        "1.",
        ".5",
        "+1",
        "1e",
        "-",
        "--1",
        "NaN",
        "Infinity",
        "tru",
        "nul",
        "'a'",
        "\"a",
        "\"\\x\"",
        "\"\\u12g4\"",
        "\"\\u+123\"",
        "1 2",
        "{} []",
        "// c\n1",
        "/* c */ 1",
        "[1 2]",
        "{\"a\" 1}",
        "\"a\nb\"",
        "]",
        "}",
        ",",
        "\uFEFF1"
      })
  void what_is_not_json_is_refused(String text) {
    assertThat(refusal(text).reason()).isEqualTo(Reason.MALFORMED);
  }

  @Test
  void c27_a_member_twice_is_refused_wherever_and_however_it_is_spelled() {
    assertThat(refusal("{\"qty\":1,\"qty\":-1}").pointer()).isEqualTo("/qty");
    assertThat(refusal("{\"o\":[0,{\"qty\":1,\"\\u0071ty\":-1}]}"))
        .satisfies(refused -> assertThat(refused.pointer()).isEqualTo("/o/1/qty"))
        .satisfies(refused -> assertThat(refused.reason()).isEqualTo(Reason.DUPLICATE_MEMBER));
  }

  @Test
  void c28_the_nul_character_is_refused_in_text_and_names_and_an_escaped_backslash_is_text()
      throws JsonRefused {
    assertThat(refusal("{\"t\":\"a\\u0000b\"}"))
        .satisfies(refused -> assertThat(refused.reason()).isEqualTo(Reason.NUL_CHARACTER))
        .satisfies(refused -> assertThat(refused.pointer()).isEqualTo("/t"))
        .hasMessageContaining("U+0000");
    assertThat(refusal("{\"a\\u0000\":1}").reason()).isEqualTo(Reason.NUL_CHARACTER);
    assertThat(refusal(new byte[] {'"', 0, '"'}).reason()).isEqualTo(Reason.NUL_CHARACTER);
    assertThat(((JsonString) read("\"a\\\\u0000b\"")).text()).isEqualTo("a\\u0000b");
  }

  @Test
  void halves_of_surrogate_pairs_are_refused_and_whole_pairs_are_read() throws JsonRefused {
    for (String half :
        new String[] {
          "\"\\ud800\"",
          "\"\\udc00\"",
          "\"\\ud800x\"",
          "\"\\ud800\\ud800\"",
          "\"\\udc00\\ud800\"",
          "\"\\ud800\\n\""
        }) {
      assertThat(refusal(half).reason()).as(half).isEqualTo(Reason.UNPAIRED_SURROGATE);
    }
    assertThat(((JsonString) read("\"\\ud83d\\ude00\"")).text()).isEqualTo("😀");
    assertThat(((JsonString) read("\"😀\"")).text()).isEqualTo("😀");
  }

  @Test
  void bytes_that_are_not_utf8_are_refused() {
    byte[][] invalid = {
      {'"', (byte) 0xC0, (byte) 0x80, '"'},
      {'"', (byte) 0xED, (byte) 0xA0, (byte) 0x80, '"'},
      {'"', (byte) 0xF5, (byte) 0x80, (byte) 0x80, (byte) 0x80, '"'},
      {'"', (byte) 0xE2, (byte) 0x82, '"'},
      {'"', (byte) 0xFF, '"'},
      {'"', (byte) 0x80, '"'},
      {'"', (byte) 0xF0, (byte) 0x80, (byte) 0x80, (byte) 0x80, '"'}
    };
    for (byte[] bytes : invalid) {
      assertThat(refusal(bytes).reason()).isEqualTo(Reason.INVALID_UTF8);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1_000, 100_000})
  void c32_deep_brackets_are_refused_with_the_limit_named(int brackets) {
    assertThat(refusal("[".repeat(brackets)))
        .hasMessageContaining(Integer.toString(Limits.JSON_DEPTH_MAX))
        .satisfies(refused -> assertThat(refused.reason()).isEqualTo(Reason.TOO_DEEP));
    assertThat(refusal("{\"a\":".repeat(brackets)).reason()).isEqualTo(Reason.TOO_DEEP);
  }

  @Test
  void depth_at_the_limit_is_read() {
    int depth = Limits.JSON_DEPTH_MAX;

    assertThatCode(() -> read("[".repeat(depth) + "]".repeat(depth))).doesNotThrowAnyException();
  }

  @Test
  void size_number_length_and_string_length_are_bounded() {
    assertThat(refusal("1".repeat(Limits.JSON_NUMBER_CHARS_MAX + 1)).reason())
        .isEqualTo(Reason.NUMBER_TOO_LONG);
    assertThat(refusal(new byte[Limits.INPUT_BYTES_MAX + 1]).reason()).isEqualTo(Reason.TOO_LARGE);
    JsonLimits shortStrings = new JsonLimits(1_000, 10, 10, 3);
    assertThat(
            catchThrowableOfType(
                    JsonRefused.class, () -> StrictJson.read(utf8("[\"abcd\"]"), shortStrings))
                .reason())
        .isEqualTo(Reason.STRING_TOO_LONG);
  }

  @Test
  void a_pointer_escapes_what_a_pointer_must() {
    assertThat(refusal("{\"a/b~c\":[{},{\"x\":nope}]}").pointer()).isEqualTo("/a~1b~0c/1/x");
  }
}
