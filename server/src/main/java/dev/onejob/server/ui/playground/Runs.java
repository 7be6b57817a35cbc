package dev.onejob.server.ui.playground;

import dev.onejob.domain.IntentKey;
import dev.onejob.providers.sandbox.SandboxLedger;
import dev.onejob.server.access.Credential;
import dev.onejob.server.config.PlaygroundKinds;
import dev.onejob.server.http.problem.Problem;
import dev.onejob.server.http.problem.ProblemException;
import dev.onejob.server.http.problem.ProblemType;
import dev.onejob.server.ui.page.Means;
import dev.onejob.server.ui.page.Means.Grounds;
import dev.onejob.store.JobQueries;
import java.net.URI;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/** All runs of this node. Safe for many threads. */
final class Runs implements AutoCloseable {
  /**
   * Runs that are kept to be looked at; the oldest that is over goes first. So many that those of
   * one key cannot push themselves out of the window in which they are counted, unless many keys
   * play.
   */
  private static final int KEPT_MAX = 500;

  private final Deque<Kept> kept = new ArrayDeque<>();
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final Semaphore secondNodes = new Semaphore(1);
  private final Means means;
  private final Grounds grounds;
  private final LongSupplier nanos;
  private final CountDownLatch closed = new CountDownLatch(1);
  private volatile boolean closing;

  /** Between two looks for what dead nodes have left. */
  private static final Duration BETWEEN_LEFTOVERS = Duration.ofMinutes(1);

  /**
   * None yet; looks for what others have left from now on.
   *
   * @param nanos a clock that never goes back, in nanoseconds
   */
  Runs(Means means, Grounds grounds, LongSupplier nanos) {
    this.means = means;
    this.grounds = grounds;
    this.nanos = nanos;
    threads.execute(this::letGoOfLeftovers);
  }

  private void letGoOfLeftovers() {
    Leftovers leftovers = new Leftovers(means.reading(), means.engine(), Leftovers.AGE);
    try {
      do {
        leftovers.letGo();
      } while (!closed.await(BETWEEN_LEFTOVERS.toSeconds(), TimeUnit.SECONDS));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private record Kept(Run run, long beganAt) {
    private Room.Taken taken() {
      return new Room.Taken(run.key(), beganAt, run.over() ? RunView.Over.YES : RunView.Over.NO);
    }
  }

  /**
   * Begins a run.
   *
   * @param api as the person reaches it
   * @throws ProblemException if there is no room for it
   */
  Run begin(Credential who, Choice choice, URI api) {
    Journal left = new Journal(nanos);
    Journal right = new Journal(nanos);
    String id = UUID.randomUUID().toString();
    Curl curl = new Curl(api, grounds.sandbox());
    HttpClient http = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    Ground ground =
        new Ground(
            http,
            threads,
            new JobQueries(means.reading()),
            new SandboxLedger(means.reading()),
            grounds.sandbox(),
            curl,
            means.clock(),
            () -> closing);
    OnejobSide onejob =
        new OnejobSide(
            means.engine(), who, ground, choice, left, new IntentKey("playground-" + id));
    UsualSide usual = new UsualSide(ground, choice, right, timeout(choice.preset()));
    Run run = new Run(id, who, choice, ground, onejob, usual, left);
    try {
      keep(run, who);
    } catch (ProblemException e) {
      run.stop();
      throw e;
    }
    Scripts scripts = new Scripts(choice, onejob, usual, left);
    if (choice.preset() == Preset.NODE_DIES) {
      var parties = new DyingNode.Parties(onejob, usual, left, right);
      String node = means.settings().server().node();
      scripts.begin(threads, new DyingNode(secondNodes, grounds, ground, node, parties), () -> {});
    } else {
      scripts.begin(threads);
    }
    threads.execute(() -> run.watch(scripts));
    return run;
  }

  private static Duration timeout(Preset preset) {
    return preset == Preset.REVERSED_FINISH
        ? PlaygroundKinds.RACE_TIMEOUT
        : PlaygroundKinds.TIMEOUT;
  }

  private synchronized void keep(Run run, Credential who) {
    long now = nanos.getAsLong();
    List<Room.Taken> taken = kept.stream().map(Kept::taken).toList();
    Optional<String> refusal = Room.refusal(taken, who.id(), now);
    if (refusal.isPresent()) {
      throw Problem.of(ProblemType.OVERLOADED, refusal.get())
          .withHeader("Retry-After", "10")
          .asException();
    }
    if (kept.size() >= KEPT_MAX) {
      kept.stream().filter(each -> each.run().over()).findFirst().ifPresent(kept::remove);
    }
    kept.addLast(new Kept(run, now));
  }

  private synchronized List<Run> running() {
    return kept.stream().map(Kept::run).filter(run -> !run.over()).toList();
  }

  /** A run of this key; nobody else's is found. */
  synchronized Optional<Run> find(Credential who, String id) {
    return kept.stream()
        .map(Kept::run)
        .filter(run -> run.id().equals(id) && run.isOf(who))
        .findFirst();
  }

  /** Ends all of them; a second node that is under way is killed. */
  @Override
  public void close() {
    closing = true;
    closed.countDown();
    running().forEach(Run::stop);
    threads.shutdown();
    try {
      if (!threads.awaitTermination(10, TimeUnit.SECONDS)) {
        throw new IllegalStateException("runs of the playground do not end");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
