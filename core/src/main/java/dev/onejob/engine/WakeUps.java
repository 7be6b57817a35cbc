package dev.onejob.engine;

import dev.onejob.store.Notices;
import dev.onejob.store.StoreException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Wake-ups between nodes. They carry no data and are merged: at most one is sent in {@link
 * #SENT_AT_MOST_EVERY}, from outside of any move. Without them polling finds the same jobs, later.
 */
final class WakeUps implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(WakeUps.class);
  private static final Duration SENT_AT_MOST_EVERY = Duration.ofMillis(50);
  private static final Duration LISTEN_TURN = Duration.ofMillis(500);
  private static final Duration RECONNECT_PAUSE = Duration.ofSeconds(1);

  private final Notices notices;
  private final Runnable onNotice;
  private final Pass sending;
  private final AtomicLong wanted = new AtomicLong();
  private final Thread listener;
  private long sent; // only touched by the sending pass
  private volatile boolean closed;

  WakeUps(Notices notices, Runnable onNotice) {
    this.notices = notices;
    this.onNotice = onNotice;
    this.sending = new Pass("wake-ups", Duration.ofSeconds(1), this::sendOnce);
    this.listener = Thread.ofVirtual().name("onejob-listener").unstarted(this::listen);
  }

  void start() {
    sending.start();
    listener.start();
  }

  /** Other nodes should look for due jobs. */
  void wakeOthers() {
    wanted.incrementAndGet();
    sending.signal();
  }

  private void sendOnce() {
    long upTo = wanted.get();
    if (upTo == sent) {
      return;
    }
    notices.send();
    sent = upTo;
    try {
      Clocks.pause(SENT_AT_MOST_EVERY);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void listen() {
    while (!closed) {
      try (Notices.Listening listening = notices.listen()) {
        while (!closed) {
          if (listening.await(LISTEN_TURN)) {
            onNotice.run();
          }
        }
      } catch (StoreException e) {
        pauseAfter(e);
      }
    }
  }

  private void pauseAfter(StoreException e) {
    if (closed) {
      return;
    }
    LOG.warn("no wake-ups for now, polling goes on: {}", e.getMessage());
    try {
      Clocks.pause(RECONNECT_PAUSE);
    } catch (InterruptedException interrupted) {
      closed = true;
    }
  }

  @Override
  public void close() {
    closed = true;
    sending.close();
    try {
      listener.join(Duration.ofSeconds(5));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
