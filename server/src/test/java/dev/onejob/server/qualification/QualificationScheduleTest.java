package dev.onejob.server.qualification;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.onejob.domain.Qualification;
import dev.onejob.domain.QualificationRun;
import dev.onejob.domain.QualificationRun.State;
import dev.onejob.server.config.Validity;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The schedule itself, from the loop of a node to the passes that it leaves. */
final class QualificationScheduleTest extends BesideAPeer {
  private static final Duration PATIENCE = Duration.ofMinutes(3);

  /** Due for its renewal a millisecond after it was made. */
  private static final Validity ALWAYS_DUE =
      new Validity(Duration.ofHours(12), Duration.ofHours(12).minusMillis(1));

  private List<QualificationRun> runs() {
    return bench.runs().list("invoice", "backup", 10);
  }

  private void awaitEnded(int count) {
    await()
        .atMost(PATIENCE)
        .pollInterval(Duration.ofMillis(100))
        .until(
            this::runs,
            runs ->
                runs.size() == count
                    && runs.stream().allMatch(run -> run.state() != State.RUNNING));
  }

  @Test
  void a_pass_is_made_anew_by_the_schedule_and_one_that_fails_then_is_withdrawn_and_left_alone() {
    Validity never = new Validity(Duration.ofHours(12), Duration.ZERO);
    bench.settle(never, Duration.ZERO);
    bench.open("backup");
    bench.qualifier().start();
    awaitEnded(1);
    assertThat(passes()).hasSize(1);

    bench.settle(ALWAYS_DUE, Duration.ofMinutes(2));
    awaitEnded(2);

    assertThat(runs().getFirst().requestedBy()).isEqualTo("schedule");
    assertThat(passes()).hasSize(2);
    assertThat(passes()).extracting(Qualification::run).contains(runs().getFirst().id().toString());
    Qualification renewed = passes().getFirst();
    assertThat(Duration.between(renewed.passedAt(), renewed.validUntil()))
        .isEqualTo(ALWAYS_DUE.validFor());
    assertThat(renewed.withdrawal()).isNull();

    peer.turn(Fault.SUMS_WRONG);
    bench.settle(ALWAYS_DUE, Duration.ofMinutes(4));
    awaitEnded(3);

    assertThat(runs().getFirst().state()).isEqualTo(State.FAILED);
    assertThat(passes()).hasSize(2).allMatch(pass -> pass.withdrawal() != null);
    bench.settle(ALWAYS_DUE, Duration.ofMinutes(6));
    await()
        .during(Duration.ofSeconds(2)) // several looks of the schedule
        .atMost(PATIENCE)
        .until(() -> runs().size() == 3);
  }
}
