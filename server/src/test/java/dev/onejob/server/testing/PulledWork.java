package dev.onejob.server.testing;

import dev.onejob.domain.Effect;
import dev.onejob.domain.Kind;
import dev.onejob.domain.RetryPolicy;
import dev.onejob.domain.WhenUnqualified;
import dev.onejob.engine.EngineConfig.ProviderSlot;
import dev.onejob.provider.PulledProvider;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Kinds whose work is fetched: {@code pulled} under a long lease, with the provider {@code a} as a
 * fallback; {@code pulled-race}, the same and harmless; {@code brief} under a lease that lapses
 * while a test looks on, two attempts for a worker at most; {@code receipt-work} with a contract.
 */
final class PulledWork {
  static final List<Kind> KINDS =
      List.of(
          kind("pulled", Effect.EXCLUSIVE, null, Duration.ofMinutes(1), "w", "a"),
          kind(
              "pulled-race",
              Effect.HARMLESS,
              Duration.ofMillis(1),
              Duration.ofMinutes(1),
              "w",
              "a"),
          kind(
              "brief-race",
              Effect.HARMLESS,
              Duration.ofMillis(1),
              Duration.ofMinutes(1),
              "brief",
              "a"),
          kind("receipt-work", Effect.EXCLUSIVE, null, Duration.ofMinutes(1), "w")
              .with(ApiNode.RECEIPTS),
          kind("brief", Effect.EXCLUSIVE, null, Duration.ofMillis(1_500), "brief"));

  static final Map<String, ProviderSlot> PROVIDERS =
      Map.of(
          "w", new ProviderSlot(new PulledProvider(Duration.ofSeconds(30)), 64),
          "brief", new ProviderSlot(new PulledProvider(Duration.ofSeconds(1)), 2));

  private PulledWork() {}

  private static Kind kind(
      String name,
      Effect effect,
      @Nullable Duration raceAfter,
      Duration attemptTimeout,
      String... route) {
    return new Kind(
        name,
        effect,
        List.of(route),
        attemptTimeout,
        Duration.ofSeconds(20),
        3,
        new RetryPolicy(Duration.ofMillis(10), Duration.ofMillis(50)),
        raceAfter,
        null,
        WhenUnqualified.WAIT,
        64);
  }
}
