package dev.onejob.server.webhooks;

import dev.onejob.domain.Delivery.Outcome;
import dev.onejob.store.Deliveries.Came;

/** Hears how each try ended, in the thread that made it; must be quick, and must not throw. */
@FunctionalInterface
public interface TryListener {
  /** Hears nothing. */
  TryListener SILENT = (outcome, came) -> {};

  /** A try has ended, and that is what it came to. */
  void tried(Outcome outcome, Came came);
}
