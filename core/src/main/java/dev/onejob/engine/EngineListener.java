package dev.onejob.engine;

import dev.onejob.domain.AttemptState;
import dev.onejob.domain.Circuit;
import dev.onejob.domain.Cost;
import dev.onejob.domain.Objection;
import dev.onejob.domain.StartCause;
import dev.onejob.domain.StartRefusal;
import java.time.Duration;

/**
 * Hears what an engine does, in order to count it. Calls come from the threads that do the work,
 * after what they tell of is durable: they must be quick, and safe for many threads. What one
 * throws is logged and changes nothing, but what else that move had to tell is not heard.
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

  /** A job was not given to a provider by itself. */
  default void skipped(String kind, String provider, Objection.Reason why) {}

  /**
   * A qualification came to its end before its time.
   *
   * @param by who or what withdrew it
   */
  default void withdrawn(String kind, String provider, WithdrawnBy by) {}

  /** Where the circuit of a provider stands, whenever this node hears of it. */
  default void circuit(String provider, Circuit.State state) {}

  /** Who or what withdraws a qualification. */
  enum WithdrawnBy {
    /** A streak of contract breaches in production. */
    BREACHES,
    /** Another model answered than was qualified. */
    MODEL,
    /** A person. */
    OPERATOR
  }

  /**
   * An answer broke the contract of its kind, and its attempt ended by that; also told as {@link
   * #ended}.
   */
  default void breached(String kind, String provider) {}

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
