package dev.onejob.domain;

import java.util.List;

/**
 * L5: no proof, no failover. The one place that says whether a provider may be used for a job
 * without a person. The guard of every start asks it, and so does who looks for a provider.
 */
public final class Unaided {
  private Unaided() {}

  /**
   * Whether it may.
   *
   * @param route of the job; its first provider needs no proof
   * @param cause of the start; the button is a person
   */
  public static boolean mayUse(List<String> route, String provider, StartCause cause) {
    return switch (cause) {
      case BUTTON -> true;
      case DISPATCH -> provider.equals(route.getFirst());
      case RACE -> true; // a kind without a contract leaves nothing to be proved
    };
  }
}
