package dev.onejob.server.ui.playground;

import static dev.onejob.server.config.PlaygroundKinds.FIRST;
import static dev.onejob.server.config.PlaygroundKinds.SECOND;

import dev.onejob.domain.Attempt;
import dev.onejob.domain.AttemptState;
import dev.onejob.server.config.PlaygroundKinds;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What a person does on each side, step by step, by the preset. */
final class Scripts {
  private static final Logger LOG = LoggerFactory.getLogger(Scripts.class);
  private static final Duration PATIENCE = Duration.ofSeconds(15);
  private static final String ORDER = "one";
  private static final String OTHER_ORDER = "two";
  private static final String FIRST_CLICK = "Click";
  private static final String SECOND_CLICK = "Click again, at once";

  /** Between a click and the next of an impatient person, in milliseconds. */
  private static final long HASTE_MILLIS = 200;

  /** How long an abandoned attempt's answer may be on its way into the record. */
  private static final long RECORD_MILLIS = 3_000;

  private final Choice choice;
  private final OnejobSide onejob;
  private final UsualSide usual;
  private final Journal journal;
  private CompletableFuture<Void> both = CompletableFuture.completedFuture(null);
  private volatile long doneAt = -1;

  Scripts(Choice choice, OnejobSide onejob, UsualSide usual, Journal journal) {
    this.choice = choice;
    this.onejob = onejob;
    this.usual = usual;
    this.journal = journal;
  }

  /** What a side does. */
  interface Side {
    void play() throws InterruptedException;
  }

  /** Begins both sides; returns at once. */
  void begin(ExecutorService threads) {
    begin(threads, this::left, this::right);
  }

  /** Begins what is not played by this script itself. */
  void begin(ExecutorService threads, Side left, Side right) {
    both =
        CompletableFuture.allOf(
                CompletableFuture.runAsync(() -> play(left), threads),
                CompletableFuture.runAsync(() -> play(right), threads))
            .whenComplete((nothing, failure) -> doneAt = journal.millis());
  }

  private void play(Side side) {
    try {
      side.play();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // the node stops
    } catch (RuntimeException e) {
      LOG.warn("a side of the playground could not go on", e);
      journal.note("This could not go on", "Something has failed on this node; its log says what.");
    }
  }

  boolean done() {
    return both.isDone() && doneAt >= 0;
  }

  long doneForMillis() {
    return done() ? journal.millis() - doneAt : 0;
  }

  /** Whether what was abandoned has been heard of, if it is going to be. */
  boolean lateAnswersSeen() {
    boolean heard =
        choice.preset() != Preset.ABANDON
            || onejob
                .seen()
                .filter(
                    job ->
                        job.attempts().stream()
                            .filter(each -> OnejobSide.state(each) == AttemptState.CANCELLED)
                            .allMatch(each -> !each.evidence().isEmpty()))
                .isPresent();
    return heard || doneForMillis() > choice.first().delayMillis() + RECORD_MILLIS;
  }

  private void left() throws InterruptedException {
    onejob.click(ORDER, FIRST_CLICK);
    switch (choice.preset()) {
      case CLICK_TWICE -> {
        pause();
        onejob.click(ORDER, SECOND_CLICK);
      }
      case OTHER_INPUT -> {
        pause();
        onejob.click(OTHER_ORDER, "Click with other input, same key");
      }
      case STALL -> {
        onejob.awaitAttempt(Scripts::inDoubt, PATIENCE).ifPresent(this::sayInDoubt);
        onejob.press(SECOND, "Press fallback");
      }
      case REVERSED_FINISH -> {
        onejob.awaitAttempt(Scripts::atWork, PATIENCE);
        TimeUnit.MILLISECONDS.sleep(PlaygroundKinds.RACE_AFTER.toMillis() + HASTE_MILLIS);
        onejob.press(SECOND, "Press fallback while the first is at work");
      }
      case ABANDON -> {
        onejob.awaitAttempt(Scripts::inDoubt, PATIENCE).ifPresent(this::sayInDoubt);
        onejob.abandon("Abandon the attempt in doubt", "we do not want to wait");
        onejob.press(SECOND, "Press fallback");
      }
      case NODE_DIES -> {}
    }
  }

  private void sayInDoubt(Attempt attempt) {
    journal.note(InDoubt.says(attempt), InDoubt.means(attempt));
  }

  private static boolean inDoubt(Attempt attempt) {
    return OnejobSide.state(attempt) == AttemptState.UNKNOWN;
  }

  private static boolean atWork(Attempt attempt) {
    return OnejobSide.state(attempt) == AttemptState.RUNNING;
  }

  private void right() throws InterruptedException {
    usual.click(FIRST, ORDER, FIRST_CLICK);
    switch (choice.preset()) {
      case CLICK_TWICE -> {
        pause();
        usual.click(FIRST, ORDER, SECOND_CLICK);
      }
      case OTHER_INPUT -> {
        pause();
        usual.click(FIRST, OTHER_ORDER, "Click with other input");
      }
      case STALL, ABANDON -> {
        usual.awaitTrouble(PATIENCE);
        usual.click(SECOND, ORDER, "Press fallback");
      }
      case REVERSED_FINISH -> {
        TimeUnit.MILLISECONDS.sleep(PlaygroundKinds.RACE_AFTER.toMillis() + HASTE_MILLIS);
        usual.click(SECOND, ORDER, "Press fallback while the first is at work");
      }
      case NODE_DIES -> {}
    }
    while (!usual.allAnswered() && !usual.closing()) {
      pause();
    }
  }

  private static void pause() throws InterruptedException {
    TimeUnit.MILLISECONDS.sleep(HASTE_MILLIS);
  }
}
