package dev.onejob.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.onejob.domain.AttemptState;
import dev.onejob.domain.ClaimedAttempt;
import dev.onejob.domain.Effect;
import dev.onejob.domain.IntentKey;
import dev.onejob.domain.JobId;
import dev.onejob.domain.Kind;
import dev.onejob.domain.Owner;
import dev.onejob.domain.RetryPolicy;
import dev.onejob.domain.WhenUnqualified;
import dev.onejob.provider.PulledProvider;
import dev.onejob.store.DueJobs;
import dev.onejob.store.WorkerClaims;
import dev.onejob.testkit.Engines;
import dev.onejob.testkit.PostgresExtension;
import dev.onejob.testkit.ScriptedProvider;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Workers that wait for work. */
final class PullWaitersTest {
  private static final Kind FETCHED =
      new Kind(
          "fetched",
          Effect.EXCLUSIVE,
          List.of("w"),
          Duration.ofMinutes(1),
          Duration.ofSeconds(1),
          3,
          new RetryPolicy(Duration.ofMillis(10), Duration.ofMillis(50)),
          null,
          null,
          WhenUnqualified.WAIT,
          1);

  private static final Duration PATIENCE = Duration.ofSeconds(30);

  @RegisterExtension final PostgresExtension postgres = new PostgresExtension();

  private JobEngine start() {
    return JobEngine.start(
        postgres.dataSource(),
        Engines.config(List.of(FETCHED), Map.of("w", new PulledProvider(Duration.ofSeconds(30)))));
  }

  private static Claim claim(String worker) {
    return new Claim(Access.ALL, UUID.randomUUID(), worker, "r-" + worker, List.of("fetched"), 1);
  }

  private static List<ClaimedAttempt> taken(ClaimAnswer answer) {
    return ((ClaimAnswer.Taken) answer).attempts();
  }

  private PullWaiters waiters() {
    return new PullWaiters(
        new WorkerClaims(postgres.dataSource(), Map.of(), made -> {}),
        new DueJobs(postgres.dataSource()),
        List.of("w"));
  }

  private static JobId submit(JobEngine engine, String owner, String key, int priority) {
    Submission submission =
        new Submission(
            new Owner(owner),
            new IntentKey(key),
            "fetched",
            "{}".getBytes(StandardCharsets.UTF_8),
            null,
            null,
            priority,
            List.of());
    return ((Admitted.Created) engine.submit(submission)).id();
  }

  @Test
  void a_worker_that_waits_is_told_of_a_job_that_is_opened_again_without_a_poll() throws Exception {
    EngineConfig seldom =
        new EngineConfig(
            "test",
            List.of(FETCHED),
            Map.of("w", new EngineConfig.ProviderSlot(new PulledProvider(PATIENCE), 8)),
            8,
            Duration.ofHours(1),
            Duration.ofHours(1));
    try (JobEngine engine = JobEngine.start(postgres.dataSource(), seldom);
        var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      JobId id = submit(engine, "o", "k", 0);
      ClaimedAttempt first =
          taken(engine.pull().claim(claim("w1"), Duration.ofSeconds(5))).getFirst();
      engine
          .pull()
          .settle(Access.ALL, first.attempt(), first.leaseToken(), ScriptedProvider.refused());
      Future<ClaimAnswer> waiting =
          threads.submit(() -> engine.pull().claim(claim("w2"), PATIENCE));
      await().during(Duration.ofMillis(500)).until(() -> !waiting.isDone()); // has looked in vain

      engine.reopen(Access.ALL, id, new Reopen(1, null, "once more", "operator"));

      assertThat(taken(waiting.get(10, TimeUnit.SECONDS)))
          .extracting(ClaimedAttempt::job)
          .containsExactly(id);
    }
  }

  @Test
  void workers_that_serve_all_owners_serve_them_by_turns_though_one_has_a_flood() throws Exception {
    try (JobEngine engine = start()) {
      for (int i = 0; i < 60; i++) {
        submit(engine, "flood", "f" + i, 0);
      }
      List<JobId> quiet = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        quiet.add(submit(engine, "quiet", "q" + i, 0));
      }
      List<JobId> given = new ArrayList<>();
      for (int i = 0; i < 10; i++) {
        ClaimAnswer answer = engine.pull().claim(claim("w" + i), Duration.ofSeconds(5));
        taken(answer).forEach(attempt -> given.add(attempt.job()));
      }
      assertThat(given).hasSize(10).containsAll(quiet);
    }
  }

  @Test
  void a_worker_of_one_owner_is_told_of_its_job_behind_the_more_urgent_flood_of_another()
      throws Exception {
    try (JobEngine engine = start();
        var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < 300; i++) {
        submit(engine, "flood", "f" + i, 9);
      }
      Claim claim =
          new Claim(
              Access.of(new Owner("quiet")), UUID.randomUUID(), "w", "r", List.of("fetched"), 1);
      Future<ClaimAnswer> claimed =
          threads.submit(() -> engine.pull().claim(claim, Duration.ofSeconds(30)));
      assertThat(isOver(claimed)).isFalse();
      JobId quiet = submit(engine, "quiet", "q", 0);

      assertThat(taken(claimed.get(60, TimeUnit.SECONDS)))
          .extracting(ClaimedAttempt::job)
          .containsExactly(quiet);
    }
  }

  @Test
  void only_so_many_wait_and_who_leaves_makes_room() {
    PullWaiters waiters = waiters();
    List<PullWaiters.Place> places = new ArrayList<>();
    for (int i = 0; i < PullWaiters.WAITERS_MAX; i++) {
      PullWaiters.Place place = waiters.enter(claim("w" + i));
      assertThat(place).isNotNull();
      places.add(place);
    }
    assertThat(waiters.enter(claim("late"))).isNull();
    waiters.leave(places.getFirst());
    assertThat(waiters.enter(claim("late"))).isNotNull();
  }

  @Test
  void one_job_is_told_to_one_who_waits_and_the_first_to_come_is_the_first() throws Exception {
    try (JobEngine engine = start();
        var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      EngineFixture.submit(engine, "k", "fetched");
      PullWaiters waiters = waiters();
      PullWaiters.Place first = waiters.enter(claim("first"));
      PullWaiters.Place second = waiters.enter(claim("second"));
      Future<?> told = threads.submit(() -> awaitIts(first));
      Future<?> untold = threads.submit(() -> awaitIts(second));
      waiters.lookOnce();
      told.get(60, TimeUnit.SECONDS);
      assertThat(isOver(untold)).isFalse();
      waiters.close();
      untold.get(60, TimeUnit.SECONDS);
    }
  }

  private static Void awaitIts(PullWaiters.Place place) throws InterruptedException {
    place.await(Duration.ofSeconds(60));
    return null;
  }

  private static boolean isOver(Future<?> waiting) throws Exception {
    try {
      waiting.get(300, TimeUnit.MILLISECONDS);
      return true;
    } catch (TimeoutException | ExecutionException e) {
      return false;
    }
  }

  @Test
  void more_workers_than_jobs_wait_and_each_job_goes_to_one_of_them() throws Exception {
    try (JobEngine engine = start();
        var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<ClaimAnswer>> claims = new ArrayList<>();
      for (int i = 0; i < 40; i++) {
        Claim claim = claim("w" + i);
        claims.add(threads.submit(() -> engine.pull().claim(claim, Duration.ofSeconds(5))));
      }
      List<JobId> jobs = new ArrayList<>();
      for (int i = 0; i < 25; i++) {
        jobs.add(EngineFixture.submit(engine, "k" + i, "fetched"));
      }
      List<JobId> given = new ArrayList<>();
      for (Future<ClaimAnswer> claim : claims) {
        taken(claim.get(60, TimeUnit.SECONDS)).forEach(attempt -> given.add(attempt.job()));
      }
      assertThat(given).containsExactlyInAnyOrderElementsOf(jobs);
    }
  }

  @Test
  void a_node_that_closes_sends_those_who_wait_away_with_nothing() throws Exception {
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      JobEngine engine = start();
      Future<ClaimAnswer> claim =
          threads.submit(() -> engine.pull().claim(claim("w1"), Duration.ofSeconds(30)));
      await().until(engine::ready);
      engine.close();
      assertThat(taken(claim.get(60, TimeUnit.SECONDS))).isEmpty();
    }
  }

  @Test
  void the_kinds_bound_of_a_node_does_not_bind_workers() throws Exception {
    try (JobEngine engine = start()) {
      JobId one = EngineFixture.submit(engine, "1", "fetched");
      JobId two = EngineFixture.submit(engine, "2", "fetched");
      for (String worker : List.of("w1", "w2")) {
        assertThat(taken(engine.pull().claim(claim(worker), Duration.ofSeconds(5)))).hasSize(1);
      }
      for (JobId job : List.of(one, two)) {
        assertThat(engine.job(Access.ALL, job).orElseThrow().attempts())
            .extracting(attempt -> attempt.standing().state())
            .containsExactly(AttemptState.STARTING);
      }
    }
  }
}
