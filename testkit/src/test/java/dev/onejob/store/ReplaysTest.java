package dev.onejob.store;

import static dev.onejob.store.StoreFixture.PLAIN;
import static dev.onejob.store.TwoSessions.meanwhile;
import static org.assertj.core.api.Assertions.assertThat;

import dev.onejob.domain.Answer;
import dev.onejob.domain.Attempt;
import dev.onejob.domain.AttemptId;
import dev.onejob.domain.AttemptState;
import dev.onejob.domain.Evidence;
import dev.onejob.domain.Failure;
import dev.onejob.domain.JobEvent;
import dev.onejob.domain.JobId;
import dev.onejob.domain.Report;
import dev.onejob.domain.Retryability;
import dev.onejob.domain.Strength;
import dev.onejob.domain.Then;
import dev.onejob.domain.Verdict;
import dev.onejob.store.Probes.Claim;
import dev.onejob.testkit.PostgresExtension;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The request of an attempt in doubt is sent again, while the first sending is not over. */
class ReplaysTest {
  private static final Duration LONG = Duration.ofHours(1);
  private static final Probes.Askable ASKABLE =
      new Probes.Askable(
          StoreFixture.PRIMARY, List.of("test"), List.of(), Set.of(Probes.Way.BY_REFERENCE));

  @RegisterExtension final PostgresExtension postgres = new PostgresExtension();

  private StoreFixture store;
  private Probes probes;
  private JobId job;
  private AttemptId attempt;

  @BeforeEach
  void putInDoubt() {
    store = new StoreFixture(postgres.dataSource());
    probes = new Probes(postgres.dataSource());
    job = store.admit("k", PLAIN);
    attempt = store.started(job);
    store.moves.move(StoreFixture.doubt(job, attempt));
    probes.schedule(
        ASKABLE, new Probes.Span(Duration.ZERO, LONG, Probes.Bound.ASKED_LONG_ENOUGH), 10);
  }

  private Claim claim(Duration hold) {
    return probes.claim(ASKABLE, hold, 10).getFirst();
  }

  private MoveRequest notSent() {
    Failure failure = new Failure("not-sent", "its time was over before the request left");
    Report report = new Report(Report.Outcome.FAILED, "b".repeat(64), 0);
    return new MoveRequest(
        job,
        new JobEvent.Fail(attempt, failure, Retryability.RETRYABLE, Duration.ZERO, report),
        new MoveRequest.Cause(failure));
  }

  private MoveRequest notDone() {
    JobEvent event = new JobEvent.Resolve(attempt, Verdict.NOT_DONE, Then.RETRY);
    return StoreFixture.decision(job, event, "not_done", Then.RETRY);
  }

  private Attempt attempt() {
    return store.job(job).attempts().getFirst();
  }

  private AttemptState state() {
    return attempt().standing().state();
  }

  @Test
  void that_the_first_sending_never_left_is_a_hint_then_and_does_not_end_the_doubt() {
    assertThat(probes.leave(claim(LONG))).isTrue();

    assertThat(store.moves.move(notSent())).contains(new Answer.Repeated());
    assertThat(state()).isEqualTo(AttemptState.UNKNOWN);
    Evidence kept = attempt().evidence().getLast();
    assertThat(kept.strength()).isEqualTo(Strength.HINT.word());
    assertThat(kept.says()).contains("not-sent", "sent again since");
  }

  @Test
  void what_the_replay_itself_has_heard_ends_it_as_before() {
    assertThat(probes.leave(claim(LONG))).isTrue();

    assertThat(store.moves.move(notSent().asEvident())).contains(new Answer.Moved());
    assertThat(state()).isEqualTo(AttemptState.FAILED);
  }

  @Test
  void nobody_may_say_that_it_was_not_done_while_the_replay_is_on_its_way() {
    assertThat(probes.leave(claim(LONG))).isTrue();
    assertThat(store.moves.move(notDone()).orElseThrow()).isInstanceOf(Answer.NotAllowed.class);
    assertThat(state()).isEqualTo(AttemptState.UNKNOWN);
  }

  @Test
  void nor_may_a_look_up_that_was_put_while_the_replay_is_on_its_way() throws Exception {
    assertThat(probes.leave(claim(LONG))).isTrue();
    try (TwoSessions time = new TwoSessions(postgres.dataSource())) {
      time.hold("UPDATE onejob.probe SET probe_at = clock_timestamp(), held_until = NULL");
      time.commit();
    }
    Claim lookup = claim(LONG);

    assertThat(store.moves.move(notDone().following(lookup.number())).orElseThrow())
        .isInstanceOf(Answer.NotAllowed.class);
    assertThat(state()).isEqualTo(AttemptState.UNKNOWN);
  }

  @Test
  void a_reason_to_look_neither_lets_another_question_in_nor_makes_the_replay_seem_over() {
    Claim replay = claim(LONG);
    new CallbackTraces(postgres.dataSource()).wake(attempt, Duration.ofSeconds(5));

    assertThat(probes.claim(ASKABLE, LONG, 10)).isEmpty();
    assertThat(probes.leave(replay)).isTrue();
    assertThat(store.moves.move(notDone()).orElseThrow()).isInstanceOf(Answer.NotAllowed.class);
  }

  @Test
  void a_reason_to_look_that_came_while_a_question_was_under_way_is_not_forgotten() {
    Claim asked = claim(Duration.ofMinutes(2));
    new CallbackTraces(postgres.dataSource()).wake(attempt, Duration.ofSeconds(5));
    probes.learn(
        asked,
        new Learned(
            "lookup",
            Strength.HINT,
            "at work",
            "",
            0,
            Duration.ofMinutes(50),
            Duration.ZERO,
            /* watchToken= */ null));

    assertThat(attempt().probing().nextAt())
        .isBefore(attempt().standing().startedAt().plus(Duration.ofMinutes(30)));
  }

  @Test
  void once_the_replay_is_over_a_person_may() throws Exception {
    assertThat(probes.leave(claim(LONG))).isTrue();
    try (TwoSessions time = new TwoSessions(postgres.dataSource())) {
      time.hold("UPDATE onejob.probe SET replayed_until = clock_timestamp()");
      time.commit();
    }
    assertThat(store.moves.move(notDone())).contains(new Answer.Moved());
    assertThat(state()).isEqualTo(AttemptState.FAILED);
  }

  @Test
  void a_replay_whose_attempt_has_ended_meanwhile_does_not_leave() {
    Claim claim = claim(LONG);
    assertThat(store.moves.move(notSent())).contains(new Answer.Moved());
    assertThat(probes.leave(claim)).isFalse();
  }

  @Test
  void a_replay_that_waited_for_the_end_of_its_attempt_does_not_leave() throws Exception {
    Claim claim = claim(LONG);
    try (TwoSessions two = new TwoSessions(postgres.dataSource())) {
      two.hold("SELECT 1 FROM onejob.attempt WHERE id = ? FOR UPDATE", attempt.uuid());
      Future<?> ending = meanwhile(() -> store.moves.move(notSent()));
      two.awaitBlocked(1);
      Future<Boolean> leaving = meanwhile(() -> probes.leave(claim));
      two.awaitBlocked(2);
      two.commit();

      ending.get(60, TimeUnit.SECONDS);
      assertThat(leaving.get(60, TimeUnit.SECONDS)).isFalse();
      assertThat(state()).isEqualTo(AttemptState.FAILED);
    }
  }

  @Test
  void a_replay_does_not_leave_once_its_hold_is_over_or_a_cancel_was_asked() {
    assertThat(probes.leave(claim(Duration.ZERO))).isFalse();
    Claim claim = claim(LONG);
    store.moves.move(MoveRequest.of(job, new JobEvent.CancelRequest()));
    assertThat(probes.leave(claim)).isFalse();
  }
}
