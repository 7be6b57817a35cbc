package dev.onejob.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.onejob.domain.AttemptId;
import dev.onejob.domain.ClaimedAttempt;
import dev.onejob.domain.JobEvent;
import dev.onejob.domain.JobId;
import dev.onejob.domain.JobState;
import dev.onejob.domain.Owner;
import dev.onejob.domain.StartCause;
import dev.onejob.domain.Then;
import dev.onejob.domain.Verdict;
import dev.onejob.testkit.PostgresExtension;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Claims of workers that meet, in a forced order. */
final class WorkerClaimsTest {
  private static final UUID KEY = UUID.randomUUID();

  @RegisterExtension final PostgresExtension postgres = new PostgresExtension();

  private StoreFixture store;
  private WorkerClaims claims;

  @BeforeEach
  void set() {
    store = new StoreFixture(postgres.dataSource());
    claims = new WorkerClaims(postgres.dataSource(), Map.of(), made -> {});
  }

  private static WorkerClaims.Wish wish(String request, int count, Supplier<AttemptId> ids) {
    return wish(request, count, Duration.ofSeconds(30), ids);
  }

  private static WorkerClaims.Wish wish(
      String request, int count, Duration lease, Supplier<AttemptId> ids) {
    return new WorkerClaims.Wish(
        KEY,
        "w1",
        request,
        null,
        "node",
        Map.of("test", Duration.ofMinutes(1)),
        Map.of(StoreFixture.PRIMARY, new WorkerClaims.Terms(lease, 64)),
        count,
        new LastServed(),
        ids);
  }

  /** Turns of one claim, forgotten afterwards. */
  private static final class LastServed implements DueJobs.Rota {
    private final Map<DueJobs.Lane, Owner> last = new ConcurrentHashMap<>();

    @Override
    public List<DueJobs.Turn> turns() {
      return last.entrySet().stream()
          .map(each -> new DueJobs.Turn(each.getKey(), each.getValue()))
          .toList();
    }

    @Override
    public void served(DueJobs.Due due) {
      last.put(due.lane(), due.owner());
    }
  }

  /** Makes an id when both sessions hold their jobs and have started nothing yet. */
  private static AttemptId whenBothHoldTheirJobs(CyclicBarrier barrier) {
    try {
      barrier.await(60, TimeUnit.SECONDS);
      return StoreFixture.attemptId();
    } catch (InterruptedException | BrokenBarrierException | TimeoutException e) {
      throw new IllegalStateException(e);
    }
  }

  private static List<AttemptId> attempts(Optional<List<ClaimedAttempt>> answer) {
    return answer.orElseThrow().stream().map(ClaimedAttempt::attempt).toList();
  }

  private void twoTriesAtOnceStartTheWorkOfOne() throws Exception {
    JobId one = store.admit("1", StoreFixture.PLAIN);
    JobId two = store.admit("2", StoreFixture.PLAIN);
    CyclicBarrier barrier = new CyclicBarrier(2);
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<Optional<List<ClaimedAttempt>>>> tries =
          Stream.of(1, 2)
              .map(i -> wish("r", 1, () -> whenBothHoldTheirJobs(barrier)))
              .map(wish -> threads.submit(() -> claims.claim(wish)))
              .toList();
      List<AttemptId> first = attempts(tries.getFirst().get(60, TimeUnit.SECONDS));
      assertThat(attempts(tries.getLast().get(60, TimeUnit.SECONDS))).isEqualTo(first);
      assertThat(first).hasSize(1);
    }
    assertThat(Stream.of(one, two).map(job -> store.job(job).standing().state()))
        .containsExactlyInAnyOrder(JobState.RUNNING, JobState.QUEUED);
  }

  @Test
  void two_tries_of_one_claim_that_hold_different_jobs_start_the_work_of_one() throws Exception {
    twoTriesAtOnceStartTheWorkOfOne();
  }

  @Test
  void two_claims_that_meet_each_get_their_own_jobs_and_wait_for_nobody() throws Exception {
    for (int i = 0; i < 4; i++) {
      store.admit("k" + i, StoreFixture.PLAIN);
    }
    CyclicBarrier barrier = new CyclicBarrier(2);
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<Optional<List<ClaimedAttempt>>>> tries =
          Stream.of("r1", "r2")
              .map(r -> wish(r, 2, () -> whenBothHoldTheirJobs(barrier)))
              .map(wish -> threads.submit(() -> claims.claim(wish)))
              .toList();
      List<AttemptId> first = attempts(tries.getFirst().get(60, TimeUnit.SECONDS));
      List<AttemptId> second = attempts(tries.getLast().get(60, TimeUnit.SECONDS));
      assertThat(first).hasSize(2).doesNotContainAnyElementsOf(second);
      assertThat(second).hasSize(2);
    }
  }

  /** The answer was lost for longer than the lease: what it brought has come into doubt. */
  private AttemptId takenUnheard(JobId job, String request) {
    ClaimedAttempt taken =
        claims.claim(wish(request, 2, StoreFixture::attemptId)).orElseThrow().getLast();
    assertThat(taken.job()).isEqualTo(job);
    store.moves.move(StoreFixture.doubt(job, taken.attempt()));
    return taken.attempt();
  }

  @Test
  void a_claim_whose_answer_was_lost_until_its_attempts_were_over_goes_on_under_its_id() {
    takenUnheard(store.admit("1", StoreFixture.PLAIN), "r");
    assertThat(claims.claim(wish("r", 2, StoreFixture::attemptId))).isEmpty();
    JobId two = store.admit("2", StoreFixture.PLAIN);
    takenUnheard(two, "r");
    JobId three = store.admit("3", StoreFixture.PLAIN);

    Optional<List<ClaimedAttempt>> taken = claims.claim(wish("r", 2, StoreFixture::attemptId));

    assertThat(taken.orElseThrow()).extracting(ClaimedAttempt::job).containsExactly(three);
    assertThat(attempts(claims.claim(wish("r", 2, StoreFixture::attemptId))))
        .isEqualTo(attempts(taken));
  }

  @Test
  void what_an_operator_has_decided_about_an_attempt_is_no_sign_that_its_worker_heard_of_it() {
    JobId one = store.admit("1", StoreFixture.PLAIN);
    AttemptId attempt = takenUnheard(one, "r");
    store.moves.move(
        StoreFixture.decision(
            one, new JobEvent.ResolveDone(attempt, StoreFixture.REPORT), "done", null));
    JobId two = store.admit("2", StoreFixture.PLAIN);

    takenUnheard(two, "r");
  }

  @Test
  void a_claim_that_goes_on_waits_until_the_sweep_has_seen_the_end_of_its_last_lease() {
    JobId one = store.admit("1", StoreFixture.PLAIN);
    Duration lease = Duration.ofMillis(1);
    AttemptId attempt =
        attempts(claims.claim(wish("r", 1, lease, StoreFixture::attemptId))).getFirst();
    JobId two = store.admit("2", StoreFixture.PLAIN);

    await().until(() -> claims.claim(wish("r", 1, StoreFixture::attemptId)).isEmpty());
    store.moves.move(StoreFixture.doubt(one, attempt));

    takenUnheard(two, "r");
  }

  @Test
  void a_claim_of_whose_attempts_a_worker_has_spoken_starts_nothing_more() {
    for (String word : List.of("accepted", "finished")) {
      JobId job = store.admit(word, StoreFixture.PLAIN);
      AttemptId attempt = attempts(claims.claim(wish(word, 1, StoreFixture::attemptId))).getFirst();
      store.moves.move(
          word.equals("accepted")
              ? StoreFixture.accepted(job, attempt)
              : StoreFixture.finish(job, attempt, 0));
      JobId other = store.admit("beside-" + word, StoreFixture.PLAIN);

      assertThat(attempts(claims.claim(wish(word, 1, StoreFixture::attemptId)))).isEmpty();
      assertThat(store.job(other).standing().state()).isEqualTo(JobState.QUEUED);
      store.moves.move(MoveRequest.of(other, new JobEvent.CancelRequest()));
    }
  }

  @Test
  void two_tries_of_a_claim_that_goes_on_start_the_work_of_one() throws Exception {
    takenUnheard(store.admit("0", StoreFixture.PLAIN), "r");

    twoTriesAtOnceStartTheWorkOfOne();
  }

  private AttemptId offered(JobId job) {
    AttemptId attempt = StoreFixture.attemptId();
    store.moves.move(
        new MoveRequest(
            job,
            new JobEvent.Start(attempt, StoreFixture.PRIMARY, StartCause.BUTTON),
            new MoveRequest.Departure(WorkerClaims.NOBODY, UUID.randomUUID(), 60_000)));
    return attempt;
  }

  @Test
  void what_the_button_offered_is_not_handed_out_while_its_job_is_contested() {
    JobId contested = store.admit("1", StoreFixture.PLAIN);
    AttemptId abandoned = store.started(contested);
    store.moves.move(
        StoreFixture.decision(
            contested,
            new JobEvent.Resolve(abandoned, Verdict.ABANDON, Then.WAIT),
            "abandon",
            Then.WAIT));
    offered(contested);
    store.moves.move(StoreFixture.finish(contested, abandoned, 0));
    AttemptId wanted = offered(store.admit("2", StoreFixture.PLAIN));

    assertThat(attempts(claims.claim(wish("r", 2, StoreFixture::attemptId))))
        .containsExactly(wanted);
  }

  @Test
  void a_job_that_cannot_start_takes_no_place_of_the_claim() {
    JobId cancelled = store.admit("1", StoreFixture.PLAIN);
    JobId due = store.admit("2", StoreFixture.PLAIN);
    store.moves.move(MoveRequest.of(cancelled, new JobEvent.CancelRequest()));
    Optional<List<ClaimedAttempt>> taken = claims.claim(wish("r", 2, StoreFixture::attemptId));
    assertThat(taken.orElseThrow()).extracting(ClaimedAttempt::job).containsExactly(due);
    assertThat(attempts(claims.claim(wish("r", 2, StoreFixture::attemptId))))
        .isEqualTo(attempts(taken));
  }

  @Test
  void a_job_past_its_deadline_takes_no_place_of_the_claim() {
    store.admissions.admit(
        List.of(StoreFixture.newJob("1", StoreFixture.PLAIN, Duration.ofMillis(1), (byte) 0)));
    JobId due = store.admit("2", StoreFixture.PLAIN);
    await().until(() -> !store.sweeps.expired(new Sweeps.Look(List.of(), 1)).isEmpty());

    assertThat(claims.claim(wish("r", 1, StoreFixture::attemptId)).orElseThrow())
        .extracting(ClaimedAttempt::job)
        .containsExactly(due);
  }

  private static final String FLOOD =
      """
      INSERT INTO onejob.job (
        id, owner, key, kind, effect, fingerprint_version, fingerprint, input, route, priority,
        tags, state, version, live, starting, in_doubt, attempts_started, attempts_allowed, run_at,
        contested, when_unqualified)
      SELECT
        gen_random_uuid(), 'a-flood', n::text, 'test', 'exclusive', 1, sha256('x'), '{}',
        ARRAY['primary', 'fallback'], 0, '{}', 'queued', 0, 0, 0, 0, 0, 3,
        clock_timestamp() - interval '1 hour' + n * interval '1 microsecond', false, 'wait'
      FROM generate_series(1, ?) AS n
      """;

  private void flood(int jobs) throws SQLException {
    try (Connection connection = postgres.dataSource().getConnection();
        PreparedStatement insert = connection.prepareStatement(FLOOD)) {
      insert.setInt(1, jobs);
      insert.executeUpdate();
    }
  }

  @Test
  void the_flood_of_one_owner_leaves_a_place_for_another_s_job() throws Exception {
    JobId quiet = store.admit("1", StoreFixture.PLAIN);
    flood(200);

    assertThat(claims.claim(wish("r", 2, StoreFixture::attemptId)).orElseThrow())
        .extracting(ClaimedAttempt::job)
        .contains(quiet);
  }

  @Test
  void jobs_in_the_hands_of_others_are_passed_over_and_the_places_filled_behind_them()
      throws Exception {
    flood(300);
    try (TwoSessions other = new TwoSessions(postgres.dataSource())) {
      other.hold("SELECT 1 FROM onejob.job WHERE key::int <= ? FOR NO KEY UPDATE", 200);

      assertThat(attempts(claims.claim(wish("r", 16, StoreFixture::attemptId)))).hasSize(16);
    }
  }

  @Test
  void a_claim_against_a_backlog_of_a_hundred_thousand_jobs_reads_few_rows() throws Exception {
    flood(100_000);
    List<AttemptId> taken = new ArrayList<>();

    long read =
        RowsRead.by(
            postgres,
            own ->
                taken.addAll(
                    attempts(
                        new WorkerClaims(own, Map.of(), made -> {})
                            .claim(wish("r", 16, StoreFixture::attemptId)))));

    assertThat(taken).hasSize(16);
    assertThat(read).isLessThan(2_000);
  }

  @Test
  void with_nothing_due_a_claim_uses_up_nothing() {
    assertThat(claims.claim(wish("r", 2, StoreFixture::attemptId))).isEmpty();
    JobId due = store.admit("1", StoreFixture.PLAIN);
    assertThat(claims.claim(wish("r", 2, StoreFixture::attemptId)).orElseThrow())
        .extracting(ClaimedAttempt::job)
        .containsExactly(due);
  }
}
