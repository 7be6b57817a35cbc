package dev.onejob.providers.model;

/** No request can be made of a job's input. */
public class UnusableInput extends Exception {
  private static final long serialVersionUID = 1L;

  private final String reason;

  /** Says why, in words of our own. */
  public UnusableInput(String reason) {
    super(reason);
    this.reason = reason;
  }

  /** What is wrong with it, or missing from it. */
  public final String says() {
    return reason;
  }
}
