package dev.onejob.store;

import static dev.onejob.store.TwoSessions.meanwhile;
import static org.assertj.core.api.Assertions.assertThat;

import dev.onejob.domain.Answer;
import dev.onejob.domain.JobId;
import dev.onejob.domain.JobState;
import dev.onejob.testkit.PostgresExtension;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Future;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Starts of what a look has found, together and without waiting for anybody. */
class TakingDueJobsTest {
  private static final String LOCK_JOB =
      """
      SELECT FROM onejob.job WHERE id = ? FOR NO KEY UPDATE
      """;

  @RegisterExtension final PostgresExtension postgres = new PostgresExtension();

  private StoreFixture store;

  @BeforeEach
  void open() {
    store = new StoreFixture(postgres.dataSource());
  }

  private List<Optional<Answer.Started>> take(JobId... jobs) {
    List<MoveRequest> starts = new ArrayList<>();
    for (JobId job : jobs) {
      starts.add(StoreFixture.start(job, StoreFixture.attemptId()));
    }
    return store.shortWay.take(starts);
  }

  private JobId due(String key) {
    return store.admit(key, StoreFixture.PLAIN);
  }

  @Test
  void what_is_due_is_started_and_each_gets_its_own_answer() {
    JobId one = due("one");
    JobId other = due("other");

    List<Optional<Answer.Started>> answers = take(one, other);

    assertThat(answers).allSatisfy(it -> assertThat(it).containsInstanceOf(Answer.Started.class));
    assertThat(store.job(one).standing().state()).isEqualTo(JobState.RUNNING);
    assertThat(store.life(other).attempts()).hasSize(1);
  }

  @Test
  void what_somebody_else_holds_is_let_be_and_nobody_waits() throws Exception {
    JobId held = due("held");
    JobId free = due("free");
    try (TwoSessions two = new TwoSessions(postgres.dataSource())) {
      two.hold(LOCK_JOB, held.uuid());

      List<Optional<Answer.Started>> answers = take(held, free);

      assertThat(answers.getFirst()).isEmpty();
      assertThat(answers.getLast()).containsInstanceOf(Answer.Started.class);
      two.rollBack();
    }
    assertThat(store.job(held).standing().state()).isEqualTo(JobState.QUEUED);
    assertThat(take(held).getFirst()).containsInstanceOf(Answer.Started.class);
  }

  @Test
  void what_has_been_started_since_is_let_be() {
    JobId job = due("job");
    store.started(job);

    assertThat(take(job).getFirst()).isEmpty();
    assertThat(store.life(job).attempts()).hasSize(1);
  }

  @Test
  void nodes_that_have_found_the_same_start_each_job_once() throws Exception {
    List<JobId> jobs = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      jobs.add(due("job" + i));
    }
    JobId[] all = jobs.toArray(JobId[]::new);

    Future<List<Optional<Answer.Started>>> one = meanwhile(() -> take(all));
    Future<List<Optional<Answer.Started>>> other = meanwhile(() -> take(all));

    List<Optional<Answer.Started>> ones = one.get();
    List<Optional<Answer.Started>> others = other.get();
    for (int i = 0; i < all.length; i++) {
      assertThat(ones.get(i).isPresent() && others.get(i).isPresent()).isFalse();
    }
    take(all); // whatever both have let be
    assertThat(jobs).allSatisfy(job -> assertThat(store.life(job).attempts()).hasSize(1));
  }
}
