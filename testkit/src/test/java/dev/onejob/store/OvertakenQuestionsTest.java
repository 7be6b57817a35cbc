package dev.onejob.store;

import static dev.onejob.store.StoreFixture.PLAIN;
import static dev.onejob.store.TwoSessions.meanwhile;
import static org.assertj.core.api.Assertions.assertThat;

import dev.onejob.domain.Answer;
import dev.onejob.domain.Attempt;
import dev.onejob.domain.AttemptId;
import dev.onejob.domain.AttemptState;
import dev.onejob.domain.JobEvent;
import dev.onejob.domain.JobId;
import dev.onejob.domain.Probing;
import dev.onejob.domain.Strength;
import dev.onejob.domain.Then;
import dev.onejob.domain.Verdict;
import dev.onejob.store.Probes.Claim;
import dev.onejob.testkit.PostgresExtension;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** One node was held up with its question for so long that another has put the next. */
class OvertakenQuestionsTest {
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

  /** A hold of no length lets the next come at once. */
  private Claim claim(Duration hold) {
    return probes.claim(ASKABLE, hold, 10).getFirst();
  }

  private static Learned atWork(UUID watch) {
    return new Learned(
        "lookup", Strength.PROOF, "at work", "", 0, Duration.ofMinutes(5), Duration.ZERO, watch);
  }

  private MoveRequest watched(Claim claim, UUID watch) {
    return new MoveRequest(
            job,
            new JobEvent.Accepted(attempt),
            new MoveRequest.Acceptance("ref", watch, LONG.toMillis()))
        .asEvident()
        .following(claim.number());
  }

  private MoveRequest notDone(Claim claim) {
    JobEvent event = new JobEvent.Resolve(attempt, Verdict.NOT_DONE, Then.RETRY);
    return StoreFixture.decision(job, event, "not_done", Then.RETRY).following(claim.number());
  }

  private Attempt attempt() {
    return store.job(job).attempts().getFirst();
  }

  private AttemptState state() {
    return attempt().standing().state();
  }

  @Test
  void what_it_learns_is_kept_and_leaves_the_schedule_of_the_other_alone() {
    Claim first = claim(Duration.ZERO);
    Claim second = claim(LONG);
    Probing before = attempt().probing();

    assertThat(probes.learn(first, atWork(UUID.randomUUID()))).isFalse();

    assertThat(attempt().probing()).isEqualTo(before);
    assertThat(attempt().evidence()).hasSize(1);
    assertThat(probes.learn(second, atWork(UUID.randomUUID()))).isTrue();
    assertThat(attempt().probing()).isNotEqualTo(before);
  }

  @Test
  void it_neither_watches_nor_ends_what_the_other_asks_about() {
    Claim first = claim(Duration.ZERO);
    Claim second = claim(LONG);

    assertThat(store.moves.move(watched(first, UUID.randomUUID()))).contains(new Answer.Repeated());
    assertThat(store.moves.move(notDone(first))).contains(new Answer.Repeated());
    assertThat(state()).isEqualTo(AttemptState.UNKNOWN);
    assertThat(store.moves.move(watched(second, UUID.randomUUID()))).contains(new Answer.Moved());
    assertThat(state()).isEqualTo(AttemptState.RUNNING);
  }

  @Test
  void a_decision_that_waited_for_the_job_while_the_next_question_was_put_does_not_hold()
      throws Exception {
    Claim first = claim(Duration.ZERO);
    assertThat(probes.learn(first, atWork(null))).isTrue();
    try (TwoSessions two = new TwoSessions(postgres.dataSource())) {
      two.hold("SELECT 1 FROM onejob.job WHERE id = ? FOR NO KEY UPDATE", job.uuid());
      Future<Optional<Answer>> late = meanwhile(() -> store.moves.move(notDone(first)));
      two.awaitBlocked(1);
      due();
      Claim second = claim(LONG);
      two.commit();

      assertThat(late.get(60, TimeUnit.SECONDS)).contains(new Answer.Repeated());
      assertThat(state()).isEqualTo(AttemptState.UNKNOWN);
      assertThat(store.moves.move(notDone(second))).contains(new Answer.Moved());
      assertThat(state()).isEqualTo(AttemptState.FAILED);
    }
  }

  @Test
  void no_question_is_put_while_a_decision_that_follows_from_the_last_is_being_written()
      throws Exception {
    Claim first = claim(Duration.ZERO);
    try (TwoSessions two = new TwoSessions(postgres.dataSource())) {
      two.hold("SELECT 1 FROM onejob.attempt WHERE id = ? FOR UPDATE", attempt.uuid());
      Future<Optional<Answer>> deciding = meanwhile(() -> store.moves.move(notDone(first)));
      two.awaitBlocked(1);

      assertThat(probes.claim(ASKABLE, LONG, 10)).isEmpty();
      two.commit();

      assertThat(deciding.get(60, TimeUnit.SECONDS)).contains(new Answer.Moved());
    }
  }

  private void due() throws Exception {
    try (TwoSessions other = new TwoSessions(postgres.dataSource())) {
      other.hold("UPDATE onejob.probe SET probe_at = clock_timestamp()");
      other.commit();
    }
  }
}
