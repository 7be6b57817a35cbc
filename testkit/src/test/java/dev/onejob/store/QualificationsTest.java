package dev.onejob.store;

import static dev.onejob.store.StoreFixture.BINDING;
import static dev.onejob.store.StoreFixture.FALLBACK;
import static dev.onejob.store.StoreFixture.KIND;
import static dev.onejob.store.StoreFixture.PLAIN;
import static dev.onejob.store.StoreFixture.PRIMARY;
import static dev.onejob.store.TwoSessions.meanwhile;
import static org.assertj.core.api.Assertions.assertThat;

import dev.onejob.domain.Answer;
import dev.onejob.domain.AttemptId;
import dev.onejob.domain.Binding;
import dev.onejob.domain.Demand;
import dev.onejob.domain.Failure;
import dev.onejob.domain.Job;
import dev.onejob.domain.JobEvent;
import dev.onejob.domain.JobId;
import dev.onejob.domain.JobState;
import dev.onejob.domain.Objection.Reason;
import dev.onejob.domain.Qualification;
import dev.onejob.domain.Report;
import dev.onejob.domain.Retryability;
import dev.onejob.domain.StartCause;
import dev.onejob.domain.StartRefusal;
import dev.onejob.domain.WaitingFor;
import dev.onejob.domain.WhenPressed;
import dev.onejob.testkit.PostgresExtension;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** No proof, no failover: the guard of a start at a fallback, and what ends a proof. */
@Tag("race")
class QualificationsTest {
  @RegisterExtension final PostgresExtension postgres = new PostgresExtension();

  private StoreFixture store;

  @BeforeEach
  void open() {
    store = new StoreFixture(postgres.dataSource());
  }

  /** A job whose first provider has failed for good. */
  private JobId failedAtTheFirst(String key) {
    JobId job = store.admit(key, PLAIN);
    AttemptId attempt = store.started(job);
    store.moves.move(fail(job, attempt, new Failure("refused", "no")));
    return job;
  }

  private static MoveRequest fail(JobId job, AttemptId attempt, Failure failure) {
    Report report = new Report(Report.Outcome.FAILED, "f".repeat(64), 0);
    return new MoveRequest(
        job,
        new JobEvent.Fail(attempt, failure, Retryability.FINAL, Duration.ZERO, report),
        new MoveRequest.Cause(failure));
  }

  private static MoveRequest byItself(JobId job) {
    return StoreFixture.start(
        job, new JobEvent.Start(StoreFixture.attemptId(), FALLBACK, StartCause.DISPATCH));
  }

  private Optional<Answer> rerouted(JobId job) {
    return store.moves.move(MoveRequest.of(job, new JobEvent.Reroute()));
  }

  private static Answer refused(StartRefusal why) {
    return new Answer.StartRefused(why, null, null);
  }

  @Test
  void a_job_goes_on_by_itself_at_a_fallback_that_is_qualified() {
    store.qualify();
    JobId job = failedAtTheFirst("k");

    assertThat(store.job(job).standing().goesOnAt()).isEqualTo(FALLBACK);
    assertThat(store.moves.move(byItself(job))).containsInstanceOf(Answer.Started.class);
  }

  @Test
  void a_race_by_the_timer_needs_the_qualification_of_its_provider_too() {
    JobId job = store.admit("k", StoreFixture.RACING);
    AttemptId first = store.started(job);
    store.moves.move(StoreFixture.accepted(job, first));
    MoveRequest race =
        StoreFixture.start(
            job, new JobEvent.Start(StoreFixture.attemptId(), FALLBACK, StartCause.RACE));

    assertThat(store.starts(List.of(race))).containsExactly(Optional.empty());
    assertThat(store.moves.move(race)).contains(refused(StartRefusal.NOT_QUALIFIED));
    store.qualify();
    assertThat(store.moves.move(race)).containsInstanceOf(Answer.Started.class);

    assertThat(store.job(job).attempts().get(1).cause()).isEqualTo(StartCause.RACE);
    assertThat(store.job(job).attempts().get(1).unqualified()).isNull();
  }

  @Test
  void a_start_that_waited_for_the_lock_of_its_job_sees_a_withdrawal_that_came_meanwhile()
      throws Exception {
    store.qualify();
    JobId job = failedAtTheFirst("k");
    try (TwoSessions two = new TwoSessions(postgres.dataSource())) {
      two.hold("SELECT 1 FROM onejob.job WHERE id = ? FOR NO KEY UPDATE", job.uuid());
      Future<Optional<Answer>> waiting = meanwhile(() -> store.moves.move(byItself(job)));
      two.awaitBlocked(1);
      store.qualifications.withdraw(KIND, FALLBACK, "it lies", "operator");
      two.commit();

      assertThat(waiting.get(60, TimeUnit.SECONDS)).contains(refused(StartRefusal.NOT_QUALIFIED));
    }
    assertThat(store.life(job).attempts()).hasSize(1);
  }

  @Test
  void a_start_that_meets_a_withdrawal_under_way_waits_for_it_and_obeys_it() throws Exception {
    Qualification pass = store.qualify();
    JobId job = failedAtTheFirst("k");
    try (TwoSessions two = new TwoSessions(postgres.dataSource())) {
      holdWithdrawal(two, pass);
      Future<Optional<Answer>> waiting = meanwhile(() -> store.moves.move(byItself(job)));
      two.awaitBlocked(1);
      two.commit();

      assertThat(waiting.get(60, TimeUnit.SECONDS)).contains(refused(StartRefusal.NOT_QUALIFIED));
    }
  }

  @Test
  void a_start_that_meets_a_withdrawal_that_is_rolled_back_goes_to_the_fallback() throws Exception {
    Qualification pass = store.qualify();
    JobId job = failedAtTheFirst("k");
    try (TwoSessions two = new TwoSessions(postgres.dataSource())) {
      holdWithdrawal(two, pass);
      Future<Optional<Answer>> waiting = meanwhile(() -> store.moves.move(byItself(job)));
      two.awaitBlocked(1);
      two.rollBack();

      assertThat(waiting.get(60, TimeUnit.SECONDS)).containsInstanceOf(Answer.Started.class);
    }
  }

  private static void holdWithdrawal(TwoSessions two, Qualification pass) throws SQLException {
    two.hold(
        """
        UPDATE onejob.qualification SET
          withdrawn_at = clock_timestamp(), withdrawn_by = 'x', withdrawn_reason = 'x'
        WHERE id = ?
        """,
        pass.id());
  }

  @Test
  void a_withdrawal_waits_for_the_starts_that_rely_on_the_pass() throws Exception {
    Qualification pass = store.qualify();
    try (TwoSessions two = new TwoSessions(postgres.dataSource())) {
      two.hold("SELECT 1 FROM onejob.qualification WHERE id = ? FOR SHARE", pass.id());
      Future<List<Qualification>> waiting =
          meanwhile(() -> store.qualifications.withdraw(KIND, FALLBACK, "it lies", "operator"));
      two.awaitBlocked(1);
      assertThat(waiting).isNotDone();
      two.commit();

      assertThat(waiting.get(60, TimeUnit.SECONDS)).hasSize(1);
    }
  }

  @Test
  void a_pass_that_expires_before_the_start_has_its_locks_counts_no_more() throws Exception {
    store.qualify(Duration.ofMillis(1500));
    JobId job = failedAtTheFirst("k");
    assertThat(store.job(job).standing().goesOnAt()).isEqualTo(FALLBACK);
    try (TwoSessions two = new TwoSessions(postgres.dataSource())) {
      two.hold("SELECT 1 FROM onejob.job WHERE id = ? FOR NO KEY UPDATE", job.uuid());
      Future<Optional<Answer>> waiting = meanwhile(() -> store.moves.move(byItself(job)));
      two.awaitBlocked(1);
      two.hold("SELECT pg_sleep_until(max(valid_until)) FROM onejob.qualification");
      two.commit();

      assertThat(waiting.get(60, TimeUnit.SECONDS)).contains(refused(StartRefusal.NOT_QUALIFIED));
    }
    rerouted(job);
    assertThat(reasons(store.job(job))).containsExactly(Reason.EXPIRED);
  }

  @Test
  void a_change_of_any_part_of_the_binding_voids_the_pass_and_says_which() {
    store.qualify();
    Map<Reason, Binding> changes =
        Map.of(
            Reason.CONTRACT_CHANGED, new Binding("contracT", "settings", "1", "model"),
            Reason.SETTINGS_CHANGED, new Binding("contract", "settings ", "1", "model"),
            Reason.ADAPTER_CHANGED, new Binding("contract", "settings", "1.0", "model"),
            Reason.MODEL_CHANGED, new Binding("contract", "settings", "1", "model-2"));
    changes.forEach(
        (reason, binding) -> {
          JobId job = failedAtTheFirst(reason.word());
          Moves changed =
              new Moves(postgres.dataSource(), demands(binding, WhenPressed.REFUSE), made -> {});
          assertThat(changed.move(byItself(job)))
              .as(reason.word())
              .contains(refused(StartRefusal.NOT_QUALIFIED));
          changed.move(MoveRequest.of(job, new JobEvent.Reroute()));
          assertThat(reasons(store.job(job))).containsExactly(reason);
        });
  }

  private static Map<String, Demand> demands(Binding binding, WhenPressed whenPressed) {
    return Map.of(KIND, new Demand(Map.of(PRIMARY, binding, FALLBACK, binding), whenPressed, 3));
  }

  private static List<Reason> reasons(Job job) {
    return job.skips().stream().map(skip -> skip.objection().reason()).toList();
  }

  @Test
  void parts_that_only_look_alike_when_put_together_are_another_binding() {
    assertThat(new Binding("ab", "c", "1", "").digest())
        .isNotEqualTo(new Binding("a", "bc", "1", "").digest());
  }

  @Test
  void a_job_without_a_qualified_fallback_waits_says_why_and_goes_on_once_there_is_a_pass() {
    JobId job = failedAtTheFirst("k");
    assertThat(store.job(job).standing().waitingFor()).isEqualTo(WaitingFor.QUALIFICATION);
    assertThat(reasons(store.job(job))).containsExactly(Reason.NEVER_QUALIFIED);
    assertThat(rerouted(job)).contains(new Answer.Repeated());

    store.qualify();

    assertThat(new Strays(postgres.dataSource()).waiting(List.of(fallback()), 10))
        .containsExactly(job);
    assertThat(rerouted(job)).contains(new Answer.Moved());
    assertThat(store.moves.move(byItself(job))).containsInstanceOf(Answer.Started.class);
  }

  private static Strays.Qualified fallback() {
    return new Strays.Qualified(KIND, FALLBACK);
  }

  @Test
  void a_job_that_is_due_at_a_fallback_is_found_astray_once_that_is_not_qualified() {
    store.qualify();
    JobId job = failedAtTheFirst("k");
    Strays strays = new Strays(postgres.dataSource());

    assertThat(strays.astray(List.of(KIND), List.of(KIND), List.of(fallback()), 10)).isEmpty();
    assertThat(strays.astray(List.of(KIND), List.of(KIND), List.of(), 10))
        .as("a node with other settings leaves it to those with the proved ones")
        .isEmpty();
    store.qualifications.withdraw(KIND, FALLBACK, "it lies", "operator");
    assertThat(strays.astray(List.of(KIND), List.of(KIND), List.of(), 10)).containsExactly(job);
    assertThat(strays.astray(List.of(), List.of(KIND), List.of(), 10)).isEmpty();
  }

  @Test
  void a_streak_of_breaches_withdraws_the_pass_and_a_kept_contract_ends_the_streak() {
    store.qualify();
    breach("k1");
    breach("k2");
    store.qualifications.kept(KIND, FALLBACK, BINDING);
    breach("k3");
    breach("k4");
    assertThat(pass().withdrawal()).isNull();
    assertThat(pass().breaches()).isEqualTo(2);

    breach("k5");

    assertThat(pass().withdrawal().by()).isEqualTo(Qualification.BY_BREACHES);
    assertThat(pass().withdrawal().reason()).contains("3 contract breaches in a row");
    JobId next = failedAtTheFirst("k6");
    assertThat(reasons(store.job(next))).containsExactly(Reason.WITHDRAWN);
  }

  private Qualification pass() {
    return store.qualifications.all(KIND, FALLBACK, null, 1).getFirst();
  }

  private void breach(String key) {
    JobId job = failedAtTheFirst(key);
    MoveRequest start = byItself(job);
    AttemptId attempt = ((JobEvent.Start) start.event()).attempt();
    assertThat(store.moves.move(start)).containsInstanceOf(Answer.Started.class);
    store.moves.move(StoreFixture.breached(job, attempt));
  }

  @Test
  void another_model_that_answers_withdraws_what_was_earned_under_its_name() {
    store.qualify();
    assertThat(store.qualifications.answeredBy(KIND, FALLBACK, BINDING, "model-1")).isEmpty();

    assertThat(store.qualifications.answeredBy(KIND, FALLBACK, BINDING, "model-1b")).hasSize(1);

    assertThat(pass().withdrawal().by()).isEqualTo(Qualification.BY_MODEL);
    assertThat(pass().withdrawal().reason()).contains("model-1b answered");
  }

  @Test
  void a_model_of_any_length_and_with_any_characters_withdraws_what_another_has_earned() {
    String endless = "\u0000\ud800" + "m".repeat(10_000);
    store.qualify();

    assertThat(store.qualifications.answeredBy(KIND, FALLBACK, BINDING, endless)).hasSize(1);

    assertThat(pass().withdrawal().by()).isEqualTo(Qualification.BY_MODEL);
    store.qualifications.record(
        new Qualification.Pass(KIND, FALLBACK, BINDING, endless, "run-2", Duration.ofHours(1)));
    assertThat(pass().answeringModel()).hasSize(256).startsWith("\\u0000\\ud800mm");
    assertThat(store.qualifications.answeredBy(KIND, FALLBACK, BINDING, endless)).isEmpty();
    assertThat(pass().withdrawal()).as("its own model").isNull();
  }

  @Test
  void the_button_starts_an_unqualified_fallback_only_where_the_kind_allows_it_and_marks_it() {
    JobId job = failedAtTheFirst("k");
    Moves strict =
        new Moves(postgres.dataSource(), demands(BINDING, WhenPressed.REFUSE), made -> {});
    MoveRequest button = StoreFixture.button(job, StoreFixture.attemptId());
    assertThat(store.starts(List.of(button))).containsExactly(Optional.empty());
    assertThat(strict.move(button)).contains(refused(StartRefusal.NOT_QUALIFIED));

    assertThat(store.moves.move(button)).containsInstanceOf(Answer.Started.class);

    assertThat(store.job(job).attempts().get(1).unqualified()).isEqualTo(Reason.NEVER_QUALIFIED);
  }

  @Test
  void the_button_at_a_qualified_fallback_and_at_the_first_provider_marks_nothing() {
    store.qualify();
    JobId job = failedAtTheFirst("k");
    Moves strict =
        new Moves(postgres.dataSource(), demands(BINDING, WhenPressed.REFUSE), made -> {});
    strict.move(StoreFixture.button(job, StoreFixture.attemptId()));

    assertThat(store.job(job).attempts()).hasSize(2);
    assertThat(store.job(job).attempts()).allMatch(attempt -> attempt.unqualified() == null);
  }

  @Test
  void a_fallback_that_fails_for_good_too_ends_the_job_and_nothing_goes_back() {
    store.qualify();
    JobId job = failedAtTheFirst("k");
    MoveRequest start = byItself(job);
    store.moves.move(start);
    AttemptId attempt = ((JobEvent.Start) start.event()).attempt();
    store.moves.move(fail(job, attempt, new Failure("refused", "not here either")));

    assertThat(store.job(job).standing().state()).isEqualTo(JobState.FAILED);
    assertThat(store.job(job).standing().failure().message()).isEqualTo("not here either");
    assertThat(store.job(job).standing().walk().givenUp()).containsExactly(PRIMARY, FALLBACK);
  }

  @Test
  void the_record_keeps_every_pass_and_every_withdrawal() {
    Qualification first = store.qualify();
    store.qualifications.withdraw(KIND, FALLBACK, "it lies", "operator");
    Qualification second = store.qualify();

    assertThat(store.qualifications.all(KIND, null, null, 10))
        .extracting(Qualification::id)
        .containsExactly(second.id(), first.id());
    assertThat(store.qualifications.one(first.id()).orElseThrow().withdrawal().reason())
        .isEqualTo("it lies");
    assertThat(store.qualifications.holding(List.of(wanted(BINDING)))).containsExactly(second);
    assertThat(store.qualifications.holding(List.of(wanted(new Binding("x", "", "1", "")))))
        .isEmpty();
  }

  private static Qualifications.Wanted wanted(Binding binding) {
    return new Qualifications.Wanted(KIND, FALLBACK, binding);
  }

  @Test
  void an_objection_that_comes_again_is_counted_and_not_kept_twice() {
    store.qualify();
    JobId job = failedAtTheFirst("k");
    for (int i = 0; i < 2; i++) {
      store.qualifications.withdraw(KIND, FALLBACK, "it lies", "operator");
      rerouted(job);
      store.qualify();
      rerouted(job);
    }

    assertThat(store.job(job).skips()).hasSize(1);
    assertThat(store.job(job).skips().getFirst().times()).isEqualTo(2);
    assertThat(store.job(job).skips().getFirst().objection().says())
        .contains("withdrawn by operator: it lies");
  }
}
