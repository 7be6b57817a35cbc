package dev.onejob.store;

import static dev.onejob.store.StoreFixture.PLAIN;
import static dev.onejob.store.StoreFixture.RACING;
import static dev.onejob.store.TwoSessions.meanwhile;
import static org.assertj.core.api.Assertions.assertThat;

import dev.onejob.domain.Answer;
import dev.onejob.domain.AttemptId;
import dev.onejob.domain.Job;
import dev.onejob.domain.JobEvent;
import dev.onejob.domain.JobId;
import dev.onejob.domain.Mark;
import dev.onejob.domain.Then;
import dev.onejob.domain.Verdict;
import dev.onejob.testkit.PostgresExtension;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Moves that hold only while the job is as somebody has seen it. */
class SeenJobsTest {
  @RegisterExtension final PostgresExtension postgres = new PostgresExtension();

  private StoreFixture store;

  @BeforeEach
  void open() {
    store = new StoreFixture(postgres.dataSource());
  }

  private Mark mark(JobId job) {
    return Mark.of(store.job(job));
  }

  private void move(MoveRequest request) {
    assertThat(store.moves.move(request)).contains(new Answer.Moved());
  }

  private void learn(JobId job, AttemptId attempt, String says) throws SQLException {
    try (Connection connection = postgres.dataSource().getConnection();
        PreparedStatement insert =
            connection.prepareStatement(
                """
                INSERT INTO onejob.evidence
                  (job_id, attempt_id, owner, source, strength, says, digest, bytes)
                VALUES (?, ?, 'tester', 'lookup', 'hint', ?, '', 0)
                """)) {
      insert.setObject(1, job.uuid());
      insert.setObject(2, attempt.uuid());
      insert.setString(3, says);
      insert.executeUpdate();
    }
  }

  @Test
  void whatever_somebody_who_decides_has_to_know_gives_another_mark() throws Exception {
    JobId job = store.admit("k", RACING);
    Set<Mark> marks = new HashSet<>();
    assertThat(marks.add(mark(job))).isTrue();
    AttemptId attempt = store.started(job);
    assertThat(marks.add(mark(job))).as("started").isTrue();
    move(StoreFixture.accepted(job, attempt));
    assertThat(marks.add(mark(job))).as("accepted").isTrue();
    move(StoreFixture.doubt(job, attempt));
    assertThat(marks.add(mark(job))).as("in doubt").isTrue();
    move(StoreFixture.accepted(job, attempt));
    marks.add(mark(job));
    move(StoreFixture.doubt(job, attempt));
    assertThat(marks.add(mark(job))).as("in doubt once more").isTrue();
    learn(job, attempt, "not found");
    assertThat(marks.add(mark(job))).as("evidence").isTrue();
    move(MoveRequest.of(job, new JobEvent.CancelRequest()));
    assertThat(marks.add(mark(job))).as("a cancel was asked").isTrue();
    move(resolution(job, attempt, Verdict.ABANDON));
    assertThat(marks.add(mark(job))).as("abandoned").isTrue();

    assertThat(mark(job)).as("nothing has happened").isEqualTo(mark(job));
  }

  private static MoveRequest resolution(JobId job, AttemptId attempt, Verdict verdict) {
    return StoreFixture.decision(
        job, new JobEvent.Resolve(attempt, verdict, Then.WAIT), verdict.word(), Then.WAIT);
  }

  @Test
  void a_move_about_the_job_as_it_was_seen_is_made() {
    JobId job = store.admit("k", PLAIN);
    AttemptId attempt = store.started(job);
    move(StoreFixture.doubt(job, attempt));

    move(resolution(job, attempt, Verdict.ABANDON).asOf(mark(job)));

    AttemptId second = StoreFixture.attemptId();
    assertThat(store.moves.move(StoreFixture.button(job, second).asOf(mark(job))))
        .hasValueSatisfying(it -> assertThat(it).isInstanceOf(Answer.Started.class));
  }

  @Test
  void no_move_is_made_about_a_job_that_has_changed_since_it_was_seen() throws Exception {
    JobId job = store.admit("k", PLAIN);
    AttemptId attempt = store.started(job);
    move(StoreFixture.doubt(job, attempt));
    Mark seen = mark(job);
    learn(job, attempt, "it did act");
    Job before = store.job(job);

    for (MoveRequest request :
        List.of(
            resolution(job, attempt, Verdict.ABANDON),
            resolution(job, attempt, Verdict.STILL_RUNNING),
            StoreFixture.decision(
                job, new JobEvent.ResolveDone(attempt, StoreFixture.REPORT), "done", null),
            StoreFixture.decision(
                job, new JobEvent.Acknowledge(Then.WAIT), "acknowledge", Then.WAIT),
            StoreFixture.decision(job, new JobEvent.Reopen(1, null), "reopen", null),
            MoveRequest.of(job, new JobEvent.CancelRequest()),
            StoreFixture.button(job, StoreFixture.attemptId()))) {
      assertThat(store.moves.move(request.asOf(seen)))
          .as("%s", request.event())
          .contains(new Answer.Changed());
      assertThat(store.moves.move(request.asOf(new Mark(""))))
          .as("%s without a mark", request.event())
          .contains(new Answer.Changed());
    }
    assertThat(store.job(job)).usingRecursiveComparison().isEqualTo(before);
  }

  /** A doubt that ended and came again shows the same states under the same version. */
  @Test
  void an_attempt_that_went_back_to_work_is_not_abandoned_by_who_saw_it_in_doubt() {
    JobId job = store.admit("k", PLAIN);
    AttemptId attempt = store.started(job);
    move(StoreFixture.doubt(job, attempt));
    Mark seen = mark(job);
    move(StoreFixture.accepted(job, attempt));
    MoveRequest abandon = resolution(job, attempt, Verdict.ABANDON).asOf(seen);

    assertThat(store.moves.move(abandon)).contains(new Answer.Changed());
    move(StoreFixture.doubt(job, attempt));

    assertThat(store.moves.move(abandon)).contains(new Answer.Changed());
  }

  @Test
  void that_the_job_has_changed_is_judged_behind_its_lock() throws Exception {
    JobId job = store.admit("k", PLAIN);
    AttemptId attempt = store.started(job);
    move(StoreFixture.doubt(job, attempt));
    Mark seen = mark(job);
    try (TwoSessions two = new TwoSessions(postgres.dataSource())) {
      two.hold("SELECT 1 FROM onejob.job WHERE id = ? FOR NO KEY UPDATE", job.uuid());
      Future<Optional<Answer>> waiting =
          meanwhile(() -> store.moves.move(resolution(job, attempt, Verdict.ABANDON).asOf(seen)));
      two.awaitBlocked(1);
      two.hold("UPDATE onejob.job SET version = version + 1 WHERE id = ?", job.uuid());
      two.commit();

      assertThat(waiting.get(10, TimeUnit.SECONDS)).contains(new Answer.Changed());
    }
    assertThat(store.job(job).attempts().getFirst().resolutions()).isEmpty();
  }
}
