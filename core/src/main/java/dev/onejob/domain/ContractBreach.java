package dev.onejob.domain;

import java.time.Instant;
import java.util.List;

/**
 * That an attempt ended because its answer broke the contract of the kind.
 *
 * @param contract name and version of the contract
 * @param contractHash {@link KindContract#hash} of the contract at that time
 * @param breaches at least one
 * @param format of the answer as the provider gave it
 * @param answerBytes size of the whole answer
 * @param answerDigest SHA-256 of the whole answer in lower-case hexadecimal
 */
public record ContractBreach(
    String contract,
    String contractHash,
    List<Breach> breaches,
    Result.Format format,
    long answerBytes,
    String answerDigest,
    Instant at) {
  /** Copies the list. */
  public ContractBreach {
    breaches = List.copyOf(breaches);
  }
}
