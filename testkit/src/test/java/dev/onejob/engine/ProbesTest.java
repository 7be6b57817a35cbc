package dev.onejob.engine;

import static dev.onejob.engine.EngineFixture.attempt;
import static dev.onejob.engine.EngineFixture.result;
import static dev.onejob.engine.EngineFixture.submit;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.onejob.domain.Attempt;
import dev.onejob.domain.AttemptState;
import dev.onejob.domain.CircuitPolicy;
import dev.onejob.domain.Cost;
import dev.onejob.domain.Evidence;
import dev.onejob.domain.Failure;
import dev.onejob.domain.Job;
import dev.onejob.domain.JobCost;
import dev.onejob.domain.JobId;
import dev.onejob.domain.JobState;
import dev.onejob.domain.Money;
import dev.onejob.domain.Prices;
import dev.onejob.domain.Resolution;
import dev.onejob.domain.Result;
import dev.onejob.domain.Retryability;
import dev.onejob.domain.Then;
import dev.onejob.domain.Usage;
import dev.onejob.domain.Verdict;
import dev.onejob.domain.WaitingFor;
import dev.onejob.provider.Capabilities;
import dev.onejob.provider.Capabilities.NegativeAnswer;
import dev.onejob.provider.Capabilities.StatusProbe;
import dev.onejob.provider.Capabilities.TerminalState;
import dev.onejob.provider.Finding;
import dev.onejob.testkit.PostgresExtension;
import dev.onejob.testkit.ScriptedProvider;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What comes of asking a provider about an attempt in doubt. */
class ProbesTest {
  private static final Finding NOT_FOUND = new Finding.NotFound();
  private static final Finding AT_WORK = new Finding.AtWork("ref-1");
  private static final Finding STOPPED = new Finding.Stopped("it was stopped");

  @RegisterExtension final PostgresExtension postgres = new PostgresExtension();

  private EngineFixture fixture;

  @BeforeEach
  void start() {
    fixture = new EngineFixture(postgres.dataSource());
  }

  @AfterEach
  void stop() {
    fixture.close();
  }

  private static Finding found(String json) {
    return new Finding.Succeeded(
        new Result(Result.Format.JSON, json.getBytes(StandardCharsets.UTF_8)), "3 credits");
  }

  private static Finding failed(Retryability retryability) {
    return new Finding.Failed(new Failure("no-ink", "out of ink"), retryability, null);
  }

  private static ScriptedProvider sure() {
    return new ScriptedProvider(
        Askable.capabilities(StatusProbe.BY_REFERENCE, NegativeAnswer.FINAL, TerminalState.STABLE));
  }

  private static ScriptedProvider unsure() {
    return new ScriptedProvider(
        Askable.capabilities(
            StatusProbe.BY_REFERENCE, NegativeAnswer.MAY_COME_LATER, TerminalState.MAY_CHANGE));
  }

  private JobEngine node(ScriptedProvider provider) {
    return fixture.node(Askable.config(provider, Askable.QUICK));
  }

  private Job awaitDoubt(JobId id, Predicate<Job> condition) {
    fixture.awaitState(id, JobState.UNKNOWN);
    return fixture.awaitJob(id, condition);
  }

  private static Attempt first(Job job) {
    return job.attempts().getFirst();
  }

  private static List<String> said(Attempt attempt) {
    return attempt.evidence().stream()
        .map(e -> e.source() + " " + e.strength() + " " + e.says())
        .toList();
  }

  @Test
  void what_is_found_by_a_look_up_or_a_replay_costs_what_its_figures_come_to() {
    Usage usage = new Usage(1_000_000L, 500_000L, null);
    Result result = new Result(Result.Format.JSON, "{}".getBytes(StandardCharsets.UTF_8));
    Finding found = new Finding.Succeeded(result, "3 credits", usage);
    BigDecimal two = BigDecimal.valueOf(2);
    Prices prices = new Prices("EUR", new Prices.Rate(null, two, two), Map.of());
    for (String kind : List.of("plain", "keyed")) {
      ScriptedProvider provider =
          (kind.equals("plain")
                  ? sure()
                  : new ScriptedProvider(Askable.replayable(Duration.ofHours(1))))
              .found(found);
      JobEngine node =
          fixture.node(
              Askable.config(provider, Askable.QUICK)
                  .withProviders(
                      Map.of(
                          "a",
                          new EngineConfig.ProviderSlot(
                              provider, 64, Askable.QUICK, CircuitPolicy.USUAL, prices))));
      JobId id = submit(node, kind, kind);

      Job ended = fixture.awaitState(id, JobState.SUCCEEDED);
      Job.Page listed = node.list(Access.ALL, new JobFilter(null, kind, null, null, 10));
      node.close();
      assertThat(listed.paid(id))
          .isEqualTo(new JobCost.Paid(List.of(new Money(new BigDecimal("3"), "EUR")), 0));

      assertThat(first(ended).cost())
          .isEqualTo(Cost.of(usage, new Money(new BigDecimal("3"), "EUR"), "3 credits"));
    }
  }

  @Test
  void a_timed_out_attempt_that_is_found_succeeded_wins_the_slot() {
    ScriptedProvider provider = sure().found(found("{\"n\": 1.10}"));
    JobId id = submit(node(provider), "k", "plain");

    Job ended = fixture.awaitState(id, JobState.SUCCEEDED);

    assertThat(result(ended)).isEqualTo("{\"n\": 1.10}");
    assertThat(first(ended).failure()).isNull();
    assertThat(first(ended).cost().words()).isEqualTo("3 credits");
    assertThat(said(first(ended))).containsExactly("lookup proof succeeded");
    assertThat(provider.calls()).hasSize(1);
    assertThat(provider.lookups())
        .singleElement()
        .satisfies(
            asked -> {
              assertThat(asked.attemptId()).isEqualTo(attempt(ended, 1));
              assertThat(asked.providerKey()).isEqualTo(first(ended).providerKey());
            });
  }

  @Test
  void a_found_result_is_read_like_any_other_before_it_may_claim_the_slot() {
    JobId id = submit(node(sure().found(found("{\"n\": "))), "k", "plain");

    Attempt attempt = fixture.awaitAttempt(id, 1, AttemptState.FAILED);

    assertThat(attempt.failure().code()).isEqualTo(Failure.RESULT_INVALID);
  }

  @Test
  void a_failure_that_is_proved_goes_on_like_the_attempt_s_own_answer() {
    ScriptedProvider provider = sure().found(failed(Retryability.RETRYABLE));
    JobId id = submit(node(provider), "k", "plain");
    provider.next();

    provider.next().succeed("\"second\"");

    Job ended = fixture.awaitState(id, JobState.SUCCEEDED);
    assertThat(first(ended).failure().code()).isEqualTo("no-ink");
    assertThat(said(first(ended))).containsExactly("lookup proof failed: no-ink");
    assertThat(result(ended)).isEqualTo("\"second\"");
  }

  @Test
  void a_request_that_is_not_found_for_good_was_not_done_and_is_tried_again() {
    ScriptedProvider provider = sure().found(NOT_FOUND);
    JobId id = submit(node(provider), "k", "plain");
    provider.next();

    provider.next().succeed("\"second\"");

    Attempt attempt = first(fixture.awaitState(id, JobState.SUCCEEDED));
    assertThat(attempt.standing().state()).isEqualTo(AttemptState.FAILED);
    assertThat(attempt.failure().code()).isEqualTo(Failure.NOT_DONE);
    assertThat(said(attempt)).containsExactly("lookup proof not found");
    assertThat(attempt.resolutions())
        .singleElement()
        .extracting(Resolution::verdict, Resolution::then, Resolution::decidedBy)
        .containsExactly("not_done", Then.RETRY, "probe");
  }

  @Test
  void a_request_that_is_not_found_yet_stays_in_doubt_until_it_is_found() {
    ScriptedProvider provider = unsure().found(NOT_FOUND);
    JobId id = submit(node(provider), "k", "plain");

    Job doubtful =
        awaitDoubt(
            id, j -> first(j).evidence().stream().anyMatch(evidence -> evidence.times() >= 3));
    provider.found(found("\"at last\""));
    Job ended = fixture.awaitState(id, JobState.SUCCEEDED);

    assertThat(doubtful.standing().state()).isEqualTo(JobState.UNKNOWN);
    Evidence hint = first(doubtful).evidence().getFirst();
    assertThat(said(first(doubtful))).containsExactly("lookup hint not found");
    assertThat(hint.lastAt()).isAfter(hint.learnedAt());
    assertThat(result(ended)).isEqualTo("\"at last\"");
    assertThat(said(first(ended)))
        .containsExactly("lookup hint not found", "lookup proof succeeded");
    assertThat(provider.calls()).hasSize(1);
  }

  @Test
  void an_end_that_may_change_decides_nothing_and_the_end_it_changes_to_does() {
    ScriptedProvider provider =
        unsure()
            .finds(STOPPED, failed(Retryability.RETRYABLE), NOT_FOUND)
            .found(found("\"after all\""));
    JobId id = submit(node(provider), "k", "plain");

    Job ended = fixture.awaitState(id, JobState.SUCCEEDED);

    assertThat(said(first(ended)))
        .containsExactly(
            "lookup hint stopped",
            "lookup hint failed: no-ink",
            "lookup hint not found",
            "lookup proof succeeded");
    assertThat(ended.standing().contested()).isFalse();
    assertThat(provider.calls()).hasSize(1);
  }

  @Test
  void a_success_after_a_failure_that_was_said_to_be_for_good_makes_the_job_contested() {
    ScriptedProvider provider = sure().found(STOPPED);
    JobId id = submit(node(provider), "k", "plain");
    fixture.awaitAttempt(id, 1, AttemptState.CANCELLED);

    provider.calls().getFirst().succeed("\"it acted\"");

    Job contested = fixture.awaitJob(id, j -> j.standing().contested());
    assertThat(contested.standing().waitingFor()).isEqualTo(WaitingFor.DECISION);
    assertThat(said(first(contested)).getLast())
        .startsWith("late_answer proof succeeded")
        .contains("contested");
  }

  @Test
  void c50_an_answer_that_comes_after_it_was_found_changes_nothing() {
    ScriptedProvider provider = sure().found(found("{\"n\": 1}"));
    JobId id = submit(node(provider), "k", "plain");
    Job before = fixture.awaitState(id, JobState.SUCCEEDED);

    provider.calls().getFirst().succeed("{\"n\": 1}");
    await()
        .during(Duration.ofMillis(700))
        .atMost(Duration.ofSeconds(60))
        .until(() -> first(fixture.awaitState(id, JobState.SUCCEEDED)).evidence().size() == 1);

    Job after = fixture.awaitState(id, JobState.SUCCEEDED);
    assertThat(after.standing()).isEqualTo(before.standing());
    assertThat(first(after).standing().report()).isEqualTo(first(before).standing().report());
  }

  @Test
  void a_stop_that_is_proved_ends_a_job_of_which_a_cancel_was_asked() {
    ScriptedProvider provider = sure().found(AT_WORK);
    JobEngine node = node(provider);
    JobId id = submit(node, "k", "plain");
    fixture.awaitState(id, JobState.UNKNOWN);
    node.cancel(Access.ALL, id);
    provider.found(STOPPED);

    fixture.awaitState(id, JobState.CANCELLED);
  }

  @Test
  void what_is_found_at_work_is_watched_under_a_lease_of_its_own() {
    ScriptedProvider provider = sure().found(AT_WORK);
    JobId id = submit(node(provider), "k", "plain");
    fixture.awaitState(id, JobState.UNKNOWN);

    Attempt watched = fixture.awaitAttempt(id, 1, AttemptState.RUNNING);
    Attempt watchedOn =
        first(
            fixture.awaitJob(
                id,
                j ->
                    first(j).leaseUntil() != null
                        && first(j).leaseUntil().isAfter(watched.leaseUntil())));
    provider.found(found("\"done\""));
    Job ended = fixture.awaitState(id, JobState.SUCCEEDED);

    assertThat(watched.providerRef()).isEqualTo("ref-1");
    assertThat(watchedOn.standing().state()).isEqualTo(AttemptState.RUNNING);
    assertThat(said(first(ended)))
        .containsExactly("lookup proof at work", "lookup proof succeeded");
  }

  @Test
  void what_is_watched_by_nobody_any_more_is_in_doubt_again_and_found_by_another_node()
      throws Exception {
    ScriptedProvider provider = sure().found(AT_WORK);
    JobEngine first = node(provider);
    JobId id = submit(first, "k", "plain");
    fixture.awaitAttempt(id, 1, AttemptState.RUNNING);
    first.close();
    provider.found(found("\"by the other\""));

    node(provider);

    Job ended = fixture.awaitState(id, JobState.SUCCEEDED);
    assertThat(result(ended)).isEqualTo("\"by the other\"");
    assertThat(provider.calls()).hasSize(1);
  }

  @Test
  void the_asking_ends_before_the_provider_forgets_and_says_so() {
    Capabilities forgetful =
        Askable.remembering(
            Duration.ofSeconds(3),
            Askable.capabilities(
                StatusProbe.BY_REFERENCE, NegativeAnswer.MAY_COME_LATER, TerminalState.STABLE));
    ScriptedProvider provider = new ScriptedProvider(forgetful).found(NOT_FOUND);
    JobId id = submit(node(provider), "k", "plain");

    Job doubtful =
        awaitDoubt(id, j -> first(j).probing() != null && first(j).probing().ended() != null);
    int asked = provider.lookups().size();

    Attempt attempt = first(doubtful);
    assertThat(doubtful.standing().state()).isEqualTo(JobState.UNKNOWN);
    assertThat(attempt.probing().ended()).isEqualTo("evidence_expires");
    assertThat(attempt.probing().nextAt()).isNull();
    assertThat(attempt.probing().asked()).isEqualTo(asked).isPositive();
    assertThat(attempt.probing().before()).isBefore(attempt.standing().startedAt().plusSeconds(3));
    assertThat(attempt.evidence().getFirst().lastAt()).isBefore(attempt.probing().before());
    await()
        .during(Duration.ofMillis(700))
        .atMost(Duration.ofSeconds(60))
        .until(() -> provider.lookups().size() == asked);
  }

  @Test
  void an_adapter_that_throws_when_asked_leaves_the_doubt_and_is_asked_again() {
    ScriptedProvider provider = sure();
    JobId id = submit(node(provider), "k", "plain");
    Job doubtful =
        awaitDoubt(
            id, j -> first(j).evidence().stream().anyMatch(evidence -> evidence.times() >= 2));

    assertThat(doubtful.standing().state()).isEqualTo(JobState.UNKNOWN);
    assertThat(said(first(doubtful))).containsExactly("lookup hint cannot say: adapter-failed");
    provider.found(found("\"now\""));
    fixture.awaitState(id, JobState.SUCCEEDED);
  }

  @Test
  void an_operator_s_decision_ends_the_asking() {
    ScriptedProvider provider = unsure().found(NOT_FOUND);
    JobEngine node = node(provider);
    JobId id = submit(node, "k", "plain");
    Job doubtful = awaitDoubt(id, j -> !first(j).evidence().isEmpty());

    node.resolve(attempt(doubtful, 1), EngineFixture.decision(Verdict.ABANDON, Then.WAIT));

    Attempt attempt =
        first(fixture.awaitJob(id, j -> "attempt_ended".equals(first(j).probing().ended())));
    assertThat(attempt.standing().state()).isEqualTo(AttemptState.CANCELLED);
  }
}
