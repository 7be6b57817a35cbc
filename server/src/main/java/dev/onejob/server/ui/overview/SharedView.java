package dev.onejob.server.ui.overview;

import dev.onejob.domain.Owner;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * What all operators see alike, read once for all tabs of a node and kept for a moment: live pages
 * are told at once, and come at once. Safe for many threads.
 */
final class SharedView {
  /** As often as live pages about everything are told at most. */
  private static final Duration KEPT = Duration.ofSeconds(2);

  private final OverviewReader reader;
  private final EveryoneReader everyone;
  private final InstantSource clock;
  private final ReentrantLock lock = new ReentrantLock();
  private @Nullable Overview kept;
  private Instant readAt = Instant.EPOCH;

  SharedView(OverviewReader reader, EveryoneReader everyone, InstantSource clock) {
    this.reader = reader;
    this.everyone = everyone;
    this.clock = clock;
  }

  /** The overview of everything, at most {@link #KEPT} old; whoever comes meanwhile shares it. */
  Overview everything() throws SQLException {
    lock.lock();
    try {
      Instant now = clock.instant();
      Overview known = kept;
      if (known == null || now.isBefore(readAt) || now.isAfter(readAt.plus(KEPT))) {
        known = new Overview(reader.doubt(null), reader.counts(null), everyone.read());
        kept = known;
        readAt = now;
      }
      return known;
    } finally {
      lock.unlock();
    }
  }

  /** The overview of one owner. */
  Overview of(Owner owner) throws SQLException {
    return new Overview(reader.doubt(owner), reader.counts(owner), null);
  }
}
