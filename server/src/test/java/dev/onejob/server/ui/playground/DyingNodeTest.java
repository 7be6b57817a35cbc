package dev.onejob.server.ui.playground;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.onejob.server.config.PlaygroundKinds;
import dev.onejob.server.ui.playground.NodeToKill.Call;
import dev.onejob.server.ui.playground.NodeToKill.Ended;
import dev.onejob.server.ui.playground.NodeToKill.Order;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class DyingNodeTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  @RegisterExtension static final PlayedGround GROUND = new PlayedGround();

  private final Journal left = new Journal(System::nanoTime);
  private final Journal right = new Journal(System::nanoTime);
  private final Ground ground = GROUND.ground();
  private OnejobSide onejob;
  private UsualSide usual;

  private void sides(long delayMillis) {
    Choice choice = PlayedGround.choice(Preset.NODE_DIES, delayMillis, Play.Outcome.SUCCEED);
    onejob = GROUND.onejob(ground, choice, left);
    usual = GROUND.usual(ground, choice, right);
  }

  @AfterEach
  void leaveNothingOnTheDesk() {
    onejob.look();
    onejob.tidyUp();
  }

  private Order order() {
    UsualCall call = usual.fresh(PlaygroundKinds.FIRST, "one");
    return new Order("to-be-killed", onejob.submission("one"), call);
  }

  @Test
  void a_call_that_had_its_answer_before_the_kill_is_told_from_one_that_was_open()
      throws Exception {
    sides(0);
    try (NodeToKill second = NodeToKill.start(GROUND.grounds(), order(), GROUND.threads())) {
      await().atMost(PATIENCE).until(second::hasHeard);
      assertThat(second.kill()).isEqualTo(new Call(Ended.ANSWERED, 200));
    }
    sides(Play.DELAY_MILLIS_MAX);
    try (NodeToKill second = NodeToKill.start(GROUND.grounds(), order(), GROUND.threads())) {
      await().atMost(PATIENCE).until(() -> requests() == 1);
      assertThat(second.kill()).isEqualTo(new Call(Ended.NOT, 0));
    }
    assertThat(secondNodes()).isZero();
  }

  @Test
  void a_worker_that_had_just_finished_is_not_replaced_and_one_that_had_not_is() throws Exception {
    sides(0);
    dying().goOn(new Call(Ended.ANSWERED, 200));
    assertThat(right.steps()).extracting(Step::did).last().asString().contains("just finished");
    assertThat(usual.view(SandboxCount.NOTHING, 1_000).results()).isEqualTo(1);
    assertThat(usual.view(SandboxCount.NOTHING, 1_000).bars())
        .extracting(Bar::state)
        .containsExactly("succeeded");
    assertThat(usual.quiet()).isTrue();

    sides(0);
    dying().goOn(new Call(Ended.NOT, 0));
    await().atMost(PATIENCE).until(() -> requests() == 1);
    assertThat(right.steps()).extracting(Step::did).anyMatch(did -> did.contains("middle of"));
  }

  private DyingNode dying() {
    var parties = new DyingNode.Parties(onejob, usual, left, right);
    usual.elsewhere("A worker calls", usual.fresh(PlaygroundKinds.FIRST, "one"));
    return new DyingNode(new Semaphore(1), GROUND.grounds(), ground, "played", parties);
  }

  @Test
  void no_second_node_is_left_behind_by_a_node_that_stops_meanwhile() {
    sides(0);
    ExecutorService stopped = Executors.newVirtualThreadPerTaskExecutor();
    stopped.shutdown();

    assertThatThrownBy(() -> NodeToKill.start(GROUND.grounds(), order(), stopped))
        .isInstanceOf(RejectedExecutionException.class);

    assertThat(secondNodes()).isZero();
  }

  private long requests() {
    return SandboxCount.of(ground.counting().effects(usual.count())).allRequests();
  }

  private static long secondNodes() {
    return ProcessHandle.current()
        .descendants()
        .filter(each -> each.info().command().orElse("").endsWith("/java"))
        .count();
  }
}
