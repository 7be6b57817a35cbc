package dev.onejob.engine;

import static dev.onejob.engine.EngineFixture.PLAIN;
import static dev.onejob.engine.EngineFixture.RACE;
import static dev.onejob.engine.EngineFixture.attempt;
import static dev.onejob.engine.EngineFixture.decision;
import static dev.onejob.engine.EngineFixture.result;
import static dev.onejob.engine.EngineFixture.submit;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.onejob.domain.AttemptId;
import dev.onejob.domain.AttemptState;
import dev.onejob.domain.Evidence;
import dev.onejob.domain.Failure;
import dev.onejob.domain.Job;
import dev.onejob.domain.JobId;
import dev.onejob.domain.JobState;
import dev.onejob.domain.Retryability;
import dev.onejob.domain.Then;
import dev.onejob.domain.Verdict;
import dev.onejob.engine.Callbacks.Standing;
import dev.onejob.provider.Outcome;
import dev.onejob.store.StoreException;
import dev.onejob.testkit.PostgresExtension;
import dev.onejob.testkit.ScriptedProvider;
import java.net.URI;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What a provider says by itself, on another node than the one that waits for its answer. */
class CallbacksTest {
  private static final Outcome DONE = ScriptedProvider.succeeded("\"by callback\"");

  @RegisterExtension final PostgresExtension postgres = new PostgresExtension();

  private EngineFixture fixture;
  private JobEngine holder;
  private Callbacks elsewhere;

  @BeforeEach
  void start() {
    fixture = new EngineFixture(postgres.dataSource());
    EngineConfig config =
        fixture
            .config(PLAIN, RACE)
            .with((attempt, secret) -> URI.create("http://here/" + attempt + "/" + secret));
    holder = fixture.node(config);
    elsewhere = fixture.node(config).callbacks();
  }

  @AfterEach
  void stop() {
    fixture.close();
  }

  private static Outcome failed(Retryability retryability) {
    return new Outcome.Failed(new Failure("no-luck", "it went wrong"), retryability, null);
  }

  private Standing call(AttemptId attempt, Outcome outcome) {
    return elsewhere.take(attempt, outcome).orElseThrow();
  }

  private Job job(JobId id) {
    return holder.job(Access.ALL, id).orElseThrow();
  }

  private List<String> said(JobId id) {
    return job(id).attempts().getFirst().evidence().stream()
        .map(kept -> kept.source() + " " + kept.strength() + " " + kept.says())
        .toList();
  }

  @Test
  void the_provider_is_given_an_address_whose_secret_every_node_knows() {
    submit(holder, "k", "plain");
    ScriptedProvider.Call call = fixture.a.next();

    String[] parts = call.request().callback().getPath().split("/", -1);

    assertThat(parts[1]).isEqualTo(call.request().attemptId().toString());
    assertThat(elsewhere.admits(call.request().attemptId(), parts[2])).isTrue();
    assertThat(elsewhere.admits(call.request().attemptId(), parts[2] + "x")).isFalse();
  }

  @Test
  void without_a_door_there_is_no_address() {
    fixture.close();
    fixture = new EngineFixture(postgres.dataSource());
    JobEngine closed = fixture.node(fixture.config(PLAIN));
    submit(closed, "k", "plain");

    assertThat(fixture.a.next().request().callback()).isNull();
  }

  @Test
  void an_early_one_ends_an_attempt_that_is_still_starting_and_the_answer_changes_nothing() {
    JobId id = submit(holder, "k", "plain");
    ScriptedProvider.Call call = fixture.a.next();
    assertThat(job(id).attempts().getFirst().standing().state()).isEqualTo(AttemptState.STARTING);

    Standing standing = call(call.request().attemptId(), DONE);
    Job ended = job(id);
    call.succeed("\"by callback\"");
    fixture.awaitJob(id, job -> job.standing().live() == 0);

    assertThat(standing).isEqualTo(new Standing(AttemptState.SUCCEEDED, null, /* broken= */ null));
    assertThat(result(ended)).isEqualTo("\"by callback\"");
    assertThat(job(id).standing()).isEqualTo(ended.standing());
    assertThat(job(id).attempts()).hasSize(1);
    assertThat(said(id)).isEmpty();
  }

  @Test
  void a_late_one_ends_the_doubt_by_proof_that_is_kept() {
    JobId id = submit(holder, "k", "plain");
    Job inDoubt = fixture.awaitState(id, JobState.UNKNOWN);

    Standing standing = call(attempt(inDoubt, 1), DONE);

    assertThat(standing.state()).isEqualTo(AttemptState.SUCCEEDED);
    assertThat(result(job(id))).isEqualTo("\"by callback\"");
    assertThat(said(id)).containsExactly("callback proof succeeded, while in doubt; now succeeded");
  }

  @Test
  void a_failure_in_doubt_is_proof_as_well_and_the_job_goes_on() {
    JobId id = submit(holder, "k", "plain");
    Job inDoubt = fixture.awaitState(id, JobState.UNKNOWN);

    Standing standing = call(attempt(inDoubt, 1), failed(Retryability.RETRYABLE));
    fixture.awaitJob(id, job -> job.attempts().size() == 2);

    assertThat(standing.state()).isEqualTo(AttemptState.FAILED);
    assertThat(said(id))
        .containsExactly("callback proof failed: no-luck, while in doubt; now failed");
  }

  @Test
  void the_same_again_changes_nothing_and_is_answered_as_the_first_time() {
    JobId id = submit(holder, "k", "plain");
    Job inDoubt = fixture.awaitState(id, JobState.UNKNOWN);
    Standing first = call(attempt(inDoubt, 1), DONE);
    Job ended = job(id);

    Standing again = call(attempt(inDoubt, 1), DONE);

    assertThat(again).isEqualTo(first);
    assertThat(job(id).standing()).isEqualTo(ended.standing());
    assertThat(said(id)).hasSize(1);
  }

  @Test
  void one_that_contradicts_a_result_is_kept_and_the_result_stays() {
    JobId id = submit(holder, "k", "plain");
    AttemptId attempt = fixture.a.next().request().attemptId();
    call(attempt, DONE);

    Standing standing = call(attempt, failed(Retryability.RETRYABLE));

    assertThat(standing.state()).isEqualTo(AttemptState.SUCCEEDED);
    assertThat(result(job(id))).isEqualTo("\"by callback\"");
    assertThat(job(id).standing().contested()).isFalse();
    assertThat(said(id)).containsExactly("callback proof failed: no-luck, ended as succeeded");
  }

  @Test
  void one_that_says_that_a_failed_attempt_acted_contests_the_job_once() {
    JobId id = submit(holder, "k", "plain");
    AttemptId attempt = fixture.a.next().request().attemptId();
    call(attempt, failed(Retryability.FINAL));

    Standing standing = call(attempt, DONE);
    call(attempt, DONE);

    assertThat(standing.state()).isEqualTo(AttemptState.FAILED);
    assertThat(job(id).standing().contested()).isTrue();
    assertThat(job(id).attempts().getFirst().evidence())
        .singleElement()
        .extracting(Evidence::source, Evidence::says, Evidence::times)
        .containsExactly("callback", "succeeded, ended as failed; the job is contested", 2);
  }

  @Test
  void what_was_said_by_the_late_answer_already_is_no_news_by_callback() {
    JobId id = submit(holder, "k", "plain");
    ScriptedProvider.Call call = fixture.a.next();
    Job inDoubt = fixture.awaitState(id, JobState.UNKNOWN);
    holder.resolve(attempt(inDoubt, 1), decision(Verdict.ABANDON, Then.WAIT));
    call.succeed("\"by callback\"");
    fixture.awaitJob(id, job -> job.standing().contested());
    holder.acknowledge(id, Then.WAIT, "seen", "operator");

    call(attempt(inDoubt, 1), DONE);

    assertThat(job(id).standing().contested()).isFalse();
    assertThat(job(id).attempts().getFirst().evidence())
        .singleElement()
        .extracting(Evidence::source, Evidence::times)
        .containsExactly("late_answer", 2);
  }

  @Test
  void one_about_an_attempt_that_lost_its_race_is_lost_and_names_the_winner() {
    JobId id = submit(holder, "k", "race");
    ScriptedProvider.Call slow = fixture.a.next();
    fixture.awaitAttempt(id, 1, AttemptState.RUNNING);
    holder.startAttempt(Access.ALL, id, "b");
    fixture.b.next().succeed("\"b\"");
    AttemptId winner = fixture.awaitAttempt(id, 2, AttemptState.SUCCEEDED).standing().id();

    Standing first = call(slow.request().attemptId(), DONE);
    Standing again = call(slow.request().attemptId(), DONE);

    assertThat(first).isEqualTo(new Standing(AttemptState.LOST, winner, /* broken= */ null));
    assertThat(again).isEqualTo(first);
    assertThat(result(job(id))).isEqualTo("\"b\"");
    assertThat(job(id).standing().contested()).isFalse();
  }

  @Test
  void while_another_transaction_holds_the_job_it_is_told_to_come_again_and_then_is_taken()
      throws SQLException {
    JobId id = submit(holder, "k", "plain");
    AttemptId attempt = fixture.a.next().request().attemptId();

    try (Connection other = postgres.dataSource().getConnection();
        Statement statement = other.createStatement()) {
      other.setAutoCommit(false);
      statement.execute("SELECT j.id FROM onejob.job AS j FOR NO KEY UPDATE");
      assertThatThrownBy(() -> call(attempt, DONE)).isInstanceOf(StoreException.LockTimeout.class);
      other.rollback();
    }

    assertThat(call(attempt, DONE).state()).isEqualTo(AttemptState.SUCCEEDED);
    assertThat(result(job(id))).isEqualTo("\"by callback\"");
  }

  @Test
  void of_an_attempt_that_never_was_nothing_is_taken() {
    AttemptId never = AttemptId.next(0, RandomGenerator.getDefault());

    assertThat(elsewhere.take(never, DONE)).isEmpty();
  }
}
