package dev.onejob.domain;

import java.math.BigDecimal;
import java.util.regex.Pattern;

/**
 * An exact amount of a currency. Nothing is ever rounded.
 *
 * @param amount 0 or more, without zeros at its end
 * @param currency three capital letters, as ISO 4217 has them
 */
public record Money(BigDecimal amount, String currency) {
  private static final Pattern CURRENCY = Pattern.compile("[A-Z]{3}");

  /**
   * Checks and normalises.
   *
   * @throws IllegalArgumentException if the amount is negative, or the currency no code
   */
  public Money {
    if (amount.signum() < 0) {
      throw new IllegalArgumentException("an amount is 0 or more");
    }
    if (!CURRENCY.matcher(currency).matches()) {
      throw new IllegalArgumentException("a currency is three capital letters, such as EUR");
    }
    amount = amount.signum() == 0 ? BigDecimal.ZERO : amount.stripTrailingZeros();
  }

  /** The amount in digits, without an exponent. */
  public String digits() {
    return amount.toPlainString();
  }

  /**
   * The sum.
   *
   * @throws IllegalArgumentException if the other is of another currency
   */
  public Money plus(Money other) {
    if (!currency.equals(other.currency)) {
      throw new IllegalArgumentException(currency + " and " + other.currency + " do not add up");
    }
    return new Money(amount.add(other.amount), currency);
  }

  Money times(long count) {
    return new Money(amount.multiply(BigDecimal.valueOf(count)), currency);
  }
}
