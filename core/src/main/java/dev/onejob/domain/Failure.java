package dev.onejob.domain;

/**
 * Why an attempt or a job failed.
 *
 * @param code stable, kebab-case; one of the constants here or an adapter's own
 * @param message for people; may quote the provider
 */
public record Failure(String code, String message) {
  /** The deadline passed before an attempt brought a result. */
  public static final String DEADLINE_EXCEEDED = "deadline-exceeded";

  /** Every attempt that the kind allows was made. */
  public static final String ATTEMPTS_USED_UP = "attempts-used-up";

  /** The providers left to try hold no valid qualification for this contract. */
  public static final String NO_QUALIFIED_PROVIDER = "no-qualified-provider";

  /** Whoever held the attempt was not heard of before its lease was over. */
  public static final String LEASE_LAPSED = "lease-lapsed";

  /** The attempt was offered to workers, and none took it in time: nothing was sent. */
  public static final String NO_WORKER = "no-worker";

  /** {@link #NO_WORKER} for people. */
  public static final String NO_WORKER_SAYS = "no worker took it in time; nothing was sent";

  /** No provider of the route is left to try. */
  public static final String NO_PROVIDER_LEFT = "no-provider-left";

  /** A resolution said that the attempt did not act. */
  public static final String NOT_DONE = "not-done";

  /** The provider answered, and the answer cannot be a result. */
  public static final String RESULT_INVALID = "result-invalid";

  /** The provider answered, and the answer breaks the contract of the kind. */
  public static final String CONTRACT_BREACH = "contract-breach";

  /** The provider's result is larger than {@link Limits#RESULT_BYTES_MAX}. */
  public static final String RESULT_TOO_LARGE = "result-too-large";
}
