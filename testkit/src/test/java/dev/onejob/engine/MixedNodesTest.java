package dev.onejob.engine;

import static dev.onejob.engine.EngineFixture.result;
import static dev.onejob.engine.EngineFixture.submit;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.onejob.domain.AttemptId;
import dev.onejob.domain.Binding;
import dev.onejob.domain.Demand;
import dev.onejob.domain.Effect;
import dev.onejob.domain.Failure;
import dev.onejob.domain.Job;
import dev.onejob.domain.JobId;
import dev.onejob.domain.JobState;
import dev.onejob.domain.Kind;
import dev.onejob.domain.Qualification;
import dev.onejob.domain.RetryPolicy;
import dev.onejob.domain.Retryability;
import dev.onejob.domain.StartRefusal;
import dev.onejob.domain.WhenPressed;
import dev.onejob.domain.WhenUnqualified;
import dev.onejob.provider.Outcome;
import dev.onejob.testkit.PostgresExtension;
import dev.onejob.testkit.ScriptedProvider;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Nodes of which not all know the contract of a kind, as while a configuration is rolled out. */
class MixedNodesTest {
  private static final Binding BINDING = new Binding("contract", "settings", "1", "model");
  private static final Kind BARE =
      new Kind(
          "plain",
          Effect.EXCLUSIVE,
          List.of("a", "b"),
          Duration.ofSeconds(20),
          Duration.ofSeconds(20),
          5,
          new RetryPolicy(Duration.ofMillis(10), Duration.ofMillis(50)),
          null,
          null,
          WhenUnqualified.FAIL,
          64);

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

  private JobEngine knows(String settings) {
    Binding binding = new Binding("contract", settings, "1", "model");
    Demand demand = new Demand(Map.of("a", binding, "b", binding), WhenPressed.REFUSE, 3);
    return fixture.node(fixture.config(BARE.with(new Promise())).with(Map.of("plain", demand)));
  }

  private static void qualify(JobEngine node) {
    String run = "run " + UUID.randomUUID();
    node.proofs()
        .record(new Qualification.Pass("plain", "b", BINDING, null, run, Duration.ofHours(1)));
  }

  private static Outcome failed() {
    return new Outcome.Failed(
        new Failure("no-luck", "it went wrong"), Retryability.FINAL, /* retryAfter= */ null);
  }

  @Test
  void a_failure_that_a_node_without_the_kind_hears_of_leaves_the_way_to_one_that_knows_it() {
    JobEngine knows = knows("settings");
    JobEngine ignorant = fixture.node(List.of());
    qualify(knows);
    JobId id = submit(knows, "k", "plain");
    AttemptId attempt = fixture.a.next().request().attemptId();

    ignorant.callbacks().take(attempt, failed());
    fixture.b.next().succeed(Promise.KEPT);

    Job job = fixture.awaitState(id, JobState.SUCCEEDED);
    assertThat(result(job)).isEqualTo(Promise.KEPT);
    assertThat(job.skips()).as("nobody was passed over").isEmpty();
  }

  @Test
  void a_node_without_the_contract_starts_nothing_by_itself_or_a_hand_and_takes_no_result() {
    JobEngine knows = knows("settings");
    JobId running = submit(knows, "k1", "plain");
    AttemptId attempt = fixture.a.next().request().attemptId();
    knows.close(); // it admits, and starts nothing
    JobId queued = submit(knows, "k2", "plain");
    JobEngine bare = fixture.node(List.of(BARE));
    JobId own = submit(bare, "k3", "plain");

    fixture.a.next().succeed(Promise.BROKEN);
    Job unchecked = fixture.awaitState(own, JobState.SUCCEEDED);
    assertThat(result(unchecked)).as("it was admitted without one").isEqualTo(Promise.BROKEN);
    ButtonAnswer pressed = bare.startAttempt(Access.ALL, queued, "a").orElseThrow();
    assertThat(((ButtonAnswer.Refused) pressed).refusal().why())
        .isEqualTo(StartRefusal.NOT_QUALIFIED);
    assertThat(bare.job(Access.ALL, queued).orElseThrow().attempts()).isEmpty();
    assertThatThrownBy(
            () -> bare.callbacks().take(attempt, ScriptedProvider.succeeded(Promise.BROKEN)))
        .isInstanceOf(KindNotKnownException.class);
    assertThat(bare.job(Access.ALL, running).orElseThrow().standing().completedBy()).isNull();
  }

  @Test
  void a_look_at_the_ways_of_a_job_ends_none_where_another_node_may_see_them_otherwise() {
    JobEngine other = knows("other settings");
    other.close();
    JobEngine knows = knows("settings");
    qualify(knows);
    JobId id = submit(knows, "k", "plain");
    ScriptedProvider.Call first = fixture.a.next();
    knows.close();
    knows.callbacks().take(first.request().attemptId(), failed());

    knows.proofs().withdraw("plain", "b", "it lies", "operator");
    other.detours().lookOnce();
    Job waiting = other.job(Access.ALL, id).orElseThrow();
    assertThat(waiting.standing().state()).isEqualTo(JobState.QUEUED);
    assertThat(waiting.standing().waitingFor()).isNotNull();
    qualify(knows);
    knows("settings");

    fixture.b.next().succeed(Promise.KEPT);
    fixture.awaitState(id, JobState.SUCCEEDED);
  }
}
