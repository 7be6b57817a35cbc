package dev.onejob.engine;

import dev.onejob.domain.Effect;
import dev.onejob.domain.Strength;
import dev.onejob.provider.Capabilities;
import dev.onejob.provider.Capabilities.NegativeAnswer;
import dev.onejob.provider.Capabilities.SubmitDeduplication;
import dev.onejob.provider.Capabilities.TerminalState;
import dev.onejob.provider.Finding;
import dev.onejob.provider.Outcome;
import dev.onejob.store.Probes.Bound;
import dev.onejob.store.Probes.Claim;
import dev.onejob.store.Probes.Span;
import dev.onejob.store.Probes.Way;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What follows from a provider's declared capabilities, and from nothing else: how it may be asked,
 * for how long, and what its answers prove. Pure.
 */
final class Questions {
  private final Capabilities capabilities;
  private final ProbePolicy policy;

  Questions(Capabilities capabilities, ProbePolicy policy) {
    this.capabilities = capabilities;
    this.policy = policy;
  }

  /** How it may be asked; empty if not at all. */
  Set<Way> ways() {
    EnumSet<Way> ways = EnumSet.noneOf(Way.class);
    switch (capabilities.statusProbe()) {
      case BY_PROVIDER_ID -> ways.add(Way.BY_PROVIDER_ID);
      case BY_REFERENCE -> ways.add(Way.BY_REFERENCE);
      case NONE, QUIESCENCE -> {} // that nothing runs says nothing about one attempt
    }
    boolean actsOnceForKey = capabilities.submitDeduplication() != SubmitDeduplication.NONE;
    if (actsOnceForKey && capabilities.evidenceRetention() != null) {
      ways.add(Way.BY_REPLAY); // without a known window it could be a second act
    }
    return ways;
  }

  /** Whether it can be asked without sending anything again, where its own id is on record. */
  boolean looksUp() {
    return ways().contains(Way.BY_PROVIDER_ID) || ways().contains(Way.BY_REFERENCE);
  }

  /**
   * Which way one attempt is asked about. A look-up starts nothing and goes first; where it has not
   * helped, replays take turns with it.
   */
  Optional<Way> way(Claim claim) {
    Optional<Way> lookup = lookup(claim.providerRef());
    boolean replayable =
        ways().contains(Way.BY_REPLAY) && claim.effect() == Effect.KEYED && claim.wanted();
    boolean replaysTurn = lookup.isEmpty() || claim.number() % 2 == 0;
    return replayable && replaysTurn ? Optional.of(Way.BY_REPLAY) : lookup;
  }

  private Optional<Way> lookup(@Nullable String providerRef) {
    Set<Way> ways = ways();
    if (ways.contains(Way.BY_REFERENCE)) {
      return Optional.of(Way.BY_REFERENCE);
    }
    return ways.contains(Way.BY_PROVIDER_ID) && providerRef != null
        ? Optional.of(Way.BY_PROVIDER_ID)
        : Optional.empty();
  }

  /** For how long it is asked. The margin is a tenth, and covers a question that is under way. */
  Span span() {
    Duration retention = capabilities.evidenceRetention();
    if (retention == null) {
      return new Span(policy.first(), policy.longest(), Bound.ASKED_LONG_ENOUGH);
    }
    Duration safe = retention.minus(margin(retention));
    return safe.compareTo(policy.longest()) > 0
        ? new Span(policy.first(), policy.longest(), Bound.ASKED_LONG_ENOUGH)
        : new Span(policy.first(), safe, Bound.EVIDENCE_EXPIRES);
  }

  /**
   * Whether the provider still remembered, and its keys still held, when a question that was taken
   * up so long ago was put. A node may freeze between the two.
   */
  boolean inTime(Duration sinceClaim) {
    Duration retention = capabilities.evidenceRetention();
    return retention != null && sinceClaim.compareTo(margin(retention)) <= 0;
  }

  private Duration margin(Duration retention) {
    Duration half = retention.dividedBy(2);
    Duration underWay = policy.timeout().compareTo(half) > 0 ? half : policy.timeout();
    Duration tenth = retention.dividedBy(10);
    return tenth.compareTo(underWay) > 0 ? tenth : underWay;
  }

  /** What an answer leads to. */
  sealed interface Conclusion {
    /** Proof of an end: as if the attempt itself had said so. */
    record Ends(Outcome outcome) implements Conclusion {}

    /** Proof that the act did not happen and will not. */
    record NotDone() implements Conclusion {}

    /** Proof that it has not ended: it can be watched. */
    record AtWork(@Nullable String providerRef) implements Conclusion {}

    /** Nothing is decided. */
    record Open() implements Conclusion {}

    /** How strong the evidence is that led here. */
    default Strength strength() {
      return this instanceof Open ? Strength.HINT : Strength.PROOF;
    }
  }

  /**
   * What an answer to a question of that way proves.
   *
   * @param sinceClaim how long before the answer the question was taken up
   */
  Conclusion conclude(Way way, Finding finding, Duration sinceClaim) {
    boolean stable = capabilities.terminalState() == TerminalState.STABLE;
    return switch (finding) {
      case Finding.Succeeded s ->
          new Conclusion.Ends(new Outcome.Succeeded(s.result(), s.cost(), s.usage()));
      case Finding.Failed f ->
          stable
              ? new Conclusion.Ends(
                  new Outcome.Failed(
                      f.failure(), f.retryability(), f.retryAfter(), f.cost(), f.usage()))
              : new Conclusion.Open();
      case Finding.Stopped s ->
          stable ? new Conclusion.Ends(new Outcome.Stopped(s.message())) : new Conclusion.Open();
      case Finding.AtWork w -> new Conclusion.AtWork(w.providerRef());
      case Finding.NotFound n ->
          // Where it is not known for how long it remembers, it may only have forgotten.
          way != Way.BY_REPLAY && notFoundIsFinal() && inTime(sinceClaim)
              ? new Conclusion.NotDone()
              : new Conclusion.Open();
      case Finding.CannotSay c -> new Conclusion.Open();
    };
  }

  private boolean notFoundIsFinal() {
    return capabilities.negativeAnswer() == NegativeAnswer.FINAL;
  }
}
