package dev.onejob.engine;

import static dev.onejob.engine.EngineFixture.attempt;
import static dev.onejob.engine.EngineFixture.decision;
import static dev.onejob.engine.EngineFixture.result;
import static dev.onejob.engine.EngineFixture.submit;
import static org.assertj.core.api.Assertions.assertThat;

import dev.onejob.domain.Answer;
import dev.onejob.domain.Attempt;
import dev.onejob.domain.AttemptState;
import dev.onejob.domain.Failure;
import dev.onejob.domain.Job;
import dev.onejob.domain.JobId;
import dev.onejob.domain.JobState;
import dev.onejob.domain.StartRefusal;
import dev.onejob.domain.Then;
import dev.onejob.domain.Verdict;
import dev.onejob.domain.WaitingFor;
import dev.onejob.provider.Outcome;
import dev.onejob.testkit.PostgresExtension;
import dev.onejob.testkit.ScriptedProvider;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class DoubtTest {
  @RegisterExtension final PostgresExtension postgres = new PostgresExtension();

  private EngineFixture fixture;
  private JobEngine node;

  @BeforeEach
  void start() {
    fixture = new EngineFixture(postgres.dataSource());
    node = fixture.node();
  }

  @AfterEach
  void stop() {
    fixture.close();
  }

  private Job inDoubt(String key) {
    JobId id = submit(node, key, "plain");
    return fixture.awaitState(id, JobState.UNKNOWN);
  }

  @Test
  void silence_past_the_timeout_is_doubt_and_blocks_the_button_by_name() {
    Job job = inDoubt("k");

    ButtonAnswer pressed = node.startAttempt(Access.ALL, job.id(), "b").orElseThrow();

    assertThat(job.attempts().getFirst().failure().code()).isEqualTo("timeout");
    assertThat(pressed)
        .isEqualTo(
            new ButtonAnswer.Refused(
                new Answer.StartRefused(StartRefusal.ATTEMPT_UNKNOWN, attempt(job, 1), null)));
    assertThat(fixture.b.calls()).isEmpty();
    assertThat(fixture.a.calls()).hasSize(1);
  }

  @Test
  void a_late_answer_still_wins_an_empty_slot() {
    Job job = inDoubt("k");
    fixture.a.calls().getFirst().succeed("\"late\"");

    Job ended = fixture.awaitState(job.id(), JobState.SUCCEEDED);

    assertThat(result(ended)).isEqualTo("\"late\"");
    assertThat(ended.attempts().getFirst().failure()).isNull();
  }

  @Test
  void not_done_then_wait_waits_for_the_button_which_starts_the_next_provider() {
    Job job = inDoubt("k");
    node.resolve(attempt(job, 1), decision(Verdict.NOT_DONE, Then.WAIT));
    Job waiting = fixture.awaitState(job.id(), JobState.QUEUED);
    node.startAttempt(Access.ALL, job.id(), null);
    fixture.b.next().succeed("\"b\"");

    Job ended = fixture.awaitState(job.id(), JobState.SUCCEEDED);

    assertThat(waiting.standing().waitingFor()).isEqualTo(WaitingFor.DECISION);
    assertThat(result(ended)).isEqualTo("\"b\"");
    assertThat(ended.attempts().getFirst().resolutions())
        .singleElement()
        .satisfies(
            kept -> {
              assertThat(kept.verdict()).isEqualTo("not_done");
              assertThat(kept.then()).isEqualTo(Then.WAIT);
              assertThat(kept.reason()).isEqualTo("the operator looked");
              assertThat(kept.decidedBy()).isEqualTo("operator");
            });
  }

  @Test
  void not_done_then_retry_goes_on_by_itself_at_the_same_provider() {
    Job job = inDoubt("k");
    fixture.a.next();
    node.resolve(attempt(job, 1), decision(Verdict.NOT_DONE, null));
    fixture.a.next().succeed("\"again\"");

    Job ended = fixture.awaitState(job.id(), JobState.SUCCEEDED);

    assertThat(ended.attempts()).hasSize(2);
    assertThat(fixture.b.calls()).isEmpty();
  }

  @Test
  void done_with_the_result_ends_the_job_with_it() {
    Job job = inDoubt("k");
    assertThat(node.resolve(attempt(job, 1), decision(Verdict.DONE, null)))
        .contains(new Answer.Moved());

    assertThat(result(fixture.awaitState(job.id(), JobState.SUCCEEDED))).isEqualTo("\"found\"");
  }

  @Test
  void still_running_keeps_the_attempt_in_doubt_and_the_decision_on_record() {
    Job job = inDoubt("k");
    node.resolve(attempt(job, 1), decision(Verdict.STILL_RUNNING, null));
    Job after = node.job(Access.ALL, job.id()).orElseThrow();

    assertThat(after.standing().state()).isEqualTo(JobState.UNKNOWN);
    assertThat(after.attempts().getFirst().resolutions()).hasSize(1);
    assertThat(after.attempts().getFirst().failure().code()).isEqualTo("timeout");
    fixture.a.calls().getFirst().succeed("\"late\"");
    fixture.awaitState(job.id(), JobState.SUCCEEDED);
  }

  @Test
  void an_abandoned_attempt_that_answers_before_the_new_one_does_not_win() {
    Job job = inDoubt("k");
    node.resolve(attempt(job, 1), decision(Verdict.ABANDON, Then.WAIT));
    node.startAttempt(Access.ALL, job.id(), "b");
    ScriptedProvider.Call second = fixture.b.next();
    fixture.a.calls().getFirst().succeed("\"abandoned\"");
    Attempt abandoned =
        fixture
            .awaitJob(job.id(), j -> !j.attempts().getFirst().evidence().isEmpty())
            .attempts()
            .getFirst();
    second.succeed("\"new\"");

    Job ended = fixture.awaitState(job.id(), JobState.SUCCEEDED);

    assertThat(abandoned.standing().state()).isEqualTo(AttemptState.CANCELLED);
    assertThat(abandoned.evidence().getFirst().says()).contains("succeeded", "contested");
    assertThat(result(ended)).isEqualTo("\"new\"");
    assertThat(ended.standing().completedBy()).isEqualTo(attempt(ended, 2));
  }

  @Test
  void a_contested_job_goes_on_only_after_an_operator_has_acknowledged_it() {
    Job job = inDoubt("k");
    node.resolve(attempt(job, 1), decision(Verdict.NOT_DONE, Then.WAIT));
    fixture.a.calls().getFirst().succeed("\"it did act\"");
    fixture.awaitJob(job.id(), j -> j.standing().contested());

    assertThat(node.startAttempt(Access.ALL, job.id(), "b").orElseThrow())
        .isEqualTo(
            new ButtonAnswer.Refused(new Answer.StartRefused(StartRefusal.CONTESTED, null, null)));
    assertThat(node.acknowledge(job.id(), Then.WAIT, "refunded by hand", "operator"))
        .contains(new Answer.Moved());
    node.startAttempt(Access.ALL, job.id(), "b");
    fixture.b.next().succeed("\"b\"");
    Job ended = fixture.awaitState(job.id(), JobState.SUCCEEDED);
    assertThat(ended.resolutions())
        .singleElement()
        .satisfies(kept -> assertThat(kept.verdict()).isEqualTo("acknowledge"));
  }

  @Test
  void an_ambiguous_answer_is_doubt_at_once() {
    fixture.a.always(new Outcome.InDoubt(new Failure("status-502", "a gateway said 502")));
    JobId id = submit(node, "k", "plain");

    Job job = fixture.awaitState(id, JobState.UNKNOWN);

    assertThat(job.attempts().getFirst().failure().code()).isEqualTo("status-502");
  }

  @Test
  void an_adapter_that_throws_leaves_doubt_not_failure() {
    JobId id = submit(node, "k", "plain");
    fixture.a.next().fail(new IllegalStateException("a bug of the adapter"));

    fixture.awaitState(id, JobState.UNKNOWN);
  }
}
