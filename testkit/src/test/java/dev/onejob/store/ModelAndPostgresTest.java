package dev.onejob.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.onejob.domain.Answer;
import dev.onejob.domain.AttemptId;
import dev.onejob.domain.AttemptStanding;
import dev.onejob.domain.Failure;
import dev.onejob.domain.JobEvent;
import dev.onejob.domain.JobId;
import dev.onejob.domain.JobStanding;
import dev.onejob.domain.JobStanding.KindRules;
import dev.onejob.domain.Life;
import dev.onejob.domain.Lifecycle;
import dev.onejob.domain.Report;
import dev.onejob.domain.Retryability;
import dev.onejob.domain.StartCause;
import dev.onejob.domain.Then;
import dev.onejob.domain.Verdict;
import dev.onejob.domain.Walk;
import dev.onejob.domain.WhenUnqualified;
import dev.onejob.testkit.PostgresExtension;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * The same random histories run on the pure machine and on PostgreSQL, through the short ways of
 * start and settle and through the long way, and must agree on every answer and every column that a
 * guard looks at. A failure names the seed; {@code -Donejob.history.seed=N} replays it alone.
 */
@Tag("history")
class ModelAndPostgresTest {
  private static final int HISTORIES = 250;
  private static final int EVENTS = 24;
  private static final int ATTEMPTS_ALLOWED = 4;
  private static final Instant NOW = Instant.parse("2030-01-01T00:00:00Z");
  private static final Duration LONG = Duration.ofHours(10);

  @RegisterExtension final PostgresExtension postgres = new PostgresExtension();

  @Test
  void agree_on_random_histories() {
    StoreFixture store = new StoreFixture(postgres.dataSource());
    Long only = Long.getLong("onejob.history.seed");
    long from = only == null ? new Random().nextLong(1L << 40) : only;
    long to = only == null ? from + HISTORIES : from + 1;
    for (long seed = from; seed < to; seed++) {
      new History(store, seed).play();
    }
  }

  private static final class History {
    private final StoreFixture store;
    private final long seed;
    private final Random random;
    private final JobId job;
    private final List<String> played = new ArrayList<>();
    private final Map<List<Object>, Answer> recorded = new HashMap<>();
    private final Terrain terrain;
    private Life life;

    History(StoreFixture store, long seed) {
      this.store = store;
      this.seed = seed;
      this.random = new Random(seed);
      KindRules rules =
          new KindRules(
              ATTEMPTS_ALLOWED,
              pick(null, Duration.ZERO, Duration.ZERO, LONG),
              pick(WhenUnqualified.values()));
      boolean late = random.nextInt(12) == 0;
      NewJob fresh =
          StoreFixture.newJob("seed-" + seed, rules, late ? Duration.ZERO : null, (byte) 0);
      this.job = store.admissions.admit(List.of(fresh)).getFirst().id();
      this.life =
          new Life(JobStanding.admitted(fresh.route(), NOW, late ? NOW : null, rules), List.of());
      this.terrain = new Terrain(store, random);
    }

    @SafeVarargs
    private <T> T pick(T... choices) {
      return choices[random.nextInt(choices.length)];
    }

    void play() {
      for (int i = 0; i < EVENTS; i++) {
        played.addAll(terrain.change());
        JobEvent event = event();
        Lifecycle.Move expected = expected(event);
        Answer actual = inPostgres(event);
        played.add(event + " → " + actual);
        life = expected.life();
        terrain.heard(event, actual, life);
        String history = "seed " + seed + ":\n" + String.join("\n", played);
        assertThat(plain(actual)).as(history).isEqualTo(plain(expected.answer()));
        assertThat(plain(store.life(job))).as(history).isEqualTo(plain(life));
      }
    }

    /** A report about an ended attempt is news once; again it is answered as the first time. */
    private Lifecycle.Move expected(JobEvent event) {
      Lifecycle.Move move = Lifecycle.apply(life, event, NOW, terrain.ways(life));
      if (!(move.answer() instanceof Answer.Recorded) || event instanceof JobEvent.Doubt) {
        return move;
      }
      Answer first =
          recorded.putIfAbsent(
              List.of(
                  Events.attempt(event).orElseThrow(),
                  event.getClass(),
                  Optional.ofNullable(Beside.report(event))),
              move.answer());
      return first == null ? move : new Lifecycle.Move(life, first, List.of());
    }

    private JobEvent event() {
      int kind = random.nextInt(16);
      if (life.attempts().isEmpty() || kind <= 2) {
        return start();
      }
      AttemptId attempt = pick(life.attempts().toArray(AttemptStanding[]::new)).id();
      return switch (kind) {
        case 3, 4 -> new JobEvent.Accepted(attempt);
        case 5, 6 -> new JobEvent.Doubt(attempt);
        case 7 -> new JobEvent.Finish(attempt, report(Report.Outcome.SUCCEEDED));
        case 8 -> fail(attempt);
        case 9 ->
            random.nextBoolean()
                ? new JobEvent.Stopped(attempt, report(Report.Outcome.STOPPED))
                : breached(attempt);
        case 10 -> random.nextInt(4) == 0 ? new JobEvent.CancelRequest() : about(attempt);
        case 11 ->
            random.nextBoolean()
                ? new JobEvent.Acknowledge(pick(Then.values()))
                : new JobEvent.Reopen(
                    1 + random.nextInt(2), pick(null, Instant.EPOCH, NOW.plus(LONG)));
        case 12 -> random.nextBoolean() ? new JobEvent.DeadlineReached() : about(attempt);
        case 13 -> new JobEvent.Reroute();
        default -> about(attempt);
      };
    }

    private JobEvent start() {
      String provider = pick(StoreFixture.PRIMARY, StoreFixture.PRIMARY, StoreFixture.FALLBACK);
      return new JobEvent.Start(StoreFixture.attemptId(), provider, pick(StartCause.values()));
    }

    private JobEvent about(AttemptId attempt) {
      return switch (random.nextInt(6)) {
        case 0 ->
            random.nextBoolean()
                ? new JobEvent.Silence(attempt)
                : new JobEvent.Untaken(attempt, report(Report.Outcome.STOPPED));
        case 1 -> new JobEvent.ResolveDone(attempt, report(Report.Outcome.SUCCEEDED));
        default ->
            new JobEvent.Resolve(
                attempt,
                pick(Verdict.NOT_DONE, Verdict.STILL_RUNNING, Verdict.ABANDON),
                pick(Then.values()));
      };
    }

    private JobEvent fail(AttemptId attempt) {
      return new JobEvent.Fail(
          attempt,
          new Failure("refused", "no"),
          pick(Retryability.RETRYABLE, Retryability.RETRYABLE, Retryability.FINAL),
          pick(Duration.ZERO, Duration.ZERO, LONG),
          report(Report.Outcome.FAILED));
    }

    private JobEvent breached(AttemptId attempt) {
      Failure failure = new Failure(Failure.CONTRACT_BREACH, "no total");
      return new JobEvent.Breached(attempt, failure, report(Report.Outcome.SUCCEEDED));
    }

    private Report report(Report.Outcome outcome) {
      return new Report(outcome, pick("a", "b").repeat(64), 1);
    }

    private Answer inPostgres(JobEvent event) {
      MoveRequest request = new MoveRequest(job, event, details(event));
      Optional<Answer> shortWay =
          random.nextInt(4) == 0 ? Optional.empty() : shortWay(request, event);
      return shortWay.orElseGet(() -> store.moves.move(request).orElseThrow());
    }

    private Optional<Answer> shortWay(MoveRequest request, JobEvent event) {
      return switch (event) {
        case JobEvent.Start e ->
            random.nextBoolean()
                ? store.starts(List.of(request)).getFirst()
                : store.shortWay.take(List.of(request)).getFirst().map(Answer.class::cast);
        case JobEvent.Finish e -> store.claimSlots(List.of(request)).getFirst();
        default -> Optional.empty();
      };
    }

    private MoveRequest.Details details(JobEvent event) {
      return switch (event) {
        case JobEvent.Start e -> new MoveRequest.Departure("node", UUID.randomUUID(), 60_000);
        case JobEvent.Finish e ->
            new MoveRequest.Payload(StoreFixture.RESULT, "1 cent", version(e));
        case JobEvent.Fail e -> new MoveRequest.Cause(e.failure());
        case JobEvent.Breached e ->
            new MoveRequest.BrokenContract(
                e.failure(),
                StoreFixture.CONTRACT,
                StoreFixture.BROKEN,
                StoreFixture.RESULT,
                e.report(),
                "1 cent");
        case JobEvent.Doubt e -> new MoveRequest.Cause(new Failure("timeout", "no answer"));
        case JobEvent.Accepted e -> new MoveRequest.Acceptance("ref", UUID.randomUUID(), 60_000);
        case JobEvent.Resolve e -> decided(e.verdict().word(), e.then());
        case JobEvent.ResolveDone e -> decided("done", null);
        case JobEvent.Acknowledge e -> decided("acknowledge", e.then());
        case JobEvent.Reopen e -> decided("reopen", null);
        case JobEvent.Reroute e -> null;
        case JobEvent.Stopped e -> null;
        case JobEvent.Untaken e -> null;
        case JobEvent.Silence e -> null;
        case JobEvent.CancelRequest e -> null;
        case JobEvent.DeadlineReached e -> null;
      };
    }

    /** The version that the attempt was started with: right, unless it was carried on since. */
    private long version(JobEvent.Finish finish) {
      return life.attempt(finish.attempt()).orElseThrow().jobVersion()
          - (random.nextInt(5) == 0 ? 1 : 0);
    }

    private static MoveRequest.Decided decided(String verdict, Then then) {
      return new MoveRequest.Decided(verdict, then, "because", "operator", StoreFixture.RESULT);
    }
  }

  /** Without the clocks: due stays due, later stays later. */
  private static Life plain(Life life) {
    JobStanding job = life.job();
    return new Life(
        new JobStanding(
            job.state(),
            job.waitingFor(),
            job.version(),
            job.completedBy(),
            job.live(),
            job.starting(),
            job.inDoubt(),
            job.attemptsStarted(),
            job.attemptsAllowed(),
            job.runAt() == null ? null : dueOrLater(job),
            job.deadline() == null ? null : NOW,
            job.cancelRequestedAt() == null ? null : NOW,
            job.contested(),
            job.failure(),
            job.route(),
            plain(job.walk()),
            job.raceAfter(),
            job.whenUnqualified()),
        life.attempts().stream().map(ModelAndPostgresTest::plain).toList());
  }

  private static Walk plain(Walk walk) {
    Map<String, Instant> times = new HashMap<>(walk.notBefore());
    times.replaceAll((provider, time) -> NOW);
    return new Walk(walk.goesOnAt(), walk.givenUp(), times);
  }

  private static Instant dueOrLater(JobStanding job) {
    Instant runAt = job.runAt();
    boolean model = !runAt.isBefore(NOW);
    Instant base = model ? NOW : Instant.now();
    return runAt.isAfter(base.plus(Duration.ofHours(1))) ? NOW.plus(LONG) : NOW;
  }

  private static AttemptStanding plain(AttemptStanding a) {
    return new AttemptStanding(
        a.id(), a.number(), a.provider(), a.state(), a.jobVersion(), NOW, a.ending(), a.report());
  }

  private static Answer plain(Answer answer) {
    return answer instanceof Answer.StartRefused refused
        ? new Answer.StartRefused(refused.why(), refused.blocking(), null)
        : answer;
  }
}
