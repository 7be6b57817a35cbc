package dev.onejob.server.webhooks;

import dev.onejob.domain.Delivery.Outcome;
import dev.onejob.domain.WebhookId;
import dev.onejob.engine.Pass;
import dev.onejob.store.Deliveries;
import dev.onejob.store.Deliveries.Came;
import dev.onejob.store.Deliveries.Take;
import dev.onejob.store.Deliveries.Taken;
import dev.onejob.store.Deliveries.TryEnd;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends what the outbox holds. Each node takes what is due; if it dies, what it had taken comes due
 * again for all of them: events are delivered at least once.
 */
public final class Sender implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Sender.class);
  private static final Duration LOOK_INTERVAL = Duration.ofMillis(500);
  private static final Duration KEEP_INTERVAL = Duration.ofMinutes(1);
  private static final Duration STOP_PATIENCE = Duration.ofSeconds(5);

  /** Tries at once on one node: each is a virtual thread and a socket, no connection. */
  static final int TRIES_MAX = 64;

  /** Tries at once at one webhook by one node; further ones only when all of these are over. */
  private static final int TRIES_EACH_MAX = 8;

  /** A quarter: receivers of one owner that hang do not hold up those of the others. */
  private static final int TRIES_OWNER_MAX = 16;

  /** Ends of tries that are written down at once. */
  private static final int WRITES_MAX = 2;

  /** What is removed or given up in one statement. */
  private static final int BATCH = 500;

  /** Beyond the timeout: for the look-up of a name, and for writing the end down. */
  private static final Duration TAKEN_MARGIN = Duration.ofMinutes(1);

  private final Deliveries deliveries;
  private final WebhookSettings settings;
  private final Tries tries;
  private final String node;
  private final TryListener listener;
  private final Semaphore room = new Semaphore(TRIES_MAX);
  private final Semaphore writing = new Semaphore(WRITES_MAX);
  private final Map<WebhookId, Integer> underWay = new ConcurrentHashMap<>();
  private final Pass looking = new Pass("webhooks", LOOK_INTERVAL, this::lookOnce);
  private final Pass keeping = new Pass("webhooks-keep", KEEP_INTERVAL, this::keepOnce);
  private volatile boolean closed;

  /** Sends nothing before {@link #start}. */
  public Sender(
      Deliveries deliveries,
      WebhookSettings settings,
      Resolver resolver,
      String node,
      TryListener listener) {
    this.deliveries = deliveries;
    this.settings = settings;
    this.tries =
        new Tries(new Destinations(settings, resolver), settings.timeout(), new SecureRandom());
    this.node = node;
    this.listener = listener;
  }

  /** Begins to send. */
  public void start() {
    looking.start();
    keeping.start();
  }

  /** Takes what is due, as far as there is room, and begins to send it. */
  void lookOnce() {
    List<Taken> taken;
    do {
      int limit = closed ? 0 : room.availablePermits();
      taken =
          limit == 0
              ? List.of()
              : deliveries.take(
                  new Take(
                      node,
                      limit,
                      TRIES_EACH_MAX,
                      TRIES_OWNER_MAX,
                      Map.copyOf(underWay),
                      settings.timeout().plus(TAKEN_MARGIN)));
      taken.forEach(this::begin);
    } while (!taken.isEmpty());
  }

  private void begin(Taken taken) {
    room.acquireUninterruptibly(); // nobody else takes room: it is there
    underWay.merge(taken.webhook(), 1, Integer::sum);
    Thread.ofVirtual().name("onejob-webhook").start(() -> tryUnbroken(taken));
  }

  private void tryUnbroken(Taken taken) {
    boolean more = false;
    try {
      more = tryOnce(taken) == Came.DELIVERED;
    } catch (RuntimeException | Error e) { // it comes due again by itself
      LOG.warn("webhook {}: delivery {} broke off: {}", taken.webhook(), taken.id(), e.toString());
      LOG.debug("delivery {}", taken.id(), e);
    } finally {
      underWay.computeIfPresent(taken.webhook(), (id, count) -> count > 1 ? count - 1 : null);
      room.release();
    }
    if (more) { // where it was in vain, the next look by itself is soon enough
      looking.signal();
    }
  }

  private Came tryOnce(Taken taken) {
    TryEnd end = tries.make(taken);
    Came came = written(taken, end);
    listener.tried(end.outcome(), came);
    tell(taken, end, came);
    return came;
  }

  /** Few at once: the connections to the database are for the jobs. */
  private Came written(Taken taken, TryEnd end) {
    writing.acquireUninterruptibly();
    try {
      return deliveries.end(taken, end);
    } finally {
      writing.release();
    }
  }

  /** Never the address: it may hold a secret of the receiver. */
  private static void tell(Taken taken, TryEnd end, Came came) {
    String outcome = end.outcome().word();
    switch (came) {
      case DELIVERED, OVERTAKEN ->
          LOG.debug("webhook {}: delivery {} {}", taken.webhook(), taken.id(), outcome);
      case WAITS ->
          LOG.info(
              "webhook {}: delivery {} of {}, try {}: {} ({}); again in {} s",
              taken.webhook(),
              taken.id(),
              taken.news().job(),
              taken.number(),
              outcome,
              end.message(),
              end.nextIn() == null ? 0 : end.nextIn().toSeconds());
      case FAILED ->
          LOG.warn(
              "webhook {}: delivery {} of {} failed at try {}: {} ({}); {}",
              taken.webhook(),
              taken.id(),
              taken.news().job(),
              taken.number(),
              outcome,
              end.message(),
              end.outcome() == Outcome.GONE ? "the webhook is disabled" : "it can be sent again");
    }
  }

  /** Ends what nobody sends any more, and forgets what ended long ago. */
  void keepOnce() {
    int done;
    do {
      done = deliveries.giveUp(Schedule.ROUND_MAX, BATCH);
    } while (done == BATCH && !closed);
    do {
      done = deliveries.forget(settings.kept(), BATCH);
    } while (done == BATCH && !closed);
  }

  /** Takes nothing more, and waits a moment for the tries under way; the rest comes due again. */
  @Override
  public void close() {
    closed = true;
    looking.close();
    keeping.close();
    try {
      if (!room.tryAcquire(TRIES_MAX, STOP_PATIENCE.toMillis(), TimeUnit.MILLISECONDS)) {
        LOG.info("webhooks: tries under way are left; other nodes make them again");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
