package dev.onejob.engine;

import static dev.onejob.engine.EngineFixture.submit;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.onejob.domain.Answer;
import dev.onejob.domain.Failure;
import dev.onejob.domain.Job;
import dev.onejob.domain.JobId;
import dev.onejob.domain.JobState;
import dev.onejob.domain.Retryability;
import dev.onejob.domain.StartRefusal;
import dev.onejob.provider.Outcome;
import dev.onejob.testkit.Engines;
import dev.onejob.testkit.PostgresExtension;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class KeeperTest {
  private static final Duration SOON = Duration.ofMillis(300);
  private static final Duration OFTEN = Duration.ofMillis(50);

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

  private JobEngine node(@Nullable Duration payloadAfter, @Nullable Duration tombstoneAfter) {
    EngineConfig usual =
        Engines.config(
            List.of(EngineFixture.PLAIN, Engines.exclusive("alone", "a")),
            Map.of("a", fixture.a, "b", fixture.b));
    return fixture.node(usual.with(new RetentionRules(payloadAfter, tombstoneAfter, 3, OFTEN)));
  }

  @Test
  void a_repeat_of_a_key_after_its_payload_is_gone_is_told_the_outcome_and_never_run_again() {
    JobEngine node = node(SOON, null);
    JobId id = submit(node, "k", "plain");
    fixture.a.next().succeed("\"once\"");

    Job emptied = fixture.awaitJob(id, job -> job.payloadEmptiedAt() != null);

    assertThat(emptied.standing().state()).isEqualTo(JobState.SUCCEEDED);
    assertThat(emptied.payloadEmptiedAt()).isAfterOrEqualTo(emptied.endedAt().plus(SOON));
    assertThat(emptied.result()).isNull();
    assertThat(emptied.attempts().getFirst().standing().report()).isNotNull();
    assertThat(node.submit(Engines.submission("k", "plain", "{ }")))
        .isEqualTo(new Admitted.Known(id));
    assertThat(node.submit(Engines.submission("k", "plain", "{\"other\":1}")))
        .isEqualTo(new Admitted.DifferentIntent(id));
    assertThat(node.startAttempt(Access.ALL, id, "b").orElseThrow())
        .isEqualTo(
            new ButtonAnswer.Refused(
                new Answer.StartRefused(StartRefusal.ALREADY_SUCCEEDED, null, null)));
    assertThat(fixture.a.calls()).hasSize(1);
    assertThat(fixture.b.calls()).isEmpty();
  }

  @Test
  void a_failed_job_whose_payload_is_gone_is_not_reopened() {
    JobEngine node = node(SOON, null);
    fixture.a.always(new Outcome.Failed(new Failure("declined", "no"), Retryability.FINAL, null));
    JobId id = submit(node, "k", "alone");
    fixture.awaitJob(id, job -> job.payloadEmptiedAt() != null);

    Answer answer =
        node.reopen(Access.ALL, id, new Reopen(1, null, "again", "clerk")).orElseThrow();

    assertThat(((Answer.NotAllowed) answer).why()).contains("payloads");
    assertThat(node.job(Access.ALL, id).orElseThrow().standing().failure().code())
        .isEqualTo("declined");
  }

  @Test
  void a_doubt_keeps_its_payload_on_every_node() {
    JobEngine node = node(Duration.ofMillis(1), null);
    node(Duration.ofMillis(1), null);
    fixture.a.always(new Outcome.InDoubt(new Failure("status-502", "a gateway said 502")));
    JobId doubt = submit(node, "doubt", "plain");
    fixture.awaitState(doubt, JobState.UNKNOWN);
    fixture.a.always(new Outcome.Failed(new Failure("declined", "no"), Retryability.FINAL, null));
    List<JobId> ended =
        IntStream.range(0, 10).mapToObj(n -> submit(node, "k" + n, "alone")).toList();

    ended.forEach(id -> fixture.awaitJob(id, job -> job.payloadEmptiedAt() != null));

    assertThat(node.job(Access.ALL, doubt).orElseThrow().input()).isNotNull();
  }

  @Test
  void a_key_is_free_once_the_tombstone_is_removed() {
    JobEngine node = node(null, SOON);
    fixture.a.always(new Outcome.Failed(new Failure("declined", "no"), Retryability.FINAL, null));
    JobId id = submit(node, "k", "alone");

    Awaitility.await().until(() -> node.job(Access.ALL, id).isEmpty());

    assertThat(node.submit(Engines.submission("k", "alone", "{\"other\":1}")))
        .isInstanceOf(Admitted.Created.class);
  }

  @Test
  void rules_that_contradict_each_other_are_refused() {
    assertThatThrownBy(() -> new RetentionRules(Duration.ofDays(2), Duration.ofDays(1), 1, OFTEN))
        .hasMessageContaining("tombstone_after: must not be shorter than payload_after");
    assertThatThrownBy(() -> new RetentionRules(null, null, 0, OFTEN))
        .hasMessageContaining("batch");
  }
}
