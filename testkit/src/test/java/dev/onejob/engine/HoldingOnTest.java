package dev.onejob.engine;

import static dev.onejob.engine.EngineFixture.result;
import static dev.onejob.engine.EngineFixture.submit;
import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.onejob.domain.Attempt;
import dev.onejob.domain.AttemptState;
import dev.onejob.domain.Failure;
import dev.onejob.domain.Job;
import dev.onejob.domain.JobId;
import dev.onejob.domain.JobState;
import dev.onejob.domain.Kind;
import dev.onejob.domain.Result;
import dev.onejob.domain.Retryability;
import dev.onejob.provider.CallWatch;
import dev.onejob.provider.Capabilities;
import dev.onejob.provider.Outcome;
import dev.onejob.provider.Provider;
import dev.onejob.provider.ProviderRequest;
import dev.onejob.testkit.Engines;
import dev.onejob.testkit.PostgresExtension;
import dev.onejob.testkit.ScriptedProvider;
import java.sql.Connection;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** How a node holds on to its attempts, loses them, and still says what it learns. */
class HoldingOnTest {
  private static final Duration LEASE = Duration.ofSeconds(2);
  private static final EngineConfig.Holding HOLDING =
      new EngineConfig.Holding(LEASE, Duration.ofMillis(200), Duration.ZERO, 8);

  @RegisterExtension final PostgresExtension postgres = new PostgresExtension();

  private EngineFixture fixture;
  private SeverableDatabase own;

  @BeforeEach
  void open() {
    fixture = new EngineFixture(postgres.dataSource());
    own = new SeverableDatabase(postgres.dataSource());
  }

  @AfterEach
  void close() {
    own.mend();
    fixture.close();
  }

  private static Kind patient() {
    Kind kind = Engines.exclusive("patient", "a");
    return new Kind(
        kind.name(),
        kind.effect(),
        kind.route(),
        Duration.ofMinutes(5),
        kind.lateAnswerLimit(),
        kind.attemptsAllowed(),
        kind.retry(),
        null,
        null,
        kind.whenUnqualified(),
        kind.inFlightMax());
  }

  private EngineConfig config() {
    return fixture.config(patient(), EngineFixture.PLAIN).with(HOLDING);
  }

  private void awaitLeases(JobId job, int leases) {
    fixture.awaitJob(
        job,
        j -> {
          Attempt attempt = j.attempts().getFirst();
          assertThat(attempt.standing().state()).isEqualTo(AttemptState.STARTING);
          return attempt
              .leaseUntil()
              .isAfter(attempt.standing().startedAt().plus(LEASE.multipliedBy(leases)));
        });
  }

  @Test
  void an_attempt_of_a_living_node_is_never_swept_however_long_it_takes() {
    JobEngine node = fixture.node(config());
    JobId job = submit(node, "k", "patient");
    ScriptedProvider.Call call = fixture.a.next();
    fixture.node(config()); // sweeps too

    awaitLeases(job, 3);
    call.succeed("1");

    assertThat(fixture.awaitState(job, JobState.SUCCEEDED).attempts()).hasSize(1);
    assertThat(fixture.a.calls()).hasSize(1);
  }

  @Test
  void renewals_go_on_while_the_pool_is_used_up() throws Exception {
    HikariConfig small = new HikariConfig();
    small.setJdbcUrl(postgres.url());
    small.setMaximumPoolSize(4);
    small.setConnectionTimeout(250);
    List<Connection> taken = new ArrayList<>();
    try (HikariDataSource pool = new HikariDataSource(small)) {
      JobEngine node = JobEngine.start(pool, config());
      JobId job = submit(node, "k", "patient");
      ScriptedProvider.Call call = fixture.a.next();
      fixture.node(config()); // sweeps
      takeAll(pool, taken);

      awaitLeases(job, 3);

      for (Connection connection : taken) {
        connection.close();
      }
      call.succeed("1");
      fixture.awaitState(job, JobState.SUCCEEDED);
      node.close();
    }
  }

  /** Until three times running there is none to be had. */
  private static void takeAll(HikariDataSource pool, List<Connection> taken) throws Exception {
    for (int refused = 0; refused < 3; ) {
      try {
        taken.add(pool.getConnection());
      } catch (SQLTransientConnectionException e) {
        refused++;
      }
    }
  }

  @Test
  void a_renewal_finds_a_new_line_when_its_own_is_cut() throws Exception {
    JobEngine node = fixture.node(config());
    JobId job = submit(node, "k", "patient");
    fixture.a.next();
    try (Connection connection = postgres.dataSource().getConnection();
        var statement = connection.createStatement()) {
      statement.execute(
          """
          SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity
          WHERE datname = current_database() AND pid <> pg_backend_pid()
          """);
    }

    awaitLeases(job, 3);
  }

  @Test
  void a_node_that_has_lost_its_database_tells_its_call_to_stop_and_its_answer_is_late_proof()
      throws Exception {
    JobEngine node = fixture.node(own, config());
    JobId job = submit(node, "k", "patient");
    ScriptedProvider.Call call = fixture.a.next();
    fixture.node(config());
    own.cut();

    assertThat(call.stopAsked().get(60, TimeUnit.SECONDS)).isTrue();
    Job doubt = fixture.awaitState(job, JobState.UNKNOWN);
    own.mend();
    call.succeed("\"late\"");
    Job ended = fixture.awaitState(job, JobState.SUCCEEDED);

    assertThat(doubt.attempts().getFirst().failure().code()).isEqualTo("lease-lapsed");
    assertThat(result(ended)).isEqualTo("\"late\"");
    assertLateProof(ended);
    assertThat(fixture.a.calls()).hasSize(1);
  }

  @Test
  void a_result_that_could_not_be_written_is_offered_until_the_database_is_back() {
    JobEngine node = fixture.node(own, config());
    JobId job = submit(node, "k", "patient");
    ScriptedProvider.Call call = fixture.a.next();
    fixture.node(config());
    own.cut();
    call.succeed("\"paid for\"");
    fixture.awaitState(job, JobState.UNKNOWN);
    own.mend();

    Job ended = fixture.awaitState(job, JobState.SUCCEEDED);

    assertThat(result(ended)).isEqualTo("\"paid for\"");
    assertLateProof(ended);
  }

  @Test
  void an_attempt_that_is_accepted_after_its_lease_was_lost_is_held_again() {
    JobEngine node = fixture.node(own, config());
    JobId job = submit(node, "k", "patient");
    ScriptedProvider.Call call = fixture.a.next();
    fixture.node(config());
    own.cut();
    fixture.awaitState(job, JobState.UNKNOWN);
    own.mend();

    call.accept("ref-1");

    assertHeldFrom(job);
    call.succeed("1");
    fixture.awaitState(job, JobState.SUCCEEDED);
  }

  @Test
  void an_acceptance_that_could_be_written_only_long_after_it_came_gives_a_whole_lease()
      throws Exception {
    JobEngine node = fixture.node(own, config());
    JobId job = submit(node, "k", "patient");
    ScriptedProvider.Call call = fixture.a.next();
    fixture.node(config());
    own.cut();
    Thread accepting = Thread.ofVirtual().start(() -> call.accept("ref-1"));
    fixture.awaitState(job, JobState.UNKNOWN); // longer than a lease after the first try
    own.mend();

    assertHeldFrom(job);
    assertThat(accepting.join(Duration.ofSeconds(60))).isTrue();
  }

  /** For three leases after the acceptance, and never in doubt again. */
  private void assertHeldFrom(JobId job) {
    Attempt running = fixture.awaitAttempt(job, 1, AttemptState.RUNNING);
    fixture.awaitJob(
        job,
        j -> {
          Attempt attempt = j.attempts().getFirst();
          assertThat(attempt.standing().state()).isEqualTo(AttemptState.RUNNING);
          return attempt.leaseUntil().isAfter(running.leaseUntil().plus(LEASE.multipliedBy(2)));
        });
  }

  private static void assertLateProof(Job job) {
    assertThat(job.attempts()).hasSize(1);
    assertThat(job.attempts().getFirst().evidence())
        .singleElement()
        .satisfies(
            kept -> {
              assertThat(kept.source()).isEqualTo("late_answer");
              assertThat(kept.strength()).isEqualTo("proof");
              assertThat(kept.says()).isEqualTo("succeeded, while in doubt; now succeeded");
              assertThat(kept.digest()).hasSize(64);
            });
  }

  @Test
  void an_attempt_that_is_accepted_after_its_timeout_is_held_again() {
    JobEngine node = fixture.node(config());
    JobId job = submit(node, "k", "plain");
    ScriptedProvider.Call call = fixture.a.next();
    fixture.awaitAttempt(job, 1, AttemptState.UNKNOWN);
    call.accept("ref-1");

    fixture.awaitJob(
        job,
        j -> {
          Attempt attempt = j.attempts().getFirst();
          assertThat(attempt.standing().state()).isEqualTo(AttemptState.RUNNING);
          return attempt.leaseUntil().isAfter(attempt.acceptedAt().plus(LEASE.multipliedBy(3)));
        });
    call.succeed("1");
    fixture.awaitState(job, JobState.SUCCEEDED);
  }

  /** Waits for answers that never come, and tells when it was given up. */
  private static final class Mute implements Provider {
    final Map<JobId, CompletableFuture<Boolean>> calls = new ConcurrentHashMap<>();

    @Override
    public Capabilities capabilities() {
      return Capabilities.NONE;
    }

    @Override
    public Outcome call(ProviderRequest request, CallWatch watch) throws InterruptedException {
      CompletableFuture<Boolean> givenUp = new CompletableFuture<>();
      calls.put(request.jobId(), givenUp);
      try {
        Thread.currentThread().join();
        throw new IllegalStateException("nobody waits for oneself so long");
      } catch (InterruptedException e) {
        givenUp.complete(true);
        throw e;
      }
    }
  }

  /** Has its connection when the test says so, as behind a slow look-up of a name. */
  private static final class Connecting implements Provider {
    final CompletableFuture<Void> connected = new CompletableFuture<>();
    final List<Integer> sent = new CopyOnWriteArrayList<>();

    @Override
    public Capabilities capabilities() {
      return Capabilities.NONE;
    }

    @Override
    public Outcome call(ProviderRequest request, CallWatch watch) {
      connected.join();
      if (!watch.mayLeave()) {
        Failure failure = new Failure("not-sent", "too late");
        return new Outcome.Refused(failure, Retryability.RETRYABLE, null);
      }
      sent.add(request.number());
      return new Outcome.Succeeded(new Result(Result.Format.JSON, new byte[] {'1'}), null);
    }
  }

  @Test
  void nothing_leaves_of_an_attempt_that_is_in_doubt_before_it_has_a_connection() {
    Connecting connecting = new Connecting();
    JobEngine node =
        fixture.node(
            Engines.config(List.of(Engines.exclusive("slow", "c")), Map.of("c", connecting))
                .with(HOLDING));
    JobId job = submit(node, "k", "slow");
    fixture.awaitAttempt(job, 1, AttemptState.UNKNOWN);
    connecting.connected.complete(null);

    Job ended = fixture.awaitState(job, JobState.SUCCEEDED);

    assertThat(ended.attempts())
        .extracting(attempt -> attempt.standing().state())
        .containsExactly(AttemptState.FAILED, AttemptState.SUCCEEDED);
    assertThat(connecting.sent).containsExactly(2);
  }

  @Test
  void one_late_answer_more_than_may_be_awaited_closes_the_line_that_was_silent_longest()
      throws Exception {
    Mute mute = new Mute();
    EngineConfig.Holding two =
        new EngineConfig.Holding(LEASE, Duration.ofMillis(200), Duration.ZERO, 2);
    JobEngine node =
        fixture.node(
            Engines.config(List.of(Engines.exclusive("mute", "m")), Map.of("m", mute)).with(two));
    List<JobId> jobs = new ArrayList<>();
    for (String key : List.of("first", "second", "third")) {
      JobId job = submit(node, key, "mute");
      fixture.awaitAttempt(job, 1, AttemptState.UNKNOWN);
      jobs.add(job);
    }

    assertThat(mute.calls.get(jobs.getFirst()).get(60, TimeUnit.SECONDS)).isTrue();
    assertThat(mute.calls.get(jobs.get(1))).isNotDone();
    assertThat(mute.calls.get(jobs.get(2))).isNotDone();
    assertThat(node.job(Access.ALL, jobs.getFirst()).orElseThrow().standing().state())
        .isEqualTo(JobState.UNKNOWN);
  }
}
