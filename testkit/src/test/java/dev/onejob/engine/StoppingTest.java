package dev.onejob.engine;

import static dev.onejob.engine.EngineFixture.submit;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.onejob.domain.Attempt;
import dev.onejob.domain.AttemptState;
import dev.onejob.domain.Job;
import dev.onejob.domain.JobId;
import dev.onejob.domain.JobState;
import dev.onejob.domain.Kind;
import dev.onejob.testkit.PostgresExtension;
import dev.onejob.testkit.ScriptedProvider;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What a node that is told to stop does with its attempts, and with new work. */
class StoppingTest {
  @RegisterExtension final PostgresExtension postgres = new PostgresExtension();

  private EngineFixture fixture;

  @BeforeEach
  void open() {
    fixture = new EngineFixture(postgres.dataSource());
  }

  @AfterEach
  void close() {
    fixture.close();
  }

  private JobEngine node(Duration grace) {
    return fixture.node(
        fixture
            .config(EngineFixture.PATIENT)
            .with(
                new EngineConfig.Holding(Duration.ofSeconds(5), Duration.ofMillis(500), grace, 8)));
  }

  private static CompletableFuture<Void> stopping(JobEngine node) {
    CompletableFuture<Void> drained = new CompletableFuture<>();
    Thread.ofVirtual()
        .start(
            () -> {
              node.drain();
              drained.complete(null);
            });
    await().until(() -> !node.ready());
    return drained;
  }

  private Job job(JobEngine node, JobId id) {
    return node.job(Access.ALL, id).orElseThrow();
  }

  @Test
  void work_that_fits_into_the_grace_is_done_and_none_of_it_is_in_doubt() throws Exception {
    JobEngine node = node(Duration.ofMinutes(5));
    await().until(node::ready);
    JobId id = submit(node, "k", "plain");
    ScriptedProvider.Call call = fixture.a.next();
    CompletableFuture<Void> drained = stopping(node);
    assertThat(drained).isNotDone();
    call.succeed("1");

    drained.get(60, TimeUnit.SECONDS);
    assertThat(job(node, id).standing().state()).isEqualTo(JobState.SUCCEEDED);
  }

  @Test
  void work_that_comes_while_a_node_stops_is_admitted_and_waits_for_another() throws Exception {
    JobEngine node = node(Duration.ofMinutes(5));
    await().until(node::ready);
    submit(node, "k", "plain");
    ScriptedProvider.Call call = fixture.a.next();
    CompletableFuture<Void> drained = stopping(node);
    JobId later = submit(node, "later", "plain");
    ButtonAnswer pressed = node.startAttempt(Access.ALL, later, "b").orElseThrow();
    call.succeed("1");
    drained.get(60, TimeUnit.SECONDS);
    Job waiting = job(node, later);
    node.close();

    assertThat(pressed).isInstanceOf(ButtonAnswer.NoSlot.class);
    assertThat(waiting.standing().state()).isEqualTo(JobState.QUEUED);
    assertThat(waiting.attempts()).isEmpty();
    node(Duration.ZERO);
    fixture.a.next().succeed("1");
    fixture.awaitState(later, JobState.SUCCEEDED);
  }

  @Test
  void what_is_left_when_the_grace_is_over_is_in_doubt_at_once_and_says_why() {
    JobEngine node = node(Duration.ofMillis(50));
    JobId id = submit(node, "k", "plain");
    fixture.a.next();

    node.drain();

    Attempt left = job(node, id).attempts().getFirst();
    assertThat(job(node, id).standing().state()).isEqualTo(JobState.UNKNOWN);
    assertThat(left.failure().code()).isEqualTo("node-stopped");
    assertThat(left.leaseUntil()).isNull();
  }

  @Test
  void a_request_whose_start_is_being_written_when_the_grace_ends_does_not_leave()
      throws Exception {
    assertDoesNotLeave(EngineFixture.PATIENT);
  }

  @Test
  void nor_does_one_whose_start_is_being_written_together_with_its_job() throws Exception {
    assertDoesNotLeave(EngineFixture.GOING_ON);
  }

  private void assertDoesNotLeave(Kind kind) throws Exception {
    CountDownLatch written = new CountDownLatch(1);
    CountDownLatch drained = new CountDownLatch(1);
    DataSource own =
        AfterStatements.over(
            postgres.dataSource(),
            AfterStatements.START,
            () -> {
              written.countDown();
              awaits(drained);
            });
    JobEngine node = fixture.node(own, fixture.config(kind));
    CompletableFuture<JobId> submitted =
        CompletableFuture.supplyAsync(() -> submit(node, "k", kind.name()));
    if (!kind.goesOnFromDoubt()) { // its admission waits for no start
      submitted.get(60, TimeUnit.SECONDS);
    }
    assertThat(written.await(60, TimeUnit.SECONDS)).isTrue();

    node.drain();
    drained.countDown();

    JobId id = submitted.get(60, TimeUnit.SECONDS);
    Attempt attempt = fixture.awaitAttempt(id, 1, AttemptState.FAILED);
    assertThat(attempt.failure().code()).isEqualTo("not-sent");
    assertThat(job(node, id).standing().state()).isEqualTo(JobState.QUEUED);
    assertThat(fixture.a.calls()).isEmpty();
  }

  private static void awaits(CountDownLatch latch) {
    try {
      assertThat(latch.await(60, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
