package dev.onejob.providers.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class RetryAfterTest {
  private static final Instant NOW = Instant.parse("2026-11-29T10:00:00Z");

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          0                              | 0
          12                             | 12000
          1.0001                         | 1001
          86401                          | 86400000
          Sun, 29 Nov 2026 10:01:00 GMT  | 60000
          Sunday, 29-Nov-26 10:01:00 GMT | 60000
          Sun Nov 29 10:01:00 2026       | 60000
          Tue Dec  1 10:00:00 2026       | 86400000
          Sun, 29 Nov 2026 09:00:00 GMT  | 0
          Sun, 29 Nov 2026 10:01:00 CET  |
          2026-11-29T10:01:00Z           |
          -5                             |
          1e3                            |
          +5                             |
          ''                             |
          """)
  void a_wish_is_seconds_or_a_date_in_one_of_three_forms(String text, String millis) {
    Duration wish = millis == null ? null : Duration.ofMillis(Long.parseLong(millis));
    assertThat(RetryAfter.of(head("retry-after", text), NOW)).isEqualTo(wish);
  }

  @Test
  void a_date_is_read_by_the_clock_of_the_answer_and_not_by_ours() {
    Map<String, String> fields = new HashMap<>();
    fields.put("date", "Sun, 29 Nov 2026 10:00:00 GMT");
    fields.put("retry-after", "Sun, 29 Nov 2026 10:00:30 GMT");
    for (Duration ahead :
        new Duration[] {Duration.ofHours(-5), Duration.ZERO, Duration.ofDays(2)}) {
      assertThat(RetryAfter.of(new Head(429, fields), NOW.plus(ahead)))
          .isEqualTo(Duration.ofSeconds(30));
    }
  }

  @Test
  void milliseconds_go_before_seconds_if_they_can_be_read() {
    Map<String, String> fields = new HashMap<>();
    fields.put("retry-after", "2");
    fields.put("retry-after-ms", "1250");
    assertThat(RetryAfter.of(new Head(429, fields), NOW)).isEqualTo(Duration.ofMillis(1250));
    fields.put("retry-after-ms", "soon");
    assertThat(RetryAfter.of(new Head(429, fields), NOW)).isEqualTo(Duration.ofSeconds(2));
  }

  private static Head head(String name, String value) {
    return new Head(429, Map.of(name, value));
  }
}
