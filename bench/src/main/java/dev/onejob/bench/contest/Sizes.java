package dev.onejob.bench.contest;

/**
 * How much is played.
 *
 * @param name for the report
 * @param rounds turns of every contestant
 * @param warmUpSeconds of whole lives, before anything is measured
 * @param livesSeconds about how long whole lives are measured
 * @param livesMin jobs of whole lives, at least: what polls seldom would look slower than it is
 * @param backlog jobs to be drained
 * @param drainSeconds a backlog that would take a contestant longer is made smaller
 * @param pacedSeconds of 300 jobs a second, and of 50
 * @param flights attempts in flight at once
 * @param flightSeconds for how long
 * @param history jobs that have ended, for the claim beside them
 */
record Sizes(
    String name,
    int rounds,
    int warmUpSeconds,
    int livesSeconds,
    int livesMin,
    int backlog,
    int drainSeconds,
    int pacedSeconds,
    int flights,
    int flightSeconds,
    int history) {
  static final Sizes FULL = new Sizes("full", 3, 9, 4, 8_000, 50_000, 4, 6, 10_000, 40, 10_000_000);
  static final Sizes SHORT = new Sizes("short", 1, 4, 2, 3_000, 10_000, 2, 2, 10_000, 15, 200_000);

  /** A look whether everything plays at all. */
  static final Sizes TRY = new Sizes("try", 1, 1, 1, 1_000, 2_000, 2, 2, 500, 3, 20_000);

  static Sizes named(String name) {
    return switch (name) {
      case "full" -> FULL;
      case "short" -> SHORT;
      case "try" -> TRY;
      default -> throw new IllegalArgumentException("full, short or try, not " + name);
    };
  }

  /** Jobs of whole lives, for a contestant that lives so many a second. */
  int lives(double perSecond) {
    return rounded(Math.max(livesMin, perSecond * livesSeconds));
  }

  /** Jobs to be drained, for a contestant that lives so many a second. */
  int backlog(double perSecond) {
    return rounded(Math.clamp(perSecond * drainSeconds, livesMin, backlog));
  }

  /** A multiple of two thousand: two parts of whole batches of a thousand. */
  private static int rounded(double jobs) {
    int unit = 2_000;
    return (int) Math.max(1, Math.ceil(jobs / unit)) * unit;
  }
}
