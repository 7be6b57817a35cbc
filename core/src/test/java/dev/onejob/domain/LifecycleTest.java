package dev.onejob.domain;

import static dev.onejob.domain.Scenario.FALLBACK;
import static dev.onejob.domain.Scenario.FIRST;
import static dev.onejob.domain.Scenario.NOW;
import static dev.onejob.domain.Scenario.PRIMARY;
import static dev.onejob.domain.Scenario.RESULT;
import static dev.onejob.domain.Scenario.SECOND;
import static dev.onejob.domain.Scenario.after;
import static dev.onejob.domain.Scenario.exclusive;
import static dev.onejob.domain.Scenario.racing;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class LifecycleTest {
  private static final JobEvent START = new JobEvent.Start(FIRST, PRIMARY, StartCause.DISPATCH);
  private static final JobEvent BUTTON = new JobEvent.Start(SECOND, FALLBACK, StartCause.BUTTON);
  private static final Failure FAILURE = new Failure("refused", "no");

  private static JobEvent.Fail fail(AttemptId attempt, Retryability retryability, Duration delay) {
    return new JobEvent.Fail(attempt, FAILURE, retryability, delay, Scenario.FAILURE);
  }

  private static Answer answer(Life life, JobEvent event) {
    return Lifecycle.apply(life, event, NOW).answer();
  }

  @Test
  void a_timed_out_attempt_is_unknown_and_so_is_its_job() {
    Life life = after(exclusive(), START, new JobEvent.Doubt(FIRST));

    assertThat(life.job().state()).isEqualTo(JobState.UNKNOWN);
    assertThat(life.attempts().getFirst().state()).isEqualTo(AttemptState.UNKNOWN);
  }

  @Test
  void nothing_starts_beside_an_attempt_in_doubt_and_the_refusal_names_it() {
    Life life = after(racing(), START, new JobEvent.Doubt(FIRST));

    assertThat(answer(life, BUTTON))
        .isEqualTo(new Answer.StartRefused(StartRefusal.ATTEMPT_UNKNOWN, FIRST, null));
  }

  @Test
  void nothing_starts_beside_an_attempt_that_is_starting_even_in_a_race() {
    assertThat(answer(after(racing(), START), BUTTON))
        .isEqualTo(new Answer.StartRefused(StartRefusal.ATTEMPT_STARTING, FIRST, null));
  }

  @Test
  void a_second_attempt_races_one_that_is_running() {
    assertThat(answer(after(racing(), START, new JobEvent.Accepted(FIRST)), BUTTON))
        .isInstanceOf(Answer.Started.class);
  }

  @Test
  void a_kind_that_does_not_race_starts_nothing_beside_a_running_attempt() {
    assertThat(answer(after(exclusive(), START, new JobEvent.Accepted(FIRST)), BUTTON))
        .isEqualTo(new Answer.StartRefused(StartRefusal.ATTEMPT_RUNNING, FIRST, null));
  }

  @Test
  void a_race_may_not_start_before_its_time_and_the_refusal_says_when() {
    Life life = after(racing(), START, new JobEvent.Accepted(FIRST));

    assertThat(Lifecycle.apply(life, BUTTON, NOW.minusMillis(1)).answer())
        .isEqualTo(new Answer.StartRefused(StartRefusal.RACE_TOO_EARLY, FIRST, NOW));
  }

  @Test
  void racing_attempts_read_the_same_version_so_that_the_first_finish_wins() {
    Life race = after(racing(), START, new JobEvent.Accepted(FIRST), BUTTON);
    Life won = after(race, new JobEvent.Finish(SECOND, RESULT));

    assertThat(race.attempts()).extracting(AttemptStanding::jobVersion).containsOnly(0L);
    assertThat(won.job().completedBy()).isEqualTo(SECOND);
    assertThat(answer(won, new JobEvent.Finish(FIRST, Scenario.OTHER_RESULT)))
        .isEqualTo(new Answer.Lost(SECOND));
  }

  @Test
  void an_abandoned_attempt_cannot_win_and_its_sibling_still_can() {
    Life race = after(racing(), START, new JobEvent.Accepted(FIRST), BUTTON);
    Life fenced = after(race, new JobEvent.Resolve(FIRST, Verdict.ABANDON, Then.WAIT));
    Life reported = after(fenced, new JobEvent.Finish(FIRST, RESULT));

    assertThat(reported.job().completedBy()).isNull();
    assertThat(reported.job().contested()).isTrue();
    assertThat(after(reported, new JobEvent.Finish(SECOND, RESULT)).job().completedBy())
        .isEqualTo(SECOND);
  }

  @Test
  void a_contested_job_starts_nothing_until_an_operator_has_acknowledged_it() {
    Life contested =
        after(
            exclusive(),
            START,
            new JobEvent.Doubt(FIRST),
            new JobEvent.Resolve(FIRST, Verdict.NOT_DONE, Then.RETRY),
            new JobEvent.Finish(FIRST, RESULT));

    assertThat(answer(contested, BUTTON))
        .isEqualTo(new Answer.StartRefused(StartRefusal.CONTESTED, null, null));
    assertThat(contested.job().waitingFor()).isEqualTo(WaitingFor.DECISION);
    assertThat(answer(after(contested, new JobEvent.Acknowledge(Then.WAIT)), BUTTON))
        .isInstanceOf(Answer.Started.class);
  }

  @Test
  void a_retryable_failure_is_due_again_after_its_delay_at_the_same_provider() {
    Duration delay = Duration.ofSeconds(3);
    Life life = after(exclusive(), START, fail(FIRST, Retryability.RETRYABLE, delay));

    assertThat(life.job().state()).isEqualTo(JobState.QUEUED);
    assertThat(life.job().runAt()).isEqualTo(NOW.plus(delay));
  }

  @Test
  void a_final_failure_does_not_go_to_the_next_provider_without_a_qualification() {
    Life life = after(exclusive(), START, fail(FIRST, Retryability.FINAL, Duration.ZERO));

    assertThat(life.job().waitingFor()).isEqualTo(WaitingFor.QUALIFICATION);
    assertThat(answer(life, new JobEvent.Start(SECOND, FALLBACK, StartCause.DISPATCH)))
        .isEqualTo(new Answer.StartRefused(StartRefusal.WAITING, null, null));
  }

  @Test
  void a_final_failure_goes_to_the_next_provider_that_is_qualified() {
    Life life =
        after(
            Scenario.QUALIFIED,
            exclusive(),
            START,
            fail(FIRST, Retryability.FINAL, Duration.ofHours(1)));

    assertThat(life.job().goesOnAt()).isEqualTo(FALLBACK);
    assertThat(life.job().runAt()).as("its own backoff is not the other's").isEqualTo(NOW);
  }

  @Test
  void a_retryable_failure_stays_at_its_provider_although_another_is_qualified() {
    Duration delay = Duration.ofSeconds(3);
    Life life =
        after(Scenario.QUALIFIED, exclusive(), START, fail(FIRST, Retryability.RETRYABLE, delay));

    assertThat(life.job().goesOnAt()).isEqualTo(PRIMARY);
    assertThat(life.job().runAt()).isEqualTo(NOW.plus(delay));
  }

  @Test
  void what_was_passed_over_is_told_with_its_reason() {
    Lifecycle.Move move =
        Lifecycle.apply(
            after(Scenario.UNQUALIFIED, exclusive(), START),
            fail(FIRST, Retryability.FINAL, Duration.ZERO),
            NOW,
            Scenario.UNQUALIFIED);

    assertThat(move.objections())
        .extracting(Objection::provider, Objection::reason)
        .containsExactly(tuple(FALLBACK, Objection.Reason.EXPIRED));
    assertThat(move.life().job().waitingFor()).isEqualTo(WaitingFor.QUALIFICATION);
  }

  @Test
  void a_provider_that_was_only_passed_over_for_its_circuit_is_come_back_to() {
    Life due = after(Scenario.FIRST_DOWN, exclusive(), new JobEvent.Reroute());
    assertThat(due.job().goesOnAt()).isEqualTo(FALLBACK);

    Life failed =
        after(
            Scenario.QUALIFIED,
            due,
            new JobEvent.Start(FIRST, FALLBACK, StartCause.DISPATCH),
            fail(FIRST, Retryability.FINAL, Duration.ZERO));

    assertThat(failed.job().goesOnAt()).isEqualTo(PRIMARY);
    assertThat(failed.job().state()).isEqualTo(JobState.QUEUED);
  }

  @Test
  void a_job_that_went_around_a_closed_circuit_does_not_start_there() {
    Life life =
        after(
            Scenario.FIRST_DOWN,
            after(Scenario.UNQUALIFIED, exclusive(), START),
            fail(FIRST, Retryability.RETRYABLE, Duration.ZERO));

    assertThat(life.job().goesOnAt()).as("the fallback is qualified").isEqualTo(FALLBACK);
    assertThat(answer(life, new JobEvent.Start(SECOND, PRIMARY, StartCause.DISPATCH)))
        .isEqualTo(new Answer.StartRefused(StartRefusal.DUE_ELSEWHERE, null, null));
  }

  @Test
  void an_abandoned_provider_is_not_come_back_to_by_itself() {
    Life life =
        after(
            Scenario.QUALIFIED,
            exclusive(),
            START,
            new JobEvent.Doubt(FIRST),
            new JobEvent.Resolve(FIRST, Verdict.ABANDON, Then.WAIT),
            new JobEvent.Start(SECOND, FALLBACK, StartCause.BUTTON),
            fail(SECOND, Retryability.FINAL, Duration.ZERO));

    assertThat(life.job().state()).isEqualTo(JobState.FAILED);
  }

  @Test
  void nothing_goes_to_a_qualified_fallback_while_an_attempt_is_in_doubt() {
    Life unknown = after(Scenario.QUALIFIED, exclusive(), START, new JobEvent.Doubt(FIRST));

    assertThat(Lifecycle.apply(unknown, new JobEvent.Reroute(), NOW, Scenario.QUALIFIED).answer())
        .isInstanceOf(Answer.NotAllowed.class);
    assertThat(
            Lifecycle.apply(
                    unknown,
                    new JobEvent.Start(SECOND, FALLBACK, StartCause.DISPATCH),
                    NOW,
                    Scenario.QUALIFIED)
                .answer())
        .isEqualTo(new Answer.StartRefused(StartRefusal.ATTEMPT_UNKNOWN, FIRST, null));
  }

  @Test
  void not_done_goes_on_by_itself_or_waits_for_a_decision_as_it_says() {
    Life unknown = after(exclusive(), START, new JobEvent.Doubt(FIRST));

    assertThat(
            after(unknown, new JobEvent.Resolve(FIRST, Verdict.NOT_DONE, Then.RETRY)).job().runAt())
        .isEqualTo(NOW);
    assertThat(
            after(unknown, new JobEvent.Resolve(FIRST, Verdict.NOT_DONE, Then.WAIT))
                .job()
                .waitingFor())
        .isEqualTo(WaitingFor.DECISION);
  }

  @Test
  void not_done_is_no_verdict_on_an_attempt_that_is_not_in_doubt() {
    assertThat(
            answer(
                after(exclusive(), START),
                new JobEvent.Resolve(FIRST, Verdict.NOT_DONE, Then.RETRY)))
        .isInstanceOf(Answer.NotAllowed.class);
  }

  @Test
  void a_cancel_never_claims_that_a_living_attempt_is_dead() {
    Life life = after(exclusive(), START, new JobEvent.CancelRequest());

    assertThat(life.job().state()).isEqualTo(JobState.RUNNING);
    assertThat(life.job().cancelRequestedAt()).isEqualTo(NOW);
  }

  @Test
  void a_result_that_arrives_before_the_cancel_took_hold_wins() {
    Life life =
        after(exclusive(), START, new JobEvent.CancelRequest(), new JobEvent.Finish(FIRST, RESULT));

    assertThat(life.job().state()).isEqualTo(JobState.SUCCEEDED);
    assertThat(life.job().cancelRequestedAt()).isEqualTo(NOW);
  }

  @Test
  void a_deadline_leaves_a_job_in_doubt_in_doubt_and_a_late_result_wins() {
    Life late =
        after(exclusive(), START, new JobEvent.Doubt(FIRST), new JobEvent.DeadlineReached());

    assertThat(late.job().state()).isEqualTo(JobState.UNKNOWN);
    assertThat(after(late, new JobEvent.Finish(FIRST, RESULT)).job().state())
        .isEqualTo(JobState.SUCCEEDED);
  }

  @Test
  void the_same_answer_twice_is_answered_as_the_first_time() {
    Life life = after(exclusive(), START, new JobEvent.Finish(FIRST, RESULT));

    assertThat(answer(life, new JobEvent.Finish(FIRST, RESULT))).isEqualTo(new Answer.Repeated());
  }

  @Test
  void attempts_used_up_end_the_job_as_failed() {
    Life life =
        after(
            exclusive(),
            START,
            fail(FIRST, Retryability.RETRYABLE, Duration.ZERO),
            new JobEvent.Start(SECOND, PRIMARY, StartCause.DISPATCH),
            fail(SECOND, Retryability.RETRYABLE, Duration.ZERO));

    assertThat(life.job().state()).isEqualTo(JobState.FAILED);
    assertThat(life.job().failure()).isNotNull();
    assertThat(life.job().failure().code()).isEqualTo(Failure.ATTEMPTS_USED_UP);
  }

  @Test
  void the_timer_races_only_beside_an_attempt_that_runs_and_for_long_enough() {
    JobEvent race = new JobEvent.Start(SECOND, FALLBACK, StartCause.RACE);
    Life starting = after(Scenario.racing(), START);
    Life running = after(starting, new JobEvent.Accepted(FIRST));
    Life raced = after(running, race);

    assertThat(answer(Scenario.racing(), race))
        .isEqualTo(new Answer.StartRefused(StartRefusal.NOTHING_TO_RACE, null, null));
    assertThat(answer(starting, race))
        .isEqualTo(new Answer.StartRefused(StartRefusal.ATTEMPT_STARTING, FIRST, null));
    assertThat(answer(after(running, new JobEvent.Doubt(FIRST)), race))
        .isEqualTo(new Answer.StartRefused(StartRefusal.ATTEMPT_UNKNOWN, FIRST, null));
    assertThat(answer(after(Scenario.exclusive(), START, new JobEvent.Accepted(FIRST)), race))
        .isEqualTo(new Answer.StartRefused(StartRefusal.ATTEMPT_RUNNING, FIRST, null));
    assertThat(answer(running, race)).isInstanceOf(Answer.Started.class);
    assertThat(raced.job().live()).isEqualTo(2);
    assertThat(answer(after(raced, new JobEvent.Accepted(SECOND)), race(Scenario.THIRD)))
        .isEqualTo(new Answer.StartRefused(StartRefusal.RACE_FULL, FIRST, null));
    assertThat(answer(after(running, new JobEvent.CancelRequest()), race))
        .isEqualTo(new Answer.StartRefused(StartRefusal.CANCEL_REQUESTED, null, null));
  }

  @Test
  void the_timer_races_only_at_a_provider_that_has_proved_the_contract_and_that_answers() {
    Life running = after(Scenario.racing(), START, new JobEvent.Accepted(FIRST));
    Life atTheFallback =
        after(
            Scenario.QUALIFIED,
            Scenario.racing(),
            new JobEvent.Start(FIRST, FALLBACK, StartCause.BUTTON),
            new JobEvent.Accepted(FIRST));
    JobEvent back = new JobEvent.Start(SECOND, PRIMARY, StartCause.RACE);

    assertThat(Lifecycle.apply(running, race(SECOND), NOW, Scenario.UNQUALIFIED).answer())
        .isEqualTo(new Answer.StartRefused(StartRefusal.NOT_QUALIFIED, null, null));
    assertThat(Lifecycle.apply(running, race(SECOND), NOW, Scenario.QUALIFIED).answer())
        .isInstanceOf(Answer.Started.class);
    assertThat(Lifecycle.apply(atTheFallback, back, NOW, Scenario.UNQUALIFIED).answer())
        .as("the first of the route needs no proof")
        .isInstanceOf(Answer.Started.class);
    assertThat(Lifecycle.apply(atTheFallback, back, NOW, Scenario.FIRST_DOWN).answer())
        .isEqualTo(new Answer.StartRefused(StartRefusal.CIRCUIT_OPEN, null, NOW.plusSeconds(60)));
  }

  @Test
  void a_job_that_raced_and_has_lost_both_goes_on_at_the_first_whichever_failed_last() {
    Life admitted =
        new Life(
            JobStanding.admitted(
                List.of(PRIMARY, FALLBACK),
                NOW,
                null,
                new JobStanding.KindRules(3, Duration.ZERO, WhenUnqualified.WAIT)),
            List.of());
    Life raced = after(admitted, START, new JobEvent.Accepted(FIRST), race(SECOND));

    for (Retryability ofTheRival : Retryability.values()) {
      Life rivalLast =
          after(
              raced,
              fail(FIRST, Retryability.RETRYABLE, Duration.ZERO),
              fail(SECOND, ofTheRival, Duration.ZERO));
      Life firstLast =
          after(
              raced,
              fail(SECOND, ofTheRival, Duration.ZERO),
              fail(FIRST, Retryability.RETRYABLE, Duration.ZERO));
      for (Life life : List.of(rivalLast, firstLast)) {
        assertThat(life.job().state()).isEqualTo(JobState.QUEUED);
        assertThat(life.job().goesOnAt()).isEqualTo(PRIMARY);
        assertThat(life.job().runAt()).isEqualTo(NOW);
      }
    }
  }

  private static JobEvent race(AttemptId attempt) {
    return new JobEvent.Start(attempt, FALLBACK, StartCause.RACE);
  }
}
