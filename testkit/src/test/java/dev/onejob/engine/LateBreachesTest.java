package dev.onejob.engine;

import static dev.onejob.engine.EngineFixture.attempt;
import static dev.onejob.engine.EngineFixture.result;
import static dev.onejob.engine.EngineFixture.submit;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.onejob.domain.Attempt;
import dev.onejob.domain.AttemptId;
import dev.onejob.domain.AttemptState;
import dev.onejob.domain.Binding;
import dev.onejob.domain.Demand;
import dev.onejob.domain.Effect;
import dev.onejob.domain.Job;
import dev.onejob.domain.JobId;
import dev.onejob.domain.JobState;
import dev.onejob.domain.Kind;
import dev.onejob.domain.Qualification;
import dev.onejob.domain.Result;
import dev.onejob.domain.WhenPressed;
import dev.onejob.provider.Finding;
import dev.onejob.testkit.Dump;
import dev.onejob.testkit.Engines;
import dev.onejob.testkit.PostgresExtension;
import dev.onejob.testkit.ScriptedProvider;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Two answers to one attempt or to one job, of which one breaks the contract: the broken one is
 * never the result, whichever comes first and by whichever way.
 */
class LateBreachesTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final Promise PROMISE = new Promise();
  private static final Kind KEYED = Askable.kind("keyed", Effect.KEYED).with(PROMISE);
  private static final Kind RACE = Engines.patient(Engines.racing("race", "a", "b")).with(PROMISE);
  private static final Binding BINDING = new Binding("contract", "settings", "1", "model");
  private static final Demand DEMAND =
      new Demand(Map.of("a", BINDING, "b", BINDING), WhenPressed.REFUSE, 3);

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

  private static Result json(String text) {
    return new Result(Result.Format.JSON, text.getBytes(StandardCharsets.UTF_8));
  }

  /** The provider of a keyed kind, whose first sending stays without an answer. */
  private static ScriptedProvider replayable(Finding first) {
    return new ScriptedProvider(Askable.replayable(Duration.ofHours(1))).found(first);
  }

  private JobEngine asking(ScriptedProvider provider) {
    return fixture.node(Askable.config(List.of(KEYED), provider, Askable.QUICK));
  }

  @Test
  void the_first_sending_breaks_it_while_its_replay_is_still_at_work() {
    ScriptedProvider provider = replayable(new Finding.AtWork(null));
    JobEngine node = asking(provider);
    JobId id = submit(node, "k", "keyed");
    ScriptedProvider.Call sent = provider.next();
    fixture.awaitJob(id, job -> !provider.replays().isEmpty());

    sent.succeed(Promise.BROKEN);

    Attempt broken = fixture.awaitAttempt(id, 1, AttemptState.FAILED);
    provider.found(new Finding.Succeeded(json(Promise.KEPT), null));
    assertThat(broken.breach().breaches()).containsExactly(Promise.BREACH);
    Job job = node.job(Access.ALL, id).orElseThrow();
    assertThat(job.result()).isNull();
    assertThat(job.standing().completedBy()).isNull();
  }

  @Test
  void the_first_sending_breaks_it_after_its_replay_has_brought_the_result() {
    ScriptedProvider provider = replayable(new Finding.Succeeded(json(Promise.KEPT), null));
    JobEngine node = asking(provider);
    JobId id = submit(node, "k", "keyed");
    ScriptedProvider.Call sent = provider.next();
    Job ended = fixture.awaitState(id, JobState.SUCCEEDED);

    sent.succeed(Promise.BROKEN);

    Job after = fixture.awaitJob(id, job -> job.attempts().getFirst().evidence().size() > 1);
    assertThat(after.standing()).isEqualTo(ended.standing());
    assertThat(result(after)).isEqualTo(Promise.KEPT);
    assertThat(after.attempts().getFirst().breach()).isNull();
    assertThat(node.brokenAnswer(Access.ALL, attempt(after, 1))).isEmpty();
  }

  @Test
  void the_first_sending_keeps_it_after_its_replay_has_broken_it() {
    ScriptedProvider provider = replayable(new Finding.Succeeded(json(Promise.BROKEN), null));
    JobEngine node = asking(provider);
    JobId id = submit(node, "k", "keyed");
    ScriptedProvider.Call sent = provider.next();
    fixture.awaitAttempt(id, 1, AttemptState.FAILED);

    sent.succeed(Promise.KEPT);

    Job after = fixture.awaitJob(id, job -> job.attempts().getFirst().evidence().size() > 1);
    assertThat(after.result()).isNull();
    assertThat(after.standing().completedBy()).isNull();
    assertThat(after.attempts().getFirst().standing().state()).isEqualTo(AttemptState.FAILED);
    assertThat(after.standing().contested()).as("that it acted was known").isFalse();
  }

  @Test
  void the_same_broken_answer_in_another_spelling_of_its_white_space_is_no_news() {
    JobEngine node = fixture.node(racing());
    JobId id = submit(node, "k", "race");
    ScriptedProvider.Call call = fixture.a.next();
    call.succeed(" " + Promise.BROKEN + "\n");
    Attempt broken = fixture.awaitAttempt(id, 1, AttemptState.FAILED);
    Job before = node.job(Access.ALL, id).orElseThrow();

    Callbacks.Standing again = called(node.callbacks(), call.request().attemptId(), Promise.BROKEN);

    assertThat(again.broken().breaches()).as("answered as the first time").isNotEmpty();
    Job after = node.job(Access.ALL, id).orElseThrow();
    assertThat(after.standing()).isEqualTo(before.standing());
    assertThat(broken.breach().answerBytes())
        .as("as it came")
        .isEqualTo(Promise.BROKEN.length() + 2);
    assertThat(broken.standing().report().bytes()).isEqualTo(Promise.BROKEN.length());
  }

  /** A race that the timer has started, and the way by which a provider calls back elsewhere. */
  private record Race(JobEngine node, JobId id, ScriptedProvider.Call a, ScriptedProvider.Call b) {
    AttemptId first() {
      return a.request().attemptId();
    }

    AttemptId second() {
      return b.request().attemptId();
    }
  }

  private EngineConfig racing() {
    return fixture.config(RACE).with(Map.of("race", DEMAND));
  }

  private Race race() {
    JobEngine node = fixture.node(racing());
    node.proofs()
        .record(new Qualification.Pass("race", "b", BINDING, null, "run", Duration.ofHours(1)));
    JobId id = submit(node, "k", "race");
    return new Race(node, id, fixture.a.next(), fixture.b.next());
  }

  @Test
  void a_callback_that_breaks_it_ends_its_side_of_a_race_and_the_other_side_wins() {
    Callbacks elsewhere = fixture.node(racing()).callbacks();
    Race race = race();

    Callbacks.Standing standing = called(elsewhere, race.first(), Promise.BROKEN);
    assertThat(standing.state()).isEqualTo(AttemptState.FAILED);
    assertThat(standing.broken().breaches()).containsExactly(Promise.BREACH);
    race.a.succeed(Promise.BROKEN);
    race.b.succeed(Promise.KEPT);

    Job job = fixture.awaitState(race.id, JobState.SUCCEEDED);
    assertThat(job.standing().completedBy()).isEqualTo(race.second());
    assertThat(result(job)).isEqualTo(Promise.KEPT);
    assertThat(job.standing().contested()).isFalse();
  }

  @Test
  void after_a_callback_has_won_the_race_what_the_other_side_breaks_is_lost_and_nothing_is_kept()
      throws Exception {
    Callbacks elsewhere = fixture.node(racing()).callbacks();
    Race race = race();

    assertThat(called(elsewhere, race.second(), Promise.KEPT).state())
        .isEqualTo(AttemptState.SUCCEEDED);
    assertThat(called(elsewhere, race.first(), Promise.BROKEN))
        .isEqualTo(new Callbacks.Standing(AttemptState.LOST, race.second(), null));
    await().atMost(PATIENCE).until(() -> race.a.stopAsked().isDone());
    race.a.succeed(Promise.BROKEN);
    race.b.succeed(Promise.BROKEN);

    Attempt loser = fixture.awaitAttempt(race.id, 1, AttemptState.LOST);
    assertThat(loser.breach()).isNull();
    Job job = fixture.awaitJob(race.id, j -> !j.attempts().get(1).evidence().isEmpty());
    assertThat(job.standing().completedBy()).isEqualTo(race.second());
    assertThat(result(job)).isEqualTo(Promise.KEPT);
    assertThat(Dump.of(postgres.dataSource())).doesNotContain(Promise.BROKEN);
  }

  private static Callbacks.Standing called(Callbacks callbacks, AttemptId attempt, String json) {
    return callbacks.take(attempt, ScriptedProvider.succeeded(json)).orElseThrow();
  }
}
