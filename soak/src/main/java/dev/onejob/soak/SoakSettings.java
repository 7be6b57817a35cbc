package dev.onejob.soak;

import org.jspecify.annotations.Nullable;

/**
 * What is to be run.
 *
 * @param seconds of load and trouble; the end takes up to three minutes more
 * @param seed from which scripts, trouble and decisions follow
 * @param jobsPerSecond new keys, whether or not the nodes keep up
 * @param twist null: the product as it is
 */
record SoakSettings(int seconds, long seed, int jobsPerSecond, @Nullable Twist twist) {
  /** Of a whole soak. */
  static final int JOBS_PER_SECOND = 200;
}
