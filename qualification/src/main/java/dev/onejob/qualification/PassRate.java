package dev.onejob.qualification;

/**
 * How many of the answers were right.
 *
 * @param right of them
 * @param asked in all
 */
public record PassRate(int right, int asked) {
  /** Of the standard normal distribution, for two-sided 95 %. */
  private static final double Z = 1.959_963_984_540_054;

  /** Their share; 0 if nothing was asked. */
  public double share() {
    return asked == 0 ? 0 : (double) right / asked;
  }

  /**
   * The lower end of Wilson's score interval at 95 %: what the true share is at least, with that
   * confidence. Five right of five prove no more than 0.57.
   */
  public double lowerBound() {
    if (asked == 0) {
      return 0;
    }
    double share = share();
    double spread = Z * Math.sqrt((share * (1 - share) + Z * Z / (4 * asked)) / asked);
    return Math.max(0, (share + Z * Z / (2 * asked) - spread) / (1 + Z * Z / asked));
  }
}
