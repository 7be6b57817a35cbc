package dev.onejob.provider;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What an endpoint can do and promises, in the vocabulary that real providers need.
 *
 * @param lifetimeBound documented and enforced time after which a request cannot be alive; null:
 *     none
 * @param evidenceRetention how long, from the start of an attempt, it can be asked about its
 *     request and acts once for its key; null: unknown, so that no replay and no "not found" can be
 *     relied on
 */
public record Capabilities(
    SubmitDeduplication submitDeduplication,
    ReferenceSurvival referenceSurvival,
    StatusProbe statusProbe,
    NegativeAnswer negativeAnswer,
    Cancel cancel,
    TerminalState terminalState,
    HiddenReexecution hiddenReexecution,
    BillingOnCancel billingOnCancel,
    @Nullable Duration lifetimeBound,
    @Nullable Duration evidenceRetention) {

  /** A provider of which nothing is promised: the safe assumption. */
  public static final Capabilities NONE =
      new Capabilities(
          SubmitDeduplication.NONE,
          ReferenceSurvival.NONE,
          StatusProbe.NONE,
          NegativeAnswer.MAY_COME_LATER,
          Cancel.NONE,
          TerminalState.MAY_CHANGE,
          HiddenReexecution.UNKNOWN,
          BillingOnCancel.UNKNOWN,
          null,
          null);

  /** Whether a request sent twice under one key acts once. */
  public enum SubmitDeduplication {
    NONE,
    HEADER_KEY,
    BODY_TOKEN
  }

  /** Whether a reference of ours survives a lost answer. */
  public enum ReferenceSurvival {
    NONE,
    METADATA,
    CALLBACK_ADDRESS,
    CUSTOM_ID
  }

  /** How it can be asked about a request. */
  public enum StatusProbe {
    NONE,
    BY_PROVIDER_ID,
    BY_REFERENCE,
    QUIESCENCE
  }

  /** What "not found" means. */
  public enum NegativeAnswer {
    /** The provider will not take the request any more, wherever it may still be on its way. */
    FINAL,
    /** It may not be visible yet, or may still arrive. */
    MAY_COME_LATER
  }

  /** What a cancel does. */
  public enum Cancel {
    NONE,
    DISCONNECT,
    BEST_EFFORT,
    DESTRUCTIVE,
    AUTHORITATIVE
  }

  /** Whether an ended request stays as it ended. */
  public enum TerminalState {
    STABLE,
    /** What was reported as failed or stopped may turn out to have succeeded. */
    MAY_CHANGE
  }

  /** Whether one request may be executed more than once behind the door. */
  public enum HiddenReexecution {
    NONE,
    SWITCHED_OFF,
    UNKNOWN
  }

  /** What a cancelled request costs. */
  public enum BillingOnCancel {
    FREE,
    PARTIAL,
    FULL,
    UNKNOWN
  }
}
