package dev.onejob.soak;

import dev.onejob.soak.Api.Reply;
import java.net.URI;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import tools.jackson.databind.JsonNode;

/** Works off the desk: ends doubts by what the provider's ledger says, see {@link Policy}. */
final class Operator implements Actor {
  private static final int PAGES_MAX = 25;
  private static final int AT_ONCE = 12;
  private static final Duration PAUSE = Duration.ofMillis(1_500);

  /** What has come to the desk since then is left for the next turns: the desk goes by age. */
  private static final Duration NEW = Duration.ofSeconds(3);

  private final Api api;
  private final Nodes nodes;
  private final List<Program> holders;
  private final Ledger ledger;
  private final Recorder recorder;
  private final long seed;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final Semaphore hands = new Semaphore(AT_ONCE);
  private final Turns turns;

  /**
   * Makes one.
   *
   * @param holders all who may hold attempts
   */
  Operator(
      Api api, Nodes nodes, List<Program> holders, Ledger ledger, Recorder recorder, long seed) {
    this.api = api;
    this.nodes = nodes;
    this.holders = List.copyOf(holders);
    this.ledger = ledger;
    this.recorder = recorder;
    this.seed = seed;
    this.turns = new Turns("operator", this::turn);
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

  private Duration turn() throws InterruptedException, ExecutionException {
    List<Callable<Void>> work = new ArrayList<>();
    for (JsonNode item : desk()) {
      String job = item.path("job").path("id").asString();
      switch (item.path("because").asString()) {
        case "contested" -> work.add(() -> acknowledge(job));
        case "decision" -> work.add(() -> decide(job));
        default -> {
          Duration inDoubt = age(item);
          JsonNode attempt = item.path("attempt");
          if (!isOfPayments(attempt) && Policy.isWorthALook(inDoubt, isSettled(attempt))) {
            work.add(() -> doubt(job, attempt, inDoubt));
          }
        }
      }
    }
    carryOut(work);
    return PAUSE;
  }

  /** Replays are on their way to that provider as long as there is a doubt, and end it. */
  private static boolean isOfPayments(JsonNode attempt) {
    return attempt.path("provider").asString().equals(Scripts.PAYMENTS);
  }

  private static Duration age(JsonNode item) {
    return Duration.ofMillis((long) (item.path("age_seconds").asDouble() * 1e3));
  }

  /** Oldest first. What cannot be read now is read in the next turn. */
  private List<JsonNode> desk() throws InterruptedException {
    List<JsonNode> items = new ArrayList<>();
    String cursor = "";
    for (int page = 0; page < PAGES_MAX; page++) {
      URI node = nodes.next();
      Optional<Reply> reply = api.get(node, "/v1/desk?limit=200" + cursor).filter(Reply::ok);
      if (reply.isEmpty()) {
        break;
      }
      reply.get().json().path("items").forEach(items::add);
      String next = reply.get().text("next_cursor");
      if (next.isEmpty() || age(items.getLast()).compareTo(NEW) < 0) {
        break;
      }
      cursor = "&cursor=" + next;
    }
    return items;
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

  /** A worker holds what it has fetched; else the node that has started it does. */
  private boolean isSettled(JsonNode attempt) {
    String worker = attempt.path("worker").asString("");
    String holder = worker.isEmpty() ? attempt.path("node").asString() : worker;
    return holders.stream()
        .filter(program -> program.owns(holder))
        .anyMatch(program -> program.isSettled(holder, Policy.QUIET));
  }

  private Void doubt(String job, JsonNode attempt, Duration inDoubt)
      throws InterruptedException, SQLException {
    String id = attempt.path("id").asString();
    boolean settled = isSettled(attempt);
    Optional<Duration> door = ledger.door(job);
    if (door.isEmpty()) {
      recorder.count("operator: the provider does not answer");
      return null;
    }
    Ledger.Entry entry = ledger.entry(job, id);
    Policy.Seen seen =
        new Policy.Seen(inDoubt, settled, door.get(), entry.sinceArrival(), entry.acted());
    switch (Policy.judge(seen)) {
      case ACTED -> acted(id);
      case NEVER_ACTED -> resolve(id, "not_done", then(dice(id, 4) == 0));
      case NOT_YET -> recorder.count("operator: comes back later");
    }
    return null;
  }

  private void acted(String attempt) throws InterruptedException {
    if (dice(attempt, 4) == 0) {
      resolve(attempt, "abandon", then(dice(attempt, 2) == 0));
    } else {
      resolve(attempt, "done", "\"result\":{\"from\":\"the ledger\"}");
    }
  }

  private static String then(boolean waits) {
    return "\"then\":\"" + (waits ? "wait" : "retry") + "\"";
  }

  private void resolve(String attempt, String verdict, String member) throws InterruptedException {
    String body =
        "{\"verdict\":\"" + verdict + "\"," + member + ",\"reason\":\"the ledger was read\"}";
    told(
        "operator: " + verdict,
        api.post(nodes.next(), "/v1/attempts/" + attempt + "/resolution", body));
  }

  private Void acknowledge(String job) throws InterruptedException {
    String body = "{" + then(dice(job, 2) == 0) + ",\"reason\":\"seen\"}";
    told(
        "operator: acknowledge",
        api.post(nodes.next(), "/v1/jobs/" + job + "/acknowledgement", body));
    return null;
  }

  private Void decide(String job) throws InterruptedException {
    if (dice(job, 2) == 0) {
      told("operator: fallback", api.post(nodes.next(), "/v1/jobs/" + job + "/attempts", ""));
    } else {
      told("operator: cancel", api.post(nodes.next(), "/v1/jobs/" + job + "/cancel", ""));
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
