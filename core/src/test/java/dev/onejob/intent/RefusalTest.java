package dev.onejob.intent;

import static java.nio.charset.StandardCharsets.UTF_16LE;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.onejob.domain.Limits;
import dev.onejob.intent.JsonRefused.Reason;
import dev.onejob.intent.JsonValue.JsonArray;
import dev.onejob.intent.JsonValue.JsonNull;
import dev.onejob.intent.JsonValue.JsonNumber;
import dev.onejob.intent.JsonValue.JsonObject;
import dev.onejob.intent.JsonValue.JsonString;
import java.io.ByteArrayOutputStream;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is taken, what is refused, and what the refusal says. */
class RefusalTest {
  private static final List<String> MALFORMED =
      List.of(
          "",
          "  ",
          "[",
          "{",
          "]",
          "}",
          "[1",
          "[1,",
          "[1,]",
          "[,1]",
          "[1 2]",
          "[1]]",
          "{\"a\"}",
          "{\"a\":}",
          "{\"a\":1,}",
          "{,}",
          "{a:1}",
          "{1:2}",
          "{'a':1}",
          "['a']",
          "{\"a\" 1}",
          "{\"a\":1 \"b\":2}",
          "[}",
          "{]",
          "[1}",
          "{\"a\":1]",
          "1 2",
          "{} {}",
          "null,",
          "tru",
          "truex",
          "True",
          "nul",
          "NULL",
          "NaN",
          "[NaN]",
          "Infinity",
          "-Infinity",
          "-",
          "+1",
          ".5",
          "1.",
          "1.e2",
          "01",
          "-01",
          "00",
          "1e",
          "1e+",
          "1E-",
          "0x10",
          "1_000",
          "1a",
          "--1",
          "/*x*/1",
          "1//x",
          "# x\n1",
          "\"",
          "\"a",
          "\"\\",
          "\"\\\"",
          "\"\\x\"",
          "\"\\u12\"",
          "\"\\u12g4\"",
          "\"\\U0041\"",
          "\"a\tb\"",
          "\"a\nb\"",
          "\"\u001f\"",
          "\u00a01",
          "\u20281",
          "\uFEFF1",
          "\f1",
          "undefined",
          "\"\\u００41\"",
          "١");
  private static final JsonLimits SMALL = new JsonLimits(200, 3, 5, 4);

  @Test
  void gives_every_value_its_place_in_bytes() throws JsonRefused {
    byte[] source = utf8(" {\"é\" : [ -1.50e+3 ,\"a\\n😀\" , true,null,{ } ], \"z\":false } ");

    JsonObject whole = (JsonObject) StrictJson.read(source, JsonLimits.INPUT);

    assertThat(text(whole, source)).isEqualTo(new String(source, UTF_8).strip());
    JsonArray items = (JsonArray) whole.member("é").orElseThrow();
    assertThat(text(items, source)).isEqualTo("[ -1.50e+3 ,\"a\\n😀\" , true,null,{ } ]");
    assertThat(items.elements())
        .extracting(item -> text(item, source))
        .containsExactly("-1.50e+3", "\"a\\n😀\"", "true", "null", "{ }");
    assertThat(text(whole.member("z").orElseThrow(), source)).isEqualTo("false");
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", " -0 ", "12", "1.5", "\"\"", "true", "false\n", "\tnull\r", "[]"})
  void reads_any_value_alone(String text) throws JsonRefused {
    byte[] source = utf8(text);

    JsonValue value = StrictJson.read(source, JsonLimits.INPUT);

    assertThat(text(value, source)).isEqualTo(text.strip());
  }

  @Test
  void tells_null_from_an_absent_member() throws JsonRefused {
    JsonObject object = (JsonObject) read("{\"a\":null}");

    assertThat(object.member("a").orElseThrow()).isInstanceOf(JsonNull.class);
    assertThat(object.member("b")).isEmpty();
  }

  @Test
  void keeps_members_in_their_order_and_numbers_as_text() throws JsonRefused {
    JsonObject object = (JsonObject) read("{\"z\":9007199254740993,\"a\":1.10}");

    assertThat(object.members()).extracting(JsonValue.Member::name).containsExactly("z", "a");
    assertThat(((JsonNumber) object.member("z").orElseThrow()).text())
        .isEqualTo("9007199254740993");
    assertThat(((JsonNumber) object.member("a").orElseThrow()).text()).isEqualTo("1.10");
  }

  @Test
  void unescapes_strings() throws JsonRefused {
    JsonString string = (JsonString) read("\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u00e9\\uD83D\\uDe00é\"");

    assertThat(string.text()).isEqualTo("\"\\/\b\f\n\r\té😀é");
  }

  @ParameterizedTest
  @FieldSource("MALFORMED")
  void refuses_what_is_not_json(String text) {
    assertThat(refusal(text).reason()).isEqualTo(Reason.MALFORMED);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          []x                   | ``         | 2  | more after the value
          {"a":[1,{"b/~":tru}]} | /a/1/b~1~0 | 18 | expected true
          {"a":1 "b":2}         | /a         | 7  | expected }
          {"a" 1}               | /a         | 5  | expected :
          [é]                   | /0         | 1  | no JSON value
          {"a":[1,0.]}          | /a/1       | 10 | no JSON value
          {"a":                 | /a         | 5  | the end of a value too early
          {"a":"x\\q"}        | /a         | 7  | an unknown escape in a string
          {"a":"x\\u12"}      | /a         | 7  | four hexadecimal digits were expected
          ["a                   | /0         | 1  | a string without its end
          """)
  void says_what_is_wrong_and_where(String text, String pointer, int offset, String what) {
    JsonRefused refusal = refusal(text);

    assertThat(refusal.pointer()).isEqualTo(pointer);
    assertThat(refusal.offset()).isEqualTo(offset);
    String place = pointer.isEmpty() ? "the top" : pointer;
    assertThat(refusal).hasMessage(what + " at " + place + ", byte " + offset);
  }

  @ParameterizedTest
  @ValueSource(strings = {"C080", "EDA080", "F5808080", "FF", "E282", "80", "F0808080"})
  void refuses_bytes_that_are_not_utf8(String hex) {
    byte[] bad = HexFormat.of().parseHex(hex);
    byte[] text = join(utf8("{\"a\":[\"é"), bad, utf8("\"]}"));

    JsonRefused refusal = refusal(text, JsonLimits.INPUT);

    assertThat(refusal.reason()).isEqualTo(Reason.INVALID_UTF8);
    assertThat(refusal.pointer()).isEqualTo("/a/0");
    assertThat(refusal.offset()).isEqualTo(9);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "\\ud800",
        "\\udc00",
        "\\ud800\\ud800",
        "\\udc00\\ud800",
        "\\ud83dx",
        "\\uD83D\\n"
      })
  void refuses_half_a_surrogate_pair(String escape) {
    JsonRefused refusal = refusal("[\"ok\",\"" + escape + "\"]");

    assertThat(refusal.reason()).isEqualTo(Reason.UNPAIRED_SURROGATE);
    assertThat(refusal.pointer()).isEqualTo("/1");
    assertThat(refusal.offset()).isEqualTo(7);
    assertThat(refusal("{\"" + escape + "\":1}").reason()).isEqualTo(Reason.UNPAIRED_SURROGATE);
  }

  @Test
  void refuses_utf16() {
    assertThat(refusal("[1]".getBytes(UTF_16LE), JsonLimits.BODY))
        .extracting(JsonRefused::reason)
        .isEqualTo(Reason.MALFORMED);
  }

  @Test
  void holds_each_limit_to_the_unit() throws JsonRefused {
    read("[[[]]]", SMALL);
    read("12345", SMALL);
    read("\"abcd\"", SMALL);
    read("\"\\u0061bcd\"", SMALL);
    read(" ".repeat(199) + "1", SMALL);

    assertRefused("[[[[]]]]", Reason.TOO_DEEP, "deeper than 3 levels");
    assertRefused("123456", Reason.NUMBER_TOO_LONG, "over 5 characters");
    assertRefused("-1.0e1", Reason.NUMBER_TOO_LONG, "over 5 characters");
    assertRefused("\"abcde\"", Reason.STRING_TOO_LONG, "over 4 characters");
    assertRefused("{\"abcde\":1}", Reason.STRING_TOO_LONG, "over 4 characters");
    assertRefused(" ".repeat(200) + "1", Reason.TOO_LARGE, "201 bytes, at most 200");
  }

  @Test
  void cuts_a_long_pointer_and_shows_no_control_character_in_a_message() {
    JsonRefused cut = refusal("{\"" + "x".repeat(100_000) + "\":?}");
    JsonRefused escaped = refusal("{\"\\u001b[31m\\u202e\":?}");

    assertThat(cut.pointer()).hasSize(Limits.JSON_POINTER_CHARS_MAX + 1).endsWith("…");
    assertThat(escaped.pointer()).isEqualTo("/\u001b[31m\u202e");
    assertThat(escaped).hasMessageContaining("at /\\u001b[31m\\u202e, byte");
  }

  private static void assertRefused(String text, Reason reason, String says) {
    JsonRefused refusal = refusal(utf8(text), SMALL);
    assertThat(refusal.reason()).isEqualTo(reason);
    assertThat(refusal).hasMessageContaining(says);
  }

  private static JsonValue read(String text) throws JsonRefused {
    return read(text, JsonLimits.INPUT);
  }

  private static JsonValue read(String text, JsonLimits limits) throws JsonRefused {
    return StrictJson.read(utf8(text), limits);
  }

  private static JsonRefused refusal(String text) {
    return refusal(utf8(text), JsonLimits.INPUT);
  }

  private static JsonRefused refusal(byte[] text, JsonLimits limits) {
    JsonRefused refused =
        catchThrowableOfType(JsonRefused.class, () -> StrictJson.read(text, limits));
    assertThat(refused).as(new String(text, UTF_8)).isNotNull();
    return refused;
  }

  private static String text(JsonValue value, byte[] source) {
    return new String(JsonTrees.slice(value, source), UTF_8);
  }

  private static byte[] utf8(String text) {
    return text.getBytes(UTF_8);
  }

  private static byte[] join(byte[]... parts) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      out.writeBytes(part);
    }
    return out.toByteArray();
  }
}
