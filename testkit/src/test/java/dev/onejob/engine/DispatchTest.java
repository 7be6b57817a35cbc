package dev.onejob.engine;

import static dev.onejob.engine.EngineFixture.submit;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.onejob.domain.JobId;
import dev.onejob.domain.JobState;
import dev.onejob.domain.Kind;
import dev.onejob.domain.StartRefusal;
import dev.onejob.provider.PulledProvider;
import dev.onejob.testkit.Engines;
import dev.onejob.testkit.PostgresExtension;
import dev.onejob.testkit.ScriptedProvider;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Who gets the slots, and when. */
class DispatchTest {
  @RegisterExtension final PostgresExtension postgres = new PostgresExtension();

  private static final Kind PATIENT_A = patient("of-a", "a");
  private static final Kind PATIENT_B = patient("of-b", "b");

  /** In which a node of {@link Engines#config} looks for due jobs more than once. */
  private static final Duration SOME_LOOKS = Duration.ofMillis(500);

  private EngineFixture fixture;

  @BeforeEach
  void open() {
    fixture = new EngineFixture(postgres.dataSource());
  }

  @AfterEach
  void close() {
    fixture.close();
  }

  static Kind patient(String name, String provider) {
    Kind kind = Engines.exclusive(name, provider);
    return new Kind(
        name,
        kind.effect(),
        kind.route(),
        Duration.ofMinutes(1),
        kind.lateAnswerLimit(),
        kind.attemptsAllowed(),
        kind.retry(),
        null,
        null,
        kind.whenUnqualified(),
        kind.inFlightMax());
  }

  private JobEngine node(int slots, int atA, Duration pollInterval) {
    return fixture.node(
        new EngineConfig(
            "test",
            List.of(PATIENT_A, PATIENT_B),
            Map.of(
                "a", new EngineConfig.ProviderSlot(fixture.a, atA),
                "b", new EngineConfig.ProviderSlot(fixture.b, 8)),
            slots,
            pollInterval,
            Duration.ofMillis(200)));
  }

  @Test
  void due_jobs_of_a_provider_without_room_do_not_hide_those_of_another() {
    try (EngineFixture admitting = new EngineFixture(postgres.dataSource())) {
      JobEngine full =
          admitting.node(
              Engines.config(
                  List.of(PATIENT_A, PATIENT_B), Map.of("a", admitting.a, "b", admitting.b)));
      full.close();
      for (int i = 0; i < 40; i++) {
        submit(full, "a" + i, "of-a");
      }
      JobId hidden = submit(full, "b", "of-b");

      node(8, 1, Duration.ofMillis(100));
      fixture.b.next().succeed("1");
      fixture.a.next();

      fixture.awaitState(hidden, JobState.SUCCEEDED);
      assertThat(fixture.a.calls()).hasSize(1);
    }
  }

  @Test
  void a_slot_that_comes_free_is_taken_by_a_waiting_job_without_a_poll() {
    JobEngine node = node(1, 8, Duration.ofHours(1));
    List<JobId> jobs = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      jobs.add(submit(node, "k" + i, "of-a"));
    }
    for (JobId job : jobs) {
      ScriptedProvider.Call call = fixture.a.next();
      call.succeed("1");
      fixture.awaitState(job, JobState.SUCCEEDED);
    }
    assertThat(fixture.a.calls()).hasSize(4);
  }

  @Test
  void a_backlog_is_drained_although_most_slots_are_held_by_calls_that_do_not_end() {
    JobEngine node = node(8, 7, Duration.ofHours(1));
    for (int i = 0; i < 7; i++) {
      submit(node, "held-" + i, "of-a");
      fixture.a.next();
    }
    fixture.b.always(ScriptedProvider.succeeded("1"));
    List<Submission> backlog = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      backlog.add(Engines.submission("b" + i, "of-b", "{}"));
    }

    List<Admitted> answers = node.submitAll(backlog);

    assertThat(answers).hasOnlyElementsOfType(Admitted.Created.class);
    for (Admitted answer : answers) {
      fixture.awaitState(((Admitted.Created) answer).id(), JobState.SUCCEEDED);
    }
    assertThat(fixture.b.calls()).hasSize(40);
    assertThat(fixture.a.calls()).hasSize(7);
  }

  @Test
  void jobs_whose_inputs_cannot_be_read_together_are_read_one_by_one() {
    AtomicBoolean once = new AtomicBoolean(true);
    DataSource own =
        AfterStatements.over(
            postgres.dataSource(),
            "octet_length(j.input) <= ",
            () -> {
              if (once.getAndSet(false)) {
                throw new OutOfMemoryError("as when the inputs of many jobs are read");
              }
            });
    JobEngine node = fixture.node(own, fixture.config(EngineFixture.PATIENT));
    fixture.a.always(ScriptedProvider.succeeded("1"));

    List<Admitted> answers =
        node.submitAll(
            List.of(
                Engines.submission("1", "plain", "{}"), Engines.submission("2", "plain", "{}")));

    for (Admitted answer : answers) {
      fixture.awaitState(((Admitted.Created) answer).id(), JobState.SUCCEEDED);
    }
    assertThat(once).isFalse();
    assertThat(fixture.a.calls()).hasSize(2);
  }

  @Test
  void a_job_that_starts_where_it_was_admitted_is_not_found_due_meanwhile() {
    DataSource own =
        AfterStatements.over(
            postgres.dataSource(),
            AfterStatements.BIRTH,
            () -> LockSupport.parkNanos(SOME_LOOKS.toNanos()));
    List<StartRefusal> refusals = new CopyOnWriteArrayList<>();
    EngineListener listener =
        new EngineListener() {
          @Override
          public void startRefused(String kind, StartRefusal why) {
            refusals.add(why);
          }
        };
    fixture.a.always(ScriptedProvider.succeeded("1"));
    try (JobEngine node =
        JobEngine.start(own, own, fixture.config(EngineFixture.PATIENT), listener)) {
      JobId id = submit(node, "k", "plain");

      await()
          .until(
              () -> node.job(Access.ALL, id).orElseThrow().standing().state(),
              JobState.SUCCEEDED::equals);
      await().during(SOME_LOOKS).until(refusals::isEmpty);
    }
  }

  @Test
  void a_job_for_workers_asks_for_no_look_for_jobs_that_the_node_could_start() {
    AtomicInteger looks = new AtomicInteger();
    EngineListener listener =
        new EngineListener() {
          @Override
          public void looked(int found, Duration took) {
            looks.incrementAndGet();
          }
        };
    PulledProvider workers = new PulledProvider(Duration.ofSeconds(30));
    EngineConfig config =
        new EngineConfig(
            "test",
            List.of(PATIENT_A, patient("fetched", "w")),
            Map.of(
                "a", new EngineConfig.ProviderSlot(fixture.a, 8),
                "w", new EngineConfig.ProviderSlot(workers, 8)),
            8,
            Duration.ofHours(1),
            Duration.ofMillis(200));
    DataSource database = postgres.dataSource();
    try (JobEngine node = JobEngine.start(database, database, config, listener)) {
      await().until(() -> looks.get() == 2); // at its start, and when it has begun to listen
      int before = looks.get();
      for (int i = 0; i < 20; i++) {
        submit(node, "k" + i, "fetched");
      }

      await().during(SOME_LOOKS).until(() -> looks.get() == before);
    }
  }
}
