package dev.onejob.qualification;

/**
 * How many of the answers were right.
 *
 * @param right of them
 * @param asked in all
 */
public record PassRate(int right, int asked) {
  /** Their share; 0 if nothing was asked. */
  public double share() {
    return asked == 0 ? 0 : (double) right / asked;
  }

  /**
   * The lower end of Wilson's score interval, one-sided: what the true share is at least, with that
   * confidence. At 0.95, five right of five prove 0.65, and four of five prove 0.43.
   *
   * @param confidence at least 0.5 and below 1
   */
  public double lowerBound(double confidence) {
    if (asked == 0) {
      return 0;
    }
    double z = quantile(confidence);
    double share = share();
    double spread = z * Math.sqrt((share * (1 - share) + z * z / (4 * asked)) / asked);
    return Math.max(0, (share + z * z / (2 * asked) - spread) / (1 + z * z / asked));
  }

  /** Of the standard normal distribution, by halving what is left of where it can be. */
  private static double quantile(double probability) {
    double low = 0;
    double high = 8;
    for (int i = 0; i < 60; i++) {
      double middle = (low + high) / 2;
      if (distribution(middle) < probability) {
        low = middle;
      } else {
        high = middle;
      }
    }
    return (low + high) / 2;
  }

  /**
   * The distribution function for x of 0 or more, by its series; exact beyond what a share needs.
   */
  private static double distribution(double x) {
    double term = x;
    double sum = x;
    for (int i = 1; i < 200 && Math.abs(term) > 1e-16; i++) {
      term *= x * x / (2 * i + 1);
      sum += term;
    }
    return Math.min(1, 0.5 + sum * Math.exp(-x * x / 2) / Math.sqrt(2 * Math.PI));
  }
}
