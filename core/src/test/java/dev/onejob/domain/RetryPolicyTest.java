package dev.onejob.domain;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Arrays;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** When a job comes back. */
class RetryPolicyTest {
  private static final RetryPolicy POLICY =
      new RetryPolicy(Duration.ofSeconds(2), Duration.ofMinutes(1));

  @Test
  void ten_thousand_jobs_that_fail_at_once_come_back_evenly_spread() {
    Random random = new Random(7);
    int[] perTenth = new int[10];
    IntStream.range(0, 10_000)
        .mapToLong(i -> POLICY.delay(1, null, random).toMillis())
        .forEach(millis -> perTenth[(int) Math.min(9, (millis - 1_000) / 100)]++);

    assertThat(Arrays.stream(perTenth).boxed())
        .allSatisfy(jobs -> assertThat(jobs).isBetween(800, 1_200));
  }

  @Test
  void a_longer_wish_of_the_provider_is_kept_to_the_letter_at_least() {
    assertThat(POLICY.delay(1, Duration.ofSeconds(30), new Random(7)))
        .isGreaterThanOrEqualTo(Duration.ofSeconds(30));
  }

  @Test
  void jobs_that_a_provider_sends_away_together_do_not_come_back_in_one_instant() {
    Random random = new Random(7);

    assertThat(
            IntStream.range(0, 1_000)
                .mapToObj(i -> POLICY.delay(1, Duration.ofSeconds(30), random))
                .distinct()
                .count())
        .isGreaterThan(900);
  }

  @Test
  void no_wish_is_heeded_beyond_the_limit_by_more_than_the_backoff() {
    assertThat(POLICY.delay(1, Duration.ofDays(10_000), new Random(7)))
        .isLessThanOrEqualTo(Limits.RETRY_AFTER_MAX.plus(POLICY.max()));
  }
}
