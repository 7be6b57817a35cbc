package dev.onejob.engine;

import dev.onejob.domain.AttemptState;
import dev.onejob.domain.Cost;
import dev.onejob.domain.StartCause;
import dev.onejob.domain.StartRefusal;
import java.time.Duration;

/**
 * Hears what an engine does, in order to count it. Calls come from the threads that do the work,
 * after what they tell of is durable: they must be quick, safe for many threads, and not throw.
 *
 * <p>Kinds and providers are given as the jobs have them; they need not be configured any longer.
 */
public interface EngineListener {
  /** Hears nothing. */
  EngineListener SILENT = new EngineListener() {};

  /** How a submission was answered. */
  enum SubmitAnswer {
    CREATED,
    REPEATED,
    MISMATCHED,
    REFUSED
  }

  /**
   * A submission was answered.
   *
   * @param kind as it was asked for; there may be no such kind where it was refused
   */
  default void submitted(String kind, SubmitAnswer answer) {}

  /** An attempt was written down and leaves. */
  default void started(String kind, String provider, StartCause cause) {}

  /** The guard let no attempt start. */
  default void startRefused(String kind, StartRefusal why) {}

  /** An attempt came to be in doubt. */
  default void doubted(String kind, String provider) {}

  /**
   * An attempt ended.
   *
   * @param end no state of a live attempt; {@link AttemptState#LOST} is a lost race
   */
  default void ended(String kind, String provider, AttemptState end) {}

  /**
   * An attempt ended and it is known, at least in part, what it has cost.
   *
   * @param cost by the prices of this node
   */
  default void charged(String kind, String provider, Cost cost) {}

  /**
   * A batch of births, starts and results was written, in one transaction.
   *
   * @param items at least 1
   * @param took from its departure to its commit
   */
  default void batched(int items, Duration took) {}

  /**
   * The node looked for due jobs.
   *
   * @param found how many it was shown
   */
  default void looked(int found, Duration took) {}
}
