package dev.onejob.engine;

import dev.onejob.domain.Answer;

/** What came of pressing the fallback button. */
public sealed interface ButtonAnswer {
  /**
   * The attempt is written down and on its way, at that provider; where workers fetch the work, it
   * waits for one of them.
   */
  record Started(Answer.Started start, String provider) implements ButtonAnswer {}

  /** The guard refused. */
  record Refused(Answer.StartRefused refusal) implements ButtonAnswer {}

  /** The job is not any more as it was seen by whoever pressed; nothing was written. */
  record Changed() implements ButtonAnswer {}

  /** This node does not know the provider or the kind; another node, or the configuration, may. */
  record UnknownHere(String what) implements ButtonAnswer {}

  /** Every slot that the attempt would need is taken on this node; nothing was written. */
  record NoSlot(String what) implements ButtonAnswer {}
}
