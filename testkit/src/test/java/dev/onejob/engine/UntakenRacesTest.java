package dev.onejob.engine;

import static dev.onejob.engine.EngineFixture.submit;
import static org.assertj.core.api.Assertions.assertThat;

import dev.onejob.domain.Attempt;
import dev.onejob.domain.AttemptState;
import dev.onejob.domain.Effect;
import dev.onejob.domain.Failure;
import dev.onejob.domain.Job;
import dev.onejob.domain.JobId;
import dev.onejob.domain.JobState;
import dev.onejob.domain.Kind;
import dev.onejob.domain.RetryPolicy;
import dev.onejob.domain.Retryability;
import dev.onejob.domain.WhenUnqualified;
import dev.onejob.provider.Outcome;
import dev.onejob.provider.PulledProvider;
import dev.onejob.testkit.Engines;
import dev.onejob.testkit.PostgresExtension;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A race that is offered to workers while none of them is there. */
class UntakenRacesTest {
  @RegisterExtension final PostgresExtension postgres = new PostgresExtension();

  private EngineFixture fixture;
  private JobEngine node;

  @BeforeEach
  void start() {
    fixture = new EngineFixture(postgres.dataSource());
    Kind kind =
        new Kind(
            "race",
            Effect.HARMLESS,
            List.of("a", "w"),
            Duration.ofSeconds(4),
            Duration.ofSeconds(20),
            /* attemptsAllowed= */ 2,
            new RetryPolicy(Duration.ofMillis(10), Duration.ofMillis(50)),
            Duration.ofMillis(100),
            null,
            WhenUnqualified.FAIL,
            64);
    node =
        fixture.node(
            Engines.config(
                List.of(kind),
                Map.of("a", fixture.a, "w", new PulledProvider(Duration.ofSeconds(30)))));
  }

  @AfterEach
  void stop() {
    fixture.close();
  }

  @Test
  void costs_no_attempt_gives_up_no_provider_and_waits_for_no_person() {
    JobId id = submit(node, "k", "race");
    var first = fixture.a.next();
    fixture.awaitAttempt(id, 2, AttemptState.STARTING);
    first.answer(
        new Outcome.Failed(
            new Failure("busy", "try again"), Retryability.RETRYABLE, /* retryAfter= */ null));

    Attempt offered = fixture.awaitAttempt(id, 2, AttemptState.CANCELLED);
    fixture.a.next().succeed("1");

    Job job = fixture.awaitState(id, JobState.SUCCEEDED);
    assertThat(offered.failure().code()).isEqualTo(Failure.NO_WORKER);
    assertThat(job.attempts())
        .extracting(attempt -> attempt.standing().provider())
        .containsExactly("a", "w", "a");
    assertThat(job.standing().walk().givenUp()).isEmpty();
  }
}
