package dev.onejob.store;

import static dev.onejob.store.StoreFixture.PLAIN;
import static org.assertj.core.api.Assertions.assertThat;

import dev.onejob.domain.Answer;
import dev.onejob.domain.Answer.Contest;
import dev.onejob.domain.AttemptId;
import dev.onejob.domain.Evidence;
import dev.onejob.domain.Failure;
import dev.onejob.domain.JobEvent;
import dev.onejob.domain.JobId;
import dev.onejob.domain.Report;
import dev.onejob.domain.Retryability;
import dev.onejob.domain.Then;
import dev.onejob.domain.Verdict;
import dev.onejob.testkit.PostgresExtension;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Reports about attempts that have ended, and the same reports again. */
class LateReportsTest {
  private static final Report OTHER = new Report(Report.Outcome.SUCCEEDED, "b".repeat(64), 11);

  @RegisterExtension final PostgresExtension postgres = new PostgresExtension();

  private StoreFixture store;
  private JobId job;
  private AttemptId abandoned;

  @BeforeEach
  void abandon() {
    store = new StoreFixture(postgres.dataSource());
    job = store.admit("k", PLAIN);
    abandoned = store.started(job);
    JobEvent abandon = new JobEvent.Resolve(abandoned, Verdict.ABANDON, Then.WAIT);
    assertThat(move(StoreFixture.decision(job, abandon, "abandon", Then.WAIT)))
        .isInstanceOf(Answer.Moved.class);
  }

  private Answer move(MoveRequest request) {
    return store.moves.move(request).orElseThrow();
  }

  private Answer finish(Report report) {
    return move(
        new MoveRequest(
            job,
            new JobEvent.Finish(abandoned, report),
            new MoveRequest.Payload(StoreFixture.RESULT, null, 0)));
  }

  private void acknowledge() {
    JobEvent seen = new JobEvent.Acknowledge(Then.WAIT);
    assertThat(move(StoreFixture.decision(job, seen, "acknowledge", Then.WAIT)))
        .isInstanceOf(Answer.Moved.class);
  }

  private boolean contested() {
    return store.job(job).standing().contested();
  }

  private List<Evidence> evidence() {
    return store.job(job).attempts().getFirst().evidence();
  }

  @Test
  void the_same_report_again_is_counted_and_answered_as_the_first_time() {
    Answer first = finish(StoreFixture.REPORT);
    Answer again = finish(StoreFixture.REPORT);

    assertThat(first).isEqualTo(new Answer.Recorded(Contest.CONTESTED));
    assertThat(again).isEqualTo(first);
    assertThat(evidence())
        .singleElement()
        .satisfies(
            kept -> {
              assertThat(kept.times()).isEqualTo(2);
              assertThat(kept.lastAt()).isAfter(kept.learnedAt());
            });
  }

  @Test
  void the_same_report_after_an_acknowledgement_contests_nothing_again() {
    finish(StoreFixture.REPORT);
    acknowledge();
    long version = store.job(job).standing().version();

    Answer again = finish(StoreFixture.REPORT);

    assertThat(again).isEqualTo(new Answer.Recorded(Contest.CONTESTED));
    assertThat(contested()).isFalse();
    assertThat(store.job(job).standing().version()).isEqualTo(version);
    assertThat(evidence()).singleElement().extracting(Evidence::times).isEqualTo(2);
  }

  @Test
  void another_result_or_another_class_of_report_is_news() {
    finish(StoreFixture.REPORT);
    acknowledge();

    assertThat(finish(OTHER)).isEqualTo(new Answer.Recorded(Contest.CONTESTED));
    assertThat(contested()).isTrue();
    Failure failure = new Failure("refused", "no");
    Report failed = new Report(Report.Outcome.FAILED, StoreFixture.REPORT.digest(), 0);
    move(
        new MoveRequest(
            job,
            new JobEvent.Fail(abandoned, failure, Retryability.FINAL, Duration.ZERO, failed),
            new MoveRequest.Cause(failure)));
    assertThat(evidence()).hasSize(3).extracting(Evidence::times).containsOnly(1);
  }

  @Test
  void a_late_acknowledgement_by_the_provider_contests_once() {
    move(StoreFixture.accepted(job, abandoned));
    acknowledge();
    move(StoreFixture.accepted(job, abandoned));

    assertThat(contested()).isFalse();
    assertThat(evidence()).singleElement().extracting(Evidence::times).isEqualTo(2);
  }
}
