package dev.onejob.engine;

import static dev.onejob.engine.EngineFixture.submit;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.onejob.domain.AttemptState;
import dev.onejob.domain.Effect;
import dev.onejob.domain.Failure;
import dev.onejob.domain.Job;
import dev.onejob.domain.JobId;
import dev.onejob.domain.JobState;
import dev.onejob.domain.Kind;
import dev.onejob.domain.Then;
import dev.onejob.domain.UnknownRule;
import dev.onejob.domain.Verdict;
import dev.onejob.domain.WaitingFor;
import dev.onejob.provider.Outcome;
import dev.onejob.testkit.Engines;
import dev.onejob.testkit.PostgresExtension;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class KindRuleTest {
  private static final Duration SOON = Duration.ofMillis(400);
  private static final Duration NEVER = Duration.ofHours(1);

  @RegisterExtension final PostgresExtension postgres = new PostgresExtension();

  private EngineFixture fixture;

  @BeforeEach
  void start() {
    fixture = new EngineFixture(postgres.dataSource());
    fixture.a.always(new Outcome.InDoubt(new Failure("status-502", "a gateway said 502")));
  }

  @AfterEach
  void stop() {
    fixture.close();
  }

  private static Kind ruled(Duration after, Then then) {
    return Engines.racing("race", "a", "b").with(new UnknownRule(after, Verdict.ABANDON, then));
  }

  @Test
  void a_rule_abandons_an_attempt_that_has_been_in_doubt_long_enough_and_says_so() {
    JobEngine node = fixture.node(List.of(ruled(SOON, Then.WAIT)));
    JobId id = submit(node, "k", "race");

    Job job = fixture.awaitJob(id, j -> j.standing().waitingFor() == WaitingFor.DECISION);

    assertThat(job.attempts())
        .singleElement()
        .satisfies(
            attempt -> {
              assertThat(attempt.standing().state()).isEqualTo(AttemptState.CANCELLED);
              assertThat(attempt.resolutions())
                  .singleElement()
                  .satisfies(
                      kept -> {
                        assertThat(kept.decidedBy()).isEqualTo("rule:race");
                        assertThat(kept.reason())
                            .isEqualTo(
                                "rule of the kind race: in doubt for 0.4s: abandon, then wait");
                        assertThat(kept.basis().state()).isEqualTo("unknown");
                        assertThat(kept.basis().failure().code()).isEqualTo("status-502");
                        assertThat(kept.basis().since().plus(SOON))
                            .isBeforeOrEqualTo(kept.decidedAt());
                      });
            });
  }

  @Test
  void a_rule_that_says_retry_starts_fresh_attempts_until_they_are_used_up() {
    JobEngine node = fixture.node(List.of(ruled(Duration.ofMillis(1), Then.RETRY)));

    Job job = fixture.awaitState(submit(node, "k", "race"), JobState.FAILED);

    assertThat(job.standing().failure().code()).isEqualTo(Failure.ATTEMPTS_USED_UP);
    assertThat(job.attempts())
        .hasSize(3)
        .allSatisfy(attempt -> assertThat(attempt.resolutions()).hasSize(1));
  }

  @Test
  void two_nodes_that_sweep_at_once_leave_one_resolution_for_each_doubt() {
    JobEngine node = fixture.node(List.of(ruled(SOON, Then.WAIT)));
    fixture.node(List.of(ruled(SOON, Then.WAIT)));
    List<JobId> ids = IntStream.range(0, 40).mapToObj(n -> submit(node, "k" + n, "race")).toList();

    for (JobId id : ids) {
      Job job = fixture.awaitJob(id, j -> j.standing().waitingFor() == WaitingFor.DECISION);
      assertThat(job.attempts().getFirst().resolutions()).hasSize(1);
    }
  }

  @Test
  void a_doubt_younger_than_the_rule_and_a_job_admitted_as_exclusive_are_left_alone() {
    Kind young =
        Engines.racing("young", "a").with(new UnknownRule(NEVER, Verdict.ABANDON, Then.WAIT));
    JobEngine node = fixture.node(List.of(young, Engines.exclusive("race", "a")));
    JobId youngJob = submit(node, "young", "young");
    JobId exclusiveJob = submit(node, "exclusive", "race");
    fixture.awaitState(youngJob, JobState.UNKNOWN);
    fixture.awaitState(exclusiveJob, JobState.UNKNOWN);
    JobEngine later = fixture.node(List.of(young, ruled(Duration.ofMillis(1), Then.WAIT)));
    JobId harmlessJob = submit(later, "harmless", "race");

    fixture.awaitJob(harmlessJob, j -> j.standing().waitingFor() == WaitingFor.DECISION);

    assertThat(fixture.awaitState(youngJob, JobState.UNKNOWN).attempts().getFirst().resolutions())
        .isEmpty();
    assertThat(fixture.awaitState(exclusiveJob, JobState.UNKNOWN).effect())
        .isEqualTo(Effect.EXCLUSIVE);
  }

  @Test
  void a_rule_is_refused_where_a_duplicate_is_not_harmless() {
    UnknownRule rule = new UnknownRule(SOON, Verdict.ABANDON, Then.RETRY);

    assertThatThrownBy(() -> Engines.exclusive("pay", "a").with(rule))
        .hasMessageContaining("kind pay: unknown: a kind with effect exclusive has no rule");
    assertThatThrownBy(() -> new UnknownRule(SOON, Verdict.NOT_DONE, Then.RETRY))
        .hasMessageContaining("unknown.verdict");
  }
}
