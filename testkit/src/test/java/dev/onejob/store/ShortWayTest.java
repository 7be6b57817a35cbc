package dev.onejob.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.onejob.domain.Answer;
import dev.onejob.domain.AttemptId;
import dev.onejob.domain.JobId;
import dev.onejob.domain.JobStanding.KindRules;
import dev.onejob.domain.JobState;
import dev.onejob.domain.WhenUnqualified;
import dev.onejob.testkit.PostgresExtension;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Births, starts and claims of the slot in one transaction. */
class ShortWayTest {
  @RegisterExtension final PostgresExtension postgres = new PostgresExtension();

  private StoreFixture store;

  @BeforeEach
  void open() {
    store = new StoreFixture(postgres.dataSource());
  }

  private static NewJob newJob(String key) {
    return StoreFixture.newJob(key, StoreFixture.PLAIN);
  }

  @Test
  void moves_of_all_sorts_share_a_transaction_and_each_gets_its_own_answer() {
    NewJob birth = newJob("birth");
    JobId toStart = store.admit("to-start", StoreFixture.PLAIN);
    JobId toFinish = store.admit("to-finish", StoreFixture.PLAIN);
    AttemptId finishing = store.started(toFinish);
    AttemptId starting = StoreFixture.attemptId();

    List<Write.Written> written =
        store.shortWay.write(
            List.of(
                new Write.ClaimSlot(StoreFixture.finish(toFinish, finishing, 0)),
                new Write.Admit(birth, null),
                new Write.Start(StoreFixture.start(toStart, starting))));

    assertThat(written.get(0)).isEqualTo(new Write.Moved(new Answer.Moved()));
    assertThat(written.get(1)).isInstanceOf(Write.Born.class);
    assertThat(written.get(2)).isEqualTo(new Write.Moved(new Answer.Started(starting, 1, 0)));
    assertThat(store.job(toFinish).standing().state()).isEqualTo(JobState.SUCCEEDED);
    assertThat(store.job(toStart).standing().state()).isEqualTo(JobState.RUNNING);
    assertThat(store.job(birth.id()).standing().state()).isEqualTo(JobState.QUEUED);
  }

  @Test
  void what_the_short_way_does_not_cover_is_not_written_and_the_rest_is() {
    store.admit("taken", StoreFixture.PLAIN);
    JobId running = store.admit("running", StoreFixture.PLAIN);
    AttemptId first = store.started(running);
    JobId stale = store.admit("stale", StoreFixture.PLAIN);
    AttemptId late = store.started(stale);
    NewJob fresh = newJob("fresh");

    List<Write.Written> written =
        store.shortWay.write(
            List.of(
                new Write.Admit(newJob("taken"), null),
                new Write.Start(StoreFixture.start(running, StoreFixture.attemptId())),
                new Write.ClaimSlot(StoreFixture.finish(stale, late, 7)),
                new Write.Start(StoreFixture.start(StoreFixture.jobId(), StoreFixture.attemptId())),
                new Write.Admit(fresh, null)));

    assertThat(written.subList(0, 4)).containsOnly(Write.NOT_WRITTEN);
    assertThat(written.get(4)).isInstanceOf(Write.Born.class);
    assertThat(store.life(running).attempts()).extracting(a -> a.id()).containsExactly(first);
    assertThat(store.job(stale).standing().state()).isEqualTo(JobState.RUNNING);
  }

  @Test
  void the_same_key_twice_makes_one_job() {
    List<Write.Written> written =
        store.shortWay.write(
            List.of(new Write.Admit(newJob("k"), null), new Write.Admit(newJob("k"), null)));

    assertThat(written).hasExactlyElementsOfTypes(Write.Born.class, Write.NotWritten.class);
  }

  @Test
  void the_same_key_twice_with_starts_makes_one_job_with_one_attempt() {
    NewJob one = newJob("k");
    NewJob other = newJob("k");

    List<Write.Written> written =
        store.shortWay.write(List.of(startedWithIt(one), startedWithIt(other)));

    assertThat(written)
        .filteredOn(Write.Born.class::isInstance)
        .singleElement()
        .isInstanceOfSatisfying(Write.Born.class, born -> assertThat(born.started()).isTrue());
    assertThat(written).contains(Write.NOT_WRITTEN);
    NewJob made = written.getFirst() instanceof Write.Born ? one : other;
    assertThat(store.life(made.id()).attempts()).hasSize(1);
    assertThat(store.job(made.id()).standing().state()).isEqualTo(JobState.RUNNING);
  }

  @Test
  void births_with_and_without_starts_share_a_transaction_and_each_says_what_it_is() {
    NewJob queued = newJob("queued");
    NewJob running = newJob("running");

    List<Write.Written> written =
        store.shortWay.write(List.of(new Write.Admit(queued, null), startedWithIt(running)));

    assertThat(written)
        .extracting(one -> ((Write.Born) one).started())
        .containsExactly(false, true);
    assertThat(store.life(queued.id()).attempts()).isEmpty();
    assertThat(store.life(running.id()).attempts()).hasSize(1);
  }

  private static Write.Admit startedWithIt(NewJob job) {
    return new Write.Admit(job, StoreFixture.start(job.id(), StoreFixture.attemptId()));
  }

  @Test
  void a_row_that_breaks_a_check_takes_all_sorts_back_with_it() {
    JobId toStart = store.admit("to-start", StoreFixture.PLAIN);
    NewJob broken = StoreFixture.newJob("broken", new KindRules(0, null, WhenUnqualified.WAIT));

    assertThatThrownBy(
            () ->
                store.shortWay.write(
                    List.of(
                        new Write.Start(StoreFixture.start(toStart, StoreFixture.attemptId())),
                        new Write.Admit(broken, null))))
        .isInstanceOfSatisfying(StoreException.class, e -> assertThat(e.blamesTheRow()).isTrue());
    assertThat(store.job(toStart).standing().state()).isEqualTo(JobState.QUEUED);
  }
}
