package dev.onejob.server.ui.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.onejob.domain.Attempt;
import dev.onejob.domain.AttemptId;
import dev.onejob.domain.AttemptStanding;
import dev.onejob.domain.AttemptState;
import dev.onejob.domain.Effect;
import dev.onejob.domain.Evidence;
import dev.onejob.domain.IntentKey;
import dev.onejob.domain.Job;
import dev.onejob.domain.JobId;
import dev.onejob.domain.JobStanding;
import dev.onejob.domain.Owner;
import dev.onejob.domain.StartCause;
import dev.onejob.domain.WhenUnqualified;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class TimelineTest {
  private static final Instant BEGIN = Instant.parse("2026-11-30T12:00:00Z");
  private static final JobId JOB = JobId.next(BEGIN.toEpochMilli(), new Random(1));
  private static final AttemptId ATTEMPT = AttemptId.next(BEGIN.toEpochMilli(), new Random(2));

  @Test
  void an_attempt_goes_from_starting_to_running_to_doubt_up_to_now() {
    Timeline timeline = Timeline.of(job(attempt(10, 20, 40)), List.of(), at(100));

    assertThat(timeline.lanes().getFirst().bars())
        .extracting(Timeline.Bar::phase, Timeline.Bar::from, Timeline.Bar::width)
        .containsExactly(
            tuple("starting", 10.0, 10.0),
            tuple("running", 20.0, 20.0),
            tuple("unknown", 40.0, 60.0));
    assertThat(timeline.slot()).isNull();
  }

  @Test
  void an_attempt_that_is_accepted_late_is_in_doubt_no_longer() {
    Timeline timeline = Timeline.of(job(attempt(0, 60, 20)), List.of(), at(100));

    assertThat(timeline.lanes().getFirst().bars())
        .extracting(Timeline.Bar::phase, Timeline.Bar::from, Timeline.Bar::width)
        .containsExactly(
            tuple("starting", 0.0, 20.0),
            tuple("running", 60.0, 40.0),
            tuple("unknown", 20.0, 40.0));
  }

  @Test
  void everything_stays_within_the_picture_whatever_the_clocks_say() {
    Timeline timeline = Timeline.of(job(attempt(-50, null, null)), List.of(at(-9), at(30)), at(-5));

    assertThat(timeline.end()).isEqualTo(at(1));
    assertThat(timeline.lanes().getFirst().bars())
        .allSatisfy(
            bar -> {
              assertThat(bar.from()).isBetween(0.0, 100.0);
              assertThat(bar.width()).isBetween(0.0, 100.0);
            });
    assertThat(timeline.repeats()).extracting(Timeline.Mark::at).containsExactly(0.0, 100.0);
  }

  @Test
  void moments_are_told_in_their_order() {
    Timeline timeline = Timeline.of(job(attempt(10, 20, 40)), List.of(at(15)), at(100));

    assertThat(timeline.moments())
        .extracting(Timeline.Moment::says)
        .containsExactly(
            "admitted",
            "attempt 1 at a was started, by dispatch",
            "the key was repeated, at most two seconds before",
            "attempt 1 was accepted",
            "attempt 1 came to be in doubt",
            "attempt 1: lookup (hint): not found");
    assertThat(timeline.lanes().getFirst().marks())
        .extracting(Timeline.Mark::sort)
        .containsExactly("probe", "probe");
  }

  private static Instant at(long seconds) {
    return BEGIN.plusSeconds(seconds);
  }

  private static Attempt attempt(
      long startedAt, @Nullable Integer acceptedAt, @Nullable Integer unknownAt) {
    return new Attempt(
        new AttemptStanding(ATTEMPT, 1, "a", AttemptState.UNKNOWN, 0, at(startedAt), null, null),
        JOB,
        new Owner("shop"),
        StartCause.DISPATCH,
        null,
        "key",
        null,
        "node",
        null,
        null,
        acceptedAt == null ? null : at(acceptedAt),
        unknownAt == null ? null : at(unknownAt),
        null,
        null,
        null,
        null,
        null,
        List.of(),
        unknownAt == null
            ? List.of()
            : List.of(new Evidence("lookup", "hint", "not found", "", 0, at(50), 3, at(70))),
        null);
  }

  private static Job job(Attempt attempt) {
    JobStanding standing =
        JobStanding.admitted(
            List.of("a"), BEGIN, null, new JobStanding.KindRules(3, null, WhenUnqualified.WAIT));
    return new Job(
        JOB,
        new Owner("shop"),
        new IntentKey("k"),
        "demo",
        Effect.EXCLUSIVE,
        new byte[] {'1'},
        standing,
        0,
        List.of(),
        BEGIN,
        null,
        null,
        null,
        0,
        List.of(attempt),
        List.of(),
        List.of());
  }
}
