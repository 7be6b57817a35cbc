package dev.onejob.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.onejob.domain.Answer;
import dev.onejob.domain.AttemptId;
import dev.onejob.domain.AttemptState;
import dev.onejob.domain.JobEvent;
import dev.onejob.domain.JobId;
import dev.onejob.domain.Kind;
import dev.onejob.domain.Then;
import dev.onejob.domain.Verdict;
import dev.onejob.testkit.PostgresExtension;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Future;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A rule found an attempt overdue; what holds is what is there once the job is locked. */
class RuleBehindTheLockTest {
  @RegisterExtension final PostgresExtension postgres = new PostgresExtension();

  private StoreFixture store;
  private JobId job;
  private AttemptId attempt;

  @BeforeEach
  void doubt() {
    store = new StoreFixture(postgres.dataSource());
    job = store.admit("k", StoreFixture.RACING);
    attempt = store.started(job);
    store.moves.move(StoreFixture.doubt(job, attempt));
  }

  private Optional<Answer> rule(Duration after) {
    return store.moves.move(
        new MoveRequest(
            job,
            new JobEvent.Resolve(attempt, Verdict.ABANDON, Then.WAIT),
            new MoveRequest.Ruled(
                after,
                Kind.PARK_AFTER_CRASHES,
                new MoveRequest.Decided("abandon", Then.WAIT, "a rule", "rule:test", null))));
  }

  private AttemptState state() {
    return store.job(job).attempts().getFirst().standing().state();
  }

  @Test
  void a_doubt_younger_than_the_rule_stays() {
    assertThat(rule(Duration.ofHours(1))).contains(new Answer.Repeated());
    assertThat(state()).isEqualTo(AttemptState.UNKNOWN);
    assertThat(store.job(job).attempts().getFirst().resolutions()).isEmpty();
  }

  @Test
  void an_attempt_that_is_known_to_be_at_work_again_is_not_abandoned() {
    store.moves.move(StoreFixture.accepted(job, attempt));

    assertThat(rule(Duration.ZERO)).contains(new Answer.Repeated());
    assertThat(state()).isEqualTo(AttemptState.RUNNING);
  }

  @Test
  void a_doubt_that_began_anew_while_the_rule_waited_for_the_lock_is_judged_by_its_new_age()
      throws Exception {
    try (TwoSessions aged = new TwoSessions(postgres.dataSource())) {
      aged.hold(
          "UPDATE onejob.attempt SET unknown_at = unknown_at - interval '1 hour' WHERE id = ?",
          attempt.uuid());
      aged.commit();
    }
    assertThat(store.sweeps.overdue("test", Duration.ofMinutes(1), new Sweeps.Look(List.of(), 10)))
        .hasSize(1);
    try (TwoSessions other = new TwoSessions(postgres.dataSource())) {
      other.hold("SELECT 1 FROM onejob.job WHERE id = ? FOR NO KEY UPDATE", job.uuid());
      Future<Optional<Answer>> rule = TwoSessions.meanwhile(() -> rule(Duration.ofMinutes(1)));
      other.awaitBlocked(1);
      other.hold(
          "UPDATE onejob.attempt SET unknown_at = clock_timestamp() WHERE id = ?", attempt.uuid());
      other.commit();

      assertThat(rule.get()).contains(new Answer.Repeated());
    }
    assertThat(state()).isEqualTo(AttemptState.UNKNOWN);
  }

  @Test
  void of_two_nodes_with_one_rule_one_decides() {
    assertThat(rule(Duration.ZERO)).contains(new Answer.Moved());
    assertThat(rule(Duration.ZERO)).contains(new Answer.Repeated());
    assertThat(store.job(job).attempts().getFirst().resolutions()).hasSize(1);
  }
}
