package dev.onejob.domain;

/**
 * How often attempts of a job ended because whoever held them was gone, and when that is enough: a
 * job that may be what takes its holders down is not tried again by itself.
 *
 * @param count attempts whose lease lapsed, and whose doubt no word of theirs has ended
 * @param parkAfter the kind's bound, at least 1
 */
public record Crashes(int count, int parkAfter) {
  /** Whether the job waits for a person, though it would be tried again by itself. */
  public boolean park(Then wished) {
    return wished == Then.RETRY && count >= parkAfter;
  }

  /** Why it waits, as the record of the decision has it. */
  public String inWords() {
    return ("%s of this job ended with the loss of what held %s (park_after_crashes: %d):"
            + " it waits for a decision")
        .formatted(
            count == 1 ? "1 attempt" : count + " attempts", count == 1 ? "it" : "them", parkAfter);
  }
}
