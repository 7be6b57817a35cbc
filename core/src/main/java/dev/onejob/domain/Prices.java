package dev.onejob.domain;

import java.math.BigDecimal;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a provider asks, as the operator has written it down.
 *
 * @param currency see {@link Money}
 * @param usual for every model that is not named
 * @param models by the name of the model that has answered
 */
public record Prices(String currency, Rate usual, Map<String, Rate> models) {
  /** Most digits behind the point of a configured amount: a bound for what they come to. */
  public static final int DECIMALS_MAX = 12;

  /** Digits of the million that token prices are for. */
  private static final int MILLION_DIGITS = 6;

  /**
   * Checks the currency.
   *
   * @throws IllegalArgumentException if it is no code
   */
  public Prices {
    models = Map.copyOf(models);
    new Money(BigDecimal.ZERO, currency); // has the rule
  }

  /**
   * A price is the sum of its parts; null: there is no such part.
   *
   * @param perCall for each call that was answered with work done
   * @param inputPerMillion for a million tokens of input
   * @param outputPerMillion for a million tokens of output
   */
  public record Rate(
      @Nullable BigDecimal perCall,
      @Nullable BigDecimal inputPerMillion,
      @Nullable BigDecimal outputPerMillion) {}

  /** A call that was turned away before any work. */
  public Money nothing() {
    return new Money(BigDecimal.ZERO, currency);
  }

  /** A call that was answered; empty if the figures that its price hangs on were not said. */
  public Optional<Money> of(Usage usage) {
    return of(usage, 1);
  }

  /**
   * So many calls that were answered, with what all of them have used together.
   *
   * @param calls 0 or more
   */
  public Optional<Money> of(Usage usage, long calls) {
    String model = usage.model();
    Rate rate = model == null ? usual : models.getOrDefault(model, usual);
    BigDecimal input = tokens(rate.inputPerMillion(), usage.inputTokens());
    BigDecimal output = tokens(rate.outputPerMillion(), usage.outputTokens());
    if (input == null || output == null) {
      return Optional.empty();
    }
    BigDecimal call = rate.perCall() == null ? BigDecimal.ZERO : rate.perCall();
    BigDecimal all = call.multiply(BigDecimal.valueOf(calls));
    return Optional.of(new Money(all.add(input).add(output), currency));
  }

  /** Null if it cannot be said. */
  private static @Nullable BigDecimal tokens(@Nullable BigDecimal price, @Nullable Long tokens) {
    if (price == null) {
      return BigDecimal.ZERO;
    }
    return tokens == null
        ? null
        : price.multiply(BigDecimal.valueOf(tokens)).movePointLeft(MILLION_DIGITS);
  }
}
