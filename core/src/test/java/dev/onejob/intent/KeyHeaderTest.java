package dev.onejob.intent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Case C30. */
class KeyHeaderTest {
  private static String key(String... values) {
    return KeyHeader.parse(List.of(values)).value();
  }

  private static String random(int length) {
    return new Random(7)
        .ints(length, '!', '~' + 1)
        .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
        .toString()
        .replace('"', 'q');
  }

  @Test
  void keys_of_1_to_255_visible_ascii_characters_are_taken_exactly() {
    assertThat(key("k")).isEqualTo("k");
    assertThat(key(random(255))).isEqualTo(random(255));
    assertThat(key("K")).isNotEqualTo(key("k"));
    assertThat(key("k%20")).isEqualTo("k%20");
    assertThat(key("a,b")).isEqualTo("a,b");
  }

  @Test
  void the_quoted_and_the_bare_form_are_the_same_key() {
    assertThat(key("\"k\"")).isEqualTo("k");
    assertThat(key("\"a\\\"b\\\\c\"")).isEqualTo("a\"b\\c");
  }

  @ParameterizedTest
  @ValueSource(ints = {256, 3_000, 100_000})
  void longer_keys_are_refused_however_well_they_compress(int length) {
    assertThatThrownBy(() -> key(random(length))).hasMessageContaining("255");
    assertThatThrownBy(() -> key("a".repeat(length))).hasMessageContaining("255");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "k ",
        " k",
        "a\tb",
        "a b",
        "ключ",
        "\"k",
        "\"k\"x",
        "\"a\", \"b\"",
        "\"\"",
        "a, b",
        "\"a\\b\"",
        "\u007f",
        "\"a b\""
      })
  void anything_else_is_refused_with_a_reason(String value) {
    assertThatThrownBy(() -> key(value))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageMatching("(?s).{10,}");
  }

  @Test
  void none_and_several_headers_are_refused() {
    assertThatThrownBy(() -> KeyHeader.parse(List.of())).hasMessageContaining("missing");
    assertThatThrownBy(() -> key("a", "b")).hasMessageContaining("2");
  }
}
