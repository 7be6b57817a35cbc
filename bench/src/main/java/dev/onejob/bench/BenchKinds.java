package dev.onejob.bench;

import dev.onejob.domain.Effect;
import dev.onejob.domain.Kind;
import dev.onejob.domain.RetryPolicy;
import dev.onejob.domain.Then;
import dev.onejob.domain.UnknownRule;
import dev.onejob.domain.Verdict;
import dev.onejob.domain.WhenUnqualified;
import dev.onejob.engine.EngineConfig;
import dev.onejob.provider.Provider;
import dev.onejob.provider.PulledProvider;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** The kinds that are measured, with settings like those of real ones. */
public final class BenchKinds {
  /** The name of the one that a node runs. */
  public static final String KIND = "bench";

  /** The one provider of its route. */
  public static final String PROVIDER = "bench-provider";

  /** The name of one that workers fetch, so that no node starts it. */
  public static final String FETCHED = "bench-fetched";

  private static final String WORKERS = "bench-workers";
  private static final Duration LEASE_OF_WORKERS = Duration.ofSeconds(30);

  private BenchKinds() {}

  /** A node that runs the first kind. */
  public static EngineConfig config(Provider provider, int slots) {
    return node(
        List.of(kind(KIND, Effect.EXCLUSIVE, PROVIDER, slots)),
        Map.of(PROVIDER, new EngineConfig.ProviderSlot(provider, slots)),
        slots);
  }

  /** A node that runs a harmless kind of that name, whose jobs go on from every doubt. */
  public static EngineConfig goingOn(Provider provider, int slots) {
    UnknownRule rule = new UnknownRule(Duration.ofMinutes(15), Verdict.ABANDON, Then.RETRY);
    return node(
        List.of(kind(KIND, Effect.HARMLESS, PROVIDER, slots).with(rule)),
        Map.of(PROVIDER, new EngineConfig.ProviderSlot(provider, slots)),
        slots);
  }

  /** A node that runs the first kind, and admits jobs of the other one for workers. */
  public static EngineConfig withFetched(Provider provider, int slots) {
    PulledProvider workers = new PulledProvider(LEASE_OF_WORKERS);
    return node(
        List.of(
            kind(KIND, Effect.EXCLUSIVE, PROVIDER, slots),
            kind(FETCHED, Effect.EXCLUSIVE, WORKERS, slots)),
        Map.of(
            PROVIDER,
            new EngineConfig.ProviderSlot(provider, slots),
            WORKERS,
            new EngineConfig.ProviderSlot(workers, slots)),
        slots);
  }

  private static Kind kind(String name, Effect effect, String provider, int slots) {
    return new Kind(
        name,
        effect,
        List.of(provider),
        Duration.ofMinutes(30),
        Duration.ofMinutes(10),
        3,
        new RetryPolicy(Duration.ofSeconds(1), Duration.ofMinutes(1)),
        null,
        null,
        WhenUnqualified.WAIT,
        slots);
  }

  private static EngineConfig node(
      List<Kind> kinds, Map<String, EngineConfig.ProviderSlot> providers, int slots) {
    return new EngineConfig(
        "bench", kinds, providers, slots, Duration.ofSeconds(1), Duration.ofSeconds(1));
  }
}
