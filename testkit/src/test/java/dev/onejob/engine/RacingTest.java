package dev.onejob.engine;

import static dev.onejob.engine.EngineFixture.attempt;
import static dev.onejob.engine.EngineFixture.result;
import static dev.onejob.engine.EngineFixture.submit;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.onejob.domain.Attempt;
import dev.onejob.domain.AttemptState;
import dev.onejob.domain.Binding;
import dev.onejob.domain.CircuitPolicy;
import dev.onejob.domain.Demand;
import dev.onejob.domain.Effect;
import dev.onejob.domain.Job;
import dev.onejob.domain.JobId;
import dev.onejob.domain.JobState;
import dev.onejob.domain.Kind;
import dev.onejob.domain.Money;
import dev.onejob.domain.Prices;
import dev.onejob.domain.Qualification;
import dev.onejob.domain.Result;
import dev.onejob.domain.RetryPolicy;
import dev.onejob.domain.StartCause;
import dev.onejob.domain.Usage;
import dev.onejob.domain.WhenPressed;
import dev.onejob.domain.WhenUnqualified;
import dev.onejob.engine.EngineConfig.ProviderSlot;
import dev.onejob.provider.Outcome;
import dev.onejob.provider.Provider;
import dev.onejob.provider.PulledProvider;
import dev.onejob.testkit.Engines;
import dev.onejob.testkit.PostgresExtension;
import dev.onejob.testkit.ScriptedProvider;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Races that the timer starts (DESIGN 4.5), and what they cost. */
class RacingTest {
  private static final Duration SOON = Duration.ofMillis(100);

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

  private static Kind racing(Duration timeout, int attempts, String... route) {
    return new Kind(
        "race",
        Effect.HARMLESS,
        List.of(route),
        timeout,
        Duration.ofSeconds(20),
        attempts,
        new RetryPolicy(Duration.ofMillis(10), Duration.ofMillis(50)),
        SOON,
        null,
        WhenUnqualified.WAIT,
        64);
  }

  private static Kind patient(String... route) {
    return racing(Duration.ofSeconds(60), 3, route);
  }

  private EngineConfig with(Kind kind, Map<String, Provider> others) {
    Map<String, Provider> providers = new HashMap<>(others);
    providers.put("a", fixture.a);
    providers.put("b", fixture.b);
    return Engines.config(List.of(kind), providers);
  }

  @Test
  void a_silent_attempt_is_raced_by_the_next_provider_of_the_route_without_a_hand() {
    JobEngine node = fixture.node(List.of(patient("a", "b")));
    JobId id = submit(node, "k", "race");
    ScriptedProvider.Call first = fixture.a.next();
    fixture.b.next().succeed("\"second\"");
    Job won = fixture.awaitState(id, JobState.SUCCEEDED);
    first.stopAsked().orTimeout(60, TimeUnit.SECONDS).join();
    first.succeed("\"first\"");
    Attempt lost = fixture.awaitAttempt(id, 1, AttemptState.LOST);

    assertThat(won.attempts())
        .extracting(Attempt::cause)
        .containsExactly(StartCause.DISPATCH, StartCause.RACE);
    assertThat(result(won)).isEqualTo("\"second\"");
    assertThat(lost.lostTo()).isEqualTo(attempt(won, 2));
    Attempt racer = won.attempts().get(1);
    assertThat(racer.standing().startedAt())
        .isAfterOrEqualTo(lost.standing().startedAt().plus(SOON))
        .isAfterOrEqualTo(lost.acceptedAt());
  }

  @Test
  void the_first_may_win_all_the_same_and_a_rival_that_stops_is_cancelled() {
    JobEngine node = fixture.node(List.of(patient("a", "b")));
    JobId id = submit(node, "k", "race");
    ScriptedProvider.Call first = fixture.a.next();
    ScriptedProvider.Call second = fixture.b.next();
    first.succeed("1");
    fixture.awaitState(id, JobState.SUCCEEDED);
    second.stopAsked().orTimeout(60, TimeUnit.SECONDS).join();
    second.answer(new Outcome.Stopped("closed"));

    fixture.awaitAttempt(id, 2, AttemptState.CANCELLED);
    assertThat(result(node.job(Access.ALL, id).orElseThrow())).isEqualTo("1");
  }

  @Test
  void an_attempt_that_was_acknowledged_before_is_raced_at_its_time_too() {
    JobEngine node = fixture.node(List.of(patient("a", "b")));
    JobId id = submit(node, "k", "race");
    fixture.a.next().accept("ref-1");
    fixture.awaitAttempt(id, 1, AttemptState.RUNNING);

    fixture.b.next().succeed("2");
    Job job = fixture.awaitState(id, JobState.SUCCEEDED);

    Attempt first = job.attempts().getFirst();
    assertThat(job.attempts().get(1).standing().startedAt())
        .isAfterOrEqualTo(first.standing().startedAt().plus(SOON));
  }

  @Test
  void two_race_at_most_and_a_provider_that_was_tried_is_not_asked_again() {
    JobEngine node = fixture.node(with(patient("a", "b", "c"), Map.of("c", fixture.b)));
    JobId id = submit(node, "k", "race");
    ScriptedProvider.Call first = fixture.a.next();
    ScriptedProvider.Call second = fixture.b.next();
    second.answer(ScriptedProvider.refused());
    ScriptedProvider.Call third = fixture.b.next();
    third.succeed("3");
    Job job = fixture.awaitState(id, JobState.SUCCEEDED);
    first.succeed("1");

    assertThat(job.attempts())
        .extracting(a -> a.standing().provider())
        .containsExactly("a", "b", "c");
    assertThat(job.attempts().get(2).standing().startedAt())
        .isAfterOrEqualTo(job.attempts().get(1).endedAt());
  }

  @Test
  void a_provider_that_has_not_proved_the_contract_is_passed_over() {
    ScriptedProvider proved = new ScriptedProvider();
    Binding binding = new Binding("contract", "settings", "1", "model");
    Demand demand =
        new Demand(Map.of("a", binding, "b", binding, "c", binding), WhenPressed.REFUSE, 3);
    JobEngine node =
        fixture.node(
            with(patient("a", "b", "c"), Map.of("c", proved)).with(Map.of("race", demand)));
    node.proofs()
        .record(new Qualification.Pass("race", "c", binding, null, "run", Duration.ofHours(1)));
    JobId id = submit(node, "k", "race");
    ScriptedProvider.Call first = fixture.a.next();
    proved.next().succeed("3");

    Job job = fixture.awaitState(id, JobState.SUCCEEDED);
    first.succeed("1");
    assertThat(job.attempts()).extracting(a -> a.standing().provider()).containsExactly("a", "c");
    assertThat(fixture.b.calls()).isEmpty();
  }

  @Test
  void with_attempts_used_up_a_cancel_asked_or_nothing_left_on_the_route_there_is_no_race() {
    JobEngine node =
        fixture.node(
            Engines.config(
                List.of(racing(Duration.ofSeconds(60), 1, "a", "b"), named("short", patient("a"))),
                Map.of("a", fixture.a, "b", fixture.b)));
    JobId usedUp = submit(node, "used-up", "race");
    JobId shortRoute = submit(node, "short", "short");
    List<ScriptedProvider.Call> calls = List.of(fixture.a.next(), fixture.a.next());
    fixture.awaitAttempt(usedUp, 1, AttemptState.RUNNING);
    fixture.awaitAttempt(shortRoute, 1, AttemptState.RUNNING);
    JobEngine other = fixture.node(List.of(patient("a", "b")));
    JobId cancelled = submit(other, "cancelled", "race");
    ScriptedProvider.Call third = fixture.a.next();
    other.cancel(Access.ALL, cancelled);
    JobId control = submit(other, "control", "race"); // raced after all of them were ripe
    ScriptedProvider.Call fourth = fixture.a.next();

    assertThat(fixture.b.next().request().jobId()).isEqualTo(control);
    calls.forEach(call -> call.succeed("1"));
    third.succeed("1");
    fourth.succeed("1");
    fixture.awaitState(usedUp, JobState.SUCCEEDED);
    assertThat(fixture.b.calls()).hasSize(1);
  }

  private static Kind named(String name, Kind kind) {
    return new Kind(
        name,
        kind.effect(),
        kind.route(),
        kind.attemptTimeout(),
        kind.lateAnswerLimit(),
        kind.attemptsAllowed(),
        kind.retry(),
        kind.raceAfter(),
        kind.deadline(),
        kind.whenUnqualified(),
        kind.inFlightMax());
  }

  @Test
  void of_a_node_that_dies_before_the_time_there_is_doubt_and_never_a_race() {
    SeverableDatabase own = new SeverableDatabase(postgres.dataSource());
    Kind kind = patient("a", "b");
    JobEngine dying = fixture.node(own, fixture.config(kind));
    JobId id = submit(dying, "k", "race");
    fixture.a.next();
    own.cut();
    dying.close();
    JobEngine other = fixture.node(List.of(kind));

    fixture.awaitState(id, JobState.UNKNOWN);
    JobId control = submit(other, "control", "race");
    fixture.a.next();

    assertThat(fixture.b.next().request().jobId()).isEqualTo(control);
    assertThat(other.job(Access.ALL, id).orElseThrow().attempts()).hasSize(1);
  }

  @Test
  void a_race_whose_provider_has_no_room_on_the_holder_starts_on_another_node() {
    Kind kind = patient("a", "b");
    JobEngine holder =
        fixture.node(
            new EngineConfig(
                "holder",
                List.of(kind),
                Map.of("a", new ProviderSlot(fixture.a, 64), "b", new ProviderSlot(fixture.b, 64)),
                1,
                Duration.ofMillis(100),
                Duration.ofMillis(200)));
    JobId id = submit(holder, "k", "race");
    fixture.a.next();
    fixture.awaitAttempt(id, 1, AttemptState.RUNNING);
    fixture.node(
        new EngineConfig(
            "other",
            List.of(kind),
            Engines.config(List.of(kind), Map.of("a", fixture.a, "b", fixture.b)).providers(),
            64,
            Duration.ofMillis(100),
            Duration.ofMillis(200)));

    fixture.b.next().succeed("2");

    assertThat(fixture.awaitState(id, JobState.SUCCEEDED).attempts())
        .extracting(Attempt::node)
        .containsExactly("holder", "other");
  }

  @Test
  void work_in_the_hands_of_a_worker_is_raced_by_a_node() throws Exception {
    Kind kind = patient("w", "a");
    JobEngine node =
        fixture.node(with(kind, Map.of("w", new PulledProvider(Duration.ofSeconds(30)))));
    JobId id = submit(node, "k", "race");
    ClaimAnswer.Taken taken = (ClaimAnswer.Taken) node.pull().claim(claim(), Duration.ofSeconds(5));
    var held = taken.attempts().getFirst();
    node.pull().accepted(Access.ALL, held.attempt(), held.leaseToken(), null);

    fixture.a.next().succeed("2");
    Job won = fixture.awaitState(id, JobState.SUCCEEDED);
    node.pull()
        .settle(Access.ALL, held.attempt(), held.leaseToken(), ScriptedProvider.succeeded("1"));

    assertThat(won.attempts().get(1).cause()).isEqualTo(StartCause.RACE);
    fixture.awaitAttempt(id, 1, AttemptState.LOST);
  }

  private static Claim claim() {
    return new Claim(
        Access.ALL,
        UUID.randomUUID(),
        "worker-1",
        UUID.randomUUID().toString(),
        List.of("race"),
        1);
  }

  @Test
  void a_race_at_workers_waits_for_one_and_is_lost_if_none_comes_before_the_result() {
    Kind kind = patient("a", "w");
    JobEngine node =
        fixture.node(with(kind, Map.of("w", new PulledProvider(Duration.ofSeconds(30)))));
    JobId id = submit(node, "k", "race");
    ScriptedProvider.Call first = fixture.a.next();
    fixture.awaitAttempt(id, 2, AttemptState.STARTING);
    first.succeed("1");

    Attempt offered = fixture.awaitAttempt(id, 2, AttemptState.LOST);

    assertThat(offered.worker()).isNull();
    assertThat(node.job(Access.ALL, id).orElseThrow().standing().live()).isZero();
  }

  @Test
  void both_sides_of_a_race_are_priced_and_the_job_adds_them_up() {
    Prices cheap = new Prices("EUR", new Prices.Rate(null, new BigDecimal("100"), null), Map.of());
    Prices dear = new Prices("EUR", new Prices.Rate(new BigDecimal("0.5"), null, null), Map.of());
    Kind kind = patient("a", "b");
    JobEngine node =
        fixture.node(
            new EngineConfig(
                "node",
                List.of(kind),
                Map.of(
                    "a", at(cheap, fixture.a),
                    "b", at(dear, fixture.b)),
                8,
                Duration.ofMillis(100),
                Duration.ofMillis(200)));
    JobId id = submit(node, "k", "race");
    ScriptedProvider.Call first = fixture.a.next();
    fixture.b.next().succeed("2");
    fixture.awaitState(id, JobState.SUCCEEDED);
    first.answer(
        new Outcome.Succeeded(
            new Result(Result.Format.JSON, "1".getBytes(StandardCharsets.UTF_8)),
            "thirty credits",
            new Usage(30L, 4L, null)));
    Attempt lost = fixture.awaitAttempt(id, 1, AttemptState.LOST);
    for (int i = 0; i < 3; i++) {
      node.submit(Engines.submission("k", "race", "{}"));
    }
    Job job = fixture.awaitJob(id, j -> j.repeats() == 3);

    assertThat(lost.cost().price()).isEqualTo(euro("0.003"));
    assertThat(lost.cost().words()).isEqualTo("thirty credits");
    assertThat(lost.cost().outputTokens()).isEqualTo(4);
    assertThat(job.cost().paid()).containsExactly(euro("0.503"));
    assertThat(job.cost().paidForLost()).containsExactly(euro("0.003"));
    assertThat(job.cost().savedByRepeats()).containsExactly(euro("1.5"));
    assertThat(job.cost().unpricedAttempts()).isZero();
  }

  private static ProviderSlot at(Prices prices, Provider provider) {
    return new ProviderSlot(provider, 8, ProbePolicy.USUAL, CircuitPolicy.USUAL, prices);
  }

  private static Money euro(String amount) {
    return new Money(new BigDecimal(amount), "EUR");
  }

  @Test
  void repeats_are_written_down_when_a_node_closes() {
    JobEngine node = fixture.node();
    JobId id = submit(node, "k", "plain");
    fixture.a.next().succeed("1");
    fixture.awaitState(id, JobState.SUCCEEDED);
    for (int i = 0; i < 500; i++) {
      node.submit(Engines.submission("k", "plain", "{}"));
    }
    node.close();
    JobEngine other = fixture.node();

    await().until(() -> other.job(Access.ALL, id).orElseThrow().repeats() == 500);
  }
}
