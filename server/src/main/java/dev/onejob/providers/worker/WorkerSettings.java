package dev.onejob.providers.worker;

import dev.onejob.providers.InvalidSetting;
import java.time.Duration;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The settings of work that is fetched, as the schema beside this class describes them. */
record WorkerSettings(@Nullable String lease) {
  private static final Duration LEASE = Duration.ofSeconds(30);

  /** A worker that beats three times in a lease must still find time to work. */
  private static final Duration LEASE_MIN = Duration.ofSeconds(2);

  private static final Duration LEASE_MAX = Duration.ofHours(1);

  Duration leaseTime() {
    if (lease == null) {
      return LEASE;
    }
    Duration read = Duration.parse("PT" + lease.toUpperCase(Locale.ROOT));
    if (read.compareTo(LEASE_MIN) < 0 || read.compareTo(LEASE_MAX) > 0) {
      throw new InvalidSetting("/lease", "expected from 2s to 1h");
    }
    return read;
  }
}
