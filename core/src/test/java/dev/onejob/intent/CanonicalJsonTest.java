package dev.onejob.intent;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The one way to write a value. */
class CanonicalJsonTest {
  @ParameterizedTest
  @CsvSource({
    "0, 0",
    "-0, 0",
    "0.000, 0",
    "-0e999999999999, 0",
    "1, 1",
    "1.0, 1",
    "1e0, 1",
    "10e-1, 1",
    "0.1E+1, 1",
    "0.001e00003, 1",
    "-1.50, -15e-1",
    "100, 1e2",
    "120.0500, 12005e-2",
    "9007199254740992, 9007199254740992",
    "9007199254740993, 9007199254740993",
    "0.1, 1e-1",
    "0.10000000000000001, 10000000000000001e-17",
    "1e400000000, 1e400000000",
    "10e399999999, 1e400000000",
    "1e-400000000, 1e-400000000",
    "1e2147483647, 1e2147483647",
    "10e2147483647, 1e2147483648",
    "10e9223372036854775807, 1e9223372036854775808",
    "0.1e-9223372036854775808, 1e-9223372036854775809",
    "1e000000000000000000000000000000000000001, 1e1"
  })
  void writes_a_number_by_its_exact_value(String raw, String canonical) throws JsonRefused {
    assertThat(canonical(raw)).isEqualTo(canonical);
  }

  @Test
  void never_expands_an_exponent_however_long_its_text() throws JsonRefused {
    String exponent = "9".repeat(990);

    assertThat(canonical("1e" + exponent)).isEqualTo("1e" + exponent);
    assertThat(canonical("10e" + exponent)).isEqualTo("1e1" + "0".repeat(990));
  }

  @Test
  void sorts_members_by_utf16_unit_at_every_level() throws JsonRefused {
    // U+1F600 is D83D DE00 in UTF-16 and so comes before U+FB33, though its code point is higher.
    assertThat(
            canonical(
                "{\"\uFB33\":1,\"😀\":2,\"b\":{\"z\":1,\"\":2,\"B\":3},\"a\":[{\"d\":1,\"c\":2}]}"))
        .isEqualTo(
            "{\"a\":[{\"c\":2,\"d\":1}],\"b\":{\"\":2,\"B\":3,\"z\":1},\"😀\":2,\"\uFB33\":1}");
  }

  @Test
  void writes_strings_with_one_escaping_and_no_normalisation() throws JsonRefused {
    assertThat(canonical("\"\\u0061\\/\\u00e9\\u000a\\u001F\\u007f\\\"\\\\\\ud83d\\ude00\\u2028\""))
        .isEqualTo("\"a/é\\u000a\\u001f\u007f\\\"\\\\😀\u2028\"");
    assertThat(canonical("\"\u00e9\"")).isNotEqualTo(canonical("\"e\u0301\""));
    assertThat(canonical("\"\\b\\f\\r\\t\\u0001\""))
        .isEqualTo("\"\\u0008\\u000c\\u000d\\u0009\\u0001\"");
  }

  @Test
  void keeps_arrays_and_words_and_drops_white_space() throws JsonRefused {
    assertThat(canonical(" [ 2 , 1 , [ ] , { } , true , false , null , [ null ] ] "))
        .isEqualTo("[2,1,[],{},true,false,null,[null]]");
  }

  @Test
  void tells_apart_what_differs() throws JsonRefused {
    assertThat(canonical("{\"a\":null}")).isNotEqualTo(canonical("{}"));
    assertThat(canonical("\"1\"")).isNotEqualTo(canonical("1"));
    assertThat(canonical("\"true\"")).isNotEqualTo(canonical("true"));
    assertThat(canonical("[[],[]]")).isNotEqualTo(canonical("[[[]]]"));
    assertThat(canonical("{\"a\":1,\"b\":2}")).isNotEqualTo(canonical("{\"a\":2,\"b\":1}"));
    assertThat(canonical("9007199254740992")).isNotEqualTo(canonical("9007199254740993"));
    assertThat(canonical("\"\"")).isNotEqualTo(canonical("null"));
  }

  private static String canonical(String text) throws JsonRefused {
    JsonValue value = StrictJson.read(text.getBytes(UTF_8), JsonLimits.INPUT);
    return new String(CanonicalJson.write(value), UTF_8);
  }
}
