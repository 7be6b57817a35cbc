package dev.onejob.engine;

import static dev.onejob.engine.EngineFixture.submit;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.onejob.domain.AttemptState;
import dev.onejob.domain.IntentKey;
import dev.onejob.domain.Job;
import dev.onejob.domain.JobId;
import dev.onejob.domain.JobState;
import dev.onejob.domain.Kind;
import dev.onejob.domain.Then;
import dev.onejob.domain.UnknownRule;
import dev.onejob.domain.Verdict;
import dev.onejob.provider.PulledProvider;
import dev.onejob.testkit.Engines;
import dev.onejob.testkit.PostgresExtension;
import dev.onejob.testkit.ScriptedProvider;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * A job is born running where it can start at once and goes on from every doubt, and queued where
 * not.
 */
class BirthsTest {
  private static final Duration NEVER = Duration.ofHours(1);

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

  /** One with few slots, which looks for due jobs only where it has a reason. */
  private EngineConfig config(int slots) {
    return new EngineConfig(
            "test",
            List.of(EngineFixture.GOING_ON, EngineFixture.PATIENT),
            Map.of(
                "a", new EngineConfig.ProviderSlot(fixture.a, 64),
                "b", new EngineConfig.ProviderSlot(fixture.b, 64)),
            slots,
            NEVER,
            Duration.ofMillis(200))
        .with(Engines.HOLDING);
  }

  private static Job born(JobEngine node, String key) {
    return born(node, Engines.submission(key, "going-on", "{\"n\": 1.0}"));
  }

  private static Job born(JobEngine node, Submission submission) {
    return ((Admitted.Created) node.submit(submission)).job();
  }

  private static Job read(JobEngine node, JobId id) {
    return node.job(Access.ALL, id).orElseThrow();
  }

  private static void assertQueued(JobEngine node, Job born) {
    assertThat(born.standing().state()).isEqualTo(JobState.QUEUED);
    assertThat(born.attempts()).isEmpty();
    assertThat(read(node, born.id())).usingRecursiveComparison().isEqualTo(born);
  }

  @Test
  void a_job_with_a_free_slot_is_born_with_its_attempt_in_one_transaction() throws Exception {
    JobEngine node = fixture.node(config(1));

    Job born = born(node, "k");

    assertThat(born.standing().state()).isEqualTo(JobState.RUNNING);
    assertThat(born.attempts())
        .singleElement()
        .satisfies(
            attempt -> assertThat(attempt.standing().state()).isEqualTo(AttemptState.STARTING));
    assertThat(ofOneTransaction(born.id())).isTrue();
    fixture.a.next().succeed("1");
    assertThat(fixture.awaitState(born.id(), JobState.SUCCEEDED).attempts()).hasSize(1);
  }

  private boolean ofOneTransaction(JobId job) throws SQLException {
    try (Connection connection = postgres.dataSource().getConnection();
        PreparedStatement query =
            connection.prepareStatement(
                """
                SELECT j.xmin = a.xmin AND j.created_at = a.started_at
                FROM onejob.job AS j JOIN onejob.attempt AS a ON a.job_id = j.id
                WHERE j.id = ?
                """)) {
      query.setObject(1, job.uuid());
      try (var rows = query.executeQuery()) {
        assertThat(rows.next()).isTrue();
        return rows.getBoolean(1);
      }
    }
  }

  @Test
  void a_job_of_another_kind_is_born_queued_and_starts_at_once_in_a_transaction_of_its_own()
      throws Exception {
    JobEngine node = fixture.node(config(1));
    await().until(node::ready);

    Job born = born(node, Engines.submission("k", "plain", "{}"));

    assertThat(born.standing().state()).isEqualTo(JobState.QUEUED);
    assertThat(born.attempts()).isEmpty();
    ScriptedProvider.Call call = fixture.a.next(); // no look comes before an hour is over
    assertThat(ofOneTransaction(born.id())).isFalse();
    Job waiting = born(node, Engines.submission("waiting", "plain", "{}"));
    assertQueued(node, waiting);
    call.succeed("1");
    assertThat(fixture.awaitState(born.id(), JobState.SUCCEEDED).attempts()).hasSize(1);
    fixture.a.next().succeed("2");
    assertThat(fixture.awaitState(waiting.id(), JobState.SUCCEEDED).attempts()).hasSize(1);
  }

  @Test
  void only_a_rule_that_tries_again_and_is_not_stopped_by_a_bound_lets_a_job_be_born_running() {
    Kind goesOn = EngineFixture.GOING_ON;
    UnknownRule waits = new UnknownRule(NEVER, Verdict.ABANDON, Then.WAIT);

    assertThat(goesOn.goesOnFromDoubt()).isTrue();
    assertThat(bounded(goesOn, 2, 2).goesOnFromDoubt()).isTrue();
    assertThat(bounded(goesOn, 1, 2).goesOnFromDoubt()).isFalse();
    assertThat(bounded(goesOn, 3, 1).goesOnFromDoubt()).isFalse();
    assertThat(goesOn.with(waits).goesOnFromDoubt()).isFalse();
    assertThat(EngineFixture.RACE.goesOnFromDoubt()).isFalse();
    JobEngine node = fixture.node(fixture.config(bounded(goesOn, 3, 1)));
    assertThat(born(node, "k").standing().state()).isEqualTo(JobState.QUEUED);
  }

  private static Kind bounded(Kind kind, int attempts, int parkAfterCrashes) {
    return new Kind(
        kind.name(),
        kind.effect(),
        kind.route(),
        kind.attemptTimeout(),
        kind.lateAnswerLimit(),
        attempts,
        kind.retry(),
        kind.raceAfter(),
        kind.deadline(),
        kind.whenUnqualified(),
        kind.inFlightMax(),
        kind.unknownRule(),
        parkAfterCrashes,
        kind.contract());
  }

  @Test
  void the_answer_of_a_job_that_was_started_is_what_is_read_of_it() {
    JobEngine node = fixture.node(config(1));

    Job born = born(node, "k");

    assertThat(read(node, born.id())).usingRecursiveComparison().isEqualTo(born);
  }

  @Test
  void a_job_without_a_slot_is_born_queued_and_answered_as_it_is_read() {
    JobEngine node = fixture.node(config(1));
    born(node, "first");
    ScriptedProvider.Call call = fixture.a.next();

    Job waiting = born(node, "second");

    assertQueued(node, waiting);
    call.succeed("1");
    fixture.a.next().succeed("2");
    fixture.awaitState(waiting.id(), JobState.SUCCEEDED);
  }

  @Test
  void a_job_does_not_pass_others_that_wait_although_a_slot_is_free() throws Exception {
    AtomicBoolean hold = new AtomicBoolean();
    CountDownLatch looking = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    DataSource own =
        AfterStatements.over(
            postgres.dataSource(),
            "WITH RECURSIVE level",
            () -> {
              if (hold.getAndSet(false)) {
                looking.countDown();
                awaits(goOn);
              }
            });
    JobEngine node = fixture.node(own, config(1));
    born(node, "first");
    ScriptedProvider.Call call = fixture.a.next();
    Job second = born(node, "second");
    hold.set(true);
    call.succeed("1");
    awaits(looking); // its slot is free

    Job third = born(node, "third");

    assertQueued(node, third);
    goOn.countDown();
    ScriptedProvider.Call next = fixture.a.next();
    assertThat(next.request().jobId()).isEqualTo(second.id());
    next.succeed("2");
    fixture.a.next().succeed("3");
    fixture.awaitState(third.id(), JobState.SUCCEEDED);
  }

  @Test
  void a_job_whose_provider_has_an_open_circuit_is_born_queued_whether_its_node_knows_or_not()
      throws Exception {
    JobEngine unknowing = fixture.node(config(4));
    await().until(unknowing::ready);
    openCircuit();

    Job first = born(unknowing, "first");
    JobEngine knowing = fixture.node(config(4));
    await().until(() -> knowing.proofs().providers().getFirst().circuit() != null);
    Job second = born(knowing, "second");

    assertQueued(unknowing, first);
    assertQueued(knowing, second);
    assertThat(fixture.a.calls()).isEmpty();
  }

  private void openCircuit() throws SQLException {
    try (Connection connection = postgres.dataSource().getConnection();
        PreparedStatement insert =
            connection.prepareStatement(
                """
                INSERT INTO onejob.circuit (
                  provider, failures, failure_code, failure_message, failed_at, opened_at,
                  open_until, pause_ms)
                VALUES ('a', 9, 'away', 'it is away', now(), now(), now() + interval '1 hour', 1)
                """)) {
      insert.executeUpdate();
    }
  }

  @Test
  void a_job_that_workers_are_to_fetch_is_born_queued() {
    Kind kind = Engines.goingOn("pulled", NEVER, "w");
    JobEngine node =
        fixture.node(
            Engines.config(List.of(kind), Map.of("w", new PulledProvider(Duration.ofMinutes(1)))));

    assertQueued(node, born(node, Engines.submission("k", "pulled", "{}")));
  }

  @Test
  void a_job_whose_deadline_is_over_is_born_queued_and_never_starts() {
    JobEngine node = fixture.node(config(4));

    Job born =
        born(
            node,
            new Submission(
                Engines.OWNER,
                new IntentKey("k"),
                "going-on",
                "{}".getBytes(StandardCharsets.UTF_8),
                null,
                Instant.parse("2001-01-01T00:00:00Z"),
                0,
                List.of()));

    assertThat(born.standing().state()).isEqualTo(JobState.QUEUED);
    assertThat(fixture.awaitState(born.id(), JobState.FAILED).attempts()).isEmpty();
    assertThat(fixture.a.calls()).isEmpty();
  }

  @Test
  void many_repeats_at_once_start_nothing_and_leave_all_slots_free() throws Exception {
    JobEngine node = fixture.node(config(3));
    List<Future<Admitted>> answers = new ArrayList<>();
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < 300; i++) {
        answers.add(threads.submit(() -> node.submit(Engines.submission("k", "going-on", "{}"))));
      }
    }
    int created = 0;
    for (Future<Admitted> answer : answers) {
      created += answer.get(60, TimeUnit.SECONDS) instanceof Admitted.Created ? 1 : 0;
    }
    fixture.a.next().succeed("1");
    List<JobId> others = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      others.add(submit(node, "other-" + i, "going-on"));
    }
    List<ScriptedProvider.Call> together =
        List.of(fixture.a.next(), fixture.a.next(), fixture.a.next());

    assertThat(created).isEqualTo(1);
    assertThat(together).extracting(call -> call.request().jobId()).hasSameElementsAs(others);
    assertThat(fixture.a.calls()).hasSize(4);
  }

  private static void awaits(CountDownLatch latch) {
    try {
      assertThat(latch.await(60, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
