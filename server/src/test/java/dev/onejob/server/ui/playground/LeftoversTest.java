package dev.onejob.server.ui.playground;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.onejob.domain.Job;
import dev.onejob.domain.JobState;
import dev.onejob.domain.Resolution;
import dev.onejob.server.ui.playground.NodeToKill.Order;
import dev.onejob.store.DeskQueries;
import java.time.Duration;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class LeftoversTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final Choice LATE =
      PlayedGround.choice(Preset.ABANDON, 5_000, Play.Outcome.SUCCEED);
  private static final Choice CUT = PlayedGround.choice(Preset.ABANDON, 0, Play.Outcome.CUT);

  @RegisterExtension static final PlayedGround GROUND = new PlayedGround();

  private final Journal journal = new Journal(System::nanoTime);

  private static Leftovers leftovers(Duration age) {
    return new Leftovers(GROUND.dataSource(), GROUND.engine(), age);
  }

  @Test
  void what_is_in_doubt_is_let_go_of_once_its_run_must_be_over_and_not_before() {
    OnejobSide side = GROUND.onejob(GROUND.ground(), CUT, journal);
    side.click("one", "Click");
    await().atMost(PATIENCE).until(() -> seen(side, job -> job.standing().inDoubt() == 1));

    leftovers(Leftovers.AGE).letGo();
    assertThat(state(side)).isEqualTo(JobState.UNKNOWN);

    leftovers(Duration.ZERO).letGo();
    assertThat(state(side)).isEqualTo(JobState.CANCELLED);
    assertThat(decidedBy(side)).contains("playground");
    assertThat(desk()).isEmpty();
  }

  @Test
  void what_is_contested_by_a_late_answer_is_acknowledged() {
    OnejobSide side = GROUND.onejob(GROUND.ground(), LATE, journal);
    side.click("one", "Click");
    await().atMost(PATIENCE).until(() -> seen(side, job -> job.standing().inDoubt() == 1));
    side.abandon("Abandon", "we do not wait");
    await().atMost(PATIENCE).until(() -> seen(side, job -> job.standing().contested()));

    leftovers(Duration.ZERO).letGo();

    assertThat(seen(side, job -> job.standing().contested())).isFalse();
    assertThat(decidedBy(side)).contains("playground");
    assertThat(desk()).isEmpty();
  }

  @Test
  void the_job_of_a_killed_node_that_nobody_heard_of_is_let_go_of() throws Exception {
    Choice slow =
        PlayedGround.choice(Preset.NODE_DIES, Play.DELAY_MILLIS_MAX, Play.Outcome.SUCCEED);
    OnejobSide side = GROUND.onejob(GROUND.ground(), slow, journal);
    UsualSide usual = GROUND.usual(GROUND.ground(), slow, journal);
    Order order =
        new Order("to-be-killed", side.submission("one"), usual.fresh("playground-a", "one"));
    try (NodeToKill second = NodeToKill.start(GROUND.grounds(), order, GROUND.threads())) {
      second.kill();
    }

    await()
        .atMost(PATIENCE)
        .untilAsserted(
            () -> {
              leftovers(Duration.ZERO).letGo();
              assertThat(GROUND.unended()).isZero();
            });
    assertThat(desk()).isEmpty();
  }

  private static boolean seen(OnejobSide side, Predicate<Job> wanted) {
    return side.look().filter(wanted).isPresent();
  }

  private static JobState state(OnejobSide side) {
    return side.look().orElseThrow().standing().state();
  }

  /** Of the job and its attempts. */
  private static List<String> decidedBy(OnejobSide side) {
    Job job = side.look().orElseThrow();
    return Stream.concat(
            job.resolutions().stream(),
            job.attempts().stream().flatMap(each -> each.resolutions().stream()))
        .map(Resolution::decidedBy)
        .toList();
  }

  private static List<DeskQueries.Waiting> desk() {
    return new DeskQueries(GROUND.dataSource())
        .desk(new DeskQueries.Filter(null, null, null, null, 10));
  }
}
