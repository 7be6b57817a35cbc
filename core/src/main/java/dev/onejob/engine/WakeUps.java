package dev.onejob.engine;

import dev.onejob.store.Notices;
import dev.onejob.store.Notices.News;
import dev.onejob.store.StoreException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Wake-ups between nodes. They carry no data and are sent from outside of any move. One is sent at
 * once; what comes close upon another is merged, the longer the more of them are wanted. Without
 * them polling finds the same jobs, later.
 */
final class WakeUps implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(WakeUps.class);

  /** Between two that are sent: doubled where the next is wanted by then, and halved if not. */
  private static final long PAUSE_MIN_MILLIS = 4;

  private static final long PAUSE_MAX_MILLIS = 16;

  private static final Duration LISTEN_TURN = Duration.ofMillis(500);

  /** Turns without a notice after which the line is asked for a sign of life: 10 s. */
  private static final int SILENT_TURNS_MAX = 20;

  private static final Duration RECONNECT_PAUSE = Duration.ofSeconds(1);

  private final Notices notices;
  private final Runnable onDue;
  private final Runnable onProviders;
  private final Pass sending;
  private final Set<News> wanted = ConcurrentHashMap.newKeySet();
  private final Thread listener;
  private long pauseMillis = PAUSE_MIN_MILLIS; // of the sending pass
  private volatile boolean closed;

  /**
   * Makes one.
   *
   * @param onDue run when jobs may be due
   * @param onProviders run when something has changed about providers
   */
  WakeUps(Notices notices, Runnable onDue, Runnable onProviders) {
    this.notices = notices;
    this.onDue = onDue;
    this.onProviders = onProviders;
    this.sending = new Pass("wake-ups", Duration.ofSeconds(1), this::sendOnce);
    this.listener = Thread.ofVirtual().name("onejob-listener").unstarted(this::listen);
  }

  void start() {
    sending.start();
    listener.start();
  }

  /** Other nodes should look for due jobs. */
  void wakeOthers() {
    wake(News.DUE);
  }

  /** Other nodes should look at the providers. */
  void tellOfProviders() {
    wake(News.PROVIDERS);
  }

  private void wake(News news) {
    wanted.add(news);
    sending.signal();
  }

  private void sendOnce() {
    List<News> now = Stream.of(News.values()).filter(wanted::remove).toList();
    if (now.isEmpty()) {
      return;
    }
    boolean sent = false;
    try {
      now.forEach(notices::send);
      sent = true;
    } finally { // also after an Error: they are still wanted
      if (!sent) {
        wanted.addAll(now);
      }
      rest(sent ? Duration.ofMillis(pauseMillis) : RECONNECT_PAUSE);
    }
  }

  private void rest(Duration time) {
    try {
      Clocks.pause(time);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    long next = wanted.isEmpty() ? pauseMillis / 2 : pauseMillis * 2;
    pauseMillis = Math.clamp(next, PAUSE_MIN_MILLIS, PAUSE_MAX_MILLIS);
  }

  private void listen() {
    while (!closed) {
      try {
        Optional<Notices.Listening> listening = notices.listen();
        if (listening.isEmpty()) {
          LOG.warn(
              "a connection pooler such as PgBouncer stands before the database: no wake-ups"
                  + " between nodes, polling finds what other nodes leave to be done");
          return;
        }
        hear(listening.get());
      } catch (StoreException e) {
        pauseAfter(e);
      }
    }
  }

  private void hear(Notices.Listening line) {
    try (line) {
      List.of(News.values()).forEach(each -> heard(each).run()); // what came before it listened
      int silentTurns = 0;
      while (!closed) {
        Optional<Set<News>> news = line.await(LISTEN_TURN);
        if (news.isPresent()) {
          silentTurns = 0;
          news.get().forEach(each -> heard(each).run());
        } else if (++silentTurns >= SILENT_TURNS_MAX) {
          silentTurns = 0;
          line.checkAlive();
        }
      }
    }
  }

  private Runnable heard(News news) {
    return switch (news) {
      case DUE -> onDue;
      case PROVIDERS -> onProviders;
    };
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
