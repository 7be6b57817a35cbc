package dev.onejob.intent;

import java.math.BigInteger;

/**
 * Numbers by exact decimal value. {@code 1}, {@code 1.0}, {@code 10e-1} and {@code 1e0} are equal,
 * {@code -0} is {@code 0}; no exponent is ever expanded, however large it is.
 */
final class ExactDecimal {
  private ExactDecimal() {}

  /** Digits without zeros at either end, and the power of ten of the last: {@code -12e3}. */
  static String canonical(String number) {
    String sign = number.startsWith("-") ? "-" : "";
    String unsigned = number.substring(sign.length());
    int e = Math.max(unsigned.indexOf('e'), unsigned.indexOf('E'));
    String mantissa = e < 0 ? unsigned : unsigned.substring(0, e);
    String exponent = e < 0 ? "0" : unsigned.substring(e + 1);
    int point = mantissa.indexOf('.');
    int fraction = point < 0 ? 0 : mantissa.length() - point - 1;
    String digits = mantissa.replace(".", "");
    int last = digits.length();
    while (last > 0 && digits.charAt(last - 1) == '0') {
      last--;
    }
    int first = 0;
    while (first < last && digits.charAt(first) == '0') {
      first++;
    }
    if (first == last) {
      return "0";
    }
    BigInteger power =
        new BigInteger(exponent.startsWith("+") ? exponent.substring(1) : exponent)
            .add(BigInteger.valueOf(digits.length() - last - fraction));
    return sign + digits.substring(first, last) + (power.signum() == 0 ? "" : "e" + power);
  }
}
