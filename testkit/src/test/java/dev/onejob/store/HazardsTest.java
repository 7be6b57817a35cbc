package dev.onejob.store;

import static dev.onejob.store.StoreFixture.PLAIN;
import static dev.onejob.store.StoreFixture.RACING;
import static dev.onejob.store.TwoSessions.meanwhile;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.onejob.domain.Answer;
import dev.onejob.domain.AttemptId;
import dev.onejob.domain.AttemptState;
import dev.onejob.domain.Failure;
import dev.onejob.domain.IntentKey;
import dev.onejob.domain.JobEvent;
import dev.onejob.domain.JobId;
import dev.onejob.domain.JobState;
import dev.onejob.domain.StartCause;
import dev.onejob.domain.StartRefusal;
import dev.onejob.domain.Then;
import dev.onejob.domain.Verdict;
import dev.onejob.testkit.PostgresExtension;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The hazards of DESIGN 4, each with two sessions in a forced order. */
@Tag("race")
class HazardsTest {
  @RegisterExtension final PostgresExtension postgres = new PostgresExtension();

  private StoreFixture store;

  @BeforeEach
  void open() {
    store = new StoreFixture(postgres.dataSource());
  }

  private static final String LOCK_JOB = "SELECT 1 FROM onejob.job WHERE id = ? FOR NO KEY UPDATE";

  @Test
  void a_start_that_waited_for_the_lock_sees_the_attempt_that_was_started_meanwhile()
      throws Exception {
    JobId job = store.admit("k", PLAIN);
    AttemptId late = StoreFixture.attemptId();
    try (TwoSessions two = new TwoSessions(postgres.dataSource())) {
      two.hold(LOCK_JOB, job.uuid());
      Future<Optional<Answer>> waiting =
          meanwhile(() -> store.moves.move(StoreFixture.start(job, late)));
      two.awaitBlocked(1);
      AttemptId first = startedBy(two, job);
      two.commit();

      assertThat(waiting.get(60, TimeUnit.SECONDS))
          .contains(new Answer.StartRefused(StartRefusal.ATTEMPT_STARTING, first, null));
    }
    assertThat(store.life(job).attempts()).hasSize(1);
  }

  @Test
  void the_short_way_of_a_start_that_waited_decides_by_the_new_row() throws Exception {
    JobId job = store.admit("k", PLAIN);
    try (TwoSessions two = new TwoSessions(postgres.dataSource())) {
      two.hold(LOCK_JOB, job.uuid());
      Future<List<Optional<Answer>>> waiting =
          meanwhile(() -> store.starts(List.of(StoreFixture.start(job, StoreFixture.attemptId()))));
      two.awaitBlocked(1);
      startedBy(two, job);
      two.commit();

      assertThat(waiting.get(60, TimeUnit.SECONDS)).containsExactly(Optional.empty());
    }
    assertThat(store.life(job).attempts()).hasSize(1);
  }

  /** Starts an attempt in the holding session, as another node would. */
  private static AttemptId startedBy(TwoSessions two, JobId job) throws Exception {
    AttemptId attempt = StoreFixture.attemptId();
    two.hold(
        """
        UPDATE onejob.job SET
          state = 'running', live = 1, starting = 1, attempts_started = 1, run_at = NULL
        WHERE id = ?
        """,
        job.uuid());
    two.hold(
        """
        INSERT INTO onejob.attempt (
          id, job_id, owner, number, provider, cause, provider_key, state, job_version, node,
          lease_token, lease_until)
        VALUES (
          ?, ?, 'tester', 1, 'primary', 'dispatch', 'k', 'starting', 0, 'other',
          gen_random_uuid(), now() + interval '1 minute')
        """,
        attempt.uuid(),
        job.uuid());
    return attempt;
  }

  @Test
  void two_results_that_race_for_the_slot_leave_one_winner_and_one_lost() throws Exception {
    JobId job = store.admit("k", RACING);
    AttemptId first = store.started(job);
    store.moves.move(StoreFixture.accepted(job, first));
    AttemptId second = StoreFixture.attemptId();
    store.moves.move(StoreFixture.button(job, second));
    try (TwoSessions two = new TwoSessions(postgres.dataSource())) {
      two.hold(LOCK_JOB, job.uuid());
      Future<List<Optional<Answer>>> a =
          meanwhile(() -> store.claimSlots(List.of(StoreFixture.finish(job, first, 0))));
      Future<List<Optional<Answer>>> b =
          meanwhile(() -> store.claimSlots(List.of(StoreFixture.finish(job, second, 0))));
      two.awaitBlocked(2);
      two.commit();
      List<Optional<Answer>> answers = new ArrayList<>(a.get(60, TimeUnit.SECONDS));
      answers.addAll(b.get(60, TimeUnit.SECONDS));

      assertThat(answers)
          .containsExactlyInAnyOrder(Optional.of(new Answer.Moved()), Optional.empty());
    }
    assertThat(store.job(job).standing().version()).isEqualTo(1);
  }

  @Test
  void a_result_read_before_an_abandon_and_written_after_it_does_not_win() {
    JobId job = store.admit("k", PLAIN);
    AttemptId attempt = store.started(job);
    long readBefore = store.life(job).attempts().getFirst().jobVersion();
    store.moves.move(
        StoreFixture.decision(
            job, new JobEvent.Resolve(attempt, Verdict.ABANDON, Then.WAIT), "abandon", Then.WAIT));
    MoveRequest late = StoreFixture.finish(job, attempt, readBefore);

    assertThat(store.claimSlots(List.of(late))).containsExactly(Optional.empty());
    assertThat(store.moves.move(late)).contains(new Answer.Recorded(Answer.Contest.CONTESTED));
    assertThat(store.job(job).standing().completedBy()).isNull();
  }

  @Test
  void a_result_whose_version_was_only_carried_on_still_wins() {
    JobId job = store.admit("k", RACING);
    AttemptId first = store.started(job);
    store.moves.move(StoreFixture.accepted(job, first));
    AttemptId second = StoreFixture.attemptId();
    store.moves.move(StoreFixture.button(job, second));
    store.moves.move(
        StoreFixture.decision(
            job, new JobEvent.Resolve(first, Verdict.ABANDON, Then.WAIT), "abandon", Then.WAIT));
    MoveRequest stale = StoreFixture.finish(job, second, 0);

    assertThat(store.claimSlots(List.of(stale))).containsExactly(Optional.empty());
    assertThat(store.moves.move(stale)).contains(new Answer.Moved());
    assertThat(store.job(job).standing().completedBy()).isEqualTo(second);
  }

  @Test
  void two_moves_of_one_job_in_one_batch_are_refused_before_one_is_lost() {
    JobId job = store.admit("k", PLAIN);
    AttemptId attempt = store.started(job);

    assertThatThrownBy(
            () ->
                store.moves.move(
                    List.of(StoreFixture.doubt(job, attempt), StoreFixture.accepted(job, attempt))))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(store.life(job).attempts().getFirst().state()).isEqualTo(AttemptState.STARTING);
  }

  @Test
  void an_admission_that_waited_for_another_insert_of_its_key_finds_the_winner() throws Exception {
    try (TwoSessions two = new TwoSessions(postgres.dataSource())) {
      UUID winner = heldInsert(two, "k");
      Future<List<Admissions.Bound>> waiting =
          meanwhile(() -> store.admissions.admit(List.of(StoreFixture.newJob("k", PLAIN))));
      two.awaitBlocked(1);
      two.commit();

      Admissions.Bound bound = waiting.get(60, TimeUnit.SECONDS).getFirst();
      assertThat(bound.created()).isFalse();
      assertThat(bound.id()).isEqualTo(new JobId(winner));
    }
  }

  @Test
  void an_admission_whose_rival_rolled_back_inserts_itself() throws Exception {
    try (TwoSessions two = new TwoSessions(postgres.dataSource())) {
      heldInsert(two, "k");
      Future<List<Admissions.Bound>> waiting =
          meanwhile(() -> store.admissions.admit(List.of(StoreFixture.newJob("k", PLAIN))));
      two.awaitBlocked(1);
      two.rollBack();

      assertThat(waiting.get(60, TimeUnit.SECONDS).getFirst().created()).isTrue();
    }
  }

  private static UUID heldInsert(TwoSessions two, String key) throws Exception {
    UUID id = StoreFixture.jobId().uuid();
    two.hold(
        """
        INSERT INTO onejob.job (
          id, owner, key, kind, effect, fingerprint_version, fingerprint, input, route, priority,
          tags, state, version, live, starting, in_doubt, attempts_started, attempts_allowed,
          run_at, contested, when_unqualified)
        VALUES (
          ?, 'tester', ?, 'test', 'exclusive', 1, decode(repeat('00', 32), 'hex'), '{}',
          '{primary,fallback}', 0, '{}', 'queued', 0, 0, 0, 0, 0, 3, now(), false, 'wait')
        """,
        id,
        key);
    return id;
  }

  @Test
  void a_key_held_by_an_open_transaction_is_told_as_a_lock_timeout_and_nothing_was_done()
      throws Exception {
    try (TwoSessions two = new TwoSessions(postgres.dataSource())) {
      heldInsert(two, "held");

      assertThatThrownBy(
              () ->
                  store.admissions.admit(
                      List.of(
                          StoreFixture.newJob("free", PLAIN), StoreFixture.newJob("held", PLAIN))))
          .isInstanceOf(StoreException.LockTimeout.class);
    }
    assertThat(store.admissions.find(StoreFixture.OWNER, new IntentKey("free"))).isEmpty();
  }

  @Test
  void the_same_key_twice_in_a_batch_makes_one_job_and_compares_each_fingerprint() {
    NewJob first = StoreFixture.newJob("k", PLAIN, null, (byte) 1);
    NewJob same = StoreFixture.newJob("k", PLAIN, null, (byte) 1);
    NewJob other = StoreFixture.newJob("k", PLAIN, null, (byte) 2);

    List<Admissions.Bound> bound = store.admissions.admit(List.of(first, same, other));

    assertThat(bound).extracting(Admissions.Bound::id).containsOnly(first.id());
    assertThat(bound).extracting(Admissions.Bound::created).containsExactly(true, false, false);
    assertThat(bound.get(2).fingerprint()).isNotEqualTo(other.fingerprint());
  }

  @Test
  void batches_that_name_their_jobs_in_opposite_orders_do_not_deadlock() throws Exception {
    List<JobId> jobs = new ArrayList<>();
    List<AttemptId> attempts = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      jobs.add(store.admit("k" + i, PLAIN));
      attempts.add(store.started(jobs.get(i)));
    }
    List<MoveRequest> forth = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      forth.add(StoreFixture.accepted(jobs.get(i), attempts.get(i)));
    }
    long before = deadlocks();
    for (int round = 0; round < 25; round++) {
      Future<?> a = meanwhile(() -> store.moves.move(forth));
      Future<?> b = meanwhile(() -> store.moves.move(forth.reversed()));
      a.get(60, TimeUnit.SECONDS);
      b.get(60, TimeUnit.SECONDS);
    }

    assertThat(deadlocks()).isEqualTo(before);
  }

  private long deadlocks() throws Exception {
    try (Connection connection = postgres.dataSource().getConnection();
        Statement statement = connection.createStatement();
        ResultSet rows =
            statement.executeQuery(
                "SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()")) {
      rows.next();
      return rows.getLong(1);
    }
  }

  @Test
  void a_deadline_that_passes_while_the_start_waits_for_the_lock_stops_the_start()
      throws Exception {
    NewJob soonLate = StoreFixture.newJob("k", PLAIN, Duration.ofMillis(100), (byte) 0);
    JobId job = store.admissions.admit(List.of(soonLate)).getFirst().id();
    try (TwoSessions two = new TwoSessions(postgres.dataSource())) {
      two.hold(LOCK_JOB, job.uuid());
      Future<Optional<Answer>> waiting =
          meanwhile(() -> store.moves.move(StoreFixture.start(job, StoreFixture.attemptId())));
      two.awaitBlocked(1);
      two.hold("SELECT pg_sleep(0.2)");
      two.commit();

      assertThat(waiting.get(60, TimeUnit.SECONDS))
          .contains(new Answer.StartRefused(StartRefusal.DEADLINE_PASSED, null, null));
    }
  }

  @Test
  void a_sweep_that_waited_for_the_lock_leaves_a_job_that_ended_meanwhile_alone() throws Exception {
    JobId job = store.admit("k", PLAIN);
    AttemptId attempt = StoreFixture.attemptId();
    store.starts(
        List.of(
            StoreFixture.start(
                job,
                new JobEvent.Start(attempt, StoreFixture.PRIMARY, StartCause.DISPATCH),
                Duration.ZERO)));
    Sweeps.Lapsed lapsed =
        store.sweeps.lapsed(store.sweeps.now(), new Sweeps.Look(List.of(), 10)).getFirst();
    store.claimSlots(List.of(StoreFixture.finish(job, attempt, 0)));

    store.moves.move(
        new MoveRequest(
            job,
            new JobEvent.Doubt(attempt),
            new MoveRequest.LapsedLease(lapsed.token(), new Failure("lease-lapsed", "late"))));

    assertThat(store.job(job).standing().state()).isEqualTo(JobState.SUCCEEDED);
    assertThat(store.life(job).attempts().getFirst().state()).isEqualTo(AttemptState.SUCCEEDED);
  }

  @Test
  void a_sweep_with_the_token_of_an_older_lease_changes_nothing() {
    JobId job = store.admit("k", PLAIN);
    AttemptId attempt = store.started(job);

    store.moves.move(
        new MoveRequest(
            job,
            new JobEvent.Doubt(attempt),
            new MoveRequest.LapsedLease(UUID.randomUUID(), new Failure("lease-lapsed", "late"))));

    assertThat(store.life(job).attempts().getFirst().state()).isEqualTo(AttemptState.STARTING);
  }

  @Test
  void a_timer_of_the_holder_neither_ends_a_doubt_nor_contests_an_abandoned_attempt() {
    JobId job = store.admit("k", RACING);
    AttemptId attempt = store.started(job);
    MoveRequest timer =
        new MoveRequest(job, new JobEvent.Accepted(attempt), new MoveRequest.HandedOver());
    store.moves.move(StoreFixture.doubt(job, attempt));
    store.moves.move(timer);
    JobState doubted = store.job(job).standing().state();
    store.moves.move(
        StoreFixture.decision(
            job, new JobEvent.Resolve(attempt, Verdict.ABANDON, Then.WAIT), "abandon", Then.WAIT));
    store.moves.move(timer);

    assertThat(doubted).isEqualTo(JobState.UNKNOWN);
    assertThat(store.job(job).standing().contested()).isFalse();
    assertThat(store.moves.move(StoreFixture.button(job, StoreFixture.attemptId())))
        .containsInstanceOf(Answer.Started.class);
  }
}
