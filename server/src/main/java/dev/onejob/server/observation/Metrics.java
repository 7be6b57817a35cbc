package dev.onejob.server.observation;

import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.metrics.micrometer.MicrometerMetricsTrackerFactory;
import dev.onejob.domain.AttemptState;
import dev.onejob.domain.Backlog;
import dev.onejob.domain.Circuit;
import dev.onejob.domain.Cost;
import dev.onejob.domain.Delivery.Outcome;
import dev.onejob.domain.Kind;
import dev.onejob.domain.Money;
import dev.onejob.domain.Objection;
import dev.onejob.domain.StartCause;
import dev.onejob.domain.StartRefusal;
import dev.onejob.engine.EngineListener;
import dev.onejob.store.Deliveries.Came;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * The metrics of one node, for Prometheus. Labels hold configured words only: a kind or provider
 * that this node does not know is counted as {@value #OTHER}.
 */
public final class Metrics implements EngineListener, AutoCloseable {
  static final String OTHER = "other";

  private static final Duration[] BUCKETS = {
    Duration.ofMillis(1),
    Duration.ofMillis(2),
    Duration.ofMillis(5),
    Duration.ofMillis(10),
    Duration.ofMillis(25),
    Duration.ofMillis(50),
    Duration.ofMillis(100),
    Duration.ofMillis(250),
    Duration.ofSeconds(1),
    Duration.ofSeconds(5)
  };
  private static final double[] ITEM_BUCKETS = {1, 2, 5, 10, 25, 50, 100, 200};

  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  private final Set<String> kinds;
  private final Set<String> providers;
  private final BacklogGauges backlog;
  private final Map<Key, Counter> counters = new ConcurrentHashMap<>();
  private final Map<String, AtomicInteger> circuits = new ConcurrentHashMap<>();
  private final Timer batchTimes;
  private final DistributionSummary batchItems;
  private final Timer looks;
  private final JvmGcMetrics garbage = new JvmGcMetrics();

  /** Metrics of a node that serves these kinds at these providers. */
  public Metrics(Collection<Kind> kinds, Collection<String> providers) {
    this.kinds = kinds.stream().map(Kind::name).collect(Collectors.toUnmodifiableSet());
    this.providers = Set.copyOf(providers);
    this.backlog = new BacklogGauges(registry, kinds, this::kind, this::provider);
    this.looks =
        Timer.builder("onejob.look")
            .description("time of one look for due jobs")
            .serviceLevelObjectives(BUCKETS)
            .register(registry);
    this.batchTimes =
        Timer.builder("onejob.batch")
            .description("time of one group commit, from its departure to its commit")
            .serviceLevelObjectives(BUCKETS)
            .register(registry);
    this.batchItems =
        DistributionSummary.builder("onejob.batch.items")
            .description("submits, starts and results in one group commit")
            .serviceLevelObjectives(ITEM_BUCKETS)
            .register(registry);
    for (String kind : this.kinds) {
      for (SubmitAnswer answer : SubmitAnswer.values()) {
        submits(kind, answer);
      }
    }
    new JvmMemoryMetrics().bindTo(registry);
    new JvmThreadMetrics().bindTo(registry);
    new ProcessorMetrics().bindTo(registry);
    new UptimeMetrics().bindTo(registry);
    garbage.bindTo(registry);
  }

  /** Shows the pool as well; must be called before it is first used under load. */
  public void watchPool(DataSource pool) {
    if (pool instanceof HikariDataSource hikari && hikari.getMetricsTrackerFactory() == null) {
      hikari.setMetricsTrackerFactory(new MicrometerMetricsTrackerFactory(registry));
    }
  }

  /** Where the numbers come from that only the database knows. */
  public void watchBacklog(Supplier<Backlog> source) {
    backlog.from(source);
  }

  /** All of it in the text format of Prometheus, version 0.0.4. */
  public String text() {
    backlog.refresh();
    return registry.scrape();
  }

  @Override
  public void submitted(String kind, SubmitAnswer answer) {
    submits(kind(kind), answer).increment();
  }

  private Counter submits(String kind, SubmitAnswer answer) {
    return counter(
        "onejob.submits",
        "submissions, by how they were answered",
        List.of("kind", kind, "answer", word(answer)));
  }

  @Override
  public void started(String kind, String provider, StartCause cause) {
    counter(
            "onejob.starts",
            "attempts that were started",
            List.of("kind", kind(kind), "provider", provider(provider), "cause", cause.word()))
        .increment();
  }

  @Override
  public void startRefused(String kind, StartRefusal why) {
    counter(
            "onejob.starts.refused",
            "starts that the guard refused, by reason",
            List.of("kind", kind(kind), "reason", why.word()))
        .increment();
  }

  @Override
  public void doubted(String kind, String provider) {
    counter(
            "onejob.attempts.doubted",
            "times that an attempt came to be in doubt",
            List.of("kind", kind(kind), "provider", provider(provider)))
        .increment();
  }

  @Override
  public void ended(String kind, String provider, AttemptState end) {
    counter(
            "onejob.attempts.ended",
            "attempts that ended, by outcome; lost is a lost race",
            List.of("kind", kind(kind), "provider", provider(provider), "outcome", end.word()))
        .increment();
  }

  /** Counters of Prometheus are floating: the exact amounts are with the attempts. */
  @Override
  public void charged(String kind, String provider, Cost cost) {
    Money price = cost.price();
    if (price != null) {
      counter(
              "onejob.paid",
              "what attempts have cost, by the prices of this node",
              List.of(
                  "kind", kind(kind), "provider", provider(provider), "currency", price.currency()))
          .increment(price.amount().doubleValue());
    }
    tokens(kind, provider, "input", cost.inputTokens());
    tokens(kind, provider, "output", cost.outputTokens());
  }

  private void tokens(String kind, String provider, String direction, @Nullable Long tokens) {
    if (tokens != null) {
      counter(
              "onejob.tokens",
              "tokens that attempts have used, by the figures of their providers",
              List.of("kind", kind(kind), "provider", provider(provider), "direction", direction))
          .increment(tokens);
    }
  }

  @Override
  public void breached(String kind, String provider) {
    counter(
            "onejob.contract.breaches",
            "answers that broke the contract of their kind",
            List.of("kind", kind(kind), "provider", provider(provider)))
        .increment();
  }

  @Override
  public void skipped(String kind, String provider, Objection.Reason why) {
    counter(
            "onejob.providers.skipped",
            "times that a job was not given to a provider by itself, by reason",
            List.of("kind", kind(kind), "provider", provider(provider), "reason", why.word()))
        .increment();
  }

  @Override
  public void withdrawn(String kind, String provider, WithdrawnBy by) {
    counter(
            "onejob.qualifications.withdrawn",
            "qualifications that this node has withdrawn, by who or what did it",
            List.of("kind", kind(kind), "provider", provider(provider), "by", word(by)))
        .increment();
  }

  @Override
  public void circuit(String provider, Circuit.State state) {
    circuits
        .computeIfAbsent(
            provider(provider),
            name ->
                registry.gauge(
                    "onejob.circuit.open", Tags.of("provider", name), new AtomicInteger()))
        .set(state == Circuit.State.CLOSED ? 0 : 1);
  }

  @Override
  public void batched(int items, Duration took) {
    batchTimes.record(took);
    batchItems.record(items);
  }

  @Override
  public void looked(int found, Duration took) {
    looks.record(took);
  }

  /** A try to tell a webhook of a job has ended. */
  public void webhookTried(Outcome outcome, Came came) {
    counter(
            "onejob.webhook.tries",
            "tries to tell webhooks, by how they ended and what the delivery came to",
            List.of("outcome", outcome.word(), "delivery", word(came)))
        .increment();
  }

  private record Key(String name, List<String> labels) {}

  /** A counter by its labels: names and values in turn, of which there is only a bounded number. */
  private Counter counter(String name, String description, List<String> labels) {
    return counters.computeIfAbsent(
        new Key(name, labels),
        key ->
            Counter.builder(name)
                .description(description)
                .tags(labels.toArray(String[]::new))
                .register(registry));
  }

  private String kind(String name) {
    return kinds.contains(name) ? name : OTHER;
  }

  private String provider(String name) {
    return providers.contains(name) ? name : OTHER;
  }

  private static String word(Enum<?> word) {
    return word.name().toLowerCase(Locale.ROOT);
  }

  @Override
  public void close() {
    garbage.close();
    registry.close();
  }
}
