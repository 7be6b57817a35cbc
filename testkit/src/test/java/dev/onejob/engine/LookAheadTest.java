package dev.onejob.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.onejob.domain.JobId;
import dev.onejob.domain.Owner;
import dev.onejob.store.DueJobs.Due;
import dev.onejob.store.DueJobs.Lane;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What a look has shown beyond what could be taken. */
class LookAheadTest {
  private static final long NOW = 1_000;
  private static final long LATER = NOW + Duration.ofMillis(99).toNanos();
  private static final long TOO_LATE = NOW + Duration.ofMillis(100).toNanos();

  private final LookAhead ahead = new LookAhead(size -> size / 2);

  private static List<Due> due(int jobs, int... priorities) {
    List<Due> due = new ArrayList<>();
    for (int priority : priorities) {
      for (int i = 0; i < jobs; i++) {
        JobId id = JobId.next(1_700_000_000_000L, new Random(due.size()));
        due.add(new Due(id, new Lane("kind", "a", priority), new Owner("tester")));
      }
    }
    return due;
  }

  private List<Due> take(int room, long now) {
    return ahead.take(room, now, it -> it);
  }

  @Test
  void what_was_shown_is_given_out_in_its_order_and_once() {
    List<Due> shown = due(5, 7, 0);
    ahead.show(shown, NOW);

    assertThat(take(3, NOW)).isEqualTo(shown.subList(0, 3));
    assertThat(take(30, LATER)).isEqualTo(shown.subList(3, 10));
    assertThat(take(3, LATER)).isEmpty();
  }

  @Test
  void what_cannot_be_taken_is_passed_over() {
    List<Due> shown = due(5, 0);
    ahead.show(shown, NOW);

    List<Due> taken = ahead.take(2, NOW, it -> shown.indexOf(it) < 3 ? null : it);

    assertThat(taken).isEqualTo(shown.subList(3, 5));
  }

  @Test
  void after_a_moment_it_is_time_for_another_look() {
    ahead.show(due(5, 0), NOW);

    assertThat(take(3, TOO_LATE)).isEmpty();
  }

  @Test
  void where_others_have_taken_much_of_it_it_is_time_for_another_look() {
    ahead.show(due(20, 0), NOW);

    ahead.lost(2, 8, NOW);
    assertThat(take(1, NOW)).hasSize(1);
    ahead.lost(3, 8, NOW);
    assertThat(take(1, NOW)).isEmpty();
  }

  @Test
  void after_that_it_begins_somewhere_within_what_is_shown_and_comes_to_all_of_it() {
    List<Due> shown = due(11, 0);
    ahead.lost(3, 8, NOW);

    ahead.show(shown, NOW);

    assertThat(take(1, NOW)).as("its owner's first").isEqualTo(shown.subList(0, 1));
    assertThat(take(7, NOW))
        .containsExactlyElementsOf(
            Stream.concat(shown.subList(6, 11).stream(), shown.subList(1, 3).stream()).toList());
    assertThat(take(7, NOW)).isEqualTo(shown.subList(3, 6));
  }

  @Test
  void nodes_that_keep_apart_take_the_most_urgent_first() {
    List<Due> shown = due(20, 7, 0);
    ahead.lost(3, 8, NOW);

    ahead.show(shown, NOW);

    assertThat(take(20, NOW)).containsExactlyInAnyOrderElementsOf(shown.subList(0, 20));
  }

  @Test
  void nodes_that_keep_apart_pass_over_no_owner() {
    List<Due> shown = new ArrayList<>(due(20, 0));
    Due small = new Due(shown.getFirst().id(), new Lane("kind", "a", 0), new Owner("small"));
    shown.add(1, small);
    ahead.lost(3, 8, NOW);

    ahead.show(shown, NOW);

    assertThat(take(2, NOW)).contains(small);
  }

  @Test
  void a_second_later_it_begins_with_the_first_again() {
    List<Due> shown = due(10, 0);
    ahead.lost(3, 8, NOW);
    long aSecondLater = NOW + Duration.ofSeconds(1).toNanos();

    ahead.show(shown, aSecondLater);

    assertThat(take(2, aSecondLater)).isEqualTo(shown.subList(0, 2));
  }

  @Test
  void more_are_shown_than_can_be_taken_but_not_without_end() {
    assertThat(LookAhead.limit(1)).isEqualTo(8);
    assertThat(LookAhead.limit(256)).isEqualTo(2_048);
    assertThat(LookAhead.limit(100_000)).isEqualTo(2_048);
  }
}
