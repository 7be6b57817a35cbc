package dev.onejob.domain;

import java.util.Locale;

/** Why a fresh attempt may not start. */
public enum StartRefusal {
  /** The job has its result. */
  ALREADY_SUCCEEDED,
  /** The job has failed for good. */
  ALREADY_FAILED,
  /** The job was cancelled. */
  ALREADY_CANCELLED,
  /** A cancel was asked; nothing new starts. */
  CANCEL_REQUESTED,
  /** A report contradicts the record; an operator must acknowledge it first. */
  CONTESTED,
  /** An attempt is in doubt. */
  ATTEMPT_UNKNOWN,
  /** An attempt is on its way and not yet known to be accepted. */
  ATTEMPT_STARTING,
  /** An attempt is running, and the kind does not race. */
  ATTEMPT_RUNNING,
  /** An attempt is running, and not yet for as long as the kind demands before a race. */
  RACE_TOO_EARLY,
  /** Two attempts race already. */
  RACE_FULL,
  /** A race needs an attempt that runs, and none does. */
  NOTHING_TO_RACE,
  /** The kind allows no more attempts. */
  ATTEMPTS_USED_UP,
  /** The deadline has passed. */
  DEADLINE_PASSED,
  /** The provider is not on the route of the job. */
  PROVIDER_NOT_ON_ROUTE,
  /** It holds no valid qualification, and is not the first provider of the route. */
  NOT_QUALIFIED,
  /** The job goes on at another provider of its route. */
  DUE_ELSEWHERE,
  /** The provider did not answer others; nobody asks it for a while. */
  CIRCUIT_OPEN,
  /** The job waits for a qualification or a decision. */
  WAITING,
  /** Its time has not come. */
  NOT_DUE;

  /** The word used in JSON, logs and metrics. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
