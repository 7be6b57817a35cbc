package dev.onejob.bench;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Phaser;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Submits at a fixed rate, whether or not others were answered. A submit is as long as it takes
 * from the moment at which it was due, so that a stall counts for everything that it held up.
 */
final class OpenLoop implements AutoCloseable {
  private static final double NANOS_OF_A_MILLI = 1_000_000;
  private static final int CREATED = 201;

  /** Whoever is so far behind does not catch up; the machine is too small, or too busy. */
  private static final int BEHIND_SECONDS_MAX = 10;

  /** Kinds in about the shares of {@link PastJobs}. */
  private static final List<String> KINDS =
      List.of("chat", "chat", "image", "chat", "report", "chat", "image", "chat", "payment");

  private final HttpClient http =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private final URI jobs;
  private final List<String> secrets;
  private final Queue<Double> millis = new ConcurrentLinkedQueue<>();
  private final AtomicReference<@Nullable String> failure = new AtomicReference<>();
  private final Phaser open = new Phaser(1);
  private volatile boolean over;

  OpenLoop(URI base, List<String> secrets) {
    this.jobs = base.resolve("/v1/jobs");
    this.secrets = secrets;
  }

  /**
   * Submits for a while, and waits for the last answer.
   *
   * @return milliseconds of each, sorted
   * @throws IllegalStateException if one was not answered with 201, or too many not at all
   */
  double[] run(int perSecond, Duration time) {
    return run(perSecond, System.nanoTime() + time.toNanos());
  }

  /** Submits until it is told to stop. */
  double[] runUntilStopped(int perSecond) {
    return run(perSecond, System.nanoTime() + Duration.ofHours(1).toNanos());
  }

  void stop() {
    over = true;
  }

  private double[] run(int perSecond, long until) {
    millis.clear();
    over = false;
    long period = Duration.ofSeconds(1).toNanos() / perSecond;
    long due = System.nanoTime();
    for (int i = 0; !over && failure.get() == null && due < until; i++, due += period) {
      if (open.getUnarrivedParties() > BEHIND_SECONDS_MAX * perSecond) {
        failure.set("more than %d s of submits have no answer yet".formatted(BEHIND_SECONDS_MAX));
      }
      for (long left = due - System.nanoTime(); left > 0; left = due - System.nanoTime()) {
        LockSupport.parkNanos(left);
      }
      send(i, due);
    }
    open.arriveAndAwaitAdvance();
    String failed = failure.get();
    if (failed != null) {
      throw new IllegalStateException(
          "%d submits a second were not taken: %s".formatted(perSecond, failed));
    }
    return millis.stream().mapToDouble(value -> value).sorted().toArray();
  }

  private void send(int i, long due) {
    open.register();
    http.sendAsync(request(i), HttpResponse.BodyHandlers.ofString())
        .whenComplete(
            (answer, thrown) -> {
              millis.add((System.nanoTime() - due) / NANOS_OF_A_MILLI);
              if (thrown != null) {
                failure.set(thrown.toString());
              } else if (answer.statusCode() != CREATED) {
                failure.set(answer.statusCode() + " " + answer.body());
              }
              open.arriveAndDeregister();
            });
  }

  private HttpRequest request(int i) {
    String tags = i % 3 == 0 ? "\"web\",\"plan-pro\"" : "\"batch\"";
    String body =
        "{\"kind\":\"%s\",\"tags\":[%s],\"input\":{\"prompt\":\"%s\"}}"
            .formatted(KINDS.get(i % KINDS.size()), tags, "words ".repeat(20));
    return HttpRequest.newBuilder(jobs)
        .timeout(Duration.ofSeconds(30))
        .header("Authorization", "Bearer " + secrets.get(i % secrets.size()))
        .header("Idempotency-Key", UUID.randomUUID().toString())
        .header("Content-Type", "application/json")
        .POST(HttpRequest.BodyPublishers.ofString(body))
        .build();
  }

  /** The value below which a share of sorted ones lies. */
  static double at(double[] sorted, double share) {
    return sorted[(int) Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
  }

  @Override
  public void close() {
    http.shutdownNow();
  }
}
