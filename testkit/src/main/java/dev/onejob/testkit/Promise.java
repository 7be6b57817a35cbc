package dev.onejob.testkit;

import dev.onejob.provider.Capabilities;
import dev.onejob.provider.Capabilities.Cancel;
import dev.onejob.provider.Capabilities.NegativeAnswer;
import dev.onejob.provider.Capabilities.ReferenceSurvival;
import dev.onejob.provider.Capabilities.StatusProbe;
import dev.onejob.provider.Capabilities.SubmitDeduplication;

/** What {@link PromiseContract} holds an adapter to, as far as it declares it. */
public enum Promise {
  /** However its call ends, one request has left. No adapter may do otherwise. */
  ONE_REQUEST_FOR_EACH_CALL,
  /** An answer that was lost is neither a refusal nor a failure. */
  A_LOST_ANSWER_IS_IN_DOUBT,
  /** What is not declared is not used, neither by the adapter nor by the engine. */
  WHAT_IS_NOT_DECLARED_IS_NOT_USED,
  /** The same request under the same key ends the doubt, and acts once. */
  SUBMIT_DEDUPLICATION,
  /** A look-up by our reference ends the doubt. */
  LOOK_UP_BY_REFERENCE,
  /** A look-up by the provider's id ends the doubt, and none is made without that id. */
  LOOK_UP_BY_PROVIDER_ID,
  /** The provider gets the address at which it can call back. */
  CALLBACK_ADDRESS,
  /** "Not found" is proof: the job goes on, and the lost request is refused for good. */
  NOT_FOUND_IS_FINAL,
  /** "Not found" is a hint, however often it comes. */
  NOT_FOUND_MAY_COME_LATER,
  /** What has been stopped for sure does not act any more. */
  CANCEL_IS_AUTHORITATIVE,
  /** A stop is asked for, and no more is claimed than is known. */
  CANCEL_IS_TRIED,
  /** No stop is asked of a provider that cannot be stopped. */
  CANCEL_IS_NOT_ASKED,
  /** A failure that was found out is proof, and stays so however often it is asked about. */
  ENDS_ARE_STABLE,
  /** A failure that was found out is a hint. */
  ENDS_MAY_CHANGE,
  /** Nothing acts after the bound on a request's life. */
  LIFETIME_BOUND,
  /** Nothing is asked once the evidence may be gone. */
  EVIDENCE_RETENTION;

  /** Whether these capabilities declare it. */
  public boolean isDeclaredBy(Capabilities c) {
    return switch (this) {
      case ONE_REQUEST_FOR_EACH_CALL, A_LOST_ANSWER_IS_IN_DOUBT, WHAT_IS_NOT_DECLARED_IS_NOT_USED ->
          true;
      case SUBMIT_DEDUPLICATION -> replays(c);
      case LOOK_UP_BY_REFERENCE -> c.statusProbe() == StatusProbe.BY_REFERENCE;
      case LOOK_UP_BY_PROVIDER_ID -> c.statusProbe() == StatusProbe.BY_PROVIDER_ID;
      case CALLBACK_ADDRESS -> c.referenceSurvival() == ReferenceSurvival.CALLBACK_ADDRESS;
      case NOT_FOUND_IS_FINAL ->
          c.statusProbe() == StatusProbe.BY_REFERENCE
              && c.negativeAnswer() == NegativeAnswer.FINAL
              && c.evidenceRetention() != null;
      case NOT_FOUND_MAY_COME_LATER ->
          c.statusProbe() == StatusProbe.BY_REFERENCE
              && c.negativeAnswer() == NegativeAnswer.MAY_COME_LATER;
      case CANCEL_IS_AUTHORITATIVE -> c.cancel() == Cancel.AUTHORITATIVE;
      case CANCEL_IS_TRIED -> c.cancel() == Cancel.BEST_EFFORT || c.cancel() == Cancel.DESTRUCTIVE;
      case CANCEL_IS_NOT_ASKED -> c.cancel() == Cancel.NONE || c.cancel() == Cancel.DISCONNECT;
      case ENDS_ARE_STABLE -> isAsked(c) && c.terminalState() == Capabilities.TerminalState.STABLE;
      case ENDS_MAY_CHANGE ->
          isAsked(c) && c.terminalState() == Capabilities.TerminalState.MAY_CHANGE;
      case LIFETIME_BOUND -> c.lifetimeBound() != null;
      case EVIDENCE_RETENTION -> c.evidenceRetention() != null && isAsked(c);
    };
  }

  private static boolean replays(Capabilities c) {
    return c.submitDeduplication() != SubmitDeduplication.NONE && c.evidenceRetention() != null;
  }

  private static boolean isAsked(Capabilities c) {
    return replays(c)
        || c.statusProbe() == StatusProbe.BY_REFERENCE
        || c.statusProbe() == StatusProbe.BY_PROVIDER_ID;
  }
}
