package dev.onejob.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.onejob.domain.Answer;
import dev.onejob.domain.AttemptId;
import dev.onejob.domain.Job;
import dev.onejob.domain.JobEvent;
import dev.onejob.domain.JobId;
import dev.onejob.domain.JobState;
import dev.onejob.domain.Then;
import dev.onejob.domain.Verdict;
import dev.onejob.testkit.PostgresExtension;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class RetentionTest {
  private static final Duration HOUR = Duration.ofHours(1);
  private static final Duration DAY = Duration.ofDays(1);

  @RegisterExtension final PostgresExtension postgres = new PostgresExtension();

  private StoreFixture store;
  private Retention retention;

  @BeforeEach
  void open() {
    store = new StoreFixture(postgres.dataSource());
    retention = new Retention(postgres.dataSource());
  }

  /** Makes what was told so far two hours older; the id of a job tells its age too. */
  private JobId older(JobId job) throws SQLException {
    JobId older =
        JobId.next(
            System.currentTimeMillis() - Duration.ofHours(2).toMillis(), new java.util.Random());
    execute(
        """
        WITH moved AS (
          INSERT INTO onejob.job
          SELECT (jsonb_populate_record(
            j, jsonb_build_object('id', ?::uuid, 'key', j.key || '+'))).*
          FROM onejob.job AS j WHERE j.id = ?::uuid)
        UPDATE onejob.attempt SET job_id = ?::uuid WHERE job_id = ?::uuid
        """,
        older.uuid(),
        job.uuid(),
        older.uuid(),
        job.uuid());
    execute("UPDATE onejob.evidence SET job_id = ? WHERE job_id = ?", older.uuid(), job.uuid());
    execute("UPDATE onejob.resolution SET job_id = ? WHERE job_id = ?", older.uuid(), job.uuid());
    execute("DELETE FROM onejob.job WHERE id = ?", job.uuid());
    execute(
        "UPDATE onejob.job SET ended_at = ended_at - interval '2 hours' WHERE id = ?",
        older.uuid());
    return older;
  }

  private void execute(String sql, Object... values) throws SQLException {
    try (Connection connection = postgres.dataSource().getConnection();
        PreparedStatement statement = connection.prepareStatement(sql)) {
      for (int i = 0; i < values.length; i++) {
        statement.setObject(i + 1, values[i]);
      }
      statement.executeUpdate();
    }
  }

  private JobId succeeded(String key) throws SQLException {
    JobId job = store.admit(key, StoreFixture.PLAIN);
    store.moves.move(StoreFixture.finish(job, store.started(job), 0));
    return older(job);
  }

  private JobId failed(String key) throws SQLException {
    JobId job =
        store
            .admissions
            .admit(List.of(StoreFixture.newJob(key, StoreFixture.PLAIN, Duration.ZERO, (byte) 0)))
            .getFirst()
            .id();
    store.moves.move(MoveRequest.of(job, new JobEvent.DeadlineReached()));
    return older(job);
  }

  @Test
  void what_an_older_node_empties_and_removes_takes_along_what_it_knows_nothing_of()
      throws SQLException {
    JobId id = store.admit("k", StoreFixture.PLAIN);
    AttemptId attempt = store.started(id);
    store.moves.move(StoreFixture.breached(id, attempt));
    store.moves.move(MoveRequest.of(id, new JobEvent.CancelRequest()));
    execute("INSERT INTO onejob.job_repeat (job_id, repeats) VALUES (?, 1)", id.uuid());
    assertThat(store.queries.brokenAnswer(attempt)).isPresent();

    execute(
        """
        UPDATE onejob.job SET
          input = NULL, result = NULL, payload_emptied_at = clock_timestamp()
        WHERE id = ? AND payload_emptied_at IS NULL
        """,
        id.uuid());

    assertThat(store.queries.brokenAnswer(attempt)).isEmpty();
    assertThat(store.job(id).attempts().getFirst().breach()).isNotNull();
    execute("DELETE FROM onejob.attempt WHERE job_id = ?", id.uuid());
    execute("DELETE FROM onejob.job WHERE id = ?", id.uuid());
    assertThat(store.queries.job(id)).isEmpty();
  }

  @Test
  void payloads_go_first_and_the_outcome_stays() throws SQLException {
    JobId id = succeeded("k");

    assertThat(retention.emptyPayloads(HOUR, 10).done()).isEqualTo(1);

    Job job = store.job(id);
    assertThat(job.input()).isNull();
    assertThat(job.result()).isNull();
    assertThat(job.payloadEmptiedAt()).isNotNull();
    assertThat(job.standing().state()).isEqualTo(JobState.SUCCEEDED);
    assertThat(job.attempts())
        .singleElement()
        .satisfies(a -> assertThat(a.standing().report()).isEqualTo(StoreFixture.REPORT));
    assertThat(retention.emptyPayloads(HOUR, 10).done()).isZero();
  }

  @Test
  void what_ended_too_lately_is_looked_at_again_when_it_is_ripe() throws SQLException {
    JobId id = succeeded("k");

    assertThat(retention.emptyPayloads(DAY, 10).done()).isZero();
    execute(
        "UPDATE onejob.job SET ended_at = ended_at + interval '1 hour 59 minutes' WHERE id = ?",
        id.uuid());
    assertThat(retention.emptyPayloads(HOUR, 10).done()).isZero();
    assertThat(retention.emptyPayloads(HOUR, 10).done()).as("listed for later").isZero();
    execute(
        "UPDATE onejob.job SET ended_at = ended_at - interval '2 hours' WHERE id = ?", id.uuid());
    execute("UPDATE onejob.retention_later SET look_at = clock_timestamp()");

    assertThat(retention.emptyPayloads(HOUR, 10).done()).isEqualTo(1);
    assertThat(store.job(id).payloadEmptiedAt()).isNotNull();
  }

  @Test
  void a_contested_job_is_not_touched_before_somebody_has_looked_at_it() throws SQLException {
    JobId id = failed("k");
    execute(
        "UPDATE onejob.job SET contested = true, at_desk_since = now() WHERE id = ?", id.uuid());

    assertThat(retention.emptyPayloads(HOUR, 10).done()).isZero();
    assertThat(store.job(id).payloadEmptiedAt()).isNull();
  }

  @Test
  void a_job_that_is_queued_running_or_in_doubt_is_never_touched() throws SQLException {
    JobId queued = older(store.admit("queued", StoreFixture.PLAIN));
    JobId started = store.admit("running", StoreFixture.PLAIN);
    store.started(started);
    JobId running = older(started);
    JobId doubted = store.admit("doubt", StoreFixture.PLAIN);
    store.moves.move(StoreFixture.doubt(doubted, store.started(doubted)));
    JobId doubt = older(doubted);

    assertThat(retention.emptyPayloads(Duration.ofMillis(1), 10).done()).isZero();
    assertThat(retention.removeJobs(Duration.ofMillis(1), 10).done()).isZero();

    for (JobId id : List.of(queued, running, doubt)) {
      assertThat(store.job(id).input()).isNotNull();
    }
  }

  @Test
  void a_job_that_has_ended_with_an_attempt_still_live_is_never_touched() throws SQLException {
    JobId job = store.admit("k", StoreFixture.RACING);
    AttemptId loser = store.started(job);
    store.moves.move(StoreFixture.accepted(job, loser));
    AttemptId winner = StoreFixture.attemptId();
    store.moves.move(StoreFixture.button(job, winner));
    store.moves.move(StoreFixture.finish(job, winner, 0));
    JobId id = older(job);

    assertThat(store.job(id).standing().live()).isEqualTo(1);
    assertThat(retention.emptyPayloads(HOUR, 10).done()).isZero();
    assertThat(retention.removeJobs(HOUR, 10).done()).isZero();
    assertThat(store.job(id).result()).isNotNull();

    store.moves.move(MoveRequest.of(id, new JobEvent.Silence(loser)));
    execute("UPDATE onejob.retention_later SET look_at = clock_timestamp()");
    assertThat(retention.emptyPayloads(HOUR, 10).done()).isEqualTo(1);
  }

  @Test
  void a_job_held_by_somebody_is_left_for_later_and_nobody_waits() throws Exception {
    JobId held = succeeded("held");
    JobId free = succeeded("free");
    try (TwoSessions other = new TwoSessions(postgres.dataSource())) {
      other.hold("SELECT 1 FROM onejob.job WHERE id = ? FOR NO KEY UPDATE", held.uuid());

      assertThat(retention.emptyPayloads(HOUR, 10).done()).isEqualTo(1);
    }
    assertThat(store.job(free).payloadEmptiedAt()).isNotNull();
    assertThat(store.job(held).payloadEmptiedAt()).isNull();
    execute("UPDATE onejob.retention_later SET look_at = clock_timestamp()");
    assertThat(retention.emptyPayloads(HOUR, 10).done()).isEqualTo(1);
  }

  @Test
  void two_nodes_at_once_empty_every_job_once() throws Exception {
    List<JobId> jobs =
        IntStream.range(0, 60)
            .mapToObj(
                n -> {
                  try {
                    return succeeded("k" + n);
                  } catch (SQLException e) {
                    throw new IllegalStateException(e);
                  }
                })
            .toList();
    Future<Integer> one = TwoSessions.meanwhile(this::emptyAll);
    Future<Integer> two = TwoSessions.meanwhile(this::emptyAll);

    assertThat(one.get() + two.get() + emptyAll()).isEqualTo(jobs.size());
    assertThat(jobs).allSatisfy(id -> assertThat(store.job(id).payloadEmptiedAt()).isNotNull());
  }

  private int emptyAll() {
    int done = 0;
    Retention.Batch batch;
    do {
      batch = retention.emptyPayloads(HOUR, 7);
      done += batch.done();
    } while (batch.more());
    return done;
  }

  @Test
  void a_tombstone_that_is_removed_takes_all_of_the_job_along_and_frees_its_key()
      throws SQLException {
    JobId job = store.admit("k", StoreFixture.PLAIN);
    AttemptId attempt = store.started(job);
    store.moves.move(StoreFixture.doubt(job, attempt));
    store.moves.move(
        StoreFixture.decision(
            job, new JobEvent.Resolve(attempt, Verdict.ABANDON, Then.WAIT), "abandon", Then.WAIT));
    store.moves.move(StoreFixture.finish(job, attempt, 0));
    store.moves.move(
        StoreFixture.decision(job, new JobEvent.Acknowledge(Then.WAIT), "acknowledge", Then.WAIT));
    store.moves.move(MoveRequest.of(job, new JobEvent.CancelRequest()));
    assertThat(store.job(job).attempts().getFirst().evidence()).isNotEmpty();
    JobId id = older(job);
    JobId young = store.admit("young", StoreFixture.PLAIN);

    assertThat(retention.emptyPayloads(HOUR, 10).done()).isEqualTo(1);
    assertThat(retention.removeJobs(HOUR, 10).done()).isEqualTo(1);

    assertThat(store.queries.job(id)).isEmpty();
    assertThat(store.queries.jobOf(attempt)).isEmpty();
    assertThat(store.job(young).input()).isNotNull();
    assertThat(
            store
                .admissions
                .admit(List.of(StoreFixture.newJob("k+", StoreFixture.PLAIN)))
                .getFirst()
                .created())
        .isTrue();
  }

  @Test
  void an_emptied_job_is_not_reopened() throws SQLException {
    JobId id = failed("k");
    retention.emptyPayloads(HOUR, 10);

    Answer answer =
        store
            .moves
            .move(StoreFixture.decision(id, new JobEvent.Reopen(1, null), "reopen", null))
            .orElseThrow();

    assertThat(answer).isInstanceOf(Answer.NotAllowed.class);
    assertThat(((Answer.NotAllowed) answer).why()).contains("payloads of the job were emptied");
    assertThat(store.job(id).standing().state()).isEqualTo(JobState.FAILED);
  }

  @Test
  void a_reopened_job_that_was_listed_for_later_keeps_its_payload() throws SQLException {
    JobId id = failed("k");
    retention.emptyPayloads(DAY, 10);
    execute(
        "UPDATE onejob.job SET ended_at = ended_at + interval '90 minutes' WHERE id = ?",
        id.uuid());
    retention.emptyPayloads(HOUR, 10);
    store.moves.move(StoreFixture.decision(id, new JobEvent.Reopen(1, null), "reopen", null));
    execute("UPDATE onejob.retention_later SET look_at = clock_timestamp()");

    assertThat(retention.emptyPayloads(Duration.ofMillis(1), 10).done()).isZero();
    assertThat(store.job(id).input()).isNotNull();
  }

  @Test
  void the_table_refuses_an_emptied_payload_of_a_job_that_goes_on() throws SQLException {
    JobId id = store.admit("k", StoreFixture.PLAIN);

    assertThatThrownBy(
            () ->
                execute(
                    "UPDATE onejob.job SET input = NULL, payload_emptied_at = now() WHERE id = ?",
                    id.uuid()))
        .hasMessageContaining("job_emptied");
  }
}
