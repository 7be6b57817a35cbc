package dev.onejob.server.http.door;

import static org.assertj.core.api.Assertions.assertThat;

import dev.onejob.domain.Owner;
import dev.onejob.server.http.door.Places.Entry;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Who finds a place behind the door. */
final class PlacesTest {
  private static final Owner SHOP = new Owner("shop");
  private static final Owner BANK = new Owner("bank");
  private static final Owner MILL = new Owner("mill");

  @Test
  void an_owner_has_its_share_and_not_one_more_until_it_gives_one_back() {
    Places places = new Places(8, 2);
    assertThat(List.of(places.enter(SHOP), places.enter(SHOP), places.enter(SHOP)))
        .containsExactly(Entry.TAKEN, Entry.TAKEN, Entry.SHARE_USED);
    assertThat(places.enter(BANK)).isEqualTo(Entry.TAKEN);
    places.leave(SHOP);
    assertThat(places.enter(SHOP)).isEqualTo(Entry.TAKEN);
    assertThat(places.enter(SHOP)).isEqualTo(Entry.SHARE_USED);
  }

  @Test
  void when_all_places_are_taken_nobody_finds_one_until_somebody_leaves() {
    Places places = new Places(3, 2);
    places.enter(SHOP);
    places.enter(SHOP);
    places.enter(BANK);
    assertThat(places.enter(MILL)).isEqualTo(Entry.FULL);
    assertThat(places.enter(SHOP)).isEqualTo(Entry.SHARE_USED);
    places.leave(SHOP);
    assertThat(places.enter(MILL)).isEqualTo(Entry.TAKEN);
    assertThat(places.enter(BANK)).isEqualTo(Entry.FULL);
  }

  @Test
  void whoever_comes_and_goes_at_once_leaves_all_places_free() throws Exception {
    Places places = new Places(5, 3);
    AtomicInteger within = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    try (ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < 200; i++) {
        Owner owner = i % 2 == 0 ? SHOP : BANK;
        callers.submit(
            () -> {
              if (places.enter(owner) == Entry.TAKEN) {
                most.accumulateAndGet(within.incrementAndGet(), Math::max);
                Thread.yield();
                within.decrementAndGet();
                places.leave(owner);
              }
            });
      }
    }
    assertThat(most.get()).isBetween(1, 5);
    assertThat(IntStream.range(0, 3).mapToObj(i -> places.enter(SHOP))).containsOnly(Entry.TAKEN);
    assertThat(IntStream.range(0, 2).mapToObj(i -> places.enter(BANK))).containsOnly(Entry.TAKEN);
  }
}
