package dev.onejob.engine;

import static dev.onejob.engine.EngineFixture.submit;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.onejob.domain.Attempt;
import dev.onejob.domain.AttemptState;
import dev.onejob.domain.Effect;
import dev.onejob.domain.Failure;
import dev.onejob.domain.Job;
import dev.onejob.domain.JobId;
import dev.onejob.domain.JobState;
import dev.onejob.domain.Kind;
import dev.onejob.domain.Result;
import dev.onejob.provider.CallWatch;
import dev.onejob.provider.Capabilities;
import dev.onejob.provider.Capabilities.NegativeAnswer;
import dev.onejob.provider.Capabilities.StatusProbe;
import dev.onejob.provider.Capabilities.TerminalState;
import dev.onejob.provider.Finding;
import dev.onejob.provider.Inquiry;
import dev.onejob.provider.Outcome;
import dev.onejob.provider.Provider;
import dev.onejob.provider.ProviderRequest;
import dev.onejob.testkit.PostgresExtension;
import dev.onejob.testkit.ScriptedProvider;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Who is asked, when, how often at once, and by whom. */
class AskingTest {
  private static final Finding NOT_FOUND = new Finding.NotFound();
  private static final Finding FOUND =
      new Finding.Succeeded(
          new Result(Result.Format.JSON, "\"found\"".getBytes(StandardCharsets.UTF_8)), null);
  private static final Capabilities BY_REFERENCE =
      Askable.capabilities(
          StatusProbe.BY_REFERENCE, NegativeAnswer.MAY_COME_LATER, TerminalState.STABLE);
  private static final Capabilities BY_ID =
      Askable.capabilities(
          StatusProbe.BY_PROVIDER_ID, NegativeAnswer.MAY_COME_LATER, TerminalState.STABLE);

  @RegisterExtension final PostgresExtension postgres = new PostgresExtension();

  private EngineFixture fixture;

  @BeforeEach
  void start() {
    fixture = new EngineFixture(postgres.dataSource());
  }

  @AfterEach
  void stop() {
    fixture.close();
  }

  private JobEngine node(Provider provider) {
    return fixture.node(Askable.config(provider, Askable.QUICK));
  }

  private JobId inDoubt(JobEngine node, String key, String kind) {
    JobId id = submit(node, key, kind);
    fixture.awaitState(id, JobState.UNKNOWN);
    return id;
  }

  private Attempt awaitAsked(JobId id, int times) {
    return fixture
        .awaitJob(
            id,
            job -> {
              Attempt attempt = job.attempts().getFirst();
              return attempt.probing() != null && attempt.probing().asked() >= times;
            })
        .attempts()
        .getFirst();
  }

  /** Long enough for several passes and questions. */
  private void stays(JobId id, JobState state) {
    await()
        .during(Duration.ofMillis(800))
        .atMost(Duration.ofSeconds(60))
        .until(() -> fixture.awaitState(id, state).attempts().size() == 1);
  }

  @Test
  void a_provider_of_which_nothing_is_promised_is_never_asked() {
    ScriptedProvider provider = new ScriptedProvider().found(FOUND);
    JobId id = inDoubt(node(provider), "k", "keyed");

    stays(id, JobState.UNKNOWN);

    assertThat(provider.lookups()).isEmpty();
    assertThat(provider.replays()).isEmpty();
    assertThat(fixture.awaitState(id, JobState.UNKNOWN).attempts().getFirst().probing()).isNull();
  }

  @Test
  void a_provider_that_is_asked_by_its_own_id_is_asked_only_where_that_is_on_record() {
    ScriptedProvider provider = new ScriptedProvider(BY_ID).found(FOUND);
    JobEngine node = node(provider);
    JobId without = submit(node, "without", "plain");
    provider.next();
    JobId with = submit(node, "with", "plain");
    provider.next().accept("ref-7");

    // An accepted attempt is in doubt once nothing was heard of it until its timeout.
    fixture.awaitState(with, JobState.SUCCEEDED);
    fixture.awaitState(without, JobState.UNKNOWN);
    stays(without, JobState.UNKNOWN);

    assertThat(provider.lookups())
        .singleElement()
        .extracting(Inquiry::providerRef)
        .isEqualTo("ref-7");
  }

  @Test
  void a_replay_is_the_same_request_under_the_same_key_and_only_for_keyed_kinds() {
    ScriptedProvider provider =
        new ScriptedProvider(Askable.replayable(Duration.ofHours(1))).found(FOUND);
    JobEngine node = node(provider);
    JobId exclusive = inDoubt(node, "exclusive", "plain");
    JobId keyed = submit(node, "keyed", "keyed");

    Job ended = fixture.awaitState(keyed, JobState.SUCCEEDED);
    stays(exclusive, JobState.UNKNOWN);

    assertThat(ended.attempts()).hasSize(1);
    assertThat(ended.attempts().getFirst().evidence())
        .singleElement()
        .satisfies(kept -> assertThat(kept.source()).isEqualTo("replay"));
    ProviderRequest first = provider.calls().getLast().request();
    assertThat(provider.replays())
        .singleElement()
        .satisfies(
            again -> {
              assertThat(again.attemptId()).isEqualTo(first.attemptId());
              assertThat(again.providerKey()).isEqualTo(first.providerKey());
              assertThat(again.input()).isEqualTo(first.input());
              assertThat(again.number()).isEqualTo(1);
            });
  }

  /** An adapter that is frozen before the request has left asks again, and must be told so. */
  @Test
  void the_permission_to_replay_lapses_with_the_key_while_an_adapter_holds_it() {
    ScriptedProvider provider =
        new ScriptedProvider(Askable.replayable(Duration.ofSeconds(20)))
            .found(new Finding.CannotSay(new Failure("busy", "later")));
    inDoubt(node(provider), "k", "keyed");
    await().until(() -> !provider.replays().isEmpty());

    await().untilAsserted(() -> assertThat(provider.mayStillLeave().getFirst()).isFalse());
  }

  @Test
  void nothing_is_replayed_where_it_is_not_known_for_how_long_the_key_holds() {
    ScriptedProvider provider = new ScriptedProvider(Askable.replayable(null)).found(FOUND);
    JobId id = inDoubt(node(provider), "k", "keyed");

    stays(id, JobState.UNKNOWN);

    assertThat(provider.replays()).isEmpty();
  }

  @Test
  void nothing_is_replayed_for_a_job_of_which_a_cancel_was_asked() {
    ScriptedProvider provider =
        new ScriptedProvider(Askable.replayable(Duration.ofHours(1))).found(FOUND);
    JobEngine node = node(provider);
    JobId id = submit(node, "k", "keyed");
    provider.next();
    node.cancel(Access.ALL, id);
    fixture.awaitState(id, JobState.UNKNOWN);

    stays(id, JobState.UNKNOWN);

    assertThat(provider.replays()).isEmpty();
  }

  @Test
  void two_nodes_never_ask_about_one_attempt_at_once_and_every_question_is_counted() {
    Counting provider = new Counting();
    JobEngine first = node(provider);
    node(provider);
    List<JobId> jobs = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      jobs.add(submit(first, "k" + i, "plain"));
    }

    jobs.forEach(job -> fixture.awaitState(job, JobState.UNKNOWN));
    jobs.forEach(job -> awaitAsked(job, 4));
    fixture.close();

    assertThat(provider.atOnceMost).hasValue(1);
    assertThat(provider.asked.values()).allMatch(times -> times.get() >= 3);
  }

  /**
   * Asked, it thinks for a moment, and notices when it is asked about one attempt twice at once.
   */
  private static final class Counting implements Provider {
    private final ScriptedProvider calls = new ScriptedProvider();
    private final Map<String, AtomicInteger> asking = new ConcurrentHashMap<>();
    private final Map<String, AtomicInteger> asked = new ConcurrentHashMap<>();
    private final AtomicInteger atOnceMost = new AtomicInteger();

    @Override
    public Capabilities capabilities() {
      return BY_REFERENCE;
    }

    @Override
    public Outcome call(ProviderRequest request, CallWatch watch) throws InterruptedException {
      return calls.call(request, watch);
    }

    @Override
    public Finding lookup(Inquiry inquiry) throws InterruptedException {
      String about = inquiry.attemptId().toString();
      asked.computeIfAbsent(about, id -> new AtomicInteger()).incrementAndGet();
      AtomicInteger now = asking.computeIfAbsent(about, id -> new AtomicInteger());
      atOnceMost.accumulateAndGet(now.incrementAndGet(), Math::max);
      try {
        boolean never = new CountDownLatch(1).await(20, TimeUnit.MILLISECONDS);
        assertThat(never).isFalse();
        return NOT_FOUND;
      } finally {
        now.decrementAndGet();
      }
    }
  }

  @Test
  void a_provider_that_hangs_when_asked_holds_up_itself_alone() {
    CountDownLatch released = new CountDownLatch(1);
    Queue<JobId> hanging = new ConcurrentLinkedQueue<>();
    ScriptedProvider calls = new ScriptedProvider();
    Provider hangs =
        new Provider() {
          @Override
          public Capabilities capabilities() {
            return BY_REFERENCE;
          }

          @Override
          public Outcome call(ProviderRequest request, CallWatch watch)
              throws InterruptedException {
            return calls.call(request, watch);
          }

          @Override
          public Finding lookup(Inquiry inquiry) {
            hanging.add(inquiry.jobId());
            while (released.getCount() > 0) {
              try {
                released.await();
              } catch (InterruptedException e) {
                continue; // an adapter as bad as can be
              }
            }
            return FOUND;
          }
        };
    ScriptedProvider sound = new ScriptedProvider(BY_REFERENCE).found(FOUND);
    JobEngine node = node(hangs, sound);
    List<JobId> stuck = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      stuck.add(submit(node, "stuck" + i, "plain"));
    }
    await().until(() -> hanging.size() == Askable.QUICK.inFlightMax());
    // One listens for wake-ups, one renews leases; the two questions that are open hold none.
    await().until(() -> postgres.activeConnections() <= 2);
    JobId fine = submit(node, "fine", "other");

    fixture.awaitState(fine, JobState.SUCCEEDED);
    Attempt given = awaitAsked(hanging.element(), 1);
    int stillAtOnce = hanging.size();
    released.countDown();
    stuck.forEach(job -> fixture.awaitState(job, JobState.SUCCEEDED));

    assertThat(given.standing().state()).isEqualTo(AttemptState.UNKNOWN);
    assertThat(stillAtOnce).isEqualTo(Askable.QUICK.inFlightMax());
  }

  private JobEngine node(Provider a, Provider b) {
    List<Kind> kinds =
        List.of(
            Askable.kind("plain", Effect.EXCLUSIVE), Askable.at("b", "other", Effect.EXCLUSIVE));
    EngineConfig usual = Askable.config(List.of(kinds.getFirst()), a, Askable.QUICK);
    return fixture.node(
        new EngineConfig(
            usual.node(),
            kinds,
            Map.of(
                "a", new EngineConfig.ProviderSlot(a, 64, Askable.QUICK),
                "b", new EngineConfig.ProviderSlot(b, 64, Askable.QUICK)),
            usual.slots(),
            usual.pollInterval(),
            usual.sweepInterval()));
  }

  @Test
  void a_node_asks_only_about_kinds_that_it_knows() {
    ScriptedProvider provider = new ScriptedProvider(BY_REFERENCE).found(NOT_FOUND);
    JobEngine knows = node(provider);
    JobId id = submit(knows, "k", "plain");
    fixture.awaitState(id, JobState.UNKNOWN);
    knows.close();
    int before = provider.lookups().size();
    fixture.node(
        Askable.config(
            List.of(Askable.kind("another", Effect.EXCLUSIVE)), provider, Askable.QUICK));

    stays(id, JobState.UNKNOWN);

    assertThat(provider.lookups().size()).isLessThanOrEqualTo(before + 1);
  }

  @Test
  void asking_takes_longer_and_longer_within_its_bounds() {
    ProbePolicy policy =
        new ProbePolicy(
            Duration.ofSeconds(1),
            Duration.ofMinutes(5),
            Duration.ofSeconds(10),
            Duration.ofDays(1),
            4);
    RandomGenerator most = () -> -1L; // all bits set: the largest double below 1

    assertThat(List.of(1, 2, 3, 9, 10, 1_000))
        .extracting(asked -> Math.round(policy.delay(asked, most).toNanos() / 1e9))
        .containsExactly(1L, 2L, 4L, 256L, 300L, 300L);
  }
}
