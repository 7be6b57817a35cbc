package dev.onejob.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.onejob.domain.Limits;
import dev.onejob.engine.FlightRules.Flight;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

class FlightRulesTest {
  private static final long NOW = 1_000_000_000;
  private static final long LATE = NOW + FlightRules.LATE.toNanos();

  private final FlightRules rules = new FlightRules(FlightRules.LATE);

  private Flight leave(String sort, int items, long now) {
    Flight flight = new Flight();
    for (int i = 0; i < items; i++) {
      rules.gathered(1);
    }
    rules.leaves(flight, sort, true, now);
    for (int i = 0; i < items; i++) {
      rules.boards(flight, 1);
    }
    return flight;
  }

  @Test
  void a_flight_of_many_holds_back_its_own_sort_until_it_has_landed() {
    Flight heavy = leave("births", 5, NOW);

    assertThat(rules.mayLeave("births", NOW)).isFalse();
    assertThat(rules.mayLeave("starts", NOW)).isTrue();
    assertThat(rules.next(List.of("births", "births", "starts"), NOW)).isEqualTo("starts");
    assertThat(rules.next(List.of("births"), NOW)).isNull();
    rules.landed(heavy);
    assertThat(rules.mayLeave("births", NOW)).isTrue();
  }

  @Test
  void flights_of_few_hold_nobody_back_until_they_are_many_together() {
    leave("births", 4, NOW);
    assertThat(rules.mayLeave("births", NOW)).isTrue();

    leave("births", 1, NOW);
    assertThat(rules.mayLeave("births", NOW)).isFalse();
  }

  @Test
  void a_flight_that_is_late_holds_nobody_back_whatever_has_left_since() {
    leave("births", 5, NOW);
    assertThat(rules.mayLeave("births", LATE - 1)).isFalse();
    assertThat(rules.mayLeave("births", LATE)).isTrue();

    Flight since = leave("births", 5, LATE);
    assertThat(rules.mayLeave("births", LATE)).isFalse();
    rules.landed(since);
    assertThat(rules.mayLeave("births", LATE)).isTrue();
  }

  @Test
  void what_fills_a_flight_leaves_by_number_or_by_bytes() {
    Flight heavy = leave("births", 5, NOW);
    for (int i = 1; i < Limits.BATCH_MAX; i++) {
      rules.gathered(0);
    }
    assertThat(rules.mayLeave("births", NOW)).isFalse();
    rules.gathered(0);
    assertThat(rules.mayLeave("births", NOW)).isTrue();
    rules.boards(heavy, 0);
    assertThat(rules.mayLeave("births", NOW)).isFalse();

    rules.boards(heavy, 0);
    rules.gathered(Limits.BATCH_BYTES_MAX);
    assertThat(rules.mayLeave("births", NOW)).isTrue();
    rules.boards(heavy, Limits.BATCH_BYTES_MAX);
    assertThat(rules.mayLeave("births", NOW)).isFalse();
  }

  @Test
  void the_sort_of_which_most_wait_is_next_and_of_equals_the_one_that_waits_longest() {
    assertThat(rules.next(List.of("a", "b", "b", "c"), NOW)).isEqualTo("b");
    assertThat(rules.next(List.of("a", "b", "b", "a"), NOW)).isEqualTo("a");
    assertThat(rules.next(Collections.emptyList(), NOW)).isNull();
  }

  @Test
  void who_has_been_passed_over_three_times_is_next_unless_its_own_sort_holds_it_back() {
    for (int i = 0; i < 3; i++) {
      assertThat(rules.next(List.of("a", "b", "b"), NOW)).isEqualTo("b");
      rules.leaves(new Flight(), "b", false, NOW);
    }
    assertThat(rules.next(List.of("a", "b", "b"), NOW)).isEqualTo("a");

    leave("a", 5, NOW);
    for (int i = 0; i < 3; i++) {
      rules.leaves(new Flight(), "b", false, NOW);
    }
    assertThat(rules.next(List.of("a", "b", "b"), NOW)).isEqualTo("b");
  }
}
