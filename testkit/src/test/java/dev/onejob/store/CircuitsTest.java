package dev.onejob.store;

import static dev.onejob.store.StoreFixture.FALLBACK;
import static dev.onejob.store.StoreFixture.KIND;
import static dev.onejob.store.StoreFixture.PLAIN;
import static dev.onejob.store.StoreFixture.PRIMARY;
import static dev.onejob.store.TwoSessions.meanwhile;
import static org.assertj.core.api.Assertions.assertThat;

import dev.onejob.domain.Answer;
import dev.onejob.domain.AttemptId;
import dev.onejob.domain.Circuit;
import dev.onejob.domain.CircuitPolicy;
import dev.onejob.domain.Failure;
import dev.onejob.domain.JobEvent;
import dev.onejob.domain.JobId;
import dev.onejob.domain.Objection.Reason;
import dev.onejob.domain.StartCause;
import dev.onejob.domain.StartRefusal;
import dev.onejob.testkit.PostgresExtension;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A provider that does not answer is left alone by all nodes, and tried by one at a time. */
@Tag("race")
class CircuitsTest {
  private static final CircuitPolicy POLICY =
      new CircuitPolicy(3, Duration.ofSeconds(20), Duration.ofSeconds(50));
  private static final Failure DOWN = new Failure("connect-failed", "nobody there");

  @RegisterExtension final PostgresExtension postgres = new PostgresExtension();

  private StoreFixture store;

  @BeforeEach
  void open() {
    store = new StoreFixture(postgres.dataSource());
  }

  private Circuit failed(AttemptId attempt) {
    return store.circuits.failed(PRIMARY, attempt, DOWN, POLICY);
  }

  private Circuit failed() {
    return failed(StoreFixture.attemptId());
  }

  @Test
  void opens_after_so_many_failures_in_a_row_and_an_answer_between_them_begins_anew() {
    failed();
    failed();
    store.circuits.answered(PRIMARY);
    failed();
    assertThat(failed().state()).isEqualTo(Circuit.State.CLOSED);
    assertThat(failed().state()).isEqualTo(Circuit.State.OPEN);
  }

  @Test
  void an_answer_of_a_provider_that_never_failed_changes_nothing() {
    assertThat(store.circuits.answered(PRIMARY)).isEmpty();
    assertThat(store.circuits.all()).isEmpty();
  }

  @Test
  void what_left_before_it_opened_and_fails_afterwards_does_not_prolong_it() {
    failed();
    failed();
    Circuit opened = failed();

    Circuit again = failed();

    assertThat(again.opened().until()).isEqualTo(opened.opened().until());
    assertThat(again.failures()).isEqualTo(4);
  }

  @Test
  void while_it_is_open_nothing_starts_there_by_itself_and_the_button_still_does() {
    store.setCircuit(PRIMARY, Duration.ofHours(1));
    JobId job = store.admit("k", PLAIN);
    MoveRequest start = StoreFixture.start(job, StoreFixture.attemptId());

    assertThat(store.starts(List.of(start))).containsExactly(Optional.empty());
    assertThat(why(store.moves.move(start))).isEqualTo(StartRefusal.CIRCUIT_OPEN);
    JobEvent.Start pressed =
        new JobEvent.Start(StoreFixture.attemptId(), PRIMARY, StartCause.BUTTON);
    assertThat(store.starts(List.of(StoreFixture.start(job, pressed))).getFirst())
        .containsInstanceOf(Answer.Started.class);
  }

  private static StartRefusal why(Optional<Answer> answer) {
    return ((Answer.StartRefused) answer.orElseThrow()).why();
  }

  @Test
  void of_two_starts_that_would_both_try_it_one_does() throws Exception {
    store.setCircuit(PRIMARY, Duration.ofHours(-1));
    JobId first = store.admit("k1", PLAIN);
    JobId second = store.admit("k2", PLAIN);
    try (TwoSessions two = new TwoSessions(postgres.dataSource())) {
      two.hold("SELECT 1 FROM onejob.circuit FOR UPDATE");
      Future<Optional<Answer>> a = meanwhile(() -> store.moves.move(start(first)));
      Future<Optional<Answer>> b = meanwhile(() -> store.moves.move(start(second)));
      two.awaitBlocked(2);
      two.commit();
      List<Answer> answers =
          List.of(
              a.get(60, TimeUnit.SECONDS).orElseThrow(), b.get(60, TimeUnit.SECONDS).orElseThrow());

      assertThat(answers).filteredOn(Answer.Started.class::isInstance).hasSize(1);
      assertThat(answers)
          .filteredOn(Answer.StartRefused.class::isInstance)
          .extracting(answer -> ((Answer.StartRefused) answer).why())
          .containsExactly(StartRefusal.CIRCUIT_OPEN);
    }
  }

  private static MoveRequest start(JobId job) {
    return StoreFixture.start(job, StoreFixture.attemptId());
  }

  private AttemptId trial(String key) {
    JobId job = store.admit(key, PLAIN);
    MoveRequest start = start(job);
    assertThat(store.moves.move(start)).containsInstanceOf(Answer.Started.class);
    return ((JobEvent.Start) start.event()).attempt();
  }

  @Test
  void a_trial_that_fails_doubles_the_pause_up_to_its_bound() {
    failed();
    failed();
    failed();
    store.setCircuit(PRIMARY, Duration.ofSeconds(-1)); // its pause is 9 ms from here on

    Circuit again = failed(trial("k1"));

    assertThat(again.opened().pause()).isEqualTo(Duration.ofMillis(18));
    assertThat(again.opened().trial()).isNull();
  }

  @Test
  void a_trial_of_which_nothing_is_known_closes_nothing_and_another_may_try_later() {
    store.setCircuit(PRIMARY, Duration.ofHours(-1));
    AttemptId trial = trial("k1");
    assertThat(store.circuits.all().getFirst().passable()).isFalse();

    assertThat(store.circuits.unanswered(PRIMARY, StoreFixture.attemptId(), POLICY)).isEmpty();
    assertThat(store.circuits.unanswered(PRIMARY, trial, POLICY)).isPresent();

    assertThat(store.circuits.all().getFirst().opened().trial()).isNull();
  }

  @Test
  void a_trial_that_is_in_doubt_does_not_bar_the_next_one() {
    store.setCircuit(PRIMARY, Duration.ofHours(-1));
    JobId job = store.admit("k1", PLAIN);
    AttemptId attempt = StoreFixture.attemptId();
    store.moves.move(StoreFixture.start(job, attempt));
    store.moves.move(StoreFixture.doubt(job, attempt));

    assertThat(store.moves.move(start(store.admit("k2", PLAIN))))
        .containsInstanceOf(Answer.Started.class);
  }

  @Test
  void with_the_first_providers_circuit_open_a_due_job_goes_to_a_qualified_fallback_or_waits() {
    store.setCircuit(PRIMARY, Duration.ofHours(1));
    JobId waits = store.admit("k1", PLAIN);
    Instant admitted = store.job(waits).standing().runAt();
    store.moves.move(MoveRequest.of(waits, new JobEvent.Reroute()));
    store.qualify();
    JobId goes = store.admit("k2", PLAIN);
    store.moves.move(MoveRequest.of(goes, new JobEvent.Reroute()));

    assertThat(store.job(waits).standing().goesOnAt()).isEqualTo(PRIMARY);
    assertThat(store.job(waits).standing().runAt())
        .as("it waits for the way, and is due as soon as that is open")
        .isEqualTo(admitted);
    assertThat(store.job(goes).standing().goesOnAt()).isEqualTo(FALLBACK);
    assertThat(store.job(goes).skips())
        .extracting(skip -> skip.objection().reason())
        .containsExactly(Reason.CIRCUIT_OPEN);
  }

  private List<JobId> blocked(Strays.Qualified... qualified) {
    List<String> shut =
        store.circuits.all().stream()
            .filter(circuit -> !circuit.passable())
            .map(Circuit::provider)
            .toList();
    return new Strays(postgres.dataSource()).blocked(List.of(KIND), shut, List.of(qualified), 10);
  }

  @Test
  void a_due_job_is_called_back_from_a_shut_provider_if_another_that_is_left_to_it_may_be_asked() {
    Strays.Qualified fallback = new Strays.Qualified(KIND, FALLBACK);
    JobId job = store.admit("k1", PLAIN);
    assertThat(blocked(fallback)).as("nobody is shut").isEmpty();

    store.setCircuit(PRIMARY, Duration.ofHours(1));

    assertThat(blocked()).as("no other is qualified").isEmpty();
    assertThat(blocked(fallback)).containsExactly(job);
    store.setCircuit(FALLBACK, Duration.ofHours(1));
    assertThat(blocked(fallback)).as("both are shut").isEmpty();
  }

  @Test
  void jobs_of_one_kind_at_a_shut_provider_do_not_take_the_places_of_another_provider() {
    Strays.Qualified fallback = new Strays.Qualified(KIND, FALLBACK);
    JobId first = store.admit("k1", PLAIN);
    store.admit("k2", PLAIN);
    store.setCircuit(PRIMARY, Duration.ofHours(1));

    assertThat(
            new Strays(postgres.dataSource())
                .blocked(List.of("none", KIND), List.of("none", PRIMARY), List.of(fallback), 1))
        .as("the longest due of each")
        .containsExactly(first);
  }

  @Test
  void a_job_that_went_to_a_fallback_comes_back_to_the_first_when_only_the_fallback_is_shut() {
    store.qualify();
    store.setCircuit(PRIMARY, Duration.ofHours(1));
    JobId job = store.admit("k1", PLAIN);
    store.moves.move(MoveRequest.of(job, new JobEvent.Reroute()));
    store.setCircuit(FALLBACK, Duration.ofHours(1));
    assertThat(blocked()).isEmpty();

    store.circuits.answered(PRIMARY);

    assertThat(blocked()).containsExactly(job);
    store.moves.move(MoveRequest.of(job, new JobEvent.Reroute()));
    assertThat(store.job(job).standing().goesOnAt()).isEqualTo(PRIMARY);
    assertThat(blocked()).isEmpty();
  }
}
