package dev.onejob.server.ui.playground;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.onejob.domain.Attempt;
import dev.onejob.domain.AttemptId;
import dev.onejob.domain.AttemptStanding;
import dev.onejob.domain.AttemptState;
import dev.onejob.domain.Evidence;
import dev.onejob.domain.Job;
import dev.onejob.domain.JobId;
import dev.onejob.domain.StartCause;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OnejobSideTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final Choice CUT = PlayedGround.choice(Preset.ABANDON, 0, Play.Outcome.CUT);

  @RegisterExtension static final PlayedGround GROUND = new PlayedGround();

  private final Journal journal = new Journal(System::nanoTime);

  @Test
  void what_the_engine_refuses_is_not_told_as_done() {
    OnejobSide side = GROUND.onejob(GROUND.ground(), CUT, journal);
    Job seen = inDoubt(side);
    Attempt attempt = seen.attempts().getFirst();
    GROUND
        .engine()
        .resolve(attempt.standing().id(), Said.abandoning("ours", PlayedGround.WHO.name()));

    side.abandon("Abandon", "late");

    Step told = journal.steps().getLast();
    assertThat(told.did()).isEqualTo("Abandon");
    assertThat(told.got())
        .startsWith("409 verdict-not-allowed")
        .contains("Nothing was changed: the attempt has already cancelled.")
        .doesNotContain("fenced");

    new LettingGo(GROUND.engine(), PlayedGround.WHO.name(), journal).of(seen);

    assertThat(journal.steps().getLast().why())
        .contains("the job is cancelled: done.")
        .contains("Attempt 1 is abandoned: refused, as the attempt has already cancelled.");
  }

  @Test
  void what_the_engine_does_is_told_as_done() {
    OnejobSide side = GROUND.onejob(GROUND.ground(), CUT, journal);
    inDoubt(side);

    side.abandon("Abandon", "we do not wait");

    assertThat(journal.steps().getLast().got())
        .isEqualTo("200, the attempt is cancelled and fenced");
    assertThat(OnejobSide.state(side.look().orElseThrow().attempts().getFirst()))
        .isEqualTo(AttemptState.CANCELLED);
    side.tidyUp();
    assertThat(journal.steps().getLast().why()).contains("the job is cancelled: done.");
    assertThat(side.look().filter(each -> each.standing().state().terminal())).isPresent();
  }

  private static Job inDoubt(OnejobSide side) {
    side.click("one", "Click");
    return await()
        .atMost(PATIENCE)
        .until(side::look, seen -> seen.filter(each -> each.standing().inDoubt() == 1).isPresent())
        .orElseThrow();
  }

  @Test
  void one_look_is_one_reading_for_all_who_want_to_know() throws Exception {
    AtomicInteger taken = new AtomicInteger();
    Ground ground = GROUND.ground(counted(GROUND.dataSource(), taken), () -> false);
    OnejobSide side = GROUND.onejob(ground, CUT, journal);
    side.click("one", "Click");
    assertThat(taken.get()).isZero();

    await()
        .atMost(PATIENCE)
        .until(() -> side.look().filter(each -> !each.attempts().isEmpty()).isPresent());
    int before = taken.get();
    side.look();
    side.view(SandboxCount.NOTHING, 1_000);
    side.quiet();
    side.ended();
    assertThat(side.seen()).isPresent();
    assertThat(side.awaitAttempt(each -> true, PATIENCE)).isPresent();

    assertThat(taken.get() - before).isEqualTo(1);
    side.tidyUp();
  }

  private static DataSource counted(DataSource real, AtomicInteger taken) {
    return (DataSource)
        Proxy.newProxyInstance(
            OnejobSideTest.class.getClassLoader(),
            new Class<?>[] {DataSource.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("getConnection")) {
                taken.incrementAndGet();
              }
              try {
                return method.invoke(real, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  @ParameterizedTest
  @CsvSource({
    "LOST, , true",
    "CANCELLED, , false",
    "CANCELLED, 'succeeded, ended as cancelled; the job is contested', true",
    "CANCELLED, 'failed: sandbox-refused, ended as cancelled', false",
    "CANCELLED, at work, false",
    "FAILED, 'succeeded, ended as failed', true",
    "SUCCEEDED, 'succeeded, while in doubt; now succeeded', false",
    "UNKNOWN, succeeded, false",
  })
  void only_a_result_can_be_thrown_away(AttemptState state, String says, boolean dropped) {
    assertThat(OnejobSide.isDropped(attempt(state, says))).isEqualTo(dropped);
  }

  private static Attempt attempt(AttemptState state, String says) {
    Instant now = Instant.EPOCH;
    AttemptId id = AttemptId.next(now.toEpochMilli(), ThreadLocalRandom.current());
    List<Evidence> evidence =
        says == null
            ? List.of()
            : List.of(new Evidence("late_answer", "proof", says, "", 0, now, 1, now));
    return new Attempt(
        new AttemptStanding(id, 1, "playground-a", state, 1, now, null, null),
        JobId.next(now.toEpochMilli(), ThreadLocalRandom.current()),
        PlayedGround.WHO.owner(),
        StartCause.DISPATCH,
        null,
        "key",
        null,
        "node",
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        List.of(),
        evidence,
        null);
  }
}
