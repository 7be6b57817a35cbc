package dev.onejob.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.onejob.domain.AttemptId;
import dev.onejob.domain.ClaimedAttempt;
import dev.onejob.domain.JobEvent;
import dev.onejob.domain.JobId;
import dev.onejob.domain.JobState;
import dev.onejob.domain.StartCause;
import dev.onejob.domain.Then;
import dev.onejob.domain.Verdict;
import dev.onejob.testkit.PostgresExtension;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.BrokenBarrierException;
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
    return new WorkerClaims.Wish(
        KEY,
        "w1",
        request,
        null,
        "node",
        Map.of("test", Duration.ofMinutes(1)),
        Map.of(StoreFixture.PRIMARY, new WorkerClaims.Terms(Duration.ofSeconds(30), 64)),
        count,
        ids);
  }

  /** Makes an id when both sessions hold their jobs and have started nothing yet. */
  private static AttemptId whenBothHoldTheirJobs(CyclicBarrier barrier) {
    try {
      barrier.await(20, TimeUnit.SECONDS);
      return StoreFixture.attemptId();
    } catch (InterruptedException | BrokenBarrierException | TimeoutException e) {
      throw new IllegalStateException(e);
    }
  }

  private static List<AttemptId> attempts(Optional<List<ClaimedAttempt>> answer) {
    return answer.orElseThrow().stream().map(ClaimedAttempt::attempt).toList();
  }

  @Test
  void two_tries_of_one_claim_that_hold_different_jobs_start_the_work_of_one() throws Exception {
    JobId one = store.admit("1", StoreFixture.PLAIN);
    JobId two = store.admit("2", StoreFixture.PLAIN);
    CyclicBarrier barrier = new CyclicBarrier(2);
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<Optional<List<ClaimedAttempt>>>> tries =
          Stream.of(1, 2)
              .map(i -> wish("r", 1, () -> whenBothHoldTheirJobs(barrier)))
              .map(wish -> threads.submit(() -> claims.claim(wish)))
              .toList();
      List<AttemptId> first = attempts(tries.getFirst().get(30, TimeUnit.SECONDS));
      assertThat(attempts(tries.getLast().get(30, TimeUnit.SECONDS))).isEqualTo(first);
      assertThat(first).hasSize(1);
    }
    assertThat(Stream.of(one, two).map(job -> store.job(job).standing().state()))
        .containsExactlyInAnyOrder(JobState.RUNNING, JobState.QUEUED);
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
      List<AttemptId> first = attempts(tries.getFirst().get(30, TimeUnit.SECONDS));
      List<AttemptId> second = attempts(tries.getLast().get(30, TimeUnit.SECONDS));
      assertThat(first).hasSize(2).doesNotContainAnyElementsOf(second);
      assertThat(second).hasSize(2);
    }
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
  void with_nothing_due_a_claim_uses_up_nothing() {
    assertThat(claims.claim(wish("r", 2, StoreFixture::attemptId))).isEmpty();
    JobId due = store.admit("1", StoreFixture.PLAIN);
    assertThat(claims.claim(wish("r", 2, StoreFixture::attemptId)).orElseThrow())
        .extracting(ClaimedAttempt::job)
        .containsExactly(due);
  }
}
