package dev.onejob.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.onejob.domain.Kind;
import dev.onejob.testkit.Engines;
import dev.onejob.testkit.ScriptedProvider;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** When a node looks for due jobs again, without waiting for its poll. */
class AppetiteTest {
  private static final int SLOTS = 8;
  private static final Kind KIND = Engines.exclusive("plain", "a");

  private int looks;
  private final Deque<Runnable> later = new ArrayDeque<>();
  private final List<Duration> pauses = new ArrayList<>();
  private final Appetite appetite = new Appetite(this::look, this::later);
  private final Slots slots =
      new Slots(
          new EngineConfig(
              "test",
              List.of(KIND),
              Map.of("a", new EngineConfig.ProviderSlot(new ScriptedProvider(), 64)),
              SLOTS,
              Duration.ofHours(1),
              Duration.ofHours(1)),
          this::released);

  private void look() {
    looks++;
  }

  private void later(Duration pause, Runnable what) {
    pauses.add(pause);
    later.add(what);
  }

  private void released() {
    appetite.slotReleased(slots);
  }

  private List<Slots.Slot> take(int count) {
    List<Slots.Slot> taken = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      taken.add(slots.tryTake("plain", "a"));
    }
    assertThat(taken).doesNotContainNull();
    return taken;
  }

  private void look(Look came) {
    appetite.looking();
    appetite.looked(came, slots);
  }

  @Test
  void a_look_that_took_jobs_is_followed_by_another_at_once_while_half_of_the_slots_are_free() {
    take(SLOTS / 2);

    look(new Look.Took(SLOTS));

    assertThat(looks).isEqualTo(1);
    assertThat(later).isEmpty();
  }

  @Test
  void with_fewer_free_slots_it_is_followed_once_half_of_them_are_free() {
    List<Slots.Slot> taken = take(SLOTS);
    look(new Look.Took(SLOTS));

    taken.subList(0, SLOTS / 2 - 1).forEach(Slots.Slot::release);
    assertThat(looks).isZero();
    taken.get(SLOTS / 2 - 1).release();

    assertThat(looks).isEqualTo(1);
  }

  @Test
  void it_is_followed_soon_although_most_slots_are_held_and_only_once() {
    List<Slots.Slot> taken = take(SLOTS);
    look(new Look.Took(SLOTS));
    taken.getFirst().release();
    taken.get(1).release();
    assertThat(later).hasSize(1);

    later.pop().run();

    assertThat(looks).isEqualTo(1);
    taken.get(2).release();
    assertThat(later).hasSize(1);
  }

  @Test
  void the_fewer_jobs_a_look_took_the_sooner_it_is_followed() {
    take(SLOTS);
    look(new Look.Took(1));
    later.pop().run();
    look(new Look.Took(1_000));

    assertThat(pauses).containsExactly(Appetite.WAIT_FOR_ONE, Appetite.WAIT_MAX);
  }

  @Test
  void a_look_that_found_what_others_had_just_taken_is_followed_after_a_pause() {
    look(new Look.Took(0));

    assertThat(looks).isZero();
    assertThat(pauses).containsExactly(Appetite.OTHERS_PAUSE);
    later.pop().run();
    assertThat(looks).isEqualTo(1);
  }

  @Test
  void a_look_that_found_nothing_due_is_followed_by_none_but_the_one_that_was_asked_for_before() {
    List<Slots.Slot> taken = take(SLOTS);
    look(new Look.Took(SLOTS));
    look(new Look.NothingDue());

    taken.forEach(Slots.Slot::release);
    assertThat(looks).isZero();
    later.pop().run();

    assertThat(looks).isEqualTo(1);
  }

  @Test
  void a_slot_that_a_look_gives_back_unused_asks_for_none() {
    List<Slots.Slot> taken = take(SLOTS);
    appetite.looking();

    taken.forEach(Slots.Slot::giveBack);

    assertThat(looks).isZero();
    assertThat(slots.free()).isEqualTo(SLOTS);
  }

  @Test
  void a_look_that_lacks_slots_is_followed_by_none_before_one_comes_free() {
    List<Slots.Slot> taken = take(1);
    look(new Look.Took(SLOTS));
    looks = 0;

    look(new Look.LacksSlots());

    assertThat(looks).isZero();
    assertThat(later).isEmpty();
    taken.getFirst().release();
    assertThat(looks).isEqualTo(1);
  }

  @Test
  void without_a_backlog_the_first_slot_that_comes_free_asks_for_a_look() {
    List<Slots.Slot> taken = take(SLOTS);
    look(new Look.LacksSlots());

    taken.getFirst().release();

    assertThat(looks).isEqualTo(1);
  }

  @Test
  void a_slot_that_comes_free_during_a_look_is_not_missed() {
    List<Slots.Slot> taken = take(SLOTS);
    appetite.looking();
    taken.getFirst().release();
    appetite.looked(new Look.LacksSlots(), slots);

    assertThat(looks).isEqualTo(1);
  }
}
