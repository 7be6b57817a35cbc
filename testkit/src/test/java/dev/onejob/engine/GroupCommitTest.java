package dev.onejob.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.onejob.domain.Limits;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class GroupCommitTest {
  private final List<List<Integer>> batches = new CopyOnWriteArrayList<>();
  private final CountDownLatch gate = new CountDownLatch(1);

  private List<String> echo(List<Integer> items) {
    batches.add(items);
    if (items.contains(0)) {
      awaitGate();
    }
    return items.stream().map(item -> "answer " + item).toList();
  }

  private void awaitGate() {
    awaitOpen(gate);
  }

  private static void awaitOpen(CountDownLatch latch) {
    try {
      assertThat(latch.await(60, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static Future<String> inBackground(GroupCommit<Integer, String> commit, int item) {
    CompletableFuture<String> answer = new CompletableFuture<>();
    Thread.ofVirtual()
        .start(
            () -> {
              try {
                answer.complete(commit.submit(item));
              } catch (RuntimeException | Error e) {
                answer.completeExceptionally(e);
              }
            });
    return answer;
  }

  @Test
  void a_lone_item_leaves_at_once_on_the_thread_that_brought_it() {
    List<Thread> threads = new ArrayList<>();
    GroupCommit<Integer, String> commit =
        new GroupCommit<>(
            item -> item,
            items -> {
              threads.add(Thread.currentThread());
              return List.of("done");
            });

    assertThat(commit.submit(1)).isEqualTo("done");
    assertThat(threads).containsExactly(Thread.currentThread());
  }

  @Test
  void what_gathers_while_one_batch_is_in_flight_leaves_together_as_the_next() throws Exception {
    GroupCommit<Integer, String> commit = new GroupCommit<>(item -> item, this::echo);
    Future<String> first = inBackground(commit, 0);
    await().until(() -> batches.size() == 1);
    List<Future<String>> rest =
        IntStream.rangeClosed(1, 20).mapToObj(item -> inBackground(commit, item)).toList();
    await().until(() -> commit.gathered() == 20);
    gate.countDown();

    assertThat(first.get(60, TimeUnit.SECONDS)).isEqualTo("answer 0");
    for (int item = 1; item <= 20; item++) {
      assertThat(rest.get(item - 1).get(60, TimeUnit.SECONDS)).isEqualTo("answer " + item);
    }
    assertThat(batches).hasSize(2);
    assertThat(batches.get(1)).hasSize(20);
  }

  @Test
  void two_items_of_one_subject_never_share_a_batch() throws Exception {
    GroupCommit<Integer, String> commit = new GroupCommit<>(item -> item % 10, this::echo);
    Future<String> first = inBackground(commit, 0);
    await().until(() -> batches.size() == 1);
    Future<String> one = inBackground(commit, 1);
    Future<String> eleven = inBackground(commit, 11);
    await().until(() -> commit.gathered() == 2);
    gate.countDown();
    first.get(60, TimeUnit.SECONDS);

    assertThat(one.get(60, TimeUnit.SECONDS)).isEqualTo("answer 1");
    assertThat(eleven.get(60, TimeUnit.SECONDS)).isEqualTo("answer 11");
    assertThat(batches).hasSize(3);
  }

  @Test
  void a_failure_that_blames_no_row_reaches_everyone_aboard_and_the_next_batch_flies() {
    GroupCommit<Integer, String> commit =
        new GroupCommit<>(
            item -> item,
            items -> {
              if (items.contains(13)) {
                throw new IllegalStateException("down");
              }
              return echo(items);
            });

    assertThatThrownBy(() -> commit.submit(13)).hasMessage("down");
    assertThat(commit.submit(1)).isEqualTo("answer 1");
  }

  @Test
  void every_item_gets_its_own_answer_under_many_threads() throws Exception {
    GroupCommit<Integer, String> commit =
        new GroupCommit<>(item -> item, items -> items.stream().map(i -> "answer " + i).toList());
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<String>> answers = new ArrayList<>();
      for (int item = 0; item < 20_000; item++) {
        int mine = item;
        answers.add(threads.submit(() -> commit.submit(mine)));
      }
      for (int item = 0; item < answers.size(); item++) {
        assertThat(answers.get(item).get(60, TimeUnit.SECONDS)).isEqualTo("answer " + item);
      }
    }
  }

  @Test
  void an_interrupt_of_one_caller_neither_breaks_the_batch_nor_is_lost() {
    GroupCommit<Integer, String> commit =
        new GroupCommit<>(
            item -> item,
            items -> {
              assertThat(Thread.currentThread().isInterrupted()).isFalse();
              return List.of("done");
            });
    Thread.currentThread().interrupt();

    assertThat(commit.submit(1)).isEqualTo("done");
    assertThat(Thread.interrupted()).isTrue();
  }

  @Test
  void an_error_of_the_machine_leaves_nobody_waiting_and_the_next_batch_flies() throws Exception {
    GroupCommit<Integer, String> commit =
        new GroupCommit<>(
            item -> item,
            items -> {
              List<String> answers = echo(items);
              if (items.contains(13)) {
                throw new OutOfMemoryError("as if");
              }
              return answers;
            });
    Future<String> first = inBackground(commit, 0);
    await().until(() -> batches.size() == 1);
    List<Future<String>> rest = new ArrayList<>();
    for (int item : List.of(12, 13, 14)) {
      rest.add(inBackground(commit, item));
    }
    await().until(() -> commit.gathered() == 3);
    gate.countDown();

    assertThat(first.get(60, TimeUnit.SECONDS)).isEqualTo("answer 0");
    assertThat(rest.get(0).get(60, TimeUnit.SECONDS)).isEqualTo("answer 12");
    assertThatThrownBy(() -> rest.get(1).get(60, TimeUnit.SECONDS))
        .hasCauseInstanceOf(OutOfMemoryError.class);
    assertThat(rest.get(2).get(60, TimeUnit.SECONDS)).isEqualTo("answer 14");
    assertThat(commit.submit(15)).isEqualTo("answer 15");
  }

  @Test
  void a_subject_that_cannot_be_told_fails_its_own_item_and_the_next_batch_flies() {
    GroupCommit<Integer, String> commit =
        new GroupCommit<>(
            item -> {
              if (item == 13) {
                throw new StackOverflowError("as if");
              }
              return item;
            },
            this::echo);

    assertThatThrownBy(() -> commit.submit(13)).isInstanceOf(StackOverflowError.class);
    assertThat(inBackground(commit, 1)).succeedsWithin(Duration.ofSeconds(10));
  }

  @Test
  void a_batch_holds_no_more_bytes_than_one_statement_can_carry() throws Exception {
    GroupCommit<Integer, String> commit =
        new GroupCommit<>(1, item -> item, this::echo, item -> Limits.BATCH_BYTES_MAX / 4);
    Future<String> first = inBackground(commit, 0);
    await().until(() -> batches.size() == 1);
    List<Future<String>> rest =
        IntStream.rangeClosed(1, 9).mapToObj(item -> inBackground(commit, item)).toList();
    await().until(() -> commit.gathered() == 9);
    gate.countDown();
    first.get(60, TimeUnit.SECONDS);
    for (Future<String> answer : rest) {
      answer.get(60, TimeUnit.SECONDS);
    }

    assertThat(batches).extracting(List::size).containsExactly(1, 4, 4, 1);
  }

  @Test
  void with_two_flights_a_second_item_leaves_at_once_and_only_a_third_has_to_gather()
      throws Exception {
    GroupCommit<Integer, String> commit =
        new GroupCommit<>(
            2,
            item -> item,
            items -> {
              batches.add(items);
              awaitGate();
              return items.stream().map(item -> "answer " + item).toList();
            },
            item -> 0);
    Future<String> first = inBackground(commit, 1);
    await().until(() -> batches.size() == 1); // at once they could share the first flight
    Future<String> second = inBackground(commit, 2);
    await().until(() -> batches.size() == 2);
    Future<String> third = inBackground(commit, 3);
    await().until(() -> commit.gathered() == 1);
    gate.countDown();

    assertThat(first.get(60, TimeUnit.SECONDS)).isEqualTo("answer 1");
    assertThat(second.get(60, TimeUnit.SECONDS)).isEqualTo("answer 2");
    assertThat(third.get(60, TimeUnit.SECONDS)).isEqualTo("answer 3");
    assertThat(batches).extracting(List::size).containsExactly(1, 1, 1);
  }

  private GroupCommit<Integer, String> sortedByTens() {
    return new GroupCommit<>(1, item -> item / 10, item -> item, this::echo, item -> 0);
  }

  private List<Future<String>> gathered(GroupCommit<Integer, String> commit, int... items) {
    List<Future<String>> answers = new ArrayList<>();
    for (int item : items) {
      answers.add(inBackground(commit, item));
      await().until(() -> commit.gathered() == answers.size());
    }
    return answers;
  }

  /** Two items in flights of their own, then five together, which do not land before the gate. */
  private GroupCommit<Integer, String> withFiveInTheAir(Duration late, List<Future<String>> sent) {
    CountDownLatch landing = new CountDownLatch(1);
    GroupCommit<Integer, String> commit =
        new GroupCommit<>(
            2,
            new FlightRules(late),
            item -> item / 10,
            item -> item,
            items -> {
              batches.add(items);
              if (items.size() > 4) {
                awaitGate();
              } else if (items.contains(1) || items.contains(2)) {
                awaitOpen(landing);
              }
              return items.stream().map(item -> "answer " + item).toList();
            },
            item -> 0);
    sent.add(inBackground(commit, 1));
    await().until(() -> batches.size() == 1);
    sent.add(inBackground(commit, 2));
    await().until(() -> batches.size() == 2);
    sent.addAll(gathered(commit, 3, 4, 5, 6, 7));
    landing.countDown();
    await().until(() -> batches.size() == 3);
    return commit;
  }

  @Test
  void while_a_flight_of_many_is_in_the_air_the_next_of_its_sort_gathers_and_no_other()
      throws Exception {
    List<Future<String>> sent = new ArrayList<>();
    GroupCommit<Integer, String> commit = withFiveInTheAir(Duration.ofHours(1), sent);
    Future<String> held = inBackground(commit, 8);
    await().until(() -> commit.gathered() == 1);

    assertThat(inBackground(commit, 10).get(60, TimeUnit.SECONDS)).isEqualTo("answer 10");
    assertThat(held).isNotDone();
    gate.countDown();

    assertThat(held.get(60, TimeUnit.SECONDS)).isEqualTo("answer 8");
    for (Future<String> each : sent) {
      each.get(60, TimeUnit.SECONDS);
    }
    assertThat(batches)
        .containsExactly(List.of(1), List.of(2), List.of(3, 4, 5, 6, 7), List.of(10), List.of(8));
  }

  @Test
  void a_flight_of_many_that_does_not_land_holds_back_the_next_of_its_sort_for_a_moment_only()
      throws Exception {
    List<Future<String>> sent = new ArrayList<>();
    GroupCommit<Integer, String> commit = withFiveInTheAir(FlightRules.LATE, sent);

    Future<String> next = inBackground(commit, 8);

    assertThat(next.get(60, TimeUnit.SECONDS)).isEqualTo("answer 8"); // though nobody else comes
    gate.countDown();
    for (Future<String> each : sent) {
      each.get(60, TimeUnit.SECONDS);
    }
  }

  @Test
  void a_batch_holds_items_of_one_sort_and_the_sort_of_which_most_wait_flies_first()
      throws Exception {
    GroupCommit<Integer, String> commit = sortedByTens();
    Future<String> first = inBackground(commit, 0);
    await().until(() -> batches.size() == 1);
    List<Future<String>> rest = gathered(commit, 11, 21, 22, 31, 23, 32);
    gate.countDown();

    assertThat(first).succeedsWithin(Duration.ofSeconds(10));
    assertThat(rest).allSatisfy(answer -> assertThat(answer).succeedsWithin(Duration.ofSeconds(9)));
    assertThat(batches)
        .containsExactly(List.of(0), List.of(21, 22, 23), List.of(31, 32), List.of(11));
  }

  @Test
  void fuller_sorts_pass_over_the_longest_waiting_item_three_times_and_no_more() throws Exception {
    GroupCommit<Integer, String> commit = sortedByTens();
    Future<String> first = inBackground(commit, 0);
    await().until(() -> batches.size() == 1);
    List<Future<String>> rest = gathered(commit, 11, 21, 22, 31, 32, 41, 42, 51, 52);
    gate.countDown();

    assertThat(first).succeedsWithin(Duration.ofSeconds(10));
    assertThat(rest).allSatisfy(answer -> assertThat(answer).succeedsWithin(Duration.ofSeconds(9)));
    assertThat(batches)
        .containsExactly(
            List.of(0),
            List.of(21, 22),
            List.of(31, 32),
            List.of(41, 42),
            List.of(11),
            List.of(51, 52));
  }

  @Test
  void every_item_gets_its_own_answer_under_many_threads_and_two_flights() throws Exception {
    GroupCommit<Integer, String> commit =
        new GroupCommit<>(
            2, item -> item, items -> items.stream().map(i -> "answer " + i).toList(), item -> 0);
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<String>> answers = new ArrayList<>();
      for (int item = 0; item < 20_000; item++) {
        int mine = item;
        answers.add(threads.submit(() -> commit.submit(mine)));
      }
      for (int item = 0; item < answers.size(); item++) {
        assertThat(answers.get(item).get(60, TimeUnit.SECONDS)).isEqualTo("answer " + item);
      }
    }
  }
}
