package dev.onejob.server.ui.playground;

import static org.assertj.core.api.Assertions.assertThat;

import dev.onejob.server.ui.playground.Room.Taken;
import dev.onejob.server.ui.playground.RunView.Over;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class RoomTest {
  private static final UUID KEY = new UUID(0, 1);
  private static final UUID OTHER = new UUID(0, 2);
  private static final long NOW = Room.WINDOW.toNanos() * 3;

  private static List<Taken> runs(int count, UUID key, long beganAt, Over over) {
    return Collections.nCopies(count, new Taken(key, beganAt, over));
  }

  @Test
  void a_node_without_runs_has_room() {
    assertThat(Room.refusal(List.of(), KEY, NOW)).isEmpty();
  }

  @Test
  void one_key_has_two_runs_at_once_whatever_others_have() {
    assertThat(Room.refusal(runs(7, OTHER, NOW, Over.NO), KEY, NOW)).isEmpty();
    assertThat(Room.refusal(runs(1, KEY, NOW, Over.NO), KEY, NOW)).isEmpty();
    assertThat(Room.refusal(runs(2, KEY, NOW, Over.NO), KEY, NOW)).get().asString().contains("2");
  }

  @Test
  void a_node_has_eight_at_once() {
    assertThat(Room.refusal(runs(8, OTHER, NOW, Over.NO), KEY, NOW)).isPresent();
    assertThat(Room.refusal(runs(8, OTHER, NOW, Over.YES), KEY, NOW)).isEmpty();
  }

  @Test
  void one_key_begins_thirty_within_ten_minutes() {
    long old = NOW - Room.WINDOW.toNanos();
    assertThat(Room.refusal(runs(29, KEY, old + 1, Over.YES), KEY, NOW)).isEmpty();
    assertThat(Room.refusal(runs(30, KEY, old + 1, Over.YES), KEY, NOW)).isPresent();
    assertThat(Room.refusal(runs(30, KEY, old, Over.YES), KEY, NOW)).isEmpty();
    assertThat(Room.refusal(runs(30, OTHER, NOW, Over.YES), KEY, NOW)).isEmpty();
  }
}
