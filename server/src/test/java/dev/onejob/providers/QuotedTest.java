package dev.onejob.providers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.onejob.domain.Limits;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class QuotedTest {
  @Test
  void ordinary_text_stays_as_it_is() {
    assertThat(Quoted.message("straße 😀\n\tdone")).isEqualTo("straße 😀\n\tdone");
  }

  @Test
  void control_characters_and_half_pairs_are_written_as_escapes() {
    assertThat(Quoted.message("a\0b\u001b[31m\r\u0085\ud83d!"))
        .isEqualTo("a\\u0000b\\u001b[31m\\u000d\\u0085\\ud83d!");
  }

  @ParameterizedTest
  @ValueSource(strings = {"x", "\0", "😀"})
  void what_is_too_long_is_cut_off_visibly(String unit) {
    String message = Quoted.message("ab", unit.repeat(Limits.MESSAGE_CHARS_MAX));
    assertThat(message.length()).isLessThanOrEqualTo(Limits.MESSAGE_CHARS_MAX);
    assertThat(message).startsWith("ab: ").endsWith("… (cut)");
    assertThat(message.chars().filter(c -> Character.isSurrogate((char) c)).count() % 2).isZero();
  }

  @Test
  void what_just_fits_is_not_cut() {
    String fits = "x".repeat(Limits.MESSAGE_CHARS_MAX);
    assertThat(Quoted.message(fits)).isEqualTo(fits);
  }

  @Test
  void an_introduction_without_words_stands_alone() {
    assertThat(Quoted.message("status 500", " \n")).isEqualTo("status 500");
  }
}
