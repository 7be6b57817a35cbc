package dev.onejob.server.ui.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class TurnsTest {
  private static final Duration LONG = Duration.ofMinutes(1);

  private final CountDownLatch end = new CountDownLatch(1);

  @AfterEach
  void letGo() {
    end.countDown();
  }

  @Test
  void who_finds_no_turn_and_may_not_wait_is_turned_away() throws Exception {
    Turns turns = new Turns(Turns.Bounds.atOnce(1));
    CompletableFuture<String> first = begin(work -> turns.during(work, TurnsTest::full));

    assertThatThrownBy(() -> turns.during(() -> "second", TurnsTest::full)).hasMessage("full");
    end.countDown();
    assertThat(first.get(30, TimeUnit.SECONDS)).isEqualTo("done");
    assertThat(turns.<String>during(() -> "third", TurnsTest::full)).isEqualTo("third");
  }

  @Test
  void who_may_wait_gets_a_turn_when_one_is_given_back() throws Exception {
    Turns turns = new Turns(new Turns.Bounds(1, 1, LONG));
    CompletableFuture<String> first = begin(work -> turns.during(work, TurnsTest::full));
    CompletableFuture<String> second =
        CompletableFuture.supplyAsync(() -> call(() -> turns.during(() -> "2", TurnsTest::full)));

    end.countDown();

    assertThat(first.get(30, TimeUnit.SECONDS)).isEqualTo("done");
    assertThat(second.get(30, TimeUnit.SECONDS)).isEqualTo("2");
  }

  @Test
  void who_has_waited_in_vain_goes_and_leaves_their_place() throws Exception {
    Turns turns = new Turns(new Turns.Bounds(1, 1, Duration.ofMillis(20)));
    CompletableFuture<String> first = begin(work -> turns.during(work, TurnsTest::full));

    for (int i = 0; i < 3; i++) {
      assertThatThrownBy(() -> turns.during(() -> "in vain", TurnsTest::full)).hasMessage("full");
    }
    end.countDown();
    assertThat(first.get(30, TimeUnit.SECONDS)).isEqualTo("done");
  }

  @Test
  void what_fails_gives_its_turn_back() throws Exception {
    Turns turns = new Turns(Turns.Bounds.atOnce(1));
    Callable<String> failing =
        () -> {
          throw new IllegalStateException("broken");
        };

    for (int i = 0; i < 2; i++) {
      assertThatThrownBy(() -> turns.during(failing, TurnsTest::full)).hasMessage("broken");
    }
    assertThat(turns.<String>during(() -> "whole", TurnsTest::full)).isEqualTo("whole");
  }

  @Test
  void a_key_that_has_used_up_its_share_leaves_others_theirs_and_nothing_is_kept_of_either()
      throws Exception {
    Shares shares = new Shares(Turns.Bounds.atOnce(1));
    UUID greedy = new UUID(0, 1);
    CompletableFuture<String> first = begin(work -> shares.during(greedy, work, TurnsTest::full));

    assertThatThrownBy(() -> shares.during(greedy, () -> "more", TurnsTest::full))
        .hasMessage("full");
    assertThat(shares.<String>during(new UUID(0, 2), () -> "other", TurnsTest::full))
        .isEqualTo("other");
    assertThat(shares.keysInUse()).isEqualTo(1);

    end.countDown();
    assertThat(first.get(30, TimeUnit.SECONDS)).isEqualTo("done");
    assertThat(shares.keysInUse()).isZero();
  }

  private interface Taking {
    String during(Callable<String> work) throws Exception;
  }

  /** Has a turn until the end. */
  private CompletableFuture<String> begin(Taking taking) throws InterruptedException {
    CountDownLatch begun = new CountDownLatch(1);
    CompletableFuture<String> all =
        CompletableFuture.supplyAsync(
            () ->
                call(
                    () ->
                        taking.during(
                            () -> {
                              begun.countDown();
                              end.await();
                              return "done";
                            })));
    assertThat(begun.await(30, TimeUnit.SECONDS)).isTrue();
    return all;
  }

  private static String call(Callable<String> work) {
    try {
      return work.call();
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  private static IllegalArgumentException full() {
    return new IllegalArgumentException("full");
  }
}
