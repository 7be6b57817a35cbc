package dev.onejob.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.onejob.domain.AttemptId;
import dev.onejob.domain.AttemptState;
import dev.onejob.domain.Binding;
import dev.onejob.domain.Circuit;
import dev.onejob.domain.CircuitPolicy;
import dev.onejob.domain.Demand;
import dev.onejob.domain.Effect;
import dev.onejob.domain.Failure;
import dev.onejob.domain.Job;
import dev.onejob.domain.JobId;
import dev.onejob.domain.JobState;
import dev.onejob.domain.Kind;
import dev.onejob.domain.Objection.Reason;
import dev.onejob.domain.Qualification;
import dev.onejob.domain.Result;
import dev.onejob.domain.RetryPolicy;
import dev.onejob.domain.Retryability;
import dev.onejob.domain.StartRefusal;
import dev.onejob.domain.Then;
import dev.onejob.domain.Usage;
import dev.onejob.domain.Verdict;
import dev.onejob.domain.WaitingFor;
import dev.onejob.domain.WhenPressed;
import dev.onejob.domain.WhenUnqualified;
import dev.onejob.provider.Outcome;
import dev.onejob.provider.Provider;
import dev.onejob.testkit.Engines;
import dev.onejob.testkit.PostgresExtension;
import dev.onejob.testkit.ScriptedProvider;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Two nodes, a route of three providers, and who may be used by itself. */
class FailoverTest {
  private static final String KIND = "proved";
  private static final Binding BINDING = new Binding("contract", "settings", "1", "model");
  private static final Outcome DOWN =
      new Outcome.Refused(
          new Failure("connect-failed", "nobody there"), Retryability.RETRYABLE, null);

  @RegisterExtension final PostgresExtension postgres = new PostgresExtension();

  private final ScriptedProvider first = new ScriptedProvider();
  private final ScriptedProvider second = new ScriptedProvider();
  private final ScriptedProvider third = new ScriptedProvider();
  private final List<JobEngine> nodes = new ArrayList<>();
  private JobEngine node;

  @BeforeEach
  void open() {
    node = start(BINDING, WhenUnqualified.WAIT);
    start(BINDING, WhenUnqualified.WAIT);
  }

  @AfterEach
  void close() {
    nodes.forEach(JobEngine::close);
  }

  private JobEngine start(Binding binding, WhenUnqualified whenUnqualified) {
    Kind kind =
        new Kind(
            KIND,
            Effect.EXCLUSIVE,
            List.of("first", "second", "third"),
            Duration.ofSeconds(1),
            Duration.ofSeconds(20),
            20,
            new RetryPolicy(Duration.ofMillis(10), Duration.ofMillis(50)),
            null,
            null,
            whenUnqualified,
            64);
    Map<String, Provider> providers = Map.of("first", first, "second", second, "third", third);
    Map<String, EngineConfig.ProviderSlot> slots = new HashMap<>();
    providers.forEach(
        (name, provider) ->
            slots.put(
                name,
                new EngineConfig.ProviderSlot(
                    provider,
                    64,
                    ProbePolicy.USUAL,
                    new CircuitPolicy(3, Duration.ofMillis(500), Duration.ofSeconds(2)))));
    Map<String, Binding> bindings = Map.of("first", binding, "second", binding, "third", binding);
    EngineConfig config =
        Engines.config(List.of(kind), providers)
            .withProviders(slots)
            .with(Map.of(KIND, new Demand(bindings, WhenPressed.REFUSE, 3)));
    JobEngine started = JobEngine.start(postgres.dataSource(), config);
    nodes.add(started);
    return started;
  }

  /** Both nodes are configured anew. */
  private void configured(Binding binding) {
    nodes.forEach(JobEngine::close);
    nodes.clear();
    node = start(binding, WhenUnqualified.WAIT);
    start(binding, WhenUnqualified.WAIT);
  }

  private void qualify(String provider, Duration validFor) {
    node.proofs()
        .record(
            new Qualification.Pass(
                KIND, provider, BINDING, "model-1", "run " + UUID.randomUUID(), validFor));
  }

  private void qualify(String provider) {
    qualify(provider, Duration.ofHours(1));
  }

  private JobId submit(String key) {
    return EngineFixture.submit(node, key, KIND);
  }

  private Job awaitJob(JobId id, Predicate<Job> condition) {
    return await()
        .atMost(Duration.ofSeconds(60))
        .pollInterval(Duration.ofMillis(20))
        .until(() -> node.job(Access.ALL, id).orElseThrow(), condition);
  }

  private Job awaitWaiting(JobId id) {
    return awaitJob(id, job -> job.standing().waitingFor() == WaitingFor.QUALIFICATION);
  }

  private Job awaitState(JobId id, JobState state) {
    return awaitJob(id, job -> job.standing().state() == state);
  }

  private static List<String> providers(Job job) {
    return job.attempts().stream().map(attempt -> attempt.standing().provider()).toList();
  }

  private static Map<String, Reason> skipped(Job job) {
    Map<String, Reason> skipped = new HashMap<>();
    job.skips()
        .forEach(skip -> skipped.put(skip.objection().provider(), skip.objection().reason()));
    return skipped;
  }

  @Test
  void the_first_refuses_the_unqualified_second_is_skipped_and_the_qualified_third_answers() {
    first.always(ScriptedProvider.refused());
    third.always(ScriptedProvider.succeeded("{\"by\":3}"));
    qualify("third");

    Job job = awaitState(submit("k"), JobState.SUCCEEDED);

    assertThat(providers(job)).containsExactly("first", "third");
    assertThat(skipped(job)).containsExactly(Map.entry("second", Reason.NEVER_QUALIFIED));
    assertThat(second.calls()).isEmpty();
  }

  @Test
  void an_expired_pass_stops_failover_on_both_nodes_and_a_new_one_lets_the_job_go_on() {
    first.always(ScriptedProvider.refused());
    third.always(ScriptedProvider.succeeded("{}"));
    qualify("third", Duration.ofMillis(1));

    JobId id = submit("k");
    Job job = awaitWaiting(id);

    assertThat(skipped(job)).containsEntry("third", Reason.EXPIRED);
    assertThat(third.calls()).isEmpty();
    qualify("third");
    assertThat(providers(awaitState(id, JobState.SUCCEEDED))).containsExactly("first", "third");
  }

  @Test
  void a_contract_changed_by_one_character_stops_failover_on_both_nodes() {
    first.always(ScriptedProvider.refused());
    qualify("third");
    configured(new Binding("contracT", "settings", "1", "model"));

    assertThat(skipped(awaitWaiting(submit("k")))).containsEntry("third", Reason.CONTRACT_CHANGED);
    assertThat(third.calls()).isEmpty();
  }

  @Test
  void another_model_that_is_asked_for_stops_failover_on_both_nodes() {
    first.always(ScriptedProvider.refused());
    qualify("third");
    configured(new Binding("contract", "settings", "1", "model-2"));

    assertThat(skipped(awaitWaiting(submit("k")))).containsEntry("third", Reason.MODEL_CHANGED);
    assertThat(third.calls()).isEmpty();
  }

  @Test
  void a_model_swapped_behind_the_same_name_withdraws_the_pass_for_the_jobs_that_follow() {
    first.always(ScriptedProvider.refused());
    qualify("third");
    JobId id = submit("k1");
    ScriptedProvider.Call call = third.next();
    call.nameModel("model-1-turbo");
    call.succeed("{}");
    awaitState(id, JobState.SUCCEEDED);

    Job next = awaitWaiting(submit("k2"));

    assertThat(skipped(next)).containsEntry("third", Reason.WITHDRAWN);
    assertThat(third.calls()).hasSize(1);
    Qualification pass = node.proofs().all(KIND, "third", null, 1).getFirst();
    assertThat(pass.withdrawal().by()).isEqualTo(Qualification.BY_MODEL);
  }

  @Test
  void a_callback_that_names_another_model_withdraws_the_pass_too() {
    first.always(ScriptedProvider.refused());
    qualify("third");
    JobId id = submit("k1");
    AttemptId attempt = third.next().request().attemptId();
    Result result = new Result(Result.Format.JSON, "{}".getBytes(StandardCharsets.UTF_8));
    Usage usage = new Usage(null, null, "model-1-turbo");
    nodes.getLast().callbacks().take(attempt, new Outcome.Succeeded(result, null, usage));
    awaitState(id, JobState.SUCCEEDED);

    Job next = awaitWaiting(submit("k2"));

    assertThat(skipped(next)).containsEntry("third", Reason.WITHDRAWN);
    Qualification pass = node.proofs().all(KIND, "third", null, 1).getFirst();
    assertThat(pass.withdrawal().by()).isEqualTo(Qualification.BY_MODEL);
  }

  @Test
  void a_withdrawal_calls_back_the_jobs_that_were_due_at_the_fallback() {
    qualify("third");
    first.always(ScriptedProvider.refused());
    third.always(ScriptedProvider.busy(Duration.ofHours(1)));
    JobId id = submit("k");
    Job due = awaitJob(id, job -> job.attempts().size() == 2 && job.standing().runAt() != null);
    assertThat(due.standing().goesOnAt()).isEqualTo("third");

    node.proofs().withdraw(KIND, "third", "it lies", "operator");

    assertThat(skipped(awaitWaiting(id))).containsEntry("third", Reason.WITHDRAWN);
  }

  @Test
  void a_kind_that_does_not_wait_fails_plainly_without_a_qualified_fallback() {
    nodes.forEach(JobEngine::close);
    nodes.clear();
    node = start(BINDING, WhenUnqualified.FAIL);
    first.always(ScriptedProvider.refused());

    Job job = awaitState(submit("k"), JobState.FAILED);

    assertThat(job.standing().failure().code()).isEqualTo(Failure.NO_QUALIFIED_PROVIDER);
    assertThat(skipped(job)).containsOnlyKeys("second", "third");
  }

  @Test
  void nothing_fails_over_while_the_first_attempt_is_in_doubt_and_after_not_done_it_does() {
    qualify("second");
    second.always(ScriptedProvider.succeeded("{\"by\":2}"));
    JobId id = submit("k");
    ScriptedProvider.Call silent = first.next();
    Job doubted = awaitState(id, JobState.UNKNOWN);
    assertThat(silent.request().number()).isEqualTo(1);

    // Longer than several looks of every pass of both nodes; the silence goes on all the while.
    await()
        .during(Duration.ofSeconds(2))
        .atMost(Duration.ofSeconds(60))
        .until(() -> node.job(Access.ALL, id).orElseThrow().attempts().size() == 1);
    assertThat(second.calls()).isEmpty();

    first.always(ScriptedProvider.refused());
    node.resolve(
        EngineFixture.attempt(doubted, 1), EngineFixture.decision(Verdict.NOT_DONE, Then.RETRY));
    Job job = awaitState(id, JobState.SUCCEEDED);

    assertThat(providers(job)).containsExactly("first", "first", "second");
    assertThat(job.attempts().getFirst().standing().state()).isEqualTo(AttemptState.FAILED);
  }

  @Test
  void the_button_is_refused_at_an_unqualified_fallback_of_a_kind_with_a_contract() {
    first.always(ScriptedProvider.refused());
    second.always(ScriptedProvider.succeeded("{}"));
    JobId id = submit("k");
    awaitWaiting(id);

    ButtonAnswer.Refused refused =
        (ButtonAnswer.Refused) node.startAttempt(Access.ALL, id, "second").orElseThrow();

    assertThat(refused.refusal().why()).isEqualTo(StartRefusal.NOT_QUALIFIED);
    qualify("second");
    assertThat(providers(awaitState(id, JobState.SUCCEEDED))).containsExactly("first", "second");
  }

  @Test
  void a_provider_that_is_down_for_all_is_not_asked_by_each_job_in_turn_and_comes_back() {
    first.always(DOWN);
    CompletableFuture<List<JobId>> jobs = // who watches does not wait for the last of them
        CompletableFuture.supplyAsync(
            () -> IntStream.range(0, 40).mapToObj(i -> submit("k" + i)).toList());
    await()
        .pollInterval(Duration.ofMillis(10))
        .until(() -> pause().compareTo(Duration.ofMillis(500)) >= 0);
    int asked = first.calls().size();
    await().atMost(Duration.ofSeconds(60)).until(() -> pause().equals(Duration.ofSeconds(2)));
    int askedMeanwhile = first.calls().size() - asked;
    first.always(ScriptedProvider.succeeded("{}"));

    jobs.join().forEach(job -> awaitState(job, JobState.SUCCEEDED));

    // A trial or two, and what was under way when it opened. Forty jobs whose backoff is 50 ms
    // would have asked a thousand times in the second and a half between.
    assertThat(askedMeanwhile).isBetween(1, 60);
    assertThat(pause()).isEqualTo(Duration.ZERO);
  }

  /** The pause of the first provider's circuit; nothing while that is closed. */
  private Duration pause() {
    Circuit circuit = node.proofs().providers().getFirst().circuit();
    return circuit == null || circuit.opened() == null ? Duration.ZERO : circuit.opened().pause();
  }

  @Test
  void while_the_first_is_down_jobs_go_to_a_qualified_fallback_and_say_why() {
    first.always(DOWN);
    third.always(ScriptedProvider.succeeded("{}"));
    qualify("third");

    List<JobId> jobs = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      jobs.add(submit("k" + i));
    }
    List<Job> ended = jobs.stream().map(job -> awaitState(job, JobState.SUCCEEDED)).toList();

    assertThat(ended).allMatch(job -> providers(job).getLast().equals("third"));
    assertThat(ended).allMatch(job -> skipped(job).get("first") == Reason.CIRCUIT_OPEN);
  }
}
