package dev.onejob.server.ui.playground;

import dev.onejob.domain.JobId;
import dev.onejob.server.access.Credential;
import java.io.IOException;
import java.time.Duration;
import java.util.Locale;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One choice, played on both sides, and watched until nothing of it changes any more. */
final class Run {
  private static final Logger LOG = LoggerFactory.getLogger(Run.class);

  /** Between two looks at both sides, in milliseconds. */
  private static final long LOOK_MILLIS = 200;

  /** A run is over after this, whatever has become of it. */
  static final Duration LONGEST = Duration.ofSeconds(120);

  /** How much longer than the delays everything may take, on a busy machine. */
  private static final long MARGIN_MILLIS = 6_000;

  private final String id;
  private final UUID key;
  private final Choice choice;
  private final Ground ground;
  private final OnejobSide onejob;
  private final UsualSide usual;
  private final Journal journal;
  private volatile RunView shown;
  private volatile boolean over;

  /**
   * A run that has not begun.
   *
   * @param journal of the left side; tells how long the run has lasted
   */
  Run(
      String id,
      Credential who,
      Choice choice,
      Ground ground,
      OnejobSide onejob,
      UsualSide usual,
      Journal journal) {
    this.id = id;
    this.key = who.id();
    this.choice = choice;
    this.ground = ground;
    this.onejob = onejob;
    this.usual = usual;
    this.journal = journal;
    this.shown = view(SandboxCount.NOTHING, SandboxCount.NOTHING, RunView.Over.NO);
  }

  /** Whether it is of this key: nobody else sees it. */
  boolean isOf(Credential who) {
    return key.equals(who.id());
  }

  /** The API key that began it. */
  UUID key() {
    return key;
  }

  String id() {
    return id;
  }

  boolean over() {
    return over;
  }

  RunView shown() {
    return shown;
  }

  /**
   * Watches both sides until they have come to rest.
   *
   * @param sides the two scripts, as they go on beside this
   */
  void watch(Scripts sides) {
    try {
      while (!ground.closing().getAsBoolean()
          && journal.millis() < LONGEST.toMillis()
          && goesOn(sides)) {
        TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
      }
      onejob.tidyUp();
      onejob.sayHowItEnded();
      look(RunView.Over.YES);
    } catch (IOException | RuntimeException e) {
      LOG.warn("a run of the playground has ended early", e);
      shown = ended(e.toString());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      shown = ended("the node stops");
    } finally {
      stop();
      over = true;
    }
  }

  /** Cuts the lines of the usual way. */
  void stop() {
    ground.http().shutdownNow();
  }

  /** A look that fails, as while the database is away for a moment, is no reason to end. */
  private boolean goesOn(Scripts sides) throws InterruptedException {
    try {
      look(RunView.Over.NO);
      return !atRest(sides);
    } catch (IOException | RuntimeException e) {
      LOG.debug("a look at a run of the playground has failed", e);
      return true;
    }
  }

  private RunView ended(String why) {
    journal.note("The run has ended early", why);
    RunView last = shown;
    return new RunView(
        id,
        choice,
        last.seconds(),
        RunView.Over.YES,
        "The run has ended early.",
        last.onejob(),
        last.usual());
  }

  private boolean atRest(Scripts sides) throws IOException, InterruptedException {
    if (!sides.done()) {
      return false;
    }
    boolean quiet = onejob.quiet() && usual.quiet();
    boolean settled = count(onejob.job()).settled(choice) && count(usual.count()).settled(choice);
    return quiet && settled && sides.lateAnswersSeen()
        || sides.doneForMillis() > choice.delayMillis() + MARGIN_MILLIS;
  }

  private void look(RunView.Over now) throws IOException, InterruptedException {
    shown = view(count(onejob.job()), count(usual.count()), now);
  }

  private SandboxCount count(@Nullable JobId job) throws IOException, InterruptedException {
    return job == null
        ? SandboxCount.NOTHING
        : SandboxCount.ask(ground.http(), ground.sandbox(), job);
  }

  private RunView view(SandboxCount left, SandboxCount right, RunView.Over now) {
    long whole = Math.max(journal.millis(), 1_000);
    SideView one = onejob.view(left, whole);
    SideView two = usual.view(right, whole);
    String seconds = String.format(Locale.ROOT, "%.1f s", whole / 1_000.0);
    String verdict = now == RunView.Over.YES ? verdict(one, two) : "";
    return new RunView(id, choice, seconds, now, verdict, one, two);
  }

  private static String verdict(SideView one, SideView two) {
    return "Onejob: "
        + counted(one.effects(), "effect")
        + ", "
        + counted(one.results(), "result")
        + ". The usual way: "
        + counted(two.effects(), "effect")
        + ", "
        + counted(two.results(), "result")
        + ".";
  }

  private static String counted(long count, String what) {
    return count + " " + what + (count == 1 ? "" : "s");
  }
}
