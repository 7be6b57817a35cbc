package dev.onejob.intent;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.sun.management.ThreadMXBean;
import dev.onejob.domain.Limits;
import dev.onejob.intent.JsonRefused.Reason;
import dev.onejob.intent.JsonValue.JsonObject;
import dev.onejob.intent.JsonValue.JsonString;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Inputs that broke other systems: cases C27, C28 and C32. */
class HostileJsonTest {
  private static final long REFUSAL_BYTES_MAX = 1 << 20;

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {"qty":1,"qty":-1}              | /qty         | 9
          {"o":[0,{"qty":1,"qty":-1}]}    | /o/1/qty     | 17
          {"qty":1,"\\u0071ty":-1}        | /qty         | 9
          {"":1,"":1}                     | /            | 6
          {"a":{"b":1},"a":{"c":2}}       | /a           | 13
          {"é":1,"\\u00e9":1}             | /é           | 8
          """)
  void c27_a_member_twice_is_refused(String text, String pointer, int offset) {
    JsonRefused refusal = refusal(text);

    assertThat(refusal.reason()).isEqualTo(Reason.DUPLICATE_MEMBER);
    assertThat(refusal.pointer()).isEqualTo(pointer);
    assertThat(refusal.offset()).isEqualTo(offset);
    assertThat(refusal).hasMessageStartingWith("the same member a second time at " + pointer);
  }

  @Test
  void c27_the_same_name_in_two_objects_is_no_duplicate() throws JsonRefused {
    StrictJson.read(
        "{\"a\":{\"a\":1},\"b\":[{\"a\":1},{\"a\":1}]}".getBytes(UTF_8), JsonLimits.BODY);
  }

  @Test
  void c28_nul_is_refused_and_its_field_named() {
    JsonRefused value = refusal("{\"t\":\"a\\u0000b\"}");
    JsonRefused name = refusal("{\"t\":{\"a\\u0000b\":1}}");

    assertThat(value.reason()).isEqualTo(Reason.NUL_CHARACTER);
    assertThat(value).hasMessage("the character U+0000 is not taken at /t, byte 7");
    assertThat(name.reason()).isEqualTo(Reason.NUL_CHARACTER);
    assertThat(name).hasMessage("the character U+0000 is not taken at /t, byte 8");
    assertThat(refusal("{\"t\":\"a\0b\"}").reason()).isEqualTo(Reason.NUL_CHARACTER);
    assertThat(refusal("{\"t\":\"\\\\\\u0000\"}").reason()).isEqualTo(Reason.NUL_CHARACTER);
  }

  @Test
  void c28_an_escaped_backslash_before_u0000_is_legal_text() throws JsonRefused {
    byte[] source = "{\"t\":\"a\\\\u0000b\"}".getBytes(UTF_8);

    JsonObject object = (JsonObject) StrictJson.read(source, JsonLimits.INPUT);

    assertThat(object.member("t").orElseThrow())
        .isInstanceOfSatisfying(
            JsonString.class, string -> assertThat(string.text()).isEqualTo("a\\u0000b"));
    assertThat(JsonTrees.slice(object, source)).isEqualTo(source);
  }

  @ParameterizedTest
  @ValueSource(strings = {"[", "{\"a\":", "[[],", "[{\"a\":["})
  @Timeout(60)
  void c32_brackets_are_refused_at_the_limit_with_little_memory(String opening) {
    for (int repeats : new int[] {1_000, 100_000}) {
      byte[] text = opening.repeat(repeats).getBytes(UTF_8);
      long before = allocatedBytes();
      long started = System.nanoTime();

      JsonRefused refusal = refusal(text);

      assertThat(Duration.ofNanos(System.nanoTime() - started)).isLessThan(Duration.ofSeconds(10));
      assertThat(allocatedBytes() - before).isLessThan(REFUSAL_BYTES_MAX);
      assertThat(refusal.reason()).isEqualTo(Reason.TOO_DEEP);
      assertThat(refusal).hasMessageContaining("deeper than 128 levels");
    }
  }

  @Test
  void c32_depth_is_taken_up_to_the_limit_exactly() throws JsonRefused {
    int most = Limits.JSON_DEPTH_MAX;

    StrictJson.read(nested(most), JsonLimits.INPUT);

    assertThat(refusal(new String(nested(most + 1), UTF_8)).reason()).isEqualTo(Reason.TOO_DEEP);
  }

  @Test
  void c32_one_byte_over_the_size_is_refused() throws JsonRefused {
    String most = "\"" + "x".repeat(Limits.INPUT_BYTES_MAX - 2) + "\"";

    StrictJson.read(most.getBytes(UTF_8), JsonLimits.INPUT);

    assertThat(refusal(most + " ").reason()).isEqualTo(Reason.TOO_LARGE);
    assertThat(refusal(most + " ")).hasMessageContaining("1048577 bytes, at most 1048576");
  }

  @Test
  @Timeout(60)
  void names_that_share_a_hash_code_do_not_slow_it_down() throws JsonRefused {
    StringBuilder text = new StringBuilder("{");
    int names = 1 << 14;
    for (int i = 0; i < names; i++) {
      text.append(i == 0 ? "" : ",").append('"').append(colliding(i)).append("\":0");
    }
    byte[] source = text.append('}').toString().getBytes(UTF_8);

    JsonObject object = (JsonObject) StrictJson.read(source, JsonLimits.INPUT);

    assertThat(object.members()).hasSize(names);
    assertThat(object.members().getFirst().name()).hasSameHashCodeAs(colliding(names - 1));
  }

  @Test
  @Timeout(60)
  void huge_exponents_in_large_numbers_cost_nothing() throws JsonRefused {
    String number = "1e" + "9".repeat(Limits.JSON_NUMBER_CHARS_MAX - 2);
    String text = "[" + (number + ",").repeat(1_000) + number + "]";

    byte[] canonical = CanonicalJson.write(StrictJson.read(text.getBytes(UTF_8), JsonLimits.INPUT));

    assertThat(new String(canonical, UTF_8)).isEqualTo(text);
  }

  /** One of 16,384 names with the same hash code: "Aa" and "BB" have the same. */
  private static String colliding(int bits) {
    StringBuilder name = new StringBuilder();
    for (int i = 0; i < 14; i++) {
      name.append((bits >> i & 1) == 0 ? "Aa" : "BB");
    }
    return name.toString();
  }

  private static byte[] nested(int depth) {
    return ("[".repeat(depth) + "]".repeat(depth)).getBytes(UTF_8);
  }

  private static long allocatedBytes() {
    return ((ThreadMXBean) ManagementFactory.getThreadMXBean()).getCurrentThreadAllocatedBytes();
  }

  private static JsonRefused refusal(String text) {
    return refusal(text.getBytes(UTF_8));
  }

  private static JsonRefused refusal(byte[] text) {
    JsonRefused refused =
        catchThrowableOfType(JsonRefused.class, () -> StrictJson.read(text, JsonLimits.INPUT));
    assertThat(refused).isNotNull();
    return refused;
  }
}
