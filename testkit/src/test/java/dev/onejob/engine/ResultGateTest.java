package dev.onejob.engine;

import static dev.onejob.engine.EngineFixture.attempt;
import static dev.onejob.engine.EngineFixture.result;
import static dev.onejob.engine.EngineFixture.submit;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.onejob.domain.Answer;
import dev.onejob.domain.Attempt;
import dev.onejob.domain.AttemptEnding;
import dev.onejob.domain.AttemptId;
import dev.onejob.domain.AttemptState;
import dev.onejob.domain.ClaimedAttempt;
import dev.onejob.domain.ContractBreach;
import dev.onejob.domain.ContractVerdict;
import dev.onejob.domain.Effect;
import dev.onejob.domain.Job;
import dev.onejob.domain.JobId;
import dev.onejob.domain.JobState;
import dev.onejob.domain.Kind;
import dev.onejob.domain.Result;
import dev.onejob.domain.Then;
import dev.onejob.domain.Verdict;
import dev.onejob.domain.WaitingFor;
import dev.onejob.provider.Capabilities;
import dev.onejob.provider.Capabilities.NegativeAnswer;
import dev.onejob.provider.Capabilities.StatusProbe;
import dev.onejob.provider.Capabilities.TerminalState;
import dev.onejob.provider.Finding;
import dev.onejob.provider.Outcome;
import dev.onejob.provider.PulledProvider;
import dev.onejob.store.Retention;
import dev.onejob.testkit.Engines;
import dev.onejob.testkit.PostgresExtension;
import dev.onejob.testkit.ScriptedProvider;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * An answer that breaks the contract never becomes a result, in whatever way it comes to the
 * engine. What adapters make of streams and of providers' own callbacks comes by the first and the
 * fourth of these ways, and is shown with them in the server's {@code BrokenAnswersTest}.
 */
class ResultGateTest {
  private static final Promise PROMISE = new Promise();
  private static final Kind PLAIN = Engines.exclusive("plain", "a", "b").with(PROMISE);
  private static final Kind RACE = Engines.patient(Engines.racing("race", "a", "b")).with(PROMISE);
  private static final String DIGEST =
      Digests.report(dev.onejob.domain.Report.Outcome.SUCCEEDED, Promise.BROKEN.getBytes())
          .digest();

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

  private JobEngine node() {
    return fixture.node(List.of(PLAIN, RACE));
  }

  private static Outcome succeeded(String json, String cost) {
    return new Outcome.Succeeded(json(json), cost);
  }

  private static Result json(String text) {
    return new Result(Result.Format.JSON, text.getBytes(StandardCharsets.UTF_8));
  }

  /** The attempt has failed by its breach, all of which is on record, and the job has no result. */
  private void isBroken(JobEngine node, JobId id) {
    Attempt attempt = fixture.awaitAttempt(id, 1, AttemptState.FAILED);
    Job job = node.job(Access.ALL, id).orElseThrow();

    assertThat(job.standing().completedBy()).isNull();
    assertThat(job.result()).isNull();
    assertThat(attempt.standing().ending()).isEqualTo(AttemptEnding.REPORT);
    assertThat(attempt.failure().code()).isEqualTo("contract-breach");
    assertThat(attempt.failure().message())
        .isEqualTo(
            "the answer breaks the contract promise/1: schema /properties/kept at /kept: expected"
                + " true");
    ContractBreach breach = attempt.breach();
    assertThat(breach.contract()).isEqualTo("promise/1");
    assertThat(breach.contractHash()).isEqualTo(PROMISE.hash());
    assertThat(breach.breaches()).containsExactly(Promise.BREACH);
    assertThat(breach.answerDigest()).isEqualTo(DIGEST);
    assertThat(breach.answerBytes()).isEqualTo(Promise.BROKEN.length());
    assertThat(brokenAnswer(node, attempt)).contains(Promise.BROKEN);
  }

  private static Optional<String> brokenAnswer(JobEngine node, Attempt attempt) {
    return node.brokenAnswer(Access.ALL, attempt.standing().id())
        .map(utf8 -> new String(utf8, StandardCharsets.UTF_8));
  }

  @Test
  void the_answer_to_a_call() {
    JobEngine node = node();
    fixture.a.always(succeeded(Promise.BROKEN, "3 tokens"));
    JobId id = submit(node, "k", "plain");

    isBroken(node, id);
    Job job = fixture.awaitState(id, JobState.QUEUED);
    assertThat(job.standing().waitingFor()).isEqualTo(WaitingFor.QUALIFICATION);
    assertThat(job.attempts())
        .singleElement()
        .extracting(attempt -> attempt.cost().words())
        .isEqualTo("3 tokens");
    assertThat(fixture.b.calls()).isEmpty();
  }

  @Test
  void one_that_keeps_it_becomes_the_result() {
    JobEngine node = node();
    fixture.a.always(ScriptedProvider.succeeded(" " + Promise.KEPT));
    JobId broken = submit(node, "space", "plain");
    isFailed(broken);
    fixture.a.always(ScriptedProvider.succeeded(Promise.KEPT));
    JobId id = submit(node, "k", "plain");

    Job job = fixture.awaitState(id, JobState.SUCCEEDED);
    assertThat(result(job)).isEqualTo(Promise.KEPT);
    assertThat(job.attempts().getFirst().breach()).isNull();
  }

  private void isFailed(JobId id) {
    assertThat(fixture.awaitAttempt(id, 1, AttemptState.FAILED).failure().code())
        .as("the contract sees the bytes as they came, before anything is trimmed")
        .isEqualTo("contract-breach");
  }

  @Test
  void a_late_answer_from_an_attempt_in_doubt() {
    JobEngine node = node();
    JobId id = submit(node, "k", "plain");
    fixture.awaitState(id, JobState.UNKNOWN);
    fixture.a.calls().getFirst().succeed(Promise.BROKEN);

    isBroken(node, id);
    assertThat(fixture.awaitState(id, JobState.QUEUED).attempts().getFirst().evidence())
        .singleElement()
        .satisfies(
            kept -> {
              assertThat(kept.says()).isEqualTo("broke the contract, while in doubt; now failed");
              assertThat(kept.digest()).isEqualTo(DIGEST);
            });
  }

  @Test
  void what_a_look_up_brings() {
    ScriptedProvider provider =
        new ScriptedProvider(
                Askable.capabilities(
                    StatusProbe.BY_REFERENCE, NegativeAnswer.MAY_COME_LATER, TerminalState.STABLE))
            .found(new Finding.Succeeded(json(Promise.BROKEN), null));
    isBrokenWhenAsked(provider, "plain");
    assertThat(provider.lookups()).isNotEmpty();
  }

  @Test
  void what_a_replay_brings() {
    Capabilities keyed = Askable.replayable(Duration.ofHours(1));
    ScriptedProvider provider =
        new ScriptedProvider(keyed).found(new Finding.Succeeded(json(Promise.BROKEN), null));
    isBrokenWhenAsked(provider, "keyed");
    assertThat(provider.replays()).isNotEmpty();
  }

  private void isBrokenWhenAsked(ScriptedProvider provider, String kind) {
    List<Kind> kinds =
        List.of(
            Askable.kind("plain", Effect.EXCLUSIVE).with(PROMISE),
            Askable.kind("keyed", Effect.KEYED).with(PROMISE));
    JobEngine node = fixture.node(Askable.config(kinds, provider, Askable.QUICK));
    isBroken(node, submit(node, "k", kind));
  }

  @Test
  void what_a_worker_settles_with_and_the_worker_is_told() throws InterruptedException {
    Kind pulled = Engines.exclusive("pulled", "w").with(PROMISE);
    JobEngine node =
        fixture.node(
            Engines.config(
                List.of(pulled), Map.of("w", new PulledProvider(Duration.ofSeconds(30)))));
    JobId id = submit(node, "k", "pulled");
    ClaimedAttempt claimed = claim(node);

    WorkerAnswer first = settle(node, claimed);
    WorkerAnswer again = settle(node, claimed);

    ContractVerdict.Broken broken = new ContractVerdict.Broken(List.of(Promise.BREACH));
    assertThat(first)
        .isEqualTo(new WorkerAnswer.Settled(AttemptState.FAILED, null, broken))
        .isEqualTo(again);
    isBroken(node, id);
  }

  @Test
  void what_a_callback_brings_to_another_node_and_the_provider_is_told() {
    JobEngine node = node();
    Callbacks elsewhere = node().callbacks();
    JobId id = submit(node, "k", "plain");
    AttemptId attempt = fixture.a.next().request().attemptId();

    isToldOfTheBreach(elsewhere, attempt);
    isToldOfTheBreach(elsewhere, attempt);
    isBroken(node, id);
  }

  @Test
  void what_a_callback_brings_to_an_attempt_in_doubt() {
    JobEngine node = node();
    Callbacks elsewhere = node().callbacks();
    JobId id = submit(node, "k", "plain");
    Job doubted = fixture.awaitState(id, JobState.UNKNOWN);

    isToldOfTheBreach(elsewhere, attempt(doubted, 1));
    isBroken(node, id);
    assertThat(fixture.awaitState(id, JobState.QUEUED).attempts().getFirst().evidence())
        .singleElement()
        .satisfies(kept -> assertThat(kept.source()).isEqualTo("callback"));
  }

  private static void isToldOfTheBreach(Callbacks callbacks, AttemptId attempt) {
    assertThat(callbacks.take(attempt, succeeded(Promise.BROKEN, null)))
        .contains(
            new Callbacks.Standing(
                AttemptState.FAILED, null, new ContractVerdict.Broken(List.of(Promise.BREACH))));
  }

  private static ClaimedAttempt claim(JobEngine node) throws InterruptedException {
    Claim claim = new Claim(Access.ALL, new UUID(0, 1), "worker", "request", List.of("pulled"), 1);
    ClaimAnswer answer = node.pull().claim(claim, Duration.ofSeconds(20));
    return ((ClaimAnswer.Taken) answer).attempts().getFirst();
  }

  private static WorkerAnswer settle(JobEngine node, ClaimedAttempt claimed) {
    return node.pull()
        .settle(
            Access.ALL, claimed.attempt(), claimed.leaseToken(), succeeded(Promise.BROKEN, null))
        .orElseThrow();
  }

  @Test
  void what_an_operator_says_is_done_is_refused_and_nothing_changes() {
    JobEngine node = node();
    JobId id = submit(node, "k", "plain");
    Job before = fixture.awaitState(id, JobState.UNKNOWN);

    BrokenContractException refused =
        catchThrowableOfType(
            BrokenContractException.class,
            () -> node.resolve(attempt(before, 1), done(Promise.BROKEN)));

    assertThat(refused.contract()).isEqualTo("promise/1");
    assertThat(refused.verdict().breaches()).containsExactly(Promise.BREACH);
    Job after = node.job(Access.ALL, id).orElseThrow();
    assertThat(after.standing()).isEqualTo(before.standing());
    assertThat(after.attempts()).isEqualTo(before.attempts());
    assertThat(node.resolve(attempt(before, 1), done(Promise.KEPT))).contains(new Answer.Moved());
    assertThat(result(fixture.awaitState(id, JobState.SUCCEEDED))).isEqualTo(Promise.KEPT);
  }

  private static Decision done(String json) {
    return new Decision(Verdict.DONE, json(json), null, "seen at the provider", "operator");
  }

  @Test
  void a_loser_is_lost_whatever_it_brought_and_nothing_of_it_is_kept() {
    JobEngine node = node();
    JobId id = submit(node, "k", "race");
    ScriptedProvider.Call first = fixture.a.next();
    fixture.awaitAttempt(id, 1, AttemptState.RUNNING);
    node.startAttempt(Access.ALL, id, "b");
    fixture.b.next().succeed(Promise.KEPT);
    fixture.awaitState(id, JobState.SUCCEEDED);
    first.answer(succeeded(Promise.BROKEN, "1 cent"));

    Attempt loser = fixture.awaitAttempt(id, 1, AttemptState.LOST);
    assertThat(loser.breach()).isNull();
    assertThat(loser.failure()).isNull();
    assertThat(loser.cost().words()).isEqualTo("1 cent");
    assertThat(loser.standing().report().digest()).isEqualTo(DIGEST);
    assertThat(node.brokenAnswer(Access.ALL, loser.standing().id())).isEmpty();
  }

  @Test
  void while_a_rival_is_live_a_breach_only_ends_its_own_attempt() {
    JobEngine node = node();
    JobId id = submit(node, "k", "race");
    ScriptedProvider.Call first = fixture.a.next();
    fixture.awaitAttempt(id, 1, AttemptState.RUNNING);
    node.startAttempt(Access.ALL, id, "b");
    ScriptedProvider.Call second = fixture.b.next();
    first.succeed(Promise.BROKEN);
    fixture.awaitAttempt(id, 1, AttemptState.FAILED);
    second.succeed(Promise.KEPT);

    Job job = fixture.awaitState(id, JobState.SUCCEEDED);
    assertThat(job.standing().completedBy()).isEqualTo(attempt(job, 2));
  }

  @Test
  void a_broken_answer_after_a_verdict_that_nothing_was_done_contests_the_job() {
    JobEngine node = node();
    JobId id = submit(node, "k", "plain");
    Job doubted = fixture.awaitState(id, JobState.UNKNOWN);
    node.resolve(attempt(doubted, 1), EngineFixture.decision(Verdict.NOT_DONE, Then.WAIT));
    fixture.a.calls().getFirst().succeed(Promise.BROKEN);

    Job job = fixture.awaitJob(id, j -> j.standing().contested());
    assertThat(job.attempts().getFirst().breach()).isNull();
  }

  @Test
  void of_a_large_answer_the_beginning_is_kept_until_retention_empties_it() {
    Kind once = Engines.exclusive("once", "a").with(PROMISE);
    JobEngine node = fixture.node(List.of(once));
    String large = "\"" + "x".repeat(100_000) + "\"";
    fixture.a.always(ScriptedProvider.succeeded(large));
    JobId id = submit(node, "k", "once");
    Attempt attempt = fixture.awaitAttempt(id, 1, AttemptState.FAILED);
    Job ended = fixture.awaitState(id, JobState.FAILED);

    assertThat(brokenAnswer(node, attempt)).contains(large.substring(0, 65_536));
    assertThat(attempt.breach().answerBytes()).isEqualTo(100_002);

    Retention retention = new Retention(postgres.dataSource());
    fixture.awaitJob(
        id,
        job -> {
          retention.emptyPayloads(Duration.ZERO, 10);
          return node.job(Access.ALL, id).orElseThrow().payloadEmptiedAt() != null;
        });
    assertThat(node.brokenAnswer(Access.ALL, attempt.standing().id())).isEmpty();
    assertThat(node.job(Access.ALL, id).orElseThrow().attempts().getFirst().breach())
        .isEqualTo(ended.attempts().getFirst().breach());

    retention.removeJobs(Duration.ZERO, 10);
    assertThat(node.job(Access.ALL, id)).isEmpty();
  }
}
