package dev.onejob.domain;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * Walks every sequence of events of one job with two attempts, up to a depth, and checks the laws
 * after each step. Sequences that lead to the same job are walked on once.
 */
class EveryInterleavingTest {
  /** Steps in a sequence: two starts, and four more events for each of the attempts. */
  private static final int DEPTH = 10;

  private record Step(Life life, int depth) {}

  @Test
  void of_a_job_that_may_race_keeps_the_laws() {
    assertThat(walk(Scenario.racing())).isGreaterThan(500);
  }

  @Test
  void of_a_job_that_may_not_race_keeps_the_laws() {
    assertThat(walk(Scenario.exclusive())).isGreaterThan(200);
  }

  @Test
  void of_a_job_past_its_deadline_keeps_the_laws() {
    assertThat(walk(Scenario.late())).isGreaterThan(1);
  }

  @Test
  void of_a_job_with_a_qualified_fallback_keeps_the_laws() {
    assertThat(walk(Scenario.racing(), Scenario.QUALIFIED)).isGreaterThan(500);
  }

  @Test
  void of_a_job_with_an_unqualified_fallback_keeps_the_laws() {
    assertThat(walk(Scenario.racing(), Scenario.UNQUALIFIED)).isGreaterThan(200);
  }

  @Test
  void of_a_job_whose_first_provider_does_not_answer_keeps_the_laws() {
    assertThat(walk(Scenario.exclusive(), Scenario.FIRST_DOWN)).isGreaterThan(100);
  }

  private static int walk(Life from) {
    return walk(from, Ways.WITHOUT_CONTRACT);
  }

  private static int walk(Life from, Ways ways) {
    Laws.holdFor(from);
    Set<Life> seen = new HashSet<>();
    Deque<Step> open = new ArrayDeque<>();
    seen.add(from);
    open.add(new Step(from, 0));
    while (!open.isEmpty()) {
      Step step = open.remove();
      // Not walked on: each allows one attempt more, and there would be no end of them.
      step.life().attempts().stream()
          .map(attempt -> new JobEvent.Untaken(attempt.id(), Scenario.STOP))
          .forEach(untaken -> lawful(step.life(), untaken, ways));
      for (JobEvent event : Scenario.eventsOf(step.life())) {
        Lifecycle.Move move = lawful(step.life(), event, ways);
        if (step.depth() + 1 < DEPTH && seen.add(move.life())) {
          open.add(new Step(move.life(), step.depth() + 1));
        }
      }
    }
    return seen.size();
  }

  private static Lifecycle.Move lawful(Life life, JobEvent event, Ways ways) {
    Lifecycle.Move move = Lifecycle.apply(life, event, Scenario.NOW, ways);
    try {
      Laws.holdBetween(life, event, move, ways);
    } catch (AssertionError e) {
      throw new AssertionError(event + " on " + life + " gave " + move, e);
    }
    return move;
  }
}
