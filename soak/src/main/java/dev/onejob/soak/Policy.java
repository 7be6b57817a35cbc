package dev.onejob.soak;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What the operator must know before deciding about an attempt in doubt. Pure.
 *
 * <p>Nothing of an attempt leaves once it is in doubt, but what has left before may still be on its
 * way: in a frozen program that had just asked whether it may send, in the buffers of a socket, in
 * the provider's own queue, in an act that the provider has not yet carried out. Only when none of
 * that can be is what the ledger says final.
 */
final class Policy {
  /**
   * How long the doubt must last, and the holder be dead or undisturbed. Nobody sends or listens
   * for longer than an attempt's timeout and its time for late answers together, 10 s at most.
   */
  static final Duration QUIET = Duration.ofSeconds(20);

  /** No script lets its effect wait for longer than half of this after a request's arrival. */
  static final Duration ACTED_BY_NOW = Duration.ofSeconds(10);

  /** A provider that answers later than this may have more waiting before its ledger. */
  static final Duration PROMPT = Duration.ofSeconds(1);

  /** What is known. */
  enum Finding {
    ACTED,
    NEVER_ACTED,
    NOT_YET
  }

  /**
   * What an operator sees, in the order in which it is looked at.
   *
   * @param inDoubt for how long the attempt has been in doubt
   * @param holderSettled whether who held the attempt is dead or undisturbed for {@link #QUIET}
   * @param door how long the provider took to answer a question, after that
   * @param sinceArrival how long ago the attempt's last request came, by the ledger after that;
   *     null: none came
   * @param acted whether the ledger has an effect of the attempt
   */
  record Seen(
      Duration inDoubt,
      boolean holderSettled,
      Duration door,
      @Nullable Duration sinceArrival,
      boolean acted) {}

  private Policy() {}

  static boolean isWorthALook(Duration inDoubt, boolean holderSettled) {
    return inDoubt.compareTo(QUIET) >= 0 && holderSettled;
  }

  static Finding judge(Seen seen) {
    boolean quiet = isWorthALook(seen.inDoubt(), seen.holderSettled());
    boolean prompt = seen.door().compareTo(PROMPT) <= 0;
    Duration since = seen.sinceArrival();
    boolean over = since == null || since.compareTo(ACTED_BY_NOW) >= 0;
    if (!quiet || !prompt || !over) {
      return Finding.NOT_YET;
    }
    return seen.acted() ? Finding.ACTED : Finding.NEVER_ACTED;
  }

  static String describe() {
    return "an attempt is looked at when it has been in doubt for 20 s, and the node or worker"
        + " that held it has been dead, or running and not frozen, for 20 s (nobody sends later"
        + " than 10 s after a start). The provider is asked through its own door; if that takes"
        + " over 1 s, or the attempt's last request came less than 10 s ago (no script acts later"
        + " than 5 s after it), the operator comes back later. Then its ledger decides. The attempt"
        + " has acted: done with a result (3 of 4), or abandon (1 of 4). It has not: not_done (3 of"
        + " 4 then retry, 1 of 4 then wait). Doubts about payments are left to replays under their"
        + " keys. Jobs that wait for a decision: the fallback button, or cancel. Contested jobs:"
        + " acknowledged, then retry or wait";
  }
}
