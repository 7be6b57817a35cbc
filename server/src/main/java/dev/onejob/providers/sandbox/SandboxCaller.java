package dev.onejob.providers.sandbox;

import dev.onejob.providers.BoundedJson;
import dev.onejob.providers.http.OnePost;
import dev.onejob.providers.http.Post;
import dev.onejob.providers.http.Reply;
import dev.onejob.providers.http.Unwatched;
import dev.onejob.providers.sandbox.Step.Play;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Calls back, as a script says, beside whatever the request is answered with. What is not taken is
 * sent again, for a while, unless it was refused for good.
 */
final class SandboxCaller {
  private static final Logger LOG = LoggerFactory.getLogger(SandboxCaller.class);

  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final int TRIES_MAX = 60;
  private static final long PAUSE_MILLIS = 500;
  private static final int CLIENT_FAULT = 400;
  private static final int SERVER_FAULT = 500;

  private final ExecutorService threads;

  /** One that sends from virtual threads of this executor. */
  SandboxCaller(ExecutorService threads) {
    this.threads = threads;
  }

  /** Sees to it that all callbacks are sent in time. */
  void promise(URI address, CallbackScript script, JsonNode unscripted) {
    long began = System.nanoTime();
    for (CallbackScript.Line line : script.lines()) {
      Post post = new Post(address, Map.of(), BoundedJson.bytes(body(line.word(), unscripted)));
      long due = began + TimeUnit.MILLISECONDS.toNanos(line.afterMillis());
      threads.execute(() -> sendAll(post, due, line.times()));
    }
  }

  private static void sendAll(Post post, long due, long times) {
    try {
      TimeUnit.NANOSECONDS.sleep(due - System.nanoTime());
      for (long i = 0; i < times; i++) {
        send(post);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // the sandbox is closing
    }
  }

  private static void send(Post post) throws InterruptedException {
    for (int tries = 1; tries <= TRIES_MAX; tries++) {
      Reply reply = OnePost.send(post, PATIENCE, Unwatched.QUESTION, head -> {});
      if (isOver(reply)) {
        return;
      }
      TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
    }
    LOG.warn("sandbox: a callback was not taken in {} tries", TRIES_MAX);
  }

  private static boolean isOver(Reply reply) {
    return switch (reply) {
      case Reply.Answer answer -> isOver(answer.head().status());
      case Reply.TooLarge large -> isOver(large.head().status());
      case Reply.NotSent none -> false;
      case Reply.NoAnswer none -> false;
    };
  }

  private static boolean isOver(int status) {
    if (status >= CLIENT_FAULT && status < SERVER_FAULT) {
      LOG.warn("sandbox: a callback was refused with {}", status);
    }
    return status < SERVER_FAULT;
  }

  private static ObjectNode body(Word word, JsonNode unscripted) {
    ObjectNode body = JsonNodeFactory.instance.objectNode();
    switch (word) {
      case Word.Succeeded s -> {
        body.put("outcome", "succeeded");
        body.set("result", s.value() == null ? unscripted : s.value());
      }
      case Word.Failed f -> failed(body.put("outcome", "failed"), f.how());
      case Word.Stopped s -> body.put("outcome", "stopped");
      case Word.AtWork w -> throw notAnEnding(word);
      case Word.NotFound n -> throw notAnEnding(word);
      case Word.Silence s -> throw notAnEnding(word);
      case Word.Garbage g -> throw notAnEnding(word);
    }
    return body;
  }

  private static void failed(ObjectNode body, Play.Refuse how) {
    body.put("code", how.code());
    body.put("message", how.message());
    body.put("retryable", how.again().retryable());
    how.again().afterMillis().ifPresent(after -> body.put("retry_after", after / 1_000.0));
  }

  private static IllegalArgumentException notAnEnding(Word word) {
    return new IllegalArgumentException("nobody calls back to say " + word);
  }
}
