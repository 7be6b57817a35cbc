package dev.onejob.providers;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.onejob.domain.Limits;
import dev.onejob.providers.BoundedJson.Flaw;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.core.JacksonException;

final class BoundedJsonTest {
  @ParameterizedTest
  @ValueSource(strings = {"{\"n\":1.10}", "[1e400,123456789012345678901234567890]", "\"\\u0000\""})
  void a_value_is_one_without_a_flaw(String text) {
    assertThat(BoundedJson.flaw(text.getBytes(UTF_8))).isEmpty();
  }

  @Test
  void numbers_are_kept_exactly() {
    String exact = "[1.10,12345678901234567890123.456789]";
    assertThat(BoundedJson.text(BoundedJson.read(exact.getBytes(UTF_8)))).isEqualTo(exact);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "{\"a\":1,\"a\":2}",
        "{} {}",
        "[",
        "{'a':1}",
        "1e99999999999",
        "[-1e-99999999999]"
      })
  void what_can_be_read_in_two_ways_or_none_is_not_read(String text) {
    assertThatThrownBy(() -> BoundedJson.read(text.getBytes(UTF_8)))
        .isInstanceOf(JacksonException.class);
  }

  @Test
  void a_member_is_looked_for_in_the_outermost_object_alone() {
    assertThat(BoundedJson.hasMember("{\"a\":{\"error\":1}}".getBytes(UTF_8), "error")).isFalse();
    assertThat(BoundedJson.hasMember("[{\"error\":1}]".getBytes(UTF_8), "error")).isFalse();
    assertThat(BoundedJson.hasMember("{\"a\":[1],\"error\":1}".getBytes(UTF_8), "error")).isTrue();
  }

  @ParameterizedTest
  @CsvSource({
    "'', MALFORMED",
    "'{', MALFORMED",
    "'{} {}', MALFORMED",
    "'nul', MALFORMED",
    "'\"a', MALFORMED",
  })
  void what_is_not_one_json_value_has_a_flaw(String text, Flaw.Sort sort) {
    assertThat(BoundedJson.flaw(text.getBytes(UTF_8))).get().extracting(Flaw::sort).isEqualTo(sort);
  }

  @Test
  void json_beyond_the_limits_is_told_from_broken_json() {
    String deep = "[".repeat(Limits.JSON_DEPTH_MAX + 1) + "]".repeat(Limits.JSON_DEPTH_MAX + 1);
    String longNumber = "1".repeat(Limits.JSON_NUMBER_CHARS_MAX + 1);
    for (String text : new String[] {deep, longNumber}) {
      assertThat(BoundedJson.flaw(text.getBytes(UTF_8)))
          .get()
          .extracting(Flaw::sort)
          .isEqualTo(Flaw.Sort.BEYOND_LIMITS);
    }
  }
}
