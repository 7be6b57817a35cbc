package dev.onejob.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.onejob.domain.Answer;
import dev.onejob.domain.AttemptId;
import dev.onejob.domain.Effect;
import dev.onejob.domain.Fingerprint;
import dev.onejob.domain.IntentKey;
import dev.onejob.domain.JobEvent;
import dev.onejob.domain.JobId;
import dev.onejob.domain.JobStanding;
import dev.onejob.domain.Report;
import dev.onejob.domain.Result;
import dev.onejob.domain.StartCause;
import dev.onejob.domain.WhenUnqualified;
import dev.onejob.store.Admissions;
import dev.onejob.store.MoveRequest;
import dev.onejob.store.NewJob;
import dev.onejob.store.Notices;
import dev.onejob.store.StoreException;
import dev.onejob.testkit.Engines;
import dev.onejob.testkit.PostgresExtension;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Admissions in batches: results one by one, and no bad or held row harms another. */
class AdmissionBatchTest {
  private static final Chronicle SILENT = new Chronicle(EngineListener.SILENT);

  @RegisterExtension final PostgresExtension postgres = new PostgresExtension();

  private static NewJob job(String key, int priority) {
    return new NewJob(
        JobId.next(1_000, RandomGenerator.getDefault()),
        Engines.OWNER,
        new IntentKey(key),
        "test",
        Effect.EXCLUSIVE,
        new Fingerprint(1, new byte[Fingerprint.SHA256_BYTES]),
        "{}".getBytes(StandardCharsets.UTF_8),
        List.of("a"),
        null,
        null,
        priority,
        List.of(),
        new JobStanding.KindRules(1, null, WhenUnqualified.WAIT));
  }

  @Test
  void one_row_that_breaks_a_check_harms_no_other_of_its_batch() throws Exception {
    Writes writes = new Writes(Stores.over(postgres.dataSource(), Map.of(), SILENT), SILENT);
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<Admissions.Bound>> good = new ArrayList<>();
      List<Future<Admissions.Bound>> bad = new ArrayList<>();
      for (int i = 0; i < 200; i++) {
        NewJob mine = job("good-" + i, 0);
        good.add(threads.submit(() -> writes.admit(mine)));
        if (i % 20 == 0) {
          NewJob broken = job("bad-" + i, 12_345);
          bad.add(threads.submit(() -> writes.admit(broken)));
        }
      }
      for (Future<Admissions.Bound> one : good) {
        assertThat(one.get(20, TimeUnit.SECONDS).created()).isTrue();
      }
      for (Future<Admissions.Bound> one : bad) {
        assertThatThrownBy(() -> one.get(20, TimeUnit.SECONDS))
            .isInstanceOf(ExecutionException.class)
            .hasCauseInstanceOf(StoreException.class);
      }
    }
  }

  @Test
  void a_key_that_a_frozen_transaction_holds_does_not_stall_the_others() throws Exception {
    Writes writes = new Writes(Stores.over(postgres.dataSource(), Map.of(), SILENT), SILENT);
    try (Connection frozen = postgres.dataSource().getConnection();
        var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      frozen.setAutoCommit(false);
      hold(frozen, "held");
      Future<Admissions.Bound> held = threads.submit(() -> writes.admit(job("held", 0)));
      for (int i = 0; i < 50; i++) {
        NewJob free = job("free-" + i, 0);
        assertThat(threads.submit(() -> writes.admit(free)).get(2, TimeUnit.SECONDS).created())
            .isTrue();
      }
      frozen.rollback();
      assertThat(held.get(10, TimeUnit.SECONDS).created()).isTrue();
    }
  }

  @Test
  void many_keys_that_a_frozen_transaction_holds_do_not_stall_starts_and_results()
      throws Exception {
    Writes writes = new Writes(Stores.over(postgres.dataSource(), Map.of(), SILENT), SILENT);
    try (Connection frozen = postgres.dataSource().getConnection();
        var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      frozen.setAutoCommit(false);
      List<Future<Admissions.Bound>> held = new ArrayList<>();
      for (int i = 0; i < 30; i++) {
        String key = "held-" + i;
        hold(frozen, key);
        held.add(threads.submit(() -> writes.admit(job(key, 0))));
      }
      for (int i = 0; i < 5; i++) {
        NewJob free = job("free-" + i, 0);
        assertThat(threads.submit(() -> liveWhole(writes, free)).get(3, TimeUnit.SECONDS))
            .contains(new Answer.Moved());
      }
      frozen.rollback();
      for (Future<Admissions.Bound> one : held) {
        assertThat(one.get(10, TimeUnit.SECONDS).created()).isTrue();
      }
    }
  }

  private static Optional<Answer> liveWhole(Writes writes, NewJob job) {
    writes.admit(job);
    AttemptId attempt = AttemptId.next(1_000, RandomGenerator.getDefault());
    MoveRequest start =
        new MoveRequest(
            job.id(),
            new JobEvent.Start(attempt, "a", StartCause.DISPATCH),
            new MoveRequest.Departure("node", UUID.randomUUID(), 30_000));
    Answer.Started started = (Answer.Started) writes.start("test", start).orElseThrow();
    Result result = new Result(Result.Format.JSON, "{}".getBytes(StandardCharsets.UTF_8));
    return writes.claimSlot(
        new MoveRequest(
            job.id(),
            new JobEvent.Finish(attempt, Digests.report(Report.Outcome.SUCCEEDED, result.bytes())),
            new MoveRequest.Payload(result, null, started.jobVersion())));
  }

  private static void hold(Connection frozen, String key) throws Exception {
    try (PreparedStatement insert =
        frozen.prepareStatement(
            """
            INSERT INTO onejob.job (
              id, owner, key, kind, effect, fingerprint_version, fingerprint, input, route,
              priority, tags, state, version, live, starting, in_doubt, attempts_started,
              attempts_allowed, run_at, contested, when_unqualified)
            VALUES (
              gen_random_uuid(), 'tester', ?, 'test', 'exclusive', 1,
              decode(repeat('00', 32), 'hex'), '{}', '{a}', 0, '{}', 'queued', 0, 0, 0, 0, 0, 1,
              now(), false, 'wait')
            """)) {
      insert.setString(1, key);
      insert.executeUpdate();
    }
  }

  @Test
  void a_hundred_thousand_repeats_use_up_no_ids() throws Exception {
    Admissions admissions = new Admissions(postgres.dataSource());
    List<NewJob> repeats = new ArrayList<>();
    for (int i = 0; i < 250; i++) {
      repeats.add(job("same", 0));
    }
    JobId id = admissions.admit(repeats).getFirst().id();
    List<String> before = sequences();
    for (int batch = 0; batch < 400; batch++) {
      assertThat(admissions.admit(repeats)).allMatch(bound -> bound.id().equals(id));
    }

    assertThat(sequences()).isEqualTo(before);
    assertThat(integerColumnsFedBySequences()).isEmpty();
  }

  private List<String> sequences() throws Exception {
    return texts(
        """
        SELECT schemaname || '.' || sequencename || '=' || coalesce(last_value, 0)
        FROM pg_sequences
        ORDER BY 1
        """);
  }

  private List<String> integerColumnsFedBySequences() throws Exception {
    return texts(
        """
        SELECT sequencename FROM pg_sequences
        WHERE schemaname = 'onejob' AND data_type <> 'bigint'::regtype
        """);
  }

  private List<String> texts(String sql) throws Exception {
    List<String> texts = new ArrayList<>();
    try (Connection connection = postgres.dataSource().getConnection();
        var statement = connection.createStatement();
        var rows = statement.executeQuery(sql)) {
      while (rows.next()) {
        texts.add(rows.getString(1));
      }
    }
    return texts;
  }

  @Test
  void c41_two_thousand_jobs_in_one_transaction_are_admitted_and_their_notice_carries_nothing()
      throws Exception {
    List<NewJob> many = new ArrayList<>();
    for (int i = 0; i < 2_000; i++) {
      many.add(job("many-" + i, 0));
    }
    Notices notices = new Notices(postgres.dataSource());
    try (Notices.Listening listening = notices.listen().orElseThrow()) {
      assertThat(new Admissions(postgres.dataSource()).admit(many))
          .allMatch(Admissions.Bound::created);
      notices.send();

      assertThat(listening.await(Duration.ofSeconds(5))).isTrue();
    }
    assertThat(texts("SELECT count(*)::text FROM onejob.job")).containsExactly("2000");
  }

  @Test
  void ids_near_the_end_of_every_sequence_do_not_stop_a_submit() throws Exception {
    for (String sequence :
        texts("SELECT format('%I.%I', schemaname, sequencename) FROM pg_sequences")) {
      texts("SELECT setval('" + sequence + "', 9223372036854775000)::text");
    }

    Admissions admissions = new Admissions(postgres.dataSource());
    assertThat(admissions.admit(List.of(job("late", 0))).getFirst().created()).isTrue();
  }
}
