package dev.onejob.server.ui.playground;

import dev.onejob.domain.JobId;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The usual way, for real: each click is a request of its own, a timeout or a cut line is answered
 * by sending again, and whatever answer comes is shown, the last over those before.
 */
final class UsualSide {
  private static final String[] TRIES = {"", ", sent again"};
  private static final long LOOK_MILLIS = 50;

  private final HttpClient http;
  private final URI sandbox;
  private final Curl curl;
  private final Choice choice;
  private final Journal journal;
  private final InstantSource clock;
  private final ExecutorService threads;
  private final BooleanSupplier closing;
  private final Duration timeout;
  private final JobId count;
  private final CountDownLatch trouble = new CountDownLatch(1);
  private final List<CompletableFuture<?>> clicks = new ArrayList<>();
  private final List<Sent> sent = new ArrayList<>();
  private int results;

  UsualSide(Ground ground, Choice choice, Journal journal, Duration timeout) {
    this.http = ground.http();
    this.sandbox = ground.sandbox();
    this.curl = ground.curl();
    this.clock = ground.clock();
    this.threads = ground.threads();
    this.closing = ground.closing();
    this.choice = choice;
    this.journal = journal;
    this.timeout = timeout;
    this.count = JobId.next(clock.millis(), ThreadLocalRandom.current());
  }

  /** A request on its way; changed under the lock of the side. */
  private static final class Sent {
    private final String label;
    private final List<Bar.Turn> turns = new ArrayList<>();
    private String state = "running";
    private long endedAt = -1;

    private Sent(String label, long atMillis) {
      this.label = label;
      turns.add(new Bar.Turn("running", atMillis));
    }
  }

  /** Under which the sandbox counts the requests of this side. */
  JobId count() {
    return count;
  }

  UsualCall fresh(String provider, String order) {
    return UsualCall.fresh(sandbox, provider, count, choice.input(order), clock.millis());
  }

  /** A click: sends a request, and once more if the first has no answer. Returns at once. */
  synchronized void click(String provider, String order, String did) {
    int number = clicks.size() + 1;
    clicks.add(
        CompletableFuture.runAsync(() -> sendTwiceAtMost(provider, order, did, number), threads));
  }

  private void sendTwiceAtMost(String provider, String order, String did, int number) {
    String does = did;
    for (int i = 0; i < TRIES.length && !closing.getAsBoolean(); i++) {
      boolean again = i > 0;
      String why =
          again
              ? "Nobody knows whether the one before has acted. To the provider this is one more."
              : "A new request: nothing says that it belongs to another.";
      String label = "Click " + number + " at " + provider + TRIES[i];
      switch (heard(fresh(provider, order), label, does, why)) {
        case AN_ANSWER, NOBODY_LISTENS -> {
          return;
        }
        case A_CUT -> does = "The line was cut: it is sent again";
        case NOTHING -> does = "No answer in " + timeout.toSeconds() + " s: it is sent again";
      }
      trouble.countDown();
    }
  }

  /** What was heard in time; without an answer it is still listened to. */
  private Heard heard(UsualCall call, String label, String did, String why) {
    Sent request = new Sent(label, journal.millis());
    synchronized (this) {
      sent.add(request);
    }
    journal.add(
        did,
        "request sent to " + call.to().getPath().split("/", 3)[1],
        why,
        curl.call(call.to(), call.headers(), call.body(), timeout.toSeconds()));
    CompletableFuture<Heard> heard =
        http.sendAsync(call.request(), BodyHandlers.ofString())
            .handle((response, failure) -> ended(request, response));
    try {
      return heard.get(timeout.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      silent(request);
      return Heard.NOTHING;
    } catch (ExecutionException e) {
      throw new IllegalStateException("an answer could not be noted", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // the run is over
      return Heard.NOBODY_LISTENS;
    }
  }

  /** What came back. */
  private enum Heard {
    AN_ANSWER,
    A_CUT,
    /** Not in time. */
    NOTHING,
    /** The run is over. */
    NOBODY_LISTENS
  }

  private synchronized Heard ended(Sent request, @Nullable HttpResponse<String> response) {
    boolean late = request.state.equals("unknown");
    request.endedAt = journal.millis();
    if (response == null) {
      request.state = "unknown";
      journal.note(request.label + ": the line was cut", "It may have acted, or not.");
      return Heard.A_CUT;
    }
    if (response.statusCode() / 100 == 2) {
      results++;
      request.state = "succeeded";
      journal.note(
          request.label + (late ? ": answered late" : ": answered"),
          results > 1
              ? "Its result is shown, over the one before."
              : "Its result is shown, whatever else is under way.");
    } else {
      request.state = "failed";
      journal.note(request.label + ": refused", "");
    }
    return Heard.AN_ANSWER;
  }

  private synchronized void silent(Sent request) {
    if (request.state.equals("running")) {
      request.state = "unknown";
      request.turns.add(new Bar.Turn("unknown", journal.millis()));
    }
  }

  /** Waits until a request has had no answer, or all clicks were answered; not for ever. */
  void awaitTrouble(Duration atMost) throws InterruptedException {
    long end = journal.millis() + atMost.toMillis();
    while (journal.millis() < end && !closing.getAsBoolean() && !allAnswered()) {
      if (trouble.await(LOOK_MILLIS, TimeUnit.MILLISECONDS)) {
        return;
      }
    }
  }

  boolean closing() {
    return closing.getAsBoolean();
  }

  synchronized boolean allAnswered() {
    return clicks.stream().allMatch(CompletableFuture::isDone);
  }

  /** Whether nobody waits for an answer, late ones included. */
  synchronized boolean quiet() {
    return allAnswered() && sent.stream().allMatch(each -> each.endedAt >= 0);
  }

  synchronized SideView view(SandboxCount counted, long wholeMillis) {
    List<Bar> bars = new ArrayList<>();
    for (Sent each : sent) {
      long until = each.endedAt >= 0 ? each.endedAt : wholeMillis;
      bars.add(Bar.of(each.label, each.state, each.turns, until, List.of(), wholeMillis));
    }
    return new SideView(
        journal.steps(),
        bars,
        counted.allRequests(),
        counted.allEffects(),
        counted.effects(),
        results,
        0,
        List.of());
  }

  /** Tells of what another process did in the usual way on behalf of this side. */
  synchronized void elsewhere(String did, UsualCall call) {
    journal.add(
        did,
        "request sent to playground-a",
        "A new request: nothing says that it belongs to another.",
        curl.call(call.to(), call.headers(), call.body(), timeout.toSeconds()));
    sent.add(new Sent("The worker's call at playground-a", journal.millis()));
  }

  /**
   * That process was killed: nobody listens any more.
   *
   * @param status of the answer that it had heard; 0: none
   */
  synchronized void elsewhereDied(int status) {
    for (Sent each : sent) {
      each.endedAt = journal.millis();
      if (status / 100 == 2) {
        results++;
        each.state = "succeeded";
      } else if (status > 0) {
        each.state = "failed";
      } else {
        each.state = "unknown";
        each.turns.add(new Bar.Turn("unknown", journal.millis()));
      }
    }
  }
}
