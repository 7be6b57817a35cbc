package dev.onejob.soak;

import dev.onejob.soak.Api.Reply;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;
import tools.jackson.databind.JsonNode;

/** People who do not wait: they press fallback at any moment, and abandon what is at work. */
final class Impatient implements Actor {
  private static final int AMONG_LAST = 600;
  private static final int AT_WORK = 40;

  private final Api clients;
  private final Api operators;
  private final List<Node> nodes;
  private final Recorder recorder;
  private final Random random;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final Turns turns;

  Impatient(Api clients, Api operators, List<Node> nodes, Recorder recorder, long seed) {
    this.clients = clients;
    this.operators = operators;
    this.nodes = nodes;
    this.recorder = recorder;
    this.random = new Random(seed + 1);
    this.turns = new Turns("impatient", this::turn);
  }

  static String describe() {
    return "about ten times a second the fallback button is pressed for one of the last 600 jobs"
        + " (1 of 4) or one of the newest 40 running ones (1 of 4), or what is at work for one of"
        + " these is abandoned, then retry (2 of 4)";
  }

  @Override
  public void start() {
    turns.start();
  }

  /** Each goes on in a thread of its own: a frozen node keeps nobody else waiting. */
  private Duration turn() {
    URI node = nodes.get(random.nextInt(nodes.size())).uri();
    String job = recorder.recentJob(random, AMONG_LAST);
    int dice = random.nextInt(4);
    if (!job.isEmpty()) {
      threads.execute(() -> act(node, job, dice));
    }
    return Duration.ofMillis(100);
  }

  private void act(URI node, String job, int dice) {
    try {
      switch (dice) {
        case 0 -> press(node, job);
        case 1 -> press(node, atWork(node));
        default -> abandon(node, atWork(node));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** One of the newest jobs that are at work, whose answer may come at any moment; or empty. */
  private String atWork(URI node) throws InterruptedException {
    Optional<Reply> running =
        operators.get(node, "/v1/jobs?state=running&limit=" + AT_WORK).filter(Reply::ok);
    if (running.isEmpty() || running.get().json().path("jobs").isEmpty()) {
      return "";
    }
    JsonNode jobs = running.get().json().path("jobs");
    int which = ThreadLocalRandom.current().nextInt(jobs.size());
    return jobs.path(which).path("id").asString();
  }

  private void press(URI node, String job) throws InterruptedException {
    if (!job.isEmpty()) {
      told("impatient: fallback", clients.post(node, "/v1/jobs/" + job + "/attempts", ""));
    }
  }

  private void abandon(URI node, String job) throws InterruptedException {
    if (job.isEmpty()) {
      return;
    }
    Optional<Reply> read = operators.get(node, "/v1/jobs/" + job).filter(Reply::ok);
    if (read.isEmpty()) {
      return;
    }
    for (JsonNode attempt : read.get().json().path("attempts")) {
      if (attempt.path("ended_at").isNull()) {
        String path = "/v1/attempts/" + attempt.path("id").asString() + "/resolution";
        String body = "{\"verdict\":\"abandon\",\"then\":\"retry\",\"reason\":\"impatience\"}";
        told("impatient: abandon", operators.post(node, path, body));
      }
    }
  }

  private void told(String what, Optional<Reply> reply) {
    recorder.count(what + reply.map(each -> " " + each.status()).orElse(" without an answer"));
  }

  @Override
  public void stop() {
    turns.stop();
    threads.close();
  }
}
