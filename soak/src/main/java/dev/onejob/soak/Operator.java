package dev.onejob.soak;

import dev.onejob.soak.Api.Reply;
import java.net.URI;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import tools.jackson.databind.JsonNode;

/** Looks at the desk and ends doubts by what the provider's ledger says: see {@link #describe}. */
final class Operator implements Actor {
  /** After this long without a disturbance an attempt has been sent or never will be. */
  private static final Duration QUIET = Duration.ofSeconds(20);

  private static final int PAGES_MAX = 25;
  private static final int AT_ONCE = 12;

  private final Api api;
  private final List<Node> nodes;
  private final Ground ground;
  private final Recorder recorder;
  private final long seed;
  private final Map<String, Long> seenInDoubt = new HashMap<>();
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final Semaphore hands = new Semaphore(AT_ONCE);
  private final Turns turns;
  private int turn;

  Operator(Api api, List<Node> nodes, Ground ground, Recorder recorder, long seed) {
    this.api = api;
    this.nodes = nodes;
    this.ground = ground;
    this.recorder = recorder;
    this.seed = seed;
    this.turns = new Turns("operator", this::look);
  }

  static String describe() {
    return "a job must be in doubt for 20 s, and the node of its attempt dead or undisturbed for"
        + " 20 s (much longer than any script waits with its effect). Then the ledger is read. The"
        + " attempt has acted: done with a result (3 of 4), or abandon (1 of 4). It has not:"
        + " not_done (3 of 4 then retry, 1 of 4 then wait). Jobs that wait for a decision: the"
        + " fallback button, or cancel. Contested jobs: acknowledged, then retry or wait";
  }

  @Override
  public void start() {
    turns.start();
  }

  @Override
  public void stop() {
    turns.stop();
    threads.close();
  }

  private Duration look() throws InterruptedException, ExecutionException {
    URI node = nodes.get(turn++ % nodes.size()).uri();
    List<JsonNode> doubts = list(node, "unknown");
    Map<String, Long> still = new HashMap<>();
    for (JsonNode job : doubts) {
      String id = job.path("id").asString();
      still.put(id, seenInDoubt.getOrDefault(id, System.nanoTime()));
    }
    seenInDoubt.clear();
    seenInDoubt.putAll(still);
    List<Callable<Void>> work = new ArrayList<>();
    still.forEach(
        (job, since) -> {
          if (System.nanoTime() - since > QUIET.toNanos()) {
            work.add(() -> doubt(node, job));
          }
        });
    for (JsonNode job : list(node, "queued")) {
      String id = job.path("id").asString();
      if (job.path("contested").asBoolean()) {
        work.add(() -> acknowledge(node, id));
      } else if (job.path("waiting_for").asString("").equals("decision")) {
        work.add(() -> decide(node, id));
      }
    }
    carryOut(work);
    return Duration.ofSeconds(1);
  }

  private void carryOut(List<Callable<Void>> work) throws InterruptedException, ExecutionException {
    List<Future<Void>> done = new ArrayList<>();
    for (Callable<Void> each : work) {
      hands.acquire();
      done.add(
          threads.submit(
              () -> {
                try {
                  return each.call();
                } finally {
                  hands.release();
                }
              }));
    }
    for (Future<Void> each : done) {
      each.get();
    }
  }

  private List<JsonNode> list(URI node, String state) throws InterruptedException {
    List<JsonNode> jobs = new ArrayList<>();
    String cursor = "";
    for (int page = 0; page < PAGES_MAX; page++) {
      String query = "/v1/jobs?limit=200&state=" + state + cursor;
      Optional<Reply> reply = api.get(node, query).filter(Reply::ok);
      if (reply.isEmpty()) {
        return jobs; // what could not be read now is read in the next turn
      }
      reply.get().json().path("jobs").forEach(jobs::add);
      String next = reply.get().text("next_cursor");
      if (next.isEmpty()) {
        return jobs;
      }
      cursor = "&cursor=" + next;
    }
    return jobs;
  }

  private Void doubt(URI node, String job) throws InterruptedException, SQLException {
    Optional<Reply> reply = api.get(node, "/v1/jobs/" + job).filter(Reply::ok);
    if (reply.isPresent()) {
      for (JsonNode attempt : reply.get().json().path("attempts")) {
        if (attempt.path("state").asString().equals("unknown") && isSettled(attempt)) {
          resolve(node, attempt.path("id").asString());
        }
      }
    }
    return null;
  }

  private boolean isSettled(JsonNode attempt) {
    String life = attempt.path("node").asString();
    return nodes.stream()
        .filter(node -> life.startsWith(node.name() + "-"))
        .allMatch(node -> node.isSettled(life, QUIET));
  }

  private void resolve(URI node, String attempt) throws InterruptedException, SQLException {
    int dice = dice(attempt, 4);
    String verdict;
    if (hasActed(attempt)) {
      verdict =
          dice == 0
              ? "\"verdict\":\"abandon\",\"then\":\""
                  + (dice(attempt, 2) == 0 ? "retry" : "wait")
                  + "\""
              : "\"verdict\":\"done\",\"result\":{\"from\":\"the ledger\"}";
    } else {
      verdict = "\"verdict\":\"not_done\",\"then\":\"" + (dice == 0 ? "wait" : "retry") + "\"";
    }
    String path = "/v1/attempts/" + attempt + "/resolution";
    String body = "{" + verdict + ",\"reason\":\"the ledger was read\"}";
    String name = verdict.substring(11, verdict.indexOf('"', 11));
    told("operator: " + name, api.post(node, path, body));
  }

  private static final String ACTED =
      "SELECT count(acted_at) FROM onejob_server.sandbox_call WHERE attempt = ?";

  private boolean hasActed(String attempt) throws SQLException {
    try (Connection ledger = ground.openLedger();
        PreparedStatement statement = ledger.prepareStatement(ACTED)) {
      statement.setString(1, attempt);
      try (ResultSet row = statement.executeQuery()) {
        row.next();
        return row.getLong(1) > 0;
      }
    }
  }

  private Void acknowledge(URI node, String job) throws InterruptedException {
    String then = dice(job, 2) == 0 ? "retry" : "wait";
    String body = "{\"then\":\"" + then + "\",\"reason\":\"seen\"}";
    told("operator: acknowledge", api.post(node, "/v1/jobs/" + job + "/acknowledgement", body));
    return null;
  }

  private Void decide(URI node, String job) throws InterruptedException {
    if (dice(job, 2) == 0) {
      told("operator: fallback", api.post(node, "/v1/jobs/" + job + "/attempts", ""));
    } else {
      told("operator: cancel", api.post(node, "/v1/jobs/" + job + "/cancel", ""));
    }
    return null;
  }

  private void told(String what, Optional<Reply> reply) {
    recorder.count(what + reply.map(each -> " " + each.status()).orElse(" without an answer"));
  }

  /** The same for the same subject, as it follows from the seed. */
  private int dice(String subject, int sides) {
    return new Random(seed * 31 + subject.hashCode() + sides).nextInt(sides);
  }
}
