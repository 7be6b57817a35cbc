package dev.onejob.server.ui.playground;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.postgresql.ds.PGSimpleDataSource;

class FailingRunTest {
  @RegisterExtension static final PlayedGround GROUND = new PlayedGround();

  /** Nothing listens there. */
  private static final String NOWHERE = "jdbc:postgresql://127.0.0.1:1/jobs";

  private static final Choice CHOICE = Choice.usual(Preset.CLICK_TWICE);

  private final Journal journal = new Journal(System::nanoTime);

  @Test
  void what_fails_is_told_in_a_fixed_sentence_and_its_text_is_for_the_log_alone() {
    PGSimpleDataSource nowhere = new PGSimpleDataSource();
    nowhere.setUrl(NOWHERE);
    Ground ground = GROUND.ground(nowhere, () -> true);
    OnejobSide onejob = GROUND.onejob(ground, CHOICE, journal);
    UsualSide usual = GROUND.usual(ground, CHOICE, journal);
    Scripts scripts = new Scripts(CHOICE, onejob, usual, journal);
    scripts.begin(
        GROUND.threads(),
        () -> {
          throw new IllegalStateException("jdbc:postgresql://db.internal/jobs?password=s3cr3t");
        },
        () -> {});
    await().atMost(Duration.ofSeconds(60)).until(scripts::done);
    Run run = new Run("id", PlayedGround.WHO, CHOICE, ground, onejob, usual, journal);

    run.watch(scripts);

    assertThat(run.over()).isTrue();
    assertThat(run.shown().verdict()).isEqualTo("The run has ended early.");
    List<String> told =
        journal.steps().stream().map(each -> each.did() + ": " + each.why()).toList();
    assertThat(told)
        .containsExactly(
            "This could not go on: Something has failed on this node; its log says what.",
            "The run has ended early: Something has failed on this node; its log says what.");
  }
}
