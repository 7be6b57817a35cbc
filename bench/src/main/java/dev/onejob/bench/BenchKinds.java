package dev.onejob.bench;

import dev.onejob.domain.Effect;
import dev.onejob.domain.Kind;
import dev.onejob.domain.RetryPolicy;
import dev.onejob.domain.WhenUnqualified;
import dev.onejob.engine.EngineConfig;
import dev.onejob.provider.Provider;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** The one kind that is measured, with settings like those of a real one. */
public final class BenchKinds {
  /** Its name. */
  public static final String KIND = "bench";

  /** The one provider of its route. */
  public static final String PROVIDER = "bench-provider";

  private BenchKinds() {}

  /** A node that runs that kind. */
  public static EngineConfig config(Provider provider, int slots) {
    Kind kind =
        new Kind(
            KIND,
            Effect.EXCLUSIVE,
            List.of(PROVIDER),
            Duration.ofMinutes(30),
            Duration.ofMinutes(10),
            3,
            new RetryPolicy(Duration.ofSeconds(1), Duration.ofMinutes(1)),
            null,
            null,
            WhenUnqualified.WAIT,
            slots);
    return new EngineConfig(
        "bench",
        List.of(kind),
        Map.of(PROVIDER, new EngineConfig.ProviderSlot(provider, slots)),
        slots,
        Duration.ofSeconds(1),
        Duration.ofSeconds(1));
  }
}
