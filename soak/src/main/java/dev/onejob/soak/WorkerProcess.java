package dev.onejob.soak;

import dev.onejob.soak.Api.Reply;
import java.net.URI;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Semaphore;
import tools.jackson.databind.JsonNode;

/**
 * A pull worker in a process of its own, as docs/workers.md says that one is to behave: it claims,
 * says accepted, acts at the sandbox provider, whose ledger is the witness, and settles.
 */
final class WorkerProcess {
  /** The variable that holds its API key. */
  static final String KEY = "ONEJOB_KEY";

  private static final int AT_ONCE = 48;
  private static final int CLAIM_MAX = 16;
  private static final Duration PAUSE = Duration.ofMillis(200);

  private final String name;
  private final URI provider;
  private final List<URI> nodes;
  private final Api api;
  private final Semaphore hands = new Semaphore(AT_ONCE);

  private WorkerProcess(String name, URI provider, List<URI> nodes, Api api) {
    this.name = name;
    this.provider = provider;
    this.nodes = nodes;
    this.api = api;
  }

  /** Works until it is killed: {@code name provider node…}. */
  public static void main(String[] args) throws InterruptedException {
    List<URI> nodes = Arrays.stream(args).skip(2).map(URI::create).toList();
    Api api = new Api(System.getenv(KEY));
    new WorkerProcess(args[0], URI.create(args[1]), nodes, api).work();
  }

  private void work() throws InterruptedException {
    while (true) {
      claim(freeHands());
    }
  }

  /** The same claim again and again, at one node after the other, until it brings something. */
  private void claim(int free) throws InterruptedException {
    String claim =
        """
        {"kinds":["%s"],"request_id":"%s","worker":"%s","count":%d,"wait":3}"""
            .formatted(Scripts.PULLED, UUID.randomUUID(), name, free);
    int given = 0;
    for (int turn = 0; given == 0; ) {
      Optional<Reply> reply = api.post(node(turn), "/v1/attempts/claim", claim).filter(Reply::ok);
      if (reply.isPresent()) {
        JsonNode attempts = reply.get().json().path("attempts");
        given = attempts.size();
        attempts.forEach(this::begin);
      } else {
        turn++;
        Thread.sleep(PAUSE);
      }
    }
    hands.release(free - given);
  }

  /** Takes at least one. */
  private int freeHands() throws InterruptedException {
    hands.acquire();
    int free = 1;
    while (free < CLAIM_MAX && hands.tryAcquire()) {
      free++;
    }
    return free;
  }

  private URI node(int turn) {
    return nodes.get(Math.floorMod(name.hashCode() + turn, nodes.size()));
  }

  private void begin(JsonNode attempt) {
    Errand errand = new Errand(api, nodes, provider, attempt);
    Thread.ofVirtual()
        .start(
            () -> {
              try {
                errand.run();
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              } finally {
                hands.release();
              }
            });
  }
}
