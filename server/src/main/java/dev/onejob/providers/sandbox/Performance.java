package dev.onejob.providers.sandbox;

import com.sun.net.httpserver.HttpExchange;
import dev.onejob.providers.sandbox.SandboxLedger.Arrival;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Plays one step for one request. What the caller does meanwhile changes nothing: a caller that is
 * gone does not undo an effect that was to come.
 */
final class Performance {
  private static final Logger LOG = LoggerFactory.getLogger(Performance.class);

  /** Tells the JDK's server that the length is not known ahead, or that there is no body. */
  private static final int CHUNKED = 0;

  private static final int NO_BODY = -1;

  private final HttpExchange exchange;
  private final SandboxLedger ledger;
  private final Arrival arrival;
  private final SandboxAnswer answer;
  private boolean headSent;

  Performance(HttpExchange exchange, SandboxLedger ledger, Arrival arrival, SandboxAnswer answer) {
    this.exchange = exchange;
    this.ledger = ledger;
    this.arrival = arrival;
    this.answer = answer;
  }

  void play(Step step) throws InterruptedException {
    long began = System.nanoTime();
    sayUsage(step.usage());
    for (Cue cue : Cue.of(step)) {
      long due = began + TimeUnit.MILLISECONDS.toNanos(cue.atMillis());
      TimeUnit.NANOSECONDS.sleep(due - System.nanoTime());
      perform(cue.act());
    }
  }

  private void sayUsage(Step.@Nullable Tokens usage) {
    if (usage != null) {
      String figures = usage.input() + " " + usage.output();
      exchange.getResponseHeaders().set(SandboxHeaders.USAGE, figures);
    }
  }

  private void perform(Cue.Act act) {
    try {
      switch (act) {
        case ACCEPT -> accept();
        case EFFECT -> ledger.acted(arrival);
        case ANSWER -> answer();
        case CUT -> exchange.close();
      }
    } catch (IOException e) {
      LOG.debug("sandbox: the caller of {} is gone", arrival, e);
    }
  }

  private void accept() throws IOException {
    exchange.getResponseHeaders().set(SandboxHeaders.ACCEPTED, "true");
    // Without a body there is nothing to hold back but the end of an empty chunked one.
    sendHead(answer.body().length == 0 ? CHUNKED : answer.body().length);
    exchange.getResponseBody().flush();
  }

  private void answer() throws IOException {
    try (exchange) {
      if (!headSent) {
        sendHead(answer.body().length == 0 ? NO_BODY : answer.body().length);
      }
      if (answer.body().length > 0) {
        exchange.getResponseBody().write(answer.body());
      }
    }
  }

  private void sendHead(int length) throws IOException {
    headSent = true;
    exchange.getResponseHeaders().set("Content-Type", "application/json");
    exchange.getResponseHeaders().set(SandboxHeaders.REF, "sbx_" + arrival.id());
    answer.headers().forEach(exchange.getResponseHeaders()::set);
    exchange.sendResponseHeaders(answer.status(), length);
  }
}
