package dev.onejob.server.observation;

import dev.onejob.domain.AttemptState;
import dev.onejob.domain.Circuit;
import dev.onejob.domain.Cost;
import dev.onejob.domain.Money;
import dev.onejob.domain.Objection;
import dev.onejob.domain.StartCause;
import dev.onejob.domain.StartRefusal;
import dev.onejob.engine.EngineListener;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/**
 * Counts what people want to see of all nodes together, until it is taken and written down. Hears
 * everything first and passes it on. Safe for many threads.
 */
public final class Tally implements EngineListener {
  private final EngineListener next;
  private final Object lock = new Object();
  private Counts counts = Counts.NOTHING;
  private final Map<String, Money> paid = new HashMap<>();

  /** Counts before another listener hears. */
  public Tally(EngineListener next) {
    this.next = next;
  }

  /** What was counted since it was last taken. */
  public record Counts(
      long created,
      long repeated,
      long mismatched,
      long succeeded,
      long failed,
      long cancelled,
      long lost) {
    static final Counts NOTHING = new Counts(0, 0, 0, 0, 0, 0, 0);

    Counts plus(Counts other) {
      return new Counts(
          created + other.created,
          repeated + other.repeated,
          mismatched + other.mismatched,
          succeeded + other.succeeded,
          failed + other.failed,
          cancelled + other.cancelled,
          lost + other.lost);
    }
  }

  /** Counts, and what was paid, by currency. */
  public record Taken(Counts counts, Map<String, Money> paid) {}

  /** Takes what was counted; it begins anew. */
  public Taken take() {
    synchronized (lock) {
      Taken taken = new Taken(counts, Map.copyOf(paid));
      counts = Counts.NOTHING;
      paid.clear();
      return taken;
    }
  }

  /** Puts back what could not be written. */
  public void putBack(Taken taken) {
    add(taken.counts());
    taken.paid().values().forEach(this::pay);
  }

  private void add(Counts more) {
    synchronized (lock) {
      counts = counts.plus(more);
    }
  }

  private void pay(Money price) {
    synchronized (lock) {
      paid.merge(price.currency(), price, Money::plus);
    }
  }

  @Override
  public void submitted(String kind, SubmitAnswer answer) {
    switch (answer) {
      case CREATED -> add(new Counts(1, 0, 0, 0, 0, 0, 0));
      case REPEATED -> add(new Counts(0, 1, 0, 0, 0, 0, 0));
      case MISMATCHED -> add(new Counts(0, 0, 1, 0, 0, 0, 0));
      case REFUSED -> {}
    }
    next.submitted(kind, answer);
  }

  @Override
  public void ended(String kind, String provider, AttemptState end) {
    switch (end) {
      case SUCCEEDED -> add(new Counts(0, 0, 0, 1, 0, 0, 0));
      case FAILED -> add(new Counts(0, 0, 0, 0, 1, 0, 0));
      case CANCELLED -> add(new Counts(0, 0, 0, 0, 0, 1, 0));
      case LOST -> add(new Counts(0, 0, 0, 0, 0, 0, 1));
      case STARTING, RUNNING, UNKNOWN -> {}
    }
    next.ended(kind, provider, end);
  }

  @Override
  public void charged(String kind, String provider, Cost cost) {
    Money price = cost.price();
    if (price != null) {
      pay(price);
    }
    next.charged(kind, provider, cost);
  }

  @Override
  public void started(String kind, String provider, StartCause cause) {
    next.started(kind, provider, cause);
  }

  @Override
  public void startRefused(String kind, StartRefusal why) {
    next.startRefused(kind, why);
  }

  @Override
  public void doubted(String kind, String provider) {
    next.doubted(kind, provider);
  }

  @Override
  public void skipped(String kind, String provider, Objection.Reason why) {
    next.skipped(kind, provider, why);
  }

  @Override
  public void withdrawn(String kind, String provider, WithdrawnBy by) {
    next.withdrawn(kind, provider, by);
  }

  @Override
  public void circuit(String provider, Circuit.State state) {
    next.circuit(provider, state);
  }

  @Override
  public void breached(String kind, String provider) {
    next.breached(kind, provider);
  }

  @Override
  public void batched(int items, Duration took) {
    next.batched(items, took);
  }

  @Override
  public void looked(int found, Duration took) {
    next.looked(found, took);
  }
}
