package dev.onejob.contract;

import java.math.BigDecimal;
import java.math.RoundingMode;

/**
 * A number in a rule that is no integer of 64 bits: exact, and in one form, so that two of them are
 * equal as objects exactly if they are equal as numbers. No {@link Number}: the language would take
 * one for a double.
 */
final class Decimal implements Comparable<Decimal> {
  /** Most digits of a number in a rule; what grows beyond them is a mistake of the rule. */
  static final int DIGITS_MAX = 2_500;

  private static final BigDecimal LONG_MIN = BigDecimal.valueOf(Long.MIN_VALUE);
  private static final BigDecimal LONG_MAX = BigDecimal.valueOf(Long.MAX_VALUE);

  private final BigDecimal value;

  private Decimal(BigDecimal value) {
    this.value = value;
  }

  /** The value as rules see it: an integer where it is one of 64 bits, a decimal else. */
  static Object of(BigDecimal number) {
    BigDecimal value = number.signum() == 0 ? BigDecimal.ZERO : number.stripTrailingZeros();
    if (value.precision() > DIGITS_MAX || Math.abs((long) value.scale()) > DIGITS_MAX) {
      throw new ArithmeticException("a number of more than " + DIGITS_MAX + " digits");
    }
    boolean isLong =
        value.scale() <= 0 && value.compareTo(LONG_MIN) >= 0 && value.compareTo(LONG_MAX) <= 0;
    return isLong ? (Object) value.longValueExact() : new Decimal(value);
  }

  /**
   * The exact value of a number in a rule.
   *
   * @throws IllegalArgumentException if it is no number, or a double
   */
  static BigDecimal exact(Object number) {
    return switch (number) {
      case Decimal decimal -> decimal.value;
      case Long whole -> BigDecimal.valueOf(whole);
      default ->
          throw new IllegalArgumentException(
              "expected an exact number, got " + number.getClass().getSimpleName());
    };
  }

  /** Rounded half away from zero, as invoices are. */
  static Object rounded(Object number, long places) {
    if (Math.abs(places) > DIGITS_MAX) {
      throw new IllegalArgumentException("round: to at most " + DIGITS_MAX + " places");
    }
    return of(exact(number).setScale((int) places, RoundingMode.HALF_UP));
  }

  @Override
  public int compareTo(Decimal other) {
    return value.compareTo(other.value);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Decimal decimal && value.equals(decimal.value);
  }

  @Override
  public int hashCode() {
    return value.hashCode();
  }

  @Override
  public String toString() {
    return value.toPlainString();
  }
}
