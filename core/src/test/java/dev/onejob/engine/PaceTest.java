package dev.onejob.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class PaceTest {
  private final AtomicLong now = new AtomicLong(Long.MAX_VALUE - 1_000); // it runs over meanwhile
  private final Pace pace = new Pace(now::get);
  private int looks;

  private List<String> look(Duration took, String... found) {
    return pace.look(
        () -> {
          looks++;
          now.addAndGet(took.toNanos());
          return List.of(found);
        });
  }

  @Test
  void a_look_that_found_nothing_rests_twenty_times_as_long_as_it_took() {
    assertThat(look(Duration.ofMillis(100))).isEmpty();
    now.addAndGet(Duration.ofMillis(1_999).toNanos());
    assertThat(look(Duration.ZERO, "late")).isEmpty();
    assertThat(looks).isEqualTo(1);

    now.addAndGet(Duration.ofMillis(1).toNanos());
    assertThat(look(Duration.ZERO, "late")).containsExactly("late");
    assertThat(looks).isEqualTo(2);
  }

  @Test
  void no_rest_is_longer_than_ten_seconds() {
    assertThat(look(Duration.ofMinutes(1))).isEmpty();
    now.addAndGet(Duration.ofSeconds(10).toNanos());

    assertThat(look(Duration.ZERO, "late")).containsExactly("late");
  }

  @Test
  void a_look_that_found_something_goes_on_at_once() {
    assertThat(look(Duration.ofSeconds(1), "one")).containsExactly("one");
    assertThat(look(Duration.ofSeconds(1), "two")).containsExactly("two");
    assertThat(looks).isEqualTo(2);
  }
}
