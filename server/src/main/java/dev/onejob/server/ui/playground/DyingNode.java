package dev.onejob.server.ui.playground;

import static dev.onejob.server.config.PlaygroundKinds.FIRST;

import dev.onejob.domain.Job;
import dev.onejob.domain.JobId;
import dev.onejob.server.ui.page.Means.Grounds;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/** The preset for which a second node is started and killed. Both sides are played here. */
final class DyingNode implements Scripts.Side {
  private static final String ORDER = "one";
  private static final long LOOK_MILLIS = 50;
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
      cannot(e.toString());
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
    try (NodeToKill second = NodeToKill.start(grounds, order, ground.threads())) {
      left.note(
          "A second node starts: process " + second.pid(),
          "A Java process of its own over the same database, beside this node.");
      Optional<JobId> job = underWay(second, call);
      if (job.isEmpty()) {
        cannot("it ended, or did not come so far in time");
        return;
      }
      second.kill();
      left.note(
          "Process " + second.pid() + " is killed (SIGKILL)",
          onejob.ended()
              ? "It had just finished, so that nothing was lost. A longer delay shows more."
              : "Nobody renews the lease of the attempt any more. When it has lapsed, the attempt"
                  + " is unknown, and another node asks the provider about it.");
      right.note(
          "The worker is killed in the middle of the call",
          "The answer has nobody to go to. The queue sees only that nobody confirmed the message.");
    }
    usual.elsewhereDied();
    onejob.click(ORDER, "Click again, with the same key");
    usual.click(FIRST, ORDER, "The queue gives the message to another worker, which sends again");
  }

  /** The job, once the provider has both requests in its hands. */
  private Optional<JobId> underWay(NodeToKill second, UsualCall call)
      throws IOException, InterruptedException {
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
        .read()
        .map(Job::attempts)
        .filter(all -> !all.isEmpty() && all.getFirst().node().equals(node))
        .isPresent();
  }

  private long requests(JobId job) throws IOException, InterruptedException {
    return SandboxCount.ask(ground.http(), ground.sandbox(), job).allRequests();
  }
}
