package dev.onejob.contract;

import java.math.BigDecimal;

/**
 * When a qualification passes: with this confidence, at least this share of all answers keeps the
 * contract.
 *
 * @param rate above 0, at most 1
 * @param confidence of the one-sided lower bound, at least 0.5 and below 1
 */
public record PassThreshold(BigDecimal rate, BigDecimal confidence) {
  /** What is demanded where a contract says nothing: what five good answers of five can show. */
  public static final PassThreshold USUAL =
      new PassThreshold(new BigDecimal("0.5"), new BigDecimal("0.95"));
}
