package dev.onejob.domain;

import java.util.Locale;

/**
 * What speaks against the use of a provider by itself.
 *
 * @param says in words, for people
 */
public record Objection(String provider, Reason reason, String says) {
  /** Why a provider is not used by itself. */
  public enum Reason {
    /** The kind has no contract, so that there is nothing that the provider could have proved. */
    NO_CONTRACT,
    /** This node is not configured with it. */
    NOT_CONFIGURED,
    /** It has never passed the checks of the kind. */
    NEVER_QUALIFIED,
    /** Its pass was for a time, and that is over. */
    EXPIRED,
    /** Its pass was withdrawn. */
    WITHDRAWN,
    /** Its pass is for another contract. */
    CONTRACT_CHANGED,
    /** Its pass is for other settings of the provider. */
    SETTINGS_CHANGED,
    /** Its pass is for another version of the adapter. */
    ADAPTER_CHANGED,
    /** Its pass is for another model. */
    MODEL_CHANGED,
    /** It did not answer others, and nobody asks it for a while. */
    CIRCUIT_OPEN;

    /** The word used in SQL, JSON, logs and documents. */
    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }

    /** Reads {@link #word}. */
    public static Reason of(String word) {
      return valueOf(word.toUpperCase(Locale.ROOT));
    }
  }
}
