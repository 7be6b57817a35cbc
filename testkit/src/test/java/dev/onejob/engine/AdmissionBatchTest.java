package dev.onejob.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

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
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.random.RandomGenerator;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Admissions in batches: results one by one, and no bad or held row harms another. */
class AdmissionBatchTest {
  private static final Chronicle SILENT = new Chronicle(EngineListener.SILENT);
  private static final Set<Thread.State> WAITS =
      Set.of(Thread.State.WAITING, Thread.State.TIMED_WAITING);

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
        assertThat(one.get(60, TimeUnit.SECONDS).created()).isTrue();
      }
      for (Future<Admissions.Bound> one : bad) {
        assertThatThrownBy(() -> one.get(60, TimeUnit.SECONDS))
            .isInstanceOf(ExecutionException.class)
            .hasCauseInstanceOf(StoreException.class);
      }
    }
  }

  @Test
  void one_row_that_breaks_a_check_harms_no_other_of_its_bulk() {
    Writes writes = new Writes(Stores.over(postgres.dataSource(), Map.of(), SILENT), SILENT);
    List<NewJob> jobs = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      jobs.add(job("bulk-" + i, i == 7 ? 12_345 : 0));
    }

    assertThatThrownBy(() -> writes.admitAll(jobs))
        .isInstanceOfSatisfying(StoreException.class, e -> assertThat(e.blamesTheRow()).isTrue());

    jobs.remove(7);
    assertThat(writes.admitAll(jobs))
        .extracting(Admissions.Bound::id)
        .containsExactlyElementsOf(jobs.stream().map(NewJob::id).toList());
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
        assertThat(threads.submit(() -> writes.admit(free)).get(60, TimeUnit.SECONDS).created())
            .isTrue();
      }
      frozen.rollback();
      assertThat(held.get(60, TimeUnit.SECONDS).created()).isTrue();
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
        assertThat(threads.submit(() -> liveWhole(writes, free)).get(60, TimeUnit.SECONDS))
            .contains(new Answer.Moved());
      }
      frozen.rollback();
      for (Future<Admissions.Bound> one : held) {
        assertThat(one.get(60, TimeUnit.SECONDS).created()).isTrue();
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
  void an_admission_that_finds_its_own_row_has_made_it_and_another_of_its_key_has_not() {
    Admissions admissions = new Admissions(postgres.dataSource());
    NewJob mine = job("k", 0);
    Admissions.Bound first = admissions.admit(List.of(mine)).getFirst();

    List<Admissions.Bound> again = admissions.lookAgain(List.of(job("k", 0), mine));

    assertThat(again).extracting(Admissions.Bound::id).containsOnly(mine.id());
    assertThat(again).extracting(Admissions.Bound::created).containsExactly(false, true);
    assertThat(again.getLast().birth()).isEqualTo(first.birth());
  }

  @Test
  void a_job_whose_row_was_written_by_a_batch_that_broke_off_is_created_and_starts_at_once()
      throws Exception {
    AtomicBoolean once = new AtomicBoolean(true);
    CountDownLatch bothFlightsAreOut = new CountDownLatch(2);
    CountDownLatch gathered = new CountDownLatch(1);
    DataSource breaking =
        AfterStatements.over(
            postgres.dataSource(),
            "INSERT INTO onejob.job",
            () -> {
              if (bothFlightsAreOut.getCount() > 0) {
                bothFlightsAreOut.countDown();
                waitFor(gathered);
              } else if (once.getAndSet(false)) {
                throw new OutOfMemoryError("as when the rows of a batch are read");
              }
            });
    Writes writes = new Writes(Stores.over(breaking, Map.of(), SILENT), SILENT);
    List<FutureTask<Admissions.Bound>> all = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      all.add(admitting(writes, "ahead-" + i));
    }
    waitFor(bothFlightsAreOut);
    for (int i = 0; i < 3; i++) {
      all.add(admitting(writes, "together-" + i));
    }
    gathered.countDown();

    for (FutureTask<Admissions.Bound> one : all) {
      assertThat(one.get(60, TimeUnit.SECONDS).created()).isTrue();
    }
    assertThat(once).isFalse();
  }

  /** Returns once its thread waits: for the database or for a place in a batch. */
  private static FutureTask<Admissions.Bound> admitting(Writes writes, String key) {
    FutureTask<Admissions.Bound> task = new FutureTask<>(() -> writes.admit(job(key, 0)));
    Thread thread = Thread.ofPlatform().start(task);
    await().until(() -> WAITS.contains(thread.getState()));
    return task;
  }

  private static void waitFor(CountDownLatch latch) {
    try {
      assertThat(latch.await(60, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
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
  void c41_two_thousand_jobs_in_one_transaction_are_admitted_and_their_notice_carries_none_of_them()
      throws Exception {
    List<NewJob> many = new ArrayList<>();
    for (int i = 0; i < 2_000; i++) {
      many.add(job("many-" + i, 0));
    }
    Notices notices = new Notices(postgres.dataSource());
    Notices another = new Notices(postgres.dataSource());
    try (Notices.Listening listening = another.listen().orElseThrow()) {
      assertThat(new Admissions(postgres.dataSource()).admit(many))
          .allMatch(Admissions.Bound::created);
      notices.send(Notices.News.DUE);

      assertThat(news(listening)).containsExactly(Notices.News.DUE);
      notices.send(Notices.News.PROVIDERS);
      assertThat(news(listening)).containsExactly(Notices.News.PROVIDERS);
    }
    assertThat(texts("SELECT count(*)::text FROM onejob.job")).containsExactly("2000");
  }

  /** What comes from others. */
  private static Set<Notices.News> news(Notices.Listening listening) {
    return await()
        .until(() -> listening.await(Duration.ofSeconds(5)).orElseThrow(), news -> !news.isEmpty());
  }

  @Test
  void who_says_that_jobs_are_due_does_not_hear_of_it_again() {
    Notices notices = new Notices(postgres.dataSource());
    Notices another = new Notices(postgres.dataSource());
    try (Notices.Listening listening = notices.listen().orElseThrow()) {
      notices.send(Notices.News.DUE);
      notices.send(Notices.News.PROVIDERS);

      assertThat(news(listening)).containsExactly(Notices.News.PROVIDERS);
      another.send(Notices.News.DUE);
      assertThat(news(listening)).containsExactly(Notices.News.DUE);
    }
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
