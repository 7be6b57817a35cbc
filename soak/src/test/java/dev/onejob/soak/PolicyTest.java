package dev.onejob.soak;

import static org.assertj.core.api.Assertions.assertThat;

import dev.onejob.soak.Policy.Finding;
import dev.onejob.soak.Policy.Seen;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The operator decides only upon what cannot change any more. */
class PolicyTest {
  private static final Duration LONG = Duration.ofSeconds(21);
  private static final Duration SHORT = Duration.ofSeconds(9);
  private static final Duration AT_ONCE = Duration.ofMillis(30);

  @Test
  void what_never_came_and_can_no_longer_come_has_not_acted() {
    assertThat(Policy.judge(new Seen(LONG, true, AT_ONCE, null, false)))
        .isEqualTo(Finding.NEVER_ACTED);
  }

  @Test
  void what_came_long_ago_and_has_not_acted_never_will() {
    assertThat(Policy.judge(new Seen(LONG, true, AT_ONCE, LONG, false)))
        .isEqualTo(Finding.NEVER_ACTED);
  }

  @Test
  void what_is_written_down_has_acted() {
    assertThat(Policy.judge(new Seen(LONG, true, AT_ONCE, LONG, true))).isEqualTo(Finding.ACTED);
  }

  @Test
  void a_young_doubt_may_still_be_ended_by_a_late_answer() {
    assertThat(Policy.judge(new Seen(SHORT, true, AT_ONCE, null, false)))
        .isEqualTo(Finding.NOT_YET);
  }

  @Test
  void who_is_frozen_or_has_just_been_may_still_send_what_it_had_in_hand() {
    assertThat(Policy.judge(new Seen(LONG, false, AT_ONCE, null, false)))
        .isEqualTo(Finding.NOT_YET);
  }

  @Test
  void a_provider_that_is_slow_to_answer_may_have_the_request_before_its_ledger() {
    assertThat(Policy.judge(new Seen(LONG, true, Duration.ofSeconds(2), null, false)))
        .isEqualTo(Finding.NOT_YET);
  }

  @Test
  void what_came_a_moment_ago_may_still_act() {
    assertThat(Policy.judge(new Seen(LONG, true, AT_ONCE, SHORT, false)))
        .isEqualTo(Finding.NOT_YET);
  }
}
