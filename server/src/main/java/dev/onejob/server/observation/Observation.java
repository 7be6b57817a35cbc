package dev.onejob.server.observation;

import dev.onejob.engine.EngineConfig;
import dev.onejob.engine.EngineConfig.ProviderSlot;
import dev.onejob.engine.EngineListener;
import dev.onejob.engine.JobEngine;
import dev.onejob.provider.PulledProvider;
import dev.onejob.server.config.ObservationSettings.MetricsReaders;
import dev.onejob.server.config.ProviderSettings;
import dev.onejob.server.config.Settings;
import dev.onejob.server.config.TracingSettings;
import dev.onejob.server.http.operation.Watching;
import dev.onejob.server.webhooks.TryListener;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Everything that watches one node. */
public final class Observation implements AutoCloseable {
  private final Metrics metrics;
  private final MetricsReaders readers;
  private final @Nullable Tracing tracing;

  private Observation(Metrics metrics, MetricsReaders readers, @Nullable Tracing tracing) {
    this.metrics = metrics;
    this.readers = readers;
    this.tracing = tracing;
  }

  /**
   * Begins to watch.
   *
   * @param pool of the database
   * @throws IllegalArgumentException if traces are to be sent to what is no address
   */
  public static Observation start(Settings settings, DataSource pool) {
    TracingSettings traces = settings.observation().tracing();
    Tracing tracing = traces == null ? null : Tracing.start(traces, settings.server().node());
    Metrics metrics =
        new Metrics(
            settings.kinds(), settings.providers().stream().map(ProviderSettings::name).toList());
    metrics.watchPool(pool);
    return new Observation(metrics, settings.observation().metricsReaders(), tracing);
  }

  /** What listens to the engine. */
  public EngineListener listener() {
    return metrics;
  }

  /** What listens to the sender of webhooks. */
  public TryListener tries() {
    return metrics::webhookTried;
  }

  /** What the engine is told, with providers that are traced if anything is. */
  public EngineConfig over(EngineConfig config) {
    Tracing traces = tracing;
    if (traces == null) {
      return config;
    }
    Map<String, ProviderSlot> providers =
        config.providers().entrySet().stream()
            .collect(
                Collectors.toMap(Map.Entry::getKey, e -> traced(e.getKey(), e.getValue(), traces)));
    return config.withProviders(providers);
  }

  private static ProviderSlot traced(String name, ProviderSlot slot, Tracing tracing) {
    return slot.provider() instanceof PulledProvider // nobody calls it
        ? slot
        : new ProviderSlot(
            tracing.traced(name, slot.provider()),
            slot.inFlightMax(),
            slot.probes(),
            slot.circuit(),
            slot.prices());
  }

  /** The engine runs: what waits can be read. */
  public void started(JobEngine engine) {
    metrics.watchBacklog(engine::backlog);
  }

  /** How the API shows it, and is traced. */
  public Watching watching() {
    Watching.Readers who =
        switch (readers) {
          case OPERATORS -> Watching.Readers.OPERATORS;
          case ANYONE -> Watching.Readers.ANYONE;
        };
    Tracing traces = tracing;
    return new Watching(
        metrics::text, who, traces == null ? UnaryOperator.identity() : traces::traced);
  }

  @Override
  public void close() {
    metrics.close();
    if (tracing != null) {
      tracing.close();
    }
  }
}
