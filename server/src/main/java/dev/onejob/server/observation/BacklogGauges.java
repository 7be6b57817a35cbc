package dev.onejob.server.observation;

import dev.onejob.domain.Backlog;
import dev.onejob.domain.Kind;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What waits, as the database knows it: read when somebody asks, and not again for a few seconds.
 * Every kind and provider of a configured route is there, with 0 if nothing waits. While the
 * database does not answer there are no such numbers at all, rather than old ones.
 */
final class BacklogGauges {
  private static final Logger LOG = LoggerFactory.getLogger(BacklogGauges.class);

  /** How long a reading is good enough for the next one who asks. */
  private static final Duration FRESH = Duration.ofSeconds(5);

  /** Longer than any such query takes; shorter than whoever scrapes waits. */
  private static final Duration PATIENCE = Duration.ofSeconds(3);

  private record Place(String kind, String provider) {}

  private record Reading(long count, Duration oldest) {
    static final Reading NOTHING = new Reading(0, Duration.ZERO);

    Reading plus(Reading other) {
      return new Reading(
          count + other.count, oldest.compareTo(other.oldest) > 0 ? oldest : other.oldest);
    }
  }

  private final List<Place> places = new ArrayList<>();
  private final List<String> kinds;
  private final UnaryOperator<String> kindLabel;
  private final UnaryOperator<String> providerLabel;
  private final MultiGauge inDoubt;
  private final MultiGauge doubtAge;
  private final MultiGauge due;
  private final MultiGauge dueAge;
  private final MultiGauge oldestTransaction;
  private final Counter failures;
  private final ReentrantLock lock = new ReentrantLock();
  private @Nullable Supplier<Backlog> source; // guarded by lock
  private long readAt; // guarded by lock; 0: never

  BacklogGauges(
      MeterRegistry registry,
      Collection<Kind> kinds,
      UnaryOperator<String> kindLabel,
      UnaryOperator<String> providerLabel) {
    this.kinds = kinds.stream().map(Kind::name).toList();
    kinds.forEach(kind -> kind.route().forEach(p -> places.add(new Place(kind.name(), p))));
    this.kindLabel = kindLabel;
    this.providerLabel = providerLabel;
    this.inDoubt =
        gauge("onejob.attempts.in.doubt", "attempts in doubt whose jobs have no result", registry);
    this.doubtAge =
        gauge("onejob.doubt.oldest.age.seconds", "how long the oldest has been in doubt", registry);
    this.due = gauge("onejob.jobs.due", "jobs that could start and have not", registry);
    this.dueAge =
        gauge("onejob.due.oldest.age.seconds", "how long the oldest has been due", registry);
    this.oldestTransaction =
        gauge(
            "onejob.database.oldest.transaction.age.seconds",
            "how long the oldest open transaction of the database has lasted",
            registry);
    this.failures =
        Counter.builder("onejob.backlog.failures")
            .description("readings of what waits that the database did not answer")
            .register(registry);
  }

  private static MultiGauge gauge(String name, String description, MeterRegistry registry) {
    return MultiGauge.builder(name).description(description).register(registry);
  }

  void from(Supplier<Backlog> backlog) {
    lock.lock();
    try {
      source = backlog;
    } finally {
      lock.unlock();
    }
  }

  void refresh() {
    lock.lock();
    try {
      if (source != null && (readAt == 0 || System.nanoTime() - readAt > FRESH.toNanos())) {
        read(source);
        readAt = System.nanoTime();
      }
    } finally {
      lock.unlock();
    }
  }

  private void read(Supplier<Backlog> from) {
    CompletableFuture<Backlog> reading =
        CompletableFuture.supplyAsync(from, task -> Thread.ofVirtual().start(task));
    try {
      show(reading.get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS));
    } catch (ExecutionException | TimeoutException e) {
      hide(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      hide(e);
    }
  }

  private void hide(Exception why) {
    failures.increment();
    LOG.warn("what waits cannot be read: {}", why.toString());
    List.of(inDoubt, doubtAge, due, dueAge, oldestTransaction)
        .forEach(gauge -> gauge.register(List.of(), true));
  }

  private void show(Backlog backlog) {
    Map<Place, Reading> doubts = new HashMap<>();
    places.forEach(place -> doubts.put(place, Reading.NOTHING));
    for (Backlog.InDoubt each : backlog.inDoubt()) {
      Place place = new Place(kindLabel.apply(each.kind()), providerLabel.apply(each.provider()));
      doubts.merge(place, new Reading(each.attempts(), each.oldest()), Reading::plus);
    }
    show(doubts, inDoubt, doubtAge, p -> Tags.of("kind", p.kind(), "provider", p.provider()));

    Map<String, Reading> dues = new HashMap<>();
    kinds.forEach(kind -> dues.put(kind, Reading.NOTHING));
    for (Backlog.Due each : backlog.due()) {
      dues.put(each.kind(), new Reading(each.jobs(), each.oldest()));
    }
    show(dues, due, dueAge, kind -> Tags.of("kind", kind));
    oldestTransaction.register(
        List.of(MultiGauge.Row.of(Tags.empty(), seconds(backlog.oldestTransaction()))), true);
  }

  private static <K> void show(
      Map<K, Reading> readings, MultiGauge counts, MultiGauge ages, Function<K, Tags> tags) {
    List<MultiGauge.Row<?>> countRows = new ArrayList<>();
    List<MultiGauge.Row<?>> ageRows = new ArrayList<>();
    readings.forEach(
        (key, reading) -> {
          countRows.add(MultiGauge.Row.of(tags.apply(key), reading.count()));
          ageRows.add(MultiGauge.Row.of(tags.apply(key), seconds(reading.oldest())));
        });
    counts.register(countRows, true);
    ages.register(ageRows, true);
  }

  private static double seconds(Duration duration) {
    return duration.toMillis() / 1_000.0;
  }
}
