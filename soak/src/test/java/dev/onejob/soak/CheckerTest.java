package dev.onejob.soak;

import static org.assertj.core.api.Assertions.assertThat;

import dev.onejob.soak.Breach.Promise;
import dev.onejob.soak.History.Acknowledged;
import dev.onejob.soak.History.ResultRead;
import dev.onejob.soak.Tables.AttemptRow;
import dev.onejob.soak.Tables.CallRow;
import dev.onejob.soak.Tables.Counts;
import dev.onejob.soak.Tables.DecisionRow;
import dev.onejob.soak.Tables.JobRow;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Small histories, right ones and wrong ones: the checker tells them apart. */
class CheckerTest {
  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

  private final List<Acknowledged> acknowledged = new ArrayList<>();
  private final List<ResultRead> results = new ArrayList<>();
  private final List<JobRow> jobs = new ArrayList<>();
  private final List<AttemptRow> attempts = new ArrayList<>();
  private final List<DecisionRow> decisions = new ArrayList<>();
  private final List<CallRow> calls = new ArrayList<>();

  private List<Promise> breaches() {
    return Checker.check(
            new History(acknowledged, results), new Tables(NOW, jobs, attempts, decisions, calls))
        .stream()
        .map(Breach::promise)
        .toList();
  }

  private void succeeded(String job, String key, String by) {
    jobs.add(row(job, key, "succeeded", null, by, new Counts(0, 0, 0), false, "result"));
  }

  private static JobRow row(
      String id,
      String key,
      String state,
      String waitingFor,
      String completedBy,
      Counts counts,
      boolean due,
      String result) {
    return new JobRow(
        id,
        "owner",
        key,
        "k",
        "exclusive",
        state,
        waitingFor,
        false,
        completedBy,
        counts,
        due,
        result);
  }

  private void attempt(String id, String job, int number, String state) {
    attempts.add(new AttemptRow(id, job, number, state, null));
  }

  private void effect(String job, String attempt) {
    calls.add(new CallRow(job, attempt, NOW));
  }

  @Test
  void a_history_in_which_all_promises_were_kept_has_no_breach() {
    acknowledged.add(new Acknowledged("k", "j"));
    acknowledged.add(new Acknowledged("k", "j"));
    results.add(new ResultRead("j", "result"));
    succeeded("j", "k", "a2");
    attempt("a1", "j", 1, "failed");
    attempt("a2", "j", 2, "succeeded");
    decisions.add(new DecisionRow("j", "a1", "not_done", NOW));
    calls.add(new CallRow("j", "a1", null));
    effect("j", "a2");

    assertThat(breaches()).isEmpty();
  }

  @Test
  void an_acknowledged_job_that_is_not_there_is_a_breach() {
    acknowledged.add(new Acknowledged("k", "j"));

    assertThat(breaches()).containsExactly(Promise.ACKNOWLEDGED_IS_KEPT);
  }

  @Test
  void a_call_for_a_job_unheard_of_is_a_breach() {
    effect("j", "a");

    assertThat(breaches()).containsExactly(Promise.ACKNOWLEDGED_IS_KEPT);
  }

  @Test
  void two_jobs_told_for_one_key_are_a_breach() {
    acknowledged.add(new Acknowledged("k", "j1"));
    acknowledged.add(new Acknowledged("k", "j2"));
    succeeded("j1", "k", "a1");
    attempt("a1", "j1", 1, "succeeded");
    succeeded("j2", "k", "a2");
    attempt("a2", "j2", 1, "succeeded");

    assertThat(breaches()).contains(Promise.ONE_JOB_PER_KEY).hasSize(2);
  }

  @Test
  void a_job_told_for_another_key_than_its_own_is_a_breach() {
    acknowledged.add(new Acknowledged("other", "j"));
    succeeded("j", "k", "a");
    attempt("a", "j", 1, "succeeded");

    assertThat(breaches()).containsExactly(Promise.ONE_JOB_PER_KEY);
  }

  @Test
  void two_results_read_of_one_job_are_a_breach() {
    results.add(new ResultRead("j", "other"));
    results.add(new ResultRead("j", "result"));
    succeeded("j", "k", "a");
    attempt("a", "j", 1, "succeeded");

    assertThat(breaches()).containsExactly(Promise.ONE_RESULT_PER_JOB);
  }

  @Test
  void a_result_that_was_read_and_is_not_the_one_that_is_kept_is_a_breach() {
    results.add(new ResultRead("j", "other"));
    succeeded("j", "k", "a");
    attempt("a", "j", 1, "succeeded");

    assertThat(breaches()).containsExactly(Promise.ONE_RESULT_PER_JOB);
  }

  @Test
  void two_attempts_that_succeeded_are_a_breach() {
    succeeded("j", "k", "a1");
    attempt("a1", "j", 1, "succeeded");
    attempt("a2", "j", 2, "succeeded");

    assertThat(breaches()).containsExactly(Promise.ONE_RESULT_PER_JOB);
  }

  @Test
  void a_slot_claimed_by_an_attempt_that_was_abandoned_is_a_breach() {
    succeeded("j", "k", "a1");
    attempt("a1", "j", 1, "succeeded");
    attempt("a2", "j", 2, "lost");
    decisions.add(new DecisionRow("j", "a1", "abandon", NOW));
    effect("j", "a1");
    effect("j", "a2");

    assertThat(breaches()).containsExactly(Promise.FENCED_STAYS_FENCED);
  }

  @Test
  void a_second_effect_is_a_breach_unless_an_attempt_was_abandoned() {
    succeeded("j", "k", "a2");
    attempt("a1", "j", 1, "cancelled");
    attempt("a2", "j", 2, "succeeded");
    effect("j", "a1");
    effect("j", "a2");

    assertThat(breaches()).containsExactly(Promise.EFFECTS_ARE_EXCUSED);

    decisions.add(new DecisionRow("j", "a1", "abandon", NOW));
    assertThat(breaches()).isEmpty();
  }

  @Test
  void an_abandon_that_was_decided_twice_excuses_one_effect() {
    succeeded("j", "k", "a2");
    attempt("a1", "j", 1, "cancelled");
    attempt("a2", "j", 2, "succeeded");
    effect("j", "a1");
    effect("j", "a2");
    effect("j", "a3");
    decisions.add(new DecisionRow("j", "a1", "abandon", NOW));
    decisions.add(new DecisionRow("j", "a1", "abandon", NOW));

    assertThat(breaches()).containsExactly(Promise.EFFECTS_ARE_EXCUSED);
  }

  @Test
  void attempts_of_a_harmless_kind_may_all_have_acted_and_no_more_than_they() {
    jobs.add(
        new JobRow(
            "j",
            "o",
            "k",
            "k",
            "harmless",
            "succeeded",
            null,
            false,
            "a1",
            new Counts(0, 0, 0),
            false,
            "r"));
    attempt("a1", "j", 1, "succeeded");
    attempt("a2", "j", 2, "lost");
    effect("j", "a1");
    effect("j", "a2");

    assertThat(breaches()).isEmpty();

    effect("j", "a3");
    assertThat(breaches()).containsExactly(Promise.EFFECTS_ARE_EXCUSED);
  }

  @Test
  void a_not_done_about_an_attempt_that_acted_is_a_breach_and_excuses_nothing() {
    succeeded("j", "k", "a2");
    attempt("a1", "j", 1, "failed");
    attempt("a2", "j", 2, "succeeded");
    decisions.add(new DecisionRow("j", "a1", "not_done", NOW));
    effect("j", "a1");
    effect("j", "a2");

    assertThat(breaches())
        .containsExactlyInAnyOrder(Promise.NOT_DONE_IS_TRUE, Promise.EFFECTS_ARE_EXCUSED);
  }

  @Test
  void an_effect_that_comes_after_a_not_done_is_a_breach_although_the_ledger_agreed_then() {
    jobs.add(row("j", "k", "queued", null, null, new Counts(0, 0, 0), true, null));
    attempt("a1", "j", 1, "failed");
    decisions.add(new DecisionRow("j", "a1", "not_done", NOW.minusSeconds(5)));
    effect("j", "a1");

    assertThat(breaches()).containsExactly(Promise.NOT_DONE_IS_TRUE);
  }

  @Test
  void an_attempt_that_is_carried_out_twice_is_a_breach_even_if_nothing_came_of_it() {
    succeeded("j", "k", "a1");
    attempt("a1", "j", 1, "succeeded");
    effect("j", "a1");
    calls.add(new CallRow("j", "a1", null));

    assertThat(breaches()).containsExactly(Promise.SENT_ONCE);
  }

  @Test
  void a_job_that_nobody_sees_to_is_a_breach() {
    jobs.add(row("j", "k", "running", null, null, new Counts(1, 0, 0), false, null));
    attempts.add(new AttemptRow("a", "j", 1, "running", NOW.minusSeconds(1)));

    assertThat(breaches()).containsExactly(Promise.NO_JOB_ADRIFT);
  }

  @Test
  void a_job_under_a_live_lease_or_due_or_at_the_desk_is_seen_to() {
    jobs.add(row("leased", "k1", "running", null, null, new Counts(1, 0, 0), false, null));
    attempts.add(new AttemptRow("a", "leased", 1, "running", NOW.plusSeconds(1)));
    jobs.add(row("due", "k2", "queued", null, null, new Counts(0, 0, 0), true, null));
    jobs.add(row("doubt", "k3", "unknown", null, null, new Counts(1, 0, 1), false, null));
    attempt("b", "doubt", 1, "unknown");
    jobs.add(row("waits", "k4", "queued", "decision", null, new Counts(0, 0, 0), false, null));

    assertThat(breaches()).isEmpty();
  }

  @Test
  void a_count_that_is_wrong_is_a_breach() {
    jobs.add(row("j", "k", "unknown", null, null, new Counts(2, 0, 1), false, null));
    attempt("a", "j", 1, "unknown");

    assertThat(breaches()).containsExactly(Promise.COUNTS_AGREE);
  }
}
