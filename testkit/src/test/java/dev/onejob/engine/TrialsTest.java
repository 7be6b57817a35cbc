package dev.onejob.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.onejob.domain.Circuit;
import dev.onejob.domain.CircuitPolicy;
import dev.onejob.domain.Failure;
import dev.onejob.domain.JobId;
import dev.onejob.domain.JobState;
import dev.onejob.domain.Kind;
import dev.onejob.domain.Retryability;
import dev.onejob.provider.Outcome;
import dev.onejob.testkit.Engines;
import dev.onejob.testkit.PostgresExtension;
import dev.onejob.testkit.ScriptedProvider;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What the one attempt that tries an open circuit tells of its provider. */
class TrialsTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final Kind HASTY = kind("hasty", Duration.ofSeconds(1));
  private static final Kind PATIENT = kind("patient", Duration.ofMinutes(10));
  private static final Outcome DOWN =
      new Outcome.Refused(
          new Failure("connect-failed", "nobody there"), Retryability.RETRYABLE, null);
  private static final Duration PAUSE = Duration.ofSeconds(2);

  @RegisterExtension final PostgresExtension postgres = new PostgresExtension();

  private final ScriptedProvider provider = new ScriptedProvider();
  private JobEngine node;

  private static Kind kind(String name, Duration timeout) {
    Kind usual = Engines.exclusive(name, "a");
    return new Kind(
        usual.name(),
        usual.effect(),
        usual.route(),
        timeout,
        usual.lateAnswerLimit(),
        usual.attemptsAllowed(),
        usual.retry(),
        null,
        null,
        usual.whenUnqualified(),
        usual.inFlightMax());
  }

  @BeforeEach
  void start() {
    EngineConfig.ProviderSlot slot =
        new EngineConfig.ProviderSlot(
            provider, 64, ProbePolicy.USUAL, new CircuitPolicy(1, PAUSE, Duration.ofHours(1)));
    node =
        JobEngine.start(
            postgres.dataSource(),
            Engines.config(List.of(HASTY, PATIENT), Map.of("a", provider))
                .withProviders(Map.of("a", slot)));
  }

  @AfterEach
  void stop() {
    node.close();
  }

  /** A job whose second attempt is the trial, and has arrived. */
  private JobId tried(Kind kind) {
    provider.always(DOWN);
    JobId id = EngineFixture.submit(node, "k", kind.name());
    provider.next();
    provider.always(null);
    await().atMost(PATIENCE).until(() -> circuit() != null && circuit().opened() != null);
    return id;
  }

  private Circuit circuit() {
    return node.proofs().providers().getFirst().circuit();
  }

  private void awaitState(JobId id, JobState state) {
    await()
        .atMost(PATIENCE)
        .until(() -> node.job(Access.ALL, id).orElseThrow().standing().state() == state);
  }

  @Test
  void one_that_hangs_until_its_timeout_doubles_the_pause() {
    JobId id = tried(HASTY);
    provider.next();

    awaitState(id, JobState.UNKNOWN);

    assertThat(circuit().opened().pause()).isEqualTo(PAUSE.multipliedBy(2));
    assertThat(circuit().opened().trial()).isNull();
  }

  @Test
  void one_that_is_accepted_closes_the_circuit_while_it_is_at_work() {
    JobId id = tried(PATIENT);
    ScriptedProvider.Call trial = provider.next();

    trial.accept("work-1");

    assertThat(circuit().state()).isEqualTo(Circuit.State.CLOSED);
    assertThat(node.job(Access.ALL, id).orElseThrow().result()).isNull();
    trial.succeed("{}");
    awaitState(id, JobState.SUCCEEDED);
  }

  @Test
  void one_whose_node_is_not_heard_of_any_more_doubles_the_pause() throws Exception {
    JobId id = tried(PATIENT);
    provider.next();

    try (var connection = postgres.dataSource().getConnection();
        var statement =
            connection.prepareStatement(
                """
                UPDATE onejob.attempt SET
                  lease_token = gen_random_uuid(), lease_until = clock_timestamp()
                WHERE state IN ('starting', 'running')
                """)) {
      statement.executeUpdate();
    }

    awaitState(id, JobState.UNKNOWN);
    await().atMost(PATIENCE).until(() -> circuit().opened().pause().equals(PAUSE.multipliedBy(2)));
  }
}
