package dev.onejob.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.onejob.domain.Answer;
import dev.onejob.domain.AttemptId;
import dev.onejob.domain.Failure;
import dev.onejob.domain.Job;
import dev.onejob.domain.JobEvent;
import dev.onejob.domain.JobId;
import dev.onejob.domain.JobStanding.KindRules;
import dev.onejob.domain.JobState;
import dev.onejob.domain.Retryability;
import dev.onejob.domain.StartCause;
import dev.onejob.domain.Then;
import dev.onejob.domain.Verdict;
import dev.onejob.domain.WaitingFor;
import dev.onejob.domain.WhenUnqualified;
import dev.onejob.testkit.PostgresExtension;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Jobs that may be what takes their holders down. */
class ParkingTest {
  private static final KindRules MANY = new KindRules(9, Duration.ZERO, WhenUnqualified.WAIT);
  private static final int PARK_AFTER = 2;

  @RegisterExtension final PostgresExtension postgres = new PostgresExtension();

  private StoreFixture store;
  private JobId job;

  @BeforeEach
  void admit() {
    store = new StoreFixture(postgres.dataSource());
    job = store.admit("k", MANY);
  }

  private AttemptId started(Duration lease) {
    AttemptId attempt = StoreFixture.attemptId();
    JobEvent.Start start = new JobEvent.Start(attempt, StoreFixture.PRIMARY, StartCause.DISPATCH);
    assertThat(store.moves.move(StoreFixture.start(job, start, lease)).orElseThrow())
        .isInstanceOf(Answer.Started.class);
    return attempt;
  }

  /** An attempt whose holder was not heard of again. */
  private AttemptId crashed() {
    AttemptId attempt = started(Duration.ofMillis(1));
    Sweeps.Lapsed lapsed =
        await()
            .until(
                () -> store.sweeps.lapsed(store.sweeps.now(), new Sweeps.Look(List.of(), 1)),
                found -> !found.isEmpty())
            .getFirst();
    store.moves.move(
        new MoveRequest(
            job,
            new JobEvent.Doubt(attempt),
            new MoveRequest.LapsedLease(
                lapsed.token(), new Failure(Failure.LEASE_LAPSED, "not heard of"))));
    return attempt;
  }

  private AttemptId timedOut() {
    AttemptId attempt = started(Duration.ofMinutes(1));
    store.moves.move(StoreFixture.doubt(job, attempt));
    return attempt;
  }

  private static MoveRequest.Decided decided(Verdict verdict, String by) {
    return new MoveRequest.Decided(verdict.word(), Then.RETRY, "because", by, null);
  }

  private Optional<Answer> byRule(AttemptId attempt) {
    return store.moves.move(
        new MoveRequest(
            job,
            new JobEvent.Resolve(attempt, Verdict.ABANDON, Then.RETRY),
            new MoveRequest.Ruled(
                Duration.ZERO, PARK_AFTER, decided(Verdict.ABANDON, "rule:test"))));
  }

  private void byAPerson(AttemptId attempt) {
    store.moves.move(
        new MoveRequest(
            job,
            new JobEvent.Resolve(attempt, Verdict.NOT_DONE, Then.RETRY),
            decided(Verdict.NOT_DONE, "anna")));
  }

  private Job job() {
    return store.job(job);
  }

  private void assertDue() {
    assertThat(job().standing().state()).isEqualTo(JobState.QUEUED);
    assertThat(job().standing().waitingFor()).isNull();
  }

  private void assertParked(int crashes) {
    assertThat(job().standing().waitingFor()).isEqualTo(WaitingFor.DECISION);
    assertThat(job().attempts().getLast().resolutions())
        .singleElement()
        .satisfies(
            kept -> {
              assertThat(kept.then()).isEqualTo(Then.WAIT);
              assertThat(kept.reason())
                  .isEqualTo(
                      ("because; but %d attempts of this job ended with the loss of what held them"
                              + " (park_after_crashes: 2): it waits for a decision")
                          .formatted(crashes));
            });
  }

  @Test
  void the_rule_of_a_kind_tries_again_after_one_crash_and_parks_the_job_after_two() {
    byRule(crashed());
    assertDue();
    byRule(crashed());
    assertParked(2);
  }

  @Test
  void an_attempt_that_timed_out_is_no_crash() {
    for (int i = 0; i < 4; i++) {
      byRule(timedOut());
      assertDue();
    }
    byRule(crashed());
    assertDue();
  }

  @Test
  void an_attempt_that_was_heard_of_after_all_is_no_crash() {
    for (int i = 0; i < 3; i++) {
      AttemptId attempt = crashed();
      Failure busy = new Failure("busy", "later");
      store.moves.move(
          new MoveRequest(
              job,
              new JobEvent.Fail(
                  attempt, busy, Retryability.RETRYABLE, Duration.ZERO, StoreFixture.REPORT),
              new MoveRequest.Cause(busy)));
      assertDue();
    }
    byRule(crashed());
    assertDue();
  }

  @Test
  void the_proof_of_a_provider_that_nothing_was_done_does_not_try_a_third_time_either() {
    byRule(crashed());
    AttemptId second = crashed();
    store.moves.move(
        new MoveRequest(
            job,
            new JobEvent.Resolve(second, Verdict.NOT_DONE, Then.RETRY),
            new MoveRequest.Proved(PARK_AFTER, decided(Verdict.NOT_DONE, "probe"))));
    assertParked(2);
  }

  @Test
  void a_person_may_try_again_and_one_more_crash_parks_the_job_again() {
    byAPerson(crashed());
    byAPerson(crashed());
    assertDue();
    byRule(crashed());
    assertParked(3);
  }

  @Test
  void a_doubt_that_is_no_crash_is_tried_again_however_often_the_job_crashed_before() {
    byAPerson(crashed());
    byAPerson(crashed());
    byRule(timedOut());
    assertDue();
  }

  @Test
  void two_that_raced_on_one_node_and_went_down_with_it_are_one_crash() {
    AttemptId first = started(Duration.ofMillis(1));
    store.moves.move(StoreFixture.accepted(job, first));
    AttemptId second = StoreFixture.attemptId();
    JobEvent.Start race = new JobEvent.Start(second, StoreFixture.FALLBACK, StartCause.BUTTON);
    assertThat(store.moves.move(StoreFixture.start(job, race, Duration.ofMillis(1))).orElseThrow())
        .isInstanceOf(Answer.Started.class);
    await()
        .until(
            () -> store.sweeps.lapsed(store.sweeps.now(), new Sweeps.Look(List.of(), 9)),
            found -> found.size() == 2)
        .forEach(
            lapsed ->
                store.moves.move(
                    new MoveRequest(
                        job,
                        new JobEvent.Doubt(lapsed.attempt()),
                        new MoveRequest.LapsedLease(
                            lapsed.token(), new Failure(Failure.LEASE_LAPSED, "not heard of")))));

    byRule(second);
    byRule(first);
    assertDue();
  }
}
