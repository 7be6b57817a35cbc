package dev.onejob.server.ui.playground;

import static dev.onejob.server.config.PlaygroundKinds.FIRST;

import dev.onejob.domain.Attempt;
import dev.onejob.domain.AttemptState;
import dev.onejob.domain.Job;
import dev.onejob.domain.JobId;
import dev.onejob.server.ui.page.Means.Grounds;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The preset for which a second node is started and killed. Both sides are played here. */
final class DyingNode implements Scripts.Side {
  private static final Logger LOG = LoggerFactory.getLogger(DyingNode.class);
  private static final String ORDER = "one";
  private static final long LOOK_MILLIS = 100;
  private static final Duration UNDER_WAY = Duration.ofSeconds(15);

  /** One at a time on this node: each is a Java machine of its own. */
  private final Semaphore room;

  private final Grounds grounds;
  private final Ground ground;
  private final String node;
  private final OnejobSide onejob;
  private final UsualSide usual;
  private final Journal left;
  private final Journal right;

  DyingNode(Semaphore room, Grounds grounds, Ground ground, String node, Parties parties) {
    this.room = room;
    this.grounds = grounds;
    this.ground = ground;
    this.node = NodeToKill.name(node);
    this.onejob = parties.onejob();
    this.usual = parties.usual();
    this.left = parties.left();
    this.right = parties.right();
  }

  /** The two sides and what is noted of them. */
  record Parties(OnejobSide onejob, UsualSide usual, Journal left, Journal right) {}

  @Override
  public void play() throws InterruptedException {
    if (!room.tryAcquire()) {
      cannot("another run has a second node under way; this node starts one at a time");
      return;
    }
    try {
      playOut();
    } catch (IOException e) {
      LOG.warn("the playground's second node could not be played with", e);
      cannot("something has failed on this node, and its log says what");
    } finally {
      room.release();
    }
  }

  private void cannot(String why) {
    left.note(
        "No second node can be started here, so none is killed",
        "It takes a process of its own beside this one: " + why + ".");
    right.note("There is nothing to compare", "No worker was killed in the middle of a call.");
  }

  private void playOut() throws IOException, InterruptedException {
    UsualCall call = usual.fresh(FIRST, ORDER);
    NodeToKill.Order order = new NodeToKill.Order(node, onejob.submission(ORDER), call);
    NodeToKill.Call died;
    try (NodeToKill second = NodeToKill.start(grounds, order, ground.threads())) {
      left.note(
          "A second node starts: process " + second.pid(),
          "A Java process of its own over the same database, beside this node.");
      Optional<JobId> job = underWay(second, call);
      if (job.isEmpty()) {
        cannot("it ended, or did not come so far in time");
        return;
      }
      died = second.kill();
      left.note("Process " + second.pid() + " is killed (SIGKILL)", lost());
    }
    goOn(died);
  }

  /** What comes after the death. */
  void goOn(NodeToKill.Call died) {
    usual.elsewhereDied(died.status());
    onejob.click(ORDER, "Click again, with the same key");
    switch (died.ended()) {
      case ANSWERED ->
          right.note(
              "The worker is killed; it had just finished",
              "It had its answer, so the message was done with and nothing is sent again. A longer"
                  + " delay shows more.");
      case NOT -> sendAgain("The worker is killed in the middle of the call");
      case CUT -> sendAgain("The line of the worker's call was cut, and the worker is killed");
    }
  }

  private void sendAgain(String because) {
    right.note(
        because,
        "The answer has nobody to go to. The queue sees only that nobody confirmed the message.");
    usual.click(FIRST, ORDER, "The queue gives the message to another worker, which sends again");
  }

  /** What the death means for the attempt, as it stands right after. */
  private String lost() {
    Optional<Job> job = onejob.look();
    Optional<Attempt> attempt = job.stream().flatMap(each -> each.attempts().stream()).findFirst();
    if (onejob.ended() || attempt.filter(each -> !OnejobSide.state(each).live()).isPresent()) {
      return "It had just finished, so that nothing was lost. A longer delay shows more.";
    }
    return attempt
        .filter(each -> OnejobSide.state(each) == AttemptState.UNKNOWN)
        .map(each -> InDoubt.says(each) + ". The provider is asked about it, by another node.")
        .orElse(
            "Nobody renews the lease of the attempt any more. When it has lapsed, the attempt is"
                + " unknown, and another node asks the provider about it.");
  }

  /** The job, once the provider has both requests in its hands. */
  private Optional<JobId> underWay(NodeToKill second, UsualCall call) throws InterruptedException {
    if (second.next(ground.closing()).isEmpty()) {
      return Optional.empty();
    }
    usual.elsewhere("A worker takes the message and calls the provider", call);
    Optional<JobId> job = second.next(ground.closing()).flatMap(JobId::parse);
    if (job.isEmpty()) {
      return job;
    }
    onejob.admitted(job.get());
    left.add(
        "Click",
        "201, a new job, which the second node works on",
        "The job and its attempt are in the database, not in the memory of the node.",
        onejob.submitLine(ORDER));
    long end = left.millis() + UNDER_WAY.toMillis();
    while (left.millis() < end && !ground.closing().getAsBoolean()) {
      if (requests(job.get()) > 0 && requests(usual.count()) > 0) {
        return heldByIt() ? job : Optional.empty();
      }
      TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
    }
    return Optional.empty();
  }

  /** Another node may have been faster; then it would be the wrong one that is killed. */
  private boolean heldByIt() {
    return onejob
        .look()
        .map(Job::attempts)
        .filter(all -> !all.isEmpty() && all.getFirst().node().equals(node))
        .isPresent();
  }

  private long requests(JobId job) {
    return SandboxCount.of(ground.counting().effects(job)).allRequests();
  }
}
