package dev.onejob.engine;

import static dev.onejob.engine.EngineFixture.attempt;
import static dev.onejob.engine.EngineFixture.result;
import static dev.onejob.engine.EngineFixture.submit;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.onejob.domain.AttemptId;
import dev.onejob.domain.AttemptState;
import dev.onejob.domain.ClaimedAttempt;
import dev.onejob.domain.Failure;
import dev.onejob.domain.Job;
import dev.onejob.domain.JobId;
import dev.onejob.domain.JobState;
import dev.onejob.domain.Kind;
import dev.onejob.domain.Result;
import dev.onejob.domain.Retryability;
import dev.onejob.domain.Verdict;
import dev.onejob.provider.Outcome;
import dev.onejob.provider.PulledProvider;
import dev.onejob.testkit.Engines;
import dev.onejob.testkit.PostgresExtension;
import dev.onejob.testkit.ScriptedProvider;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A node that does not know a kind takes no result of it unchecked, and loses none. */
class UnknownKindTest {
  private static final Kind PLAIN = Engines.exclusive("plain", "a").with(new Promise());
  private static final Kind PULLED = Engines.exclusive("pulled", "w").with(new Promise());

  @RegisterExtension final PostgresExtension postgres = new PostgresExtension();

  private EngineFixture fixture;
  private JobEngine knows;
  private JobEngine ignorant;

  @BeforeEach
  void start() {
    fixture = new EngineFixture(postgres.dataSource());
    knows =
        fixture.node(
            Engines.config(
                List.of(PLAIN, PULLED),
                Map.of("a", fixture.a, "w", new PulledProvider(Duration.ofSeconds(30)))));
    ignorant = fixture.node(List.of());
  }

  @AfterEach
  void stop() {
    fixture.close();
  }

  private Job job(JobId id) {
    return knows.job(Access.ALL, id).orElseThrow();
  }

  private static void refuses(org.assertj.core.api.ThrowableAssert.ThrowingCallable call) {
    assertThatThrownBy(call).isInstanceOf(KindNotKnownException.class);
  }

  @Test
  void a_result_by_callback_waits_for_a_node_that_can_check_it_and_a_failure_needs_none() {
    JobId id = submit(knows, "k1", "plain");
    AttemptId attempt = fixture.a.next().request().attemptId();
    Outcome kept = ScriptedProvider.succeeded(Promise.KEPT);

    refuses(() -> ignorant.callbacks().take(attempt, ScriptedProvider.succeeded(Promise.BROKEN)));
    refuses(() -> ignorant.callbacks().take(attempt, kept));
    assertThat(job(id).attempts().getFirst().standing().state().live()).isTrue();
    assertThat(job(id).attempts().getFirst().evidence()).isEmpty();
    knows.callbacks().take(attempt, kept);

    assertThat(result(job(id))).isEqualTo(Promise.KEPT);

    JobId other = submit(knows, "k2", "plain");
    AttemptId failing = fixture.a.next().request().attemptId();
    Failure failure = new Failure("no-luck", "it went wrong");
    ignorant
        .callbacks()
        .take(failing, new Outcome.Failed(failure, Retryability.FINAL, /* retryAfter= */ null));
    assertThat(fixture.awaitState(other, JobState.FAILED).standing().failure().code())
        .isEqualTo("no-luck");
  }

  @Test
  void a_worker_keeps_its_lease_and_its_result_until_a_node_can_check_it() throws Exception {
    JobId id = submit(knows, "k", "pulled");
    Claim claim = new Claim(Access.ALL, new UUID(0, 1), "worker", "r", List.of("pulled"), 1);
    ClaimedAttempt claimed =
        ((ClaimAnswer.Taken) knows.pull().claim(claim, Duration.ofSeconds(20)))
            .attempts()
            .getFirst();
    Outcome kept = ScriptedProvider.succeeded(Promise.KEPT);

    refuses(() -> settle(ignorant, claimed, kept));
    assertThat(ignorant.pull().heartbeat(Access.ALL, claimed.attempt(), claimed.leaseToken()))
        .containsInstanceOf(WorkerAnswer.Leased.class);

    assertThat(settle(knows, claimed, kept))
        .isEqualTo(new WorkerAnswer.Settled(AttemptState.SUCCEEDED, null, /* broken= */ null));
    assertThat(result(job(id))).isEqualTo(Promise.KEPT);
  }

  private static WorkerAnswer settle(JobEngine node, ClaimedAttempt claimed, Outcome outcome) {
    return node.pull()
        .settle(Access.ALL, claimed.attempt(), claimed.leaseToken(), outcome)
        .orElseThrow();
  }

  @Test
  void an_operators_done_is_for_a_node_that_can_check_it() {
    JobId id = submit(knows, "k", "plain");
    Job doubted = fixture.awaitState(id, JobState.UNKNOWN);
    Result result = new Result(Result.Format.JSON, Promise.KEPT.getBytes(StandardCharsets.UTF_8));
    Decision done = new Decision(Verdict.DONE, result, null, "seen at the provider", "operator");

    refuses(() -> ignorant.resolve(attempt(doubted, 1), done));

    assertThat(job(id).standing()).isEqualTo(doubted.standing());
    knows.resolve(attempt(doubted, 1), done);
    assertThat(result(job(id))).isEqualTo(Promise.KEPT);
  }
}
