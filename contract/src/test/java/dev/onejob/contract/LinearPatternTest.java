package dev.onejob.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LinearPatternTest {
  @ParameterizedTest
  @CsvSource({
    "^a+$,aaa,true",
    "^a+$,aab,false",
    "b,abc,true",
    "^\\d{2}-[A-Z]\\w*$,12-Ab_3,true",
    "^\\u0041$,A,true",
    "^\\u{1F600}$,😀,true",
    "^\\uD83D\\uDE00$,😀,true",
    "^\\p{Letter}+$,äöü,true",
    "^\\p{Lu}$,Ä,true",
    "^\\p{Script=Greek}+$,αβγ,true",
    "^[[\\]]$,[,true",
    "^[\\s]$,'\u00A0',true",
    "^\\S$,'\u2003',false",
    "^(?<year>\\d{4})$,2026,true",
    "^a\\/b\\-c$,a/b-c,true",
    "^.$,😀,true"
  })
  void matches_as_ecma_262_says(String pattern, String text, boolean matches) {
    assertThat(LinearPattern.of(pattern).find(text)).isEqualTo(matches);
  }

  @Test
  void the_end_is_the_end_of_the_text() {
    assertThat(LinearPattern.of("^a$").find("a\n")).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"(?=a)b", "(?!a)b", "(?<=a)b", "(?<!a)b", "(a)\\1", "\\k<a>", "(", "a\\", "\\y"})
  void what_has_no_bound_in_time_or_is_no_pattern_is_refused(String pattern) {
    assertThatIllegalArgumentException().isThrownBy(() -> LinearPattern.of(pattern));
  }

  @Test
  void a_pattern_that_would_take_for_ever_by_backtracking_does_not() {
    LinearPattern nested = LinearPattern.of("^(a+)+$");

    Assertions.assertTimeoutPreemptively(
        Duration.ofSeconds(20), () -> assertThat(nested.find("a".repeat(100_000) + "b")).isFalse());
  }
}
