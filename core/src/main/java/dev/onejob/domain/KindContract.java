package dev.onejob.domain;

import org.jspecify.annotations.Nullable;

/**
 * What the results of a kind must be. Implementations are immutable, safe for many threads, and
 * decide by their arguments alone: the same answer to the same input is judged alike for ever.
 */
public interface KindContract {
  /** Its name and version for people, such as {@code invoice-lines/3}. */
  String title();

  /**
   * SHA-256 in lower-case hexadecimal over everything that it says: a contract that differs by one
   * character has another.
   */
  String hash();

  /** The form in which a result that keeps it is stored, whatever the provider called it. */
  Result.Format format();

  /**
   * Judges a result. Bounded in time and memory; what cannot be checked within the bounds breaks
   * the contract.
   *
   * @param input of the job, as the client sent it
   * @param result as its bytes came; nothing is stripped, repaired or completed
   * @param usage what the provider said it used and cost, in its own words; null if it said nothing
   */
  ContractVerdict check(byte[] input, Result result, @Nullable String usage);
}
