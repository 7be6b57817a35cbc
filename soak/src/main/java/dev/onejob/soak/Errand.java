package dev.onejob.soak;

import dev.onejob.provider.CallWatch;
import dev.onejob.providers.http.OnePost;
import dev.onejob.providers.http.Post;
import dev.onejob.soak.Api.Reply;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.LocalTime;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** One attempt in the hands of a worker, from its claim to the last word. */
final class Errand implements CallWatch {
  /** How long the provider is listened to: longer than it takes to answer, if it does. */
  private static final Duration PATIENCE = Duration.ofSeconds(6);

  /** How long the last word is offered, also after the lease. */
  private static final Duration OFFERED = Duration.ofSeconds(45);

  private static final Duration PAUSE = Duration.ofMillis(150);
  private static final int HEARTBEATS_IN_A_LEASE = 3;
  private static final int TOO_MANY_REQUESTS = 429;
  private static final JsonMapper MAPPER = new JsonMapper();

  private final Api api;
  private final List<URI> nodes;
  private final URI provider;
  private final JsonNode attempt;
  private final String id;
  private volatile long leaseEnds;
  private volatile boolean lost;
  private int turn;

  Errand(Api api, List<URI> nodes, URI provider, JsonNode attempt) {
    this.api = api;
    this.nodes = nodes;
    this.provider = provider;
    this.attempt = attempt;
    this.id = attempt.path("id").asString();
  }

  void run() throws InterruptedException {
    log("claimed");
    if (!accept()) {
      log("not accepted: nothing is done");
      return;
    }
    Turns heartbeat = new Turns("heartbeat", this::beat);
    heartbeat.start();
    ObjectNode word;
    try {
      word = act();
    } finally {
      heartbeat.stop();
    }
    settle(word);
  }

  /**
   * Whether the claim's lease still lasts is for the node to say: the answer may have been slow.
   */
  private boolean accept() throws InterruptedException {
    long from = System.nanoTime();
    while (!lost && System.nanoTime() - from < PATIENCE.toNanos()) {
      if (say("accepted")) {
        return true;
      }
      Thread.sleep(PAUSE);
    }
    return false;
  }

  private Duration beat() throws InterruptedException {
    if (mayLeave()) {
      say("heartbeat");
    }
    long left = leaseEnds - System.nanoTime();
    return Duration.ofNanos(Math.max(left / HEARTBEATS_IN_A_LEASE, PAUSE.toNanos()));
  }

  /** Whether it was said and the lease renewed; an answer that it is lost is final. */
  private boolean say(String word) throws InterruptedException {
    String body = "{\"lease_token\":\"" + attempt.path("lease_token").asString() + "\"}";
    long sent = System.nanoTime();
    Optional<Reply> reply = api.post(next(), "/v1/attempts/" + id + "/" + word, body);
    if (reply.isPresent() && reply.get().ok()) {
      leased(reply.get().json(), sent);
      return true;
    }
    if (reply.isPresent() && !reply.get().again()) {
      log(word + " is answered " + reply.get().status());
      lost = true;
    }
    return false;
  }

  private void leased(JsonNode answer, long sent) {
    leaseEnds = sent + (long) (answer.path("lease_seconds").asDouble() * 1e9);
  }

  private synchronized URI next() {
    return nodes.get(Math.floorMod(id.hashCode() + turn++, nodes.size()));
  }

  /** Sends one request, once, and says what is known of it. */
  private ObjectNode act() throws InterruptedException {
    Map<String, String> headers =
        Map.of("Onejob-Job-Id", attempt.path("job_id").asString(), "Onejob-Attempt-Id", id);
    byte[] input = attempt.path("input").toString().getBytes(StandardCharsets.UTF_8);
    Post post = new Post(URI.create(provider + "/calls"), headers, input);
    return switch (OnePost.send(post, PATIENCE, this, head -> {})) {
      case dev.onejob.providers.http.Reply.NotSent none -> word("refused").put("retryable", true);
      case dev.onejob.providers.http.Reply.NoAnswer none -> word("in_doubt");
      case dev.onejob.providers.http.Reply.TooLarge large -> word("in_doubt");
      case dev.onejob.providers.http.Reply.Answer answer -> word(answer);
    };
  }

  private static ObjectNode word(dev.onejob.providers.http.Reply.Answer answer) {
    if (answer.head().status() == TOO_MANY_REQUESTS) {
      return word("failed").put("retryable", true).put("retry_after", 1);
    }
    if (answer.head().status() != 200) {
      return word("in_doubt");
    }
    try {
      ObjectNode succeeded = word("succeeded");
      succeeded.set("result", MAPPER.readTree(answer.body()));
      return succeeded;
    } catch (JacksonException e) {
      return word("in_doubt");
    }
  }

  private static ObjectNode word(String outcome) {
    return MAPPER.createObjectNode().put("outcome", outcome);
  }

  /** Under a lease that is lost it is refused, and taken as a late answer. */
  private void settle(ObjectNode word) throws InterruptedException {
    word.put("lease_token", attempt.path("lease_token").asString());
    long from = System.nanoTime();
    while (System.nanoTime() - from < OFFERED.toNanos()) {
      Optional<Reply> reply = api.post(next(), "/v1/attempts/" + id + "/settle", word.toString());
      if (reply.isPresent() && !reply.get().again()) {
        log(
            word.path("outcome").asString()
                + " is answered "
                + reply.get().status()
                + " "
                + reply.get().text("state")
                + reply.get().text("late_answer"));
        return;
      }
      Thread.sleep(PAUSE);
    }
    log(word.path("outcome").asString() + " could not be told");
  }

  private void log(String what) {
    System.out.println(
        LocalTime.now() + " " + id + " of " + attempt.path("job_id").asString() + ": " + what);
  }

  @Override
  public boolean mayLeave() {
    return !lost && System.nanoTime() - leaseEnds < 0;
  }

  @Override
  public void handedOver() {
    log("sent");
  }

  @Override
  public void accepted(@Nullable String providerRef) {
    // The node knows already that somebody acts.
  }

  @Override
  public void onStop(Runnable stop) {
    // A sandbox cannot be stopped.
  }

  @Override
  public boolean stopAsked() {
    return false;
  }
}
