package dev.onejob.engine;

import static dev.onejob.engine.EngineFixture.PATIENT;
import static dev.onejob.engine.EngineFixture.attempt;
import static dev.onejob.engine.EngineFixture.decision;
import static dev.onejob.engine.EngineFixture.result;
import static dev.onejob.engine.EngineFixture.submit;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

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
import dev.onejob.testkit.Dump;
import dev.onejob.testkit.Engines;
import dev.onejob.testkit.PostgresExtension;
import dev.onejob.testkit.ScriptedProvider;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class LifeOfAJobTest {
  @RegisterExtension final PostgresExtension postgres = new PostgresExtension();

  private EngineFixture fixture;

  @BeforeEach
  void open() {
    fixture = new EngineFixture(postgres.dataSource());
  }

  @AfterEach
  void stop() {
    fixture.close();
  }

  @Test
  void a_refusal_that_may_be_tried_again_is_tried_again_at_the_same_provider() {
    JobEngine node = fixture.patientNode();
    JobId id = submit(node, "k", "plain");
    fixture.a.next().answer(ScriptedProvider.busy(null));
    fixture.a.next().succeed("1");

    Job job = fixture.awaitState(id, JobState.SUCCEEDED);

    assertThat(job.attempts())
        .extracting(a -> a.standing().state())
        .containsExactly(AttemptState.FAILED, AttemptState.SUCCEEDED);
    assertThat(job.attempts().getFirst().providerKey())
        .isNotEqualTo(job.attempts().get(1).providerKey())
        .isEqualTo(fixture.a.calls().getFirst().request().providerKey());
  }

  @Test
  void a_retry_never_comes_earlier_than_the_provider_asked() {
    JobEngine node = fixture.patientNode();
    JobId id = submit(node, "k", "plain");
    fixture.a.next().answer(ScriptedProvider.busy(Duration.ofSeconds(2)));
    Job waiting = fixture.awaitState(id, JobState.QUEUED);
    Attempt first = waiting.attempts().getFirst();

    assertThat(waiting.standing().runAt())
        .isAfterOrEqualTo(first.endedAt().plus(Duration.ofMillis(1_900)));
    fixture.a.next().succeed("1");
    Job ended = fixture.awaitState(id, JobState.SUCCEEDED);
    assertThat(ended.attempts().get(1).standing().startedAt())
        .isAfterOrEqualTo(waiting.standing().runAt());
  }

  @Test
  void a_refusal_for_good_waits_for_a_qualification_and_nothing_goes_to_the_second_provider() {
    JobEngine node = fixture.patientNode();
    JobId id = submit(node, "k", "plain");
    fixture.a.next().answer(ScriptedProvider.refused());
    Job job = fixture.awaitState(id, JobState.QUEUED);

    assertThat(job.standing().waitingFor()).isEqualTo(WaitingFor.QUALIFICATION);
    assertThat(fixture.b.calls()).isEmpty();
    node.startAttempt(Access.ALL, id, null);
    fixture.b.next().succeed("2");
    fixture.awaitState(id, JobState.SUCCEEDED);
  }

  @Test
  void an_invalid_or_oversized_result_is_a_definite_failure_with_its_reason() {
    JobEngine node = fixture.patientNode();
    JobId invalid = submit(node, "invalid", "plain");
    fixture.a.next().succeed("{\"a\":");
    JobId huge = submit(node, "huge", "plain");
    fixture.a.next().succeed("\"" + "x".repeat(5 << 20) + "\"");

    assertThat(fixture.awaitAttempt(invalid, 1, AttemptState.FAILED).failure().code())
        .isEqualTo(Failure.RESULT_INVALID);
    assertThat(fixture.awaitAttempt(huge, 1, AttemptState.FAILED).failure().code())
        .isEqualTo(Failure.RESULT_TOO_LARGE);
  }

  @Test
  void a_cancel_tells_the_provider_to_stop_and_the_proof_ends_the_job() {
    JobEngine node = fixture.patientNode();
    JobId id = submit(node, "k", "plain");
    ScriptedProvider.Call call = fixture.a.next();
    fixture.awaitAttempt(id, 1, AttemptState.STARTING);
    assertThat(node.cancel(Access.ALL, id)).contains(new Answer.Moved());
    call.stopAsked().orTimeout(60, TimeUnit.SECONDS).join();
    call.answer(new Outcome.Stopped("killed"));

    Job job = fixture.awaitState(id, JobState.CANCELLED);

    assertThat(job.attempts().getFirst().standing().state()).isEqualTo(AttemptState.CANCELLED);
    assertThat(node.cancel(Access.ALL, id)).contains(new Answer.Repeated());
  }

  @Test
  void a_cancel_reaches_an_attempt_on_another_node() {
    JobEngine runs = fixture.patientNode();
    JobId id = submit(runs, "k", "plain");
    ScriptedProvider.Call call = fixture.a.next();
    JobEngine other = fixture.patientNode();

    other.cancel(Access.ALL, id);

    assertThat(call.stopAsked().orTimeout(60, TimeUnit.SECONDS).join()).isTrue();
  }

  @Test
  void in_a_race_the_second_wins_and_the_first_is_lost_with_its_payload_kept_nowhere()
      throws Exception {
    JobEngine node = fixture.patientNode();
    JobId id = submit(node, "k", "race");
    ScriptedProvider.Call first = fixture.a.next();
    fixture.awaitAttempt(id, 1, AttemptState.RUNNING);
    node.startAttempt(Access.ALL, id, "b");
    fixture.b.next().succeed("\"second\"");
    Job won = fixture.awaitState(id, JobState.SUCCEEDED);
    first.stopAsked().orTimeout(60, TimeUnit.SECONDS).join();
    first.succeed("\"MARKER-of-the-loser\"");
    Attempt lost = fixture.awaitAttempt(id, 1, AttemptState.LOST);
    Job after = node.job(Access.ALL, id).orElseThrow();

    assertThat(lost.lostTo()).isEqualTo(attempt(won, 2));
    assertThat(lost.standing().report().bytes()).isEqualTo("\"MARKER-of-the-loser\"".length());
    assertThat(result(after)).isEqualTo("\"second\"");
    assertThat(after.standing().version()).isEqualTo(won.standing().version());
    assertThat(Dump.of(postgres.dataSource())).doesNotContain("MARKER").contains("tester");
  }

  @Test
  void a_race_is_refused_before_its_time_and_on_kinds_that_do_not_race() {
    JobEngine node = fixture.patientNode();
    JobId plain = submit(node, "plain", "plain");
    ScriptedProvider.Call call = fixture.a.next();
    call.accept("ref-1");
    fixture.awaitAttempt(plain, 1, AttemptState.RUNNING);

    ButtonAnswer pressed = node.startAttempt(Access.ALL, plain, "b").orElseThrow();

    assertThat(pressed)
        .isInstanceOfSatisfying(
            ButtonAnswer.Refused.class,
            r -> assertThat(r.refusal().why()).isEqualTo(StartRefusal.ATTEMPT_RUNNING));
    assertThat(node.job(Access.ALL, plain).orElseThrow().attempts().getFirst().providerRef())
        .isEqualTo("ref-1");
  }

  @Test
  void a_deadline_ends_a_queued_job_and_never_one_in_doubt() throws SQLException {
    JobEngine node = fixture.patientNode();
    Instant later = Instant.now().plus(Duration.ofHours(2));
    JobId staying = submitUntil(node, "doubtful", later);
    fixture.a.next().answer(new Outcome.InDoubt(new Failure("cut", "the line was cut")));
    fixture.awaitState(staying, JobState.UNKNOWN);
    JobId failing = submitUntil(node, "queued", later);
    fixture.a.next().answer(ScriptedProvider.busy(Duration.ofHours(1)));
    fixture.awaitJob(
        failing, j -> j.standing().state() == JobState.QUEUED && j.attempts().size() == 1);

    bringDeadlinesForward();
    Job failed = fixture.awaitState(failing, JobState.FAILED);

    assertThat(failed.standing().failure().code()).isEqualTo(Failure.DEADLINE_EXCEEDED);
    assertThat(node.job(Access.ALL, staying).orElseThrow().standing().state())
        .isEqualTo(JobState.UNKNOWN);
  }

  private void bringDeadlinesForward() throws SQLException {
    try (Connection connection = postgres.dataSource().getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(
          """
          UPDATE onejob.job SET
            deadline = now(),
            expires_at = CASE WHEN expires_at IS NOT NULL THEN now() END
          """);
    }
  }

  private static JobId submitUntil(JobEngine node, String key, Instant deadline) {
    Submission plain = Engines.submission(key, "plain", "{}");
    Submission until =
        new Submission(
            plain.owner(), plain.key(), plain.kind(), plain.input(), null, deadline, 0, List.of());
    return ((Admitted.Created) node.submit(until)).id();
  }

  @Test
  void no_connection_is_held_while_a_provider_works() {
    JobEngine node = fixture.patientNode();
    List<JobId> jobs =
        IntStream.range(0, 60).mapToObj(i -> submit(node, "k" + i, "plain")).toList();
    List<ScriptedProvider.Call> calls = new ArrayList<>();
    jobs.forEach(job -> calls.add(fixture.a.next()));

    await().until(() -> postgres.activeConnections() <= 3); // and all of them are at work still

    calls.forEach(call -> call.succeed("1"));
    jobs.forEach(job -> fixture.awaitState(job, JobState.SUCCEEDED));
  }

  @Test
  void a_node_takes_only_what_it_has_slots_for_and_goes_on_when_one_is_free() {
    EngineConfig wide = Engines.config(List.of(PATIENT), Map.of("a", fixture.a, "b", fixture.b));
    JobEngine node =
        fixture.node(
            new EngineConfig(
                "narrow",
                wide.kinds(),
                wide.providers(),
                2,
                Duration.ofMillis(50),
                Duration.ofMillis(200)));
    List<JobId> jobs = IntStream.range(0, 6).mapToObj(i -> submit(node, "k" + i, "plain")).toList();

    for (int i = 0; i < 6; i++) {
      ScriptedProvider.Call call = fixture.a.next();
      assertThat(fixture.a.calls().size()).isLessThanOrEqualTo(i + 2);
      call.succeed("1");
    }
    jobs.forEach(job -> fixture.awaitState(job, JobState.SUCCEEDED));
  }

  @Test
  void jobs_that_wait_start_by_priority_and_then_by_time() {
    EngineConfig wide = Engines.config(List.of(PATIENT), Map.of("a", fixture.a, "b", fixture.b));
    JobEngine node =
        fixture.node(
            new EngineConfig(
                "single",
                wide.kinds(),
                wide.providers(),
                1,
                Duration.ofMillis(50),
                Duration.ofMillis(200)));
    JobId first = submit(node, "first", "plain");
    ScriptedProvider.Call call = fixture.a.next();
    JobId early = submitWith(node, "early", 0);
    JobId late = submitWith(node, "late", 0);
    JobId urgent = submitWith(node, "urgent", 10);
    call.succeed("1");
    List<JobId> order = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      ScriptedProvider.Call next = fixture.a.next();
      order.add(next.request().jobId());
      next.succeed("1");
    }

    assertThat(order).containsExactly(urgent, early, late).doesNotContain(first);
  }

  private static JobId submitWith(JobEngine node, String key, int priority) {
    Submission plain = Engines.submission(key, "plain", "{}");
    Submission with =
        new Submission(
            plain.owner(),
            plain.key(),
            plain.kind(),
            plain.input(),
            null,
            null,
            priority,
            List.of());
    return ((Admitted.Created) node.submit(with)).id();
  }

  @Test
  void a_node_that_dies_between_start_and_settle_leaves_doubt_and_nothing_runs_twice() {
    SeverableDatabase own = new SeverableDatabase(postgres.dataSource());
    JobEngine dying = fixture.node(own, fixture.config(PATIENT));
    JobId id = submit(dying, "k", "plain");
    fixture.a.next();
    own.cut();
    dying.close(); // it can say nothing any more: only the lease is left to tell

    JobEngine other = fixture.patientNode();
    Job job = fixture.awaitState(id, JobState.UNKNOWN);

    assertThat(job.attempts().getFirst().failure().code()).isEqualTo("lease-lapsed");
    assertThat(fixture.a.calls()).hasSize(1);
    other.resolve(attempt(job, 1), decision(Verdict.NOT_DONE, Then.RETRY));
    fixture.a.next().succeed("1");
    fixture.awaitState(id, JobState.SUCCEEDED);
  }

  @Test
  void another_node_finds_the_work_that_the_admitting_node_cannot_take() {
    JobEngine full =
        fixture.node(
            new EngineConfig(
                "full",
                List.of(PATIENT),
                Engines.config(List.of(PATIENT), Map.of("a", fixture.a, "b", fixture.b))
                    .providers(),
                1,
                Duration.ofSeconds(60),
                Duration.ofSeconds(60)));
    submit(full, "blocks", "plain");
    fixture.a.next();
    fixture.node(
        new EngineConfig(
            "idle",
            List.of(PATIENT),
            Engines.config(List.of(PATIENT), Map.of("a", fixture.a, "b", fixture.b)).providers(),
            8,
            Duration.ofSeconds(60),
            Duration.ofSeconds(60)));
    JobId id = submit(full, "k", "plain");

    fixture.a.next().succeed("1"); // by the wake-up: both nodes poll once a minute only
    fixture.awaitState(id, JobState.SUCCEEDED);
  }
}
