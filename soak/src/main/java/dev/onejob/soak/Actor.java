package dev.onejob.soak;

/**
 * Somebody who acts during a soak: clients, an operator, trouble; all are listed in {@link Cast}.
 */
interface Actor {
  /** Begins; returns at once. */
  void start();

  /** Ends, and returns when nothing of it acts any more. */
  void stop();
}
