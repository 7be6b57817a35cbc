package dev.onejob.engine;

import dev.onejob.domain.Kind;
import dev.onejob.store.Hindrances;
import dev.onejob.store.Hindrances.Neglected;
import dev.onejob.store.Hindrances.OpenTransaction;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Says what hinders jobs although nothing is broken: a transaction that somebody has left open, and
 * jobs that wait for somebody who knows their kind. Each is said once, and again if it comes back.
 * For one thread.
 */
final class Lookout {
  private static final Logger LOG = LoggerFactory.getLogger(Lookout.class);

  /** How often it looks. */
  static final Duration INTERVAL = Duration.ofSeconds(10);

  /** Longer than any transaction of ours; long enough for most reports that somebody runs. */
  private static final Duration TRANSACTION_OLD = Duration.ofSeconds(30);

  /** Longer than a node takes to be replaced by another. */
  private static final Duration NEGLECTED_AFTER = Duration.ofSeconds(30);

  private final Hindrances hindrances;
  private final List<String> kinds;
  private final Set<String> providers;
  private int warnedOf; // a pid; 0: of none
  private Set<Neglected> told = Set.of();

  Lookout(Hindrances hindrances, EngineConfig config) {
    this.hindrances = hindrances;
    this.kinds = config.kinds().stream().map(Kind::name).toList();
    this.providers = config.providers().keySet();
  }

  void lookOnce() {
    warnOfOldTransaction();
    tellOfNeglected();
  }

  private void warnOfOldTransaction() {
    OpenTransaction oldest =
        hindrances
            .oldestTransaction()
            .filter(open -> open.age().compareTo(TRANSACTION_OLD) >= 0)
            .orElse(null);
    if (oldest != null && oldest.pid() != warnedOf) {
      LOG.warn(
          "a transaction is open for {} s: pid {}, user {}, application {}, {}; until it ends,"
              + " nothing newer can be cleared away and looks for due jobs grow slower",
          oldest.age().toSeconds(),
          oldest.pid(),
          oldest.user(),
          oldest.application(),
          oldest.state());
    }
    warnedOf = oldest == null ? 0 : oldest.pid();
  }

  private void tellOfNeglected() {
    Set<Neglected> now = Set.copyOf(hindrances.neglected(kinds, providers, NEGLECTED_AFTER));
    for (Neglected lane : now) {
      if (!told.contains(lane)) {
        LOG.warn(
            "jobs of kind {} at provider {} have been due for over {} s, and this node does not"
                + " know {}: it leaves them to others",
            lane.kind(),
            lane.provider(),
            NEGLECTED_AFTER.toSeconds(),
            kinds.contains(lane.kind()) ? "the provider" : "the kind");
      }
    }
    told = now;
  }
}
