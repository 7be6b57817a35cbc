package dev.onejob.soak;

import dev.onejob.soak.Api.Reply;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/**
 * Clients that come at their own pace, whether or not the nodes keep up. Each has a new intent, and
 * repeats it at another node until it is told that it is kept; some click twice, some come back for
 * the result.
 */
final class Clients implements Actor {
  /** Clients at once; what comes beyond is counted as turned away at the street. */
  private static final int AT_ONCE = 1_000;

  private static final int TRIES_MAX = 40;

  /** First and longest pause between tries; with each try it doubles, and none is like another. */
  private static final int PAUSE_MILLIS_MIN = 100;

  private static final int PAUSE_MILLIS_MAX = 5_000;

  private final Api api;
  private final List<Node> nodes;
  private final Recorder recorder;
  private final Scripts scripts;
  private final SoakSettings settings;
  private final Semaphore room = new Semaphore(AT_ONCE);
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final Turns turns;
  private final long from = System.nanoTime();
  private int number;

  Clients(Api api, List<Node> nodes, Recorder recorder, SoakSettings settings) {
    this.api = api;
    this.nodes = nodes;
    this.recorder = recorder;
    this.scripts = new Scripts(settings.seed());
    this.settings = settings;
    this.turns = new Turns("clients", this::arrivals);
  }

  @Override
  public void start() {
    turns.start();
  }

  /** All who should have come by now, come. */
  private Duration arrivals() {
    long due = (System.nanoTime() - from) * settings.jobsPerSecond() / 1_000_000_000L;
    while (number < due) {
      int own = number++;
      if (room.tryAcquire()) {
        threads.execute(() -> visit(own));
      } else {
        recorder.count("clients turned away: too many at once");
      }
    }
    return Duration.ofMillis(5);
  }

  private void visit(int own) {
    try {
      Random random = new Random(settings.seed() + own);
      Optional<String> job = submit(own, random.nextInt(nodes.size()));
      if (job.isPresent() && random.nextInt(10) == 0) {
        recorder.count("double clicks");
        submit(own, random.nextInt(nodes.size()));
      }
      if (job.isPresent() && random.nextInt(5) == 0) {
        Thread.sleep(3_000);
        read(job.get(), random.nextInt(nodes.size()));
        read(job.get(), random.nextInt(nodes.size()));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      room.release();
    }
  }

  private Optional<String> submit(int own, int firstNode) throws InterruptedException {
    String key = scripts.key(own);
    for (int tries = 0; tries < TRIES_MAX; tries++) {
      Node node = nodes.get((firstNode + tries) % nodes.size());
      Optional<Reply> reply = api.submit(node.uri(), key, scripts.body(own));
      if (reply.isPresent() && reply.get().ok()) {
        String job = reply.get().text("id");
        recorder.count(reply.get().status() == 201 ? "submits: new" : "submits: repeats");
        recorder.acknowledged(key, job);
        return Optional.of(job);
      }
      if (reply.isPresent() && !reply.get().again()) {
        recorder.count("submits refused with " + reply.get().status());
        return Optional.empty();
      }
      recorder.count("submits without an answer that counts");
      int longest = Math.min(PAUSE_MILLIS_MIN << Math.min(tries, 10), PAUSE_MILLIS_MAX);
      Thread.sleep(longest / 2 + ThreadLocalRandom.current().nextInt(longest / 2));
    }
    recorder.count("clients who gave up");
    return Optional.empty();
  }

  private void read(String job, int node) throws InterruptedException {
    Optional<Reply> reply = api.get(nodes.get(node).uri(), "/v1/jobs/" + job);
    if (reply.isPresent() && reply.get().ok() && reply.get().text("state").equals("succeeded")) {
      recorder.count("results read");
      recorder.resultRead(job, reply.get().json().path("result"));
    }
  }

  /** Whoever is still waiting may try for a minute, unless the soak ends early. */
  @Override
  public void stop() {
    turns.stop();
    threads.shutdown();
    try {
      if (!threads.awaitTermination(settings.twist() == null ? 60 : 0, TimeUnit.SECONDS)) {
        threads.shutdownNow();
        recorder.count("times that the last clients were sent away");
        if (!threads.awaitTermination(30, TimeUnit.SECONDS)) {
          throw new IllegalStateException("clients do not leave");
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
