package dev.onejob.engine;

import dev.onejob.domain.Cost;
import dev.onejob.domain.Money;
import dev.onejob.domain.Prices;
import dev.onejob.domain.Usage;
import dev.onejob.provider.Outcome;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What calls cost, by the prices that this node is configured with. */
final class Pricing {
  private static final Cost UNKNOWN = Cost.of(Usage.UNSAID, null, null);

  private final Map<String, EngineConfig.ProviderSlot> providers;

  Pricing(EngineConfig config) {
    this.providers = config.providers();
  }

  /**
   * What is known of the cost of a call that ended so. What was turned away costs nothing; a call
   * that failed costs what its provider says that it used, and without a word of that nobody knows.
   */
  Cost cost(String provider, Outcome outcome) {
    Prices prices = prices(provider);
    return switch (outcome) {
      case Outcome.Succeeded s -> Cost.of(s.usage(), price(prices, s.usage()), s.cost());
      case Outcome.Failed f ->
          Cost.of(
              f.usage(),
              f.usage().equals(Usage.UNSAID) ? null : price(prices, f.usage()),
              f.cost());
      case Outcome.Refused r ->
          Cost.of(Usage.UNSAID, prices == null ? null : prices.nothing(), null);
      case Outcome.InDoubt d -> UNKNOWN;
      case Outcome.Stopped s -> UNKNOWN;
    };
  }

  private @Nullable Prices prices(String provider) {
    EngineConfig.ProviderSlot slot = providers.get(provider);
    return slot == null ? null : slot.prices();
  }

  private static @Nullable Money price(@Nullable Prices prices, Usage usage) {
    return prices == null ? null : prices.of(usage).orElse(null);
  }
}
