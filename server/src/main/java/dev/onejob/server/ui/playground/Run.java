package dev.onejob.server.ui.playground;

import dev.onejob.domain.JobId;
import dev.onejob.server.access.Credential;
import dev.onejob.store.StoreException;
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

  /** Between two looks at both sides, in milliseconds: as often as the page asks. */
  private static final long LOOK_MILLIS = 500;

  /** A run is over after this, whatever has become of it. */
  static final Duration LONGEST = Duration.ofSeconds(120);

  /** How much longer than the delays everything may take, on a busy machine. */
  private static final long MARGIN_MILLIS = 6_000;

  /** When nothing is tried any more to leave nothing behind. */
  private static final long TIDY_UP_MILLIS = LONGEST.toMillis() + 30_000;

  private final String id;
  private final UUID key;
  private final Choice choice;
  private final Ground ground;
  private final OnejobSide onejob;
  private final UsualSide usual;
  private final Journal journal;
  private Look last = new Look(SandboxCount.NOTHING, SandboxCount.NOTHING);
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
    this.shown = view(last, RunView.Over.NO);
  }

  /** What one look at the sandbox has counted; of the job, {@link OnejobSide} keeps the look. */
  private record Look(SandboxCount left, SandboxCount right) {}

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
      while (!tidiedUp() && !ground.closing().getAsBoolean() && journal.millis() < TIDY_UP_MILLIS) {
        TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
      }
      onejob.sayHowItEnded();
      look(RunView.Over.YES);
    } catch (RuntimeException e) {
      LOG.warn("a run of the playground has ended early", e);
      shown = ended("Something has failed on this node; its log says what.");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      shown = ended("The node stops.");
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
  private boolean goesOn(Scripts sides) {
    try {
      boolean done = sides.done();
      look(RunView.Over.NO);
      return !(done && atRest(sides));
    } catch (RuntimeException e) {
      LOG.debug("a look at a run of the playground has failed", e);
      return true;
    }
  }

  /** Nothing must stay on the desk because the database was away for a moment. */
  private boolean tidiedUp() {
    try {
      onejob.tidyUp();
      return true;
    } catch (StoreException e) {
      LOG.debug("a run of the playground could not be tidied up yet", e);
      return false;
    }
  }

  private RunView ended(String why) {
    journal.note("The run has ended early", why);
    RunView before = shown;
    return new RunView(
        id,
        choice,
        before.seconds(),
        RunView.Over.YES,
        "The run has ended early.",
        before.onejob(),
        before.usual());
  }

  /** By the last look, which has to come after the last click. */
  private boolean atRest(Scripts sides) {
    boolean quiet = onejob.quiet() && usual.quiet();
    boolean settled = last.left().settled(choice) && last.right().settled(choice);
    return quiet && settled && sides.lateAnswersSeen()
        || sides.doneForMillis() > choice.delayMillis() + MARGIN_MILLIS;
  }

  /** One reading of each, for all who want to know. */
  private void look(RunView.Over now) {
    onejob.look();
    last = new Look(count(onejob.job()), count(usual.count()));
    shown = view(last, now);
  }

  private SandboxCount count(@Nullable JobId job) {
    return job == null ? SandboxCount.NOTHING : SandboxCount.of(ground.counting().effects(job));
  }

  private RunView view(Look look, RunView.Over now) {
    long whole = Math.max(journal.millis(), 1_000);
    SideView one = onejob.view(look.left(), whole);
    SideView two = usual.view(look.right(), whole);
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
