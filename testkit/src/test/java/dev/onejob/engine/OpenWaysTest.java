package dev.onejob.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.onejob.domain.Attempt;
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
import dev.onejob.domain.Objection;
import dev.onejob.domain.Qualification;
import dev.onejob.domain.RetryPolicy;
import dev.onejob.domain.Retryability;
import dev.onejob.domain.StartRefusal;
import dev.onejob.domain.Usage;
import dev.onejob.domain.WhenPressed;
import dev.onejob.domain.WhenUnqualified;
import dev.onejob.provider.Outcome;
import dev.onejob.provider.Provider;
import dev.onejob.testkit.Engines;
import dev.onejob.testkit.PostgresExtension;
import dev.onejob.testkit.ScriptedProvider;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A circuit that nobody would wait for, and the ways past it. */
class OpenWaysTest {
  private static final String KIND = "proved";
  private static final Binding BINDING = new Binding("contract", "settings", "1", "model");

  @RegisterExtension final PostgresExtension postgres = new PostgresExtension();

  private final ScriptedProvider first = new ScriptedProvider();
  private final ScriptedProvider second = new ScriptedProvider();
  private final List<JobEngine> nodes = new ArrayList<>();

  @AfterEach
  void close() {
    nodes.forEach(JobEngine::close);
  }

  /** The first failure opens a circuit, for an hour. */
  private JobEngine node(WhenPressed whenPressed, int inFlightMax) {
    Kind kind =
        new Kind(
            KIND,
            Effect.EXCLUSIVE,
            List.of("first", "second"),
            Duration.ofSeconds(20),
            Duration.ofSeconds(20),
            20,
            new RetryPolicy(Duration.ofMillis(10), Duration.ofMillis(50)),
            null,
            null,
            WhenUnqualified.WAIT,
            64);
    Map<String, Provider> providers = Map.of("first", first, "second", second);
    Map<String, EngineConfig.ProviderSlot> slots = new HashMap<>();
    providers.forEach(
        (name, provider) ->
            slots.put(
                name,
                new EngineConfig.ProviderSlot(
                    provider,
                    inFlightMax,
                    ProbePolicy.USUAL,
                    new CircuitPolicy(1, Duration.ofHours(1), Duration.ofHours(1)))));
    Demand demand = new Demand(Map.of("first", BINDING, "second", BINDING), whenPressed, 3);
    JobEngine node =
        JobEngine.start(
            postgres.dataSource(),
            Engines.config(List.of(kind), providers)
                .withProviders(slots)
                .with(Map.of(KIND, demand)));
    nodes.add(node);
    return node;
  }

  private static Outcome down(@Nullable Duration retryAfter) {
    return new Outcome.Refused(
        new Failure("status-503", "overloaded"), Retryability.RETRYABLE, retryAfter);
  }

  private static void qualify(JobEngine node) {
    node.proofs()
        .record(
            new Qualification.Pass(
                KIND,
                "second",
                BINDING,
                "model-1",
                "run " + UUID.randomUUID(),
                Duration.ofHours(1)));
  }

  private static JobId submit(JobEngine node, String key) {
    return EngineFixture.submit(node, key, KIND);
  }

  private static Job awaitJob(JobEngine node, JobId id, Predicate<Job> condition) {
    return await()
        .atMost(Duration.ofSeconds(60))
        .pollInterval(Duration.ofMillis(20))
        .until(() -> node.job(Access.ALL, id).orElseThrow(), condition);
  }

  private static Job awaitTried(JobEngine node, JobId id) {
    return awaitJob(
        node, id, job -> job.attempts().size() == 1 && job.standing().state() == JobState.QUEUED);
  }

  private static List<String> providers(Job job) {
    return job.attempts().stream().map(attempt -> attempt.standing().provider()).toList();
  }

  @Test
  void a_pass_that_is_recorded_while_a_job_waits_behind_an_open_circuit_sends_it_on_at_once() {
    JobEngine node = node(WhenPressed.REFUSE, 64);
    first.always(down(null));
    second.always(ScriptedProvider.succeeded("{}"));
    JobId id = submit(node, "k");
    awaitTried(node, id);

    qualify(node);

    Job job = awaitJob(node, id, it -> it.standing().state() == JobState.SUCCEEDED);
    assertThat(providers(job)).containsExactly("first", "second");
  }

  @Test
  void a_circuit_that_closes_before_its_pause_is_over_calls_back_all_that_wait_on_every_node() {
    JobEngine one = node(WhenPressed.REFUSE, 64);
    JobEngine other = node(WhenPressed.REFUSE, 64);
    first.always(down(null));
    JobId tried = submit(one, "k1");
    awaitTried(one, tried);
    JobId untried = submit(other, "k2");
    first.always(ScriptedProvider.succeeded("{}"));

    one.startAttempt(Access.ALL, tried, "first"); // a person knows better, and is right

    awaitJob(one, tried, job -> job.standing().state() == JobState.SUCCEEDED);
    awaitJob(other, untried, job -> job.standing().state() == JobState.SUCCEEDED);
    assertThat(first.calls()).hasSizeBetween(3, 4); // the other node may have asked before it knew
  }

  @Test
  void what_the_provider_wished_for_itself_holds_after_its_circuit_has_closed() {
    JobEngine node = node(WhenPressed.REFUSE, 64);
    first.always(down(Duration.ofHours(2)));
    JobId patient = submit(node, "k1");
    Instant wished = awaitTried(node, patient).standing().runAt();
    JobId other = submit(node, "k2");
    first.always(ScriptedProvider.succeeded("{}"));

    node.startAttempt(Access.ALL, other, "first");
    awaitJob(node, other, job -> job.standing().state() == JobState.SUCCEEDED);
    node.detours().lookOnce();

    Job job = node.job(Access.ALL, patient).orElseThrow();
    assertThat(job.standing().runAt()).isEqualTo(wished).isAfter(job.createdAt().plusSeconds(7000));
    assertThat(job.attempts()).hasSize(1);
  }

  @Test
  void a_press_that_finds_no_slot_is_refused_for_the_deeper_reason_that_nothing_is_proved() {
    JobEngine node = node(WhenPressed.REFUSE, 1);
    JobId blocks = blockedSecond(node);

    ButtonAnswer refused = node.startAttempt(Access.ALL, blocks, "second").orElseThrow();
    qualify(node);
    ButtonAnswer full = node.startAttempt(Access.ALL, blocks, "second").orElseThrow();

    assertThat(((ButtonAnswer.Refused) refused).refusal().why())
        .isEqualTo(StartRefusal.NOT_QUALIFIED);
    assertThat(full).as("a pass was recorded just now").isInstanceOf(ButtonAnswer.NoSlot.class);
  }

  @Test
  void where_the_kind_allows_the_unqualified_a_press_lacks_a_slot_alone_and_then_is_marked() {
    JobEngine node = node(WhenPressed.ALLOW, 1);
    JobId blocks = blockedSecond(node);

    ButtonAnswer full = node.startAttempt(Access.ALL, blocks, "second").orElseThrow();
    second.next().succeed("{}");
    await()
        .atMost(Duration.ofSeconds(60))
        .until(
            () -> node.startAttempt(Access.ALL, blocks, "second").orElseThrow(),
            ButtonAnswer.Started.class::isInstance);

    assertThat(full).isInstanceOf(ButtonAnswer.NoSlot.class);
    Attempt pressed = node.job(Access.ALL, blocks).orElseThrow().attempts().getLast();
    assertThat(pressed.unqualified()).isEqualTo(Objection.Reason.WITHDRAWN);
    second.next().succeed("{}");
  }

  /** A job that is queued behind the first, while the one slot of the second is taken. */
  private JobId blockedSecond(JobEngine node) {
    first.always(down(null));
    JobId holds = submit(node, "holds");
    awaitTried(node, holds);
    node.proofs()
        .record(
            new Qualification.Pass(
                KIND,
                "second",
                BINDING,
                "model-1",
                "run " + UUID.randomUUID(),
                Duration.ofHours(1)));
    awaitJob(node, holds, job -> job.standing().live() == 1);
    JobId blocked = submit(node, "blocked");
    node.proofs().withdraw(KIND, "second", "it lies", "operator");
    return blocked;
  }

  @Test
  void a_callback_ends_the_streak_of_failures_of_its_provider_and_closes_its_circuit() {
    JobEngine node = node(WhenPressed.REFUSE, 64);
    JobId asked = submit(node, "k1");
    ScriptedProvider.Call call = first.next();
    first.always(down(null));
    JobId opens = submit(node, "k2");
    awaitTried(node, opens);
    assertThat(circuit(node)).isEqualTo(Circuit.State.OPEN);
    first.always(ScriptedProvider.succeeded("{}"));

    node.callbacks().take(call.request().attemptId(), ScriptedProvider.succeeded("{}"));

    assertThat(circuit(node)).isEqualTo(Circuit.State.CLOSED);
    awaitJob(node, asked, job -> job.standing().state() == JobState.SUCCEEDED);
    awaitJob(node, opens, job -> job.standing().state() == JobState.SUCCEEDED);
  }

  private static Circuit.State circuit(JobEngine node) {
    return node.proofs().providers().stream()
        .filter(state -> state.name().equals("first"))
        .findFirst()
        .orElseThrow()
        .circuit()
        .state();
  }

  @Test
  void another_model_that_is_named_in_a_callback_ends_the_pass_and_one_of_the_same_name_does_not() {
    JobEngine node = node(WhenPressed.REFUSE, 64);
    first.always(down(null));
    qualify(node);
    Outcome same = answeredBy("model-1");
    Outcome swapped = answeredBy("model-1-turbo");
    JobId one = submit(node, "k1");
    JobId two = submit(node, "k2");
    AttemptPair calls = new AttemptPair(second.next(), second.next());
    node.detours().lookOnce(); // a node compares the model with what it last read

    node.callbacks().take(calls.one().request().attemptId(), same);
    assertThat(node.proofs().all(KIND, "second", null, 1).getFirst().withdrawal()).isNull();
    node.callbacks().take(calls.other().request().attemptId(), swapped);

    assertThat(node.proofs().all(KIND, "second", null, 1).getFirst().withdrawal().by())
        .isEqualTo(Qualification.BY_MODEL);
    awaitJob(node, one, job -> job.standing().state() == JobState.SUCCEEDED);
    awaitJob(node, two, job -> job.standing().state() == JobState.SUCCEEDED);
  }

  private record AttemptPair(ScriptedProvider.Call one, ScriptedProvider.Call other) {}

  private static Outcome answeredBy(String model) {
    Outcome.Succeeded plain = (Outcome.Succeeded) ScriptedProvider.succeeded("{}");
    return new Outcome.Succeeded(plain.result(), null, new Usage(1L, 1L, model));
  }
}
