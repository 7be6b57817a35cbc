package dev.onejob.engine;

import static dev.onejob.engine.EngineFixture.submit;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.onejob.domain.AttemptState;
import dev.onejob.domain.Job;
import dev.onejob.domain.JobId;
import dev.onejob.domain.JobState;
import dev.onejob.store.StoreException;
import dev.onejob.testkit.Engines;
import dev.onejob.testkit.PostgresExtension;
import dev.onejob.testkit.ScriptedProvider;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Births with their first attempt of which it is not known whether they were made. */
class LostBirthsTest {
  private static final int LATE_BIRTHS_TRIED_MAX = 20;

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

  /** With one slot; nothing but a slot that comes free or a wake-up makes it look. */
  private EngineConfig config() {
    return new EngineConfig(
            "test",
            List.of(EngineFixture.GOING_ON, EngineFixture.PATIENT),
            Map.of(
                "a", new EngineConfig.ProviderSlot(fixture.a, 64),
                "b", new EngineConfig.ProviderSlot(fixture.b, 64)),
            1,
            Duration.ofHours(1),
            Duration.ofMillis(200))
        .with(Engines.HOLDING);
  }

  private DataSource afterTheFirstBirth(Runnable then) {
    AtomicBoolean once = new AtomicBoolean(true);
    return AfterStatements.over(
        postgres.dataSource(),
        AfterStatements.BIRTH,
        () -> {
          if (once.getAndSet(false)) {
            then.run();
          }
        });
  }

  private static Admitted send(JobEngine node, String key) {
    return node.submit(Engines.submission(key, "going-on", "{}"));
  }

  @Test
  void an_attempt_goes_on_whose_birth_was_committed_before_the_line_broke() {
    JobEngine node =
        fixture.node(
            afterTheFirstBirth(
                () -> LostBirthsTest.<RuntimeException>raise(new SQLException("cut", "08006"))),
            config());

    assertThatThrownBy(() -> send(node, "k")).isInstanceOf(StoreException.class);

    ScriptedProvider.Call call = fixture.a.next();
    JobId id = ((Admitted.Known) send(node, "k")).id();
    call.succeed("1");
    assertThat(fixture.awaitState(id, JobState.SUCCEEDED).attempts()).hasSize(1);
    assertThat(fixture.a.calls()).hasSize(1);
    assertSlotIsFree(node);
  }

  @Test
  void an_attempt_goes_on_whose_birth_could_not_be_read_for_want_of_memory() {
    JobEngine node =
        fixture.node(
            afterTheFirstBirth(
                () -> LostBirthsTest.<RuntimeException>raise(new OutOfMemoryError("rows"))),
            config());

    assertThatThrownBy(() -> send(node, "k")).isInstanceOf(OutOfMemoryError.class);

    fixture.a.next().succeed("1");
    JobId id = ((Admitted.Known) send(node, "k")).id();
    assertThat(fixture.awaitState(id, JobState.SUCCEEDED).attempts()).hasSize(1);
    assertSlotIsFree(node);
  }

  @Test
  void a_lost_admission_of_a_kind_that_is_queued_first_gives_its_slot_back_and_the_job_runs() {
    assertRunsAfter(new SQLException("cut", "08006"), StoreException.class);
  }

  @Test
  void so_does_one_whose_answer_could_not_be_read_for_want_of_memory() {
    assertRunsAfter(new OutOfMemoryError("rows"), OutOfMemoryError.class);
  }

  private void assertRunsAfter(Throwable grief, Class<? extends Throwable> told) {
    JobEngine node =
        fixture.node(
            afterTheFirstBirth(() -> LostBirthsTest.<RuntimeException>raise(grief)), config());
    Submission submission = Engines.submission("k", "plain", "{}");

    assertThatThrownBy(() -> node.submit(submission)).isInstanceOf(told);

    fixture.a.next().succeed("1"); // it was looked for at once, and the one slot was free
    JobId id = ((Admitted.Known) node.submit(submission)).id();
    assertThat(fixture.awaitState(id, JobState.SUCCEEDED).attempts()).hasSize(1);
    assertThat(fixture.a.calls()).hasSize(1);
    assertSlotIsFree(node);
  }

  @Test
  void nothing_is_left_of_a_birth_that_did_not_reach_the_database_and_its_slot_is_free() {
    SeverableDatabase line = new SeverableDatabase(postgres.dataSource());
    JobEngine node = fixture.node(line, config());
    await().until(node::ready);
    line.cut();

    assertThatThrownBy(() -> send(node, "k")).isInstanceOf(StoreException.NotConnected.class);

    line.mend();
    assertThat(send(node, "k")).isInstanceOf(Admitted.Created.class);
    fixture.a.next().succeed("1");
    assertSlotIsFree(node);
  }

  @Test
  void nothing_is_left_of_a_birth_whose_key_stays_locked_and_its_slot_is_free() throws Exception {
    JobEngine node = fixture.node(config());
    try (Connection holder = postgres.dataSource().getConnection()) {
      hold(holder, "k");

      assertThatThrownBy(() -> send(node, "k")).isInstanceOf(StoreException.LockTimeout.class);

      assertSlotIsFree(node);
      holder.rollback();
    }
    assertThat(send(node, "k")).isInstanceOf(Admitted.Created.class);
  }

  /**
   * The server goes on with a statement whose client is gone: it is found then, or it has given up
   * in its turn, and nothing is left. Which of the two it is to be cannot be forced: a statement
   * waits for a lock for 250 ms only. So this tries until it has seen the first.
   */
  @Test
  void a_birth_that_is_committed_after_its_line_broke_is_found_and_goes_on() throws Exception {
    SeverableDatabase line = new SeverableDatabase(postgres.dataSource());
    JobEngine node = fixture.node(line, config());
    await().until(node::ready);
    boolean late = false;
    for (int i = 0; !late && i < LATE_BIRTHS_TRIED_MAX; i++) {
      String key = "k" + i;
      FutureTask<Admitted> submit = new FutureTask<>(() -> send(node, key));
      try (Connection holder = postgres.dataSource().getConnection()) {
        hold(holder, key);
        Thread.ofVirtual().start(submit);
        await().pollInterval(Duration.ofMillis(2)).until(this::aBirthWaits);
        line.cut();
        holder.rollback();
      }
      assertThatThrownBy(() -> submit.get(60, TimeUnit.SECONDS))
          .isInstanceOf(ExecutionException.class)
          .hasCauseInstanceOf(StoreException.class);
      line.mend();
      await().until(() -> !aBirthWaits());
      Optional<JobId> born = find(key);
      late = born.isPresent();
      if (born.isPresent()) {
        fixture.a.next().succeed("1");
        assertThat(fixture.awaitState(born.get(), JobState.SUCCEEDED).attempts()).hasSize(1);
      }
      assertSlotIsFree(node, "after-" + i);
    }
    assertThat(late).isTrue();
  }

  private boolean aBirthWaits() throws SQLException {
    try (Connection connection = postgres.dataSource().getConnection();
        PreparedStatement query =
            connection.prepareStatement(
                """
                SELECT count(*) FROM pg_stat_activity
                WHERE datname = current_database() AND wait_event_type = 'Lock'
                  AND query LIKE '%n.attempt_id IS NOT NULL%'
                """);
        var rows = query.executeQuery()) {
      rows.next();
      return rows.getInt(1) > 0;
    }
  }

  private Optional<JobId> find(String key) throws SQLException {
    try (Connection connection = postgres.dataSource().getConnection();
        PreparedStatement query =
            connection.prepareStatement("SELECT id FROM onejob.job WHERE key = ?")) {
      query.setString(1, key);
      try (var rows = query.executeQuery()) {
        return rows.next()
            ? Optional.of(new JobId(rows.getObject(1, UUID.class)))
            : Optional.empty();
      }
    }
  }

  private static void hold(Connection holder, String key) throws SQLException {
    holder.setAutoCommit(false);
    try (PreparedStatement insert =
        holder.prepareStatement(
            """
            INSERT INTO onejob.job (
              id, owner, key, kind, effect, fingerprint_version, fingerprint, input, route,
              priority, tags, state, version, live, starting, in_doubt, attempts_started,
              attempts_allowed, run_at, contested, when_unqualified)
            VALUES (
              gen_random_uuid(), 'tester', ?, 'going-on', 'harmless', 1,
              decode(repeat('00', 32), 'hex'), '{}', '{a}', 0, '{}', 'queued', 0, 0, 0, 0, 0, 1,
              now(), false, 'wait')
            """)) {
      insert.setString(1, key);
      insert.executeUpdate();
    }
  }

  @Test
  void a_birth_whose_node_hangs_before_it_sends_is_in_doubt_until_it_says_that_nothing_left() {
    CountDownLatch goOn = new CountDownLatch(1);
    JobEngine hanging = fixture.node(afterTheFirstBirth(() -> awaits(goOn)), config());
    FutureTask<Admitted> submit = new FutureTask<>(() -> send(hanging, "k"));
    Thread.ofVirtual().start(submit);
    try (EngineFixture others = new EngineFixture(postgres.dataSource())) {
      JobEngine other = others.node(others.config(EngineFixture.GOING_ON));
      JobId id =
          await()
              .atMost(Duration.ofSeconds(60))
              .until(() -> find("k"), Optional::isPresent)
              .orElseThrow();
      others.awaitAttempt(id, 1, AttemptState.UNKNOWN);
      assertThat(send(other, "k")).isInstanceOf(Admitted.Known.class);
      assertThat(others.a.calls()).isEmpty();

      goOn.countDown();

      Job job = others.awaitJob(id, one -> one.attempts().size() == 2);
      assertThat(job.attempts().getFirst().failure().code()).isEqualTo("not-sent");
      assertThat(fixture.a.calls().size() + others.a.calls().size()).isLessThanOrEqualTo(1);
    }
  }

  private static void awaits(CountDownLatch latch) {
    try {
      assertThat(latch.await(60, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private void assertSlotIsFree(JobEngine node) {
    assertSlotIsFree(node, "another");
  }

  /** Its one slot: without it the next job would wait for ever. */
  private void assertSlotIsFree(JobEngine node, String key) {
    JobId id = submit(node, key, "going-on");
    ScriptedProvider.Call call = fixture.a.next();
    assertThat(call.request().jobId()).isEqualTo(id);
    call.succeed("2");
    fixture.awaitState(id, JobState.SUCCEEDED);
  }

  /** Throws whatever it is, as JDBC may. */
  @SuppressWarnings("unchecked")
  private static <E extends Throwable> void raise(Throwable grief) throws E {
    throw (E) grief;
  }
}
