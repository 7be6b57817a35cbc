package dev.onejob.engine;

import dev.onejob.domain.ContractVerdict;

/** A result that somebody decided on breaks the contract of its kind; nothing was changed. */
public final class BrokenContractException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  private final String contract;
  private final transient ContractVerdict.Broken verdict;

  BrokenContractException(String contract, ContractVerdict.Broken verdict, String message) {
    super(message);
    this.contract = contract;
    this.verdict = verdict;
  }

  /** Name and version of the contract. */
  public String contract() {
    return contract;
  }

  /** What it breaks. */
  public ContractVerdict.Broken verdict() {
    return verdict;
  }

  @Override
  public String getMessage() {
    return String.valueOf(super.getMessage());
  }
}
