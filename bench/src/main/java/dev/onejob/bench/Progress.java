package dev.onejob.bench;

/** What is going on, on standard error: standard output holds the figures alone. */
public final class Progress {
  private Progress() {}

  /** Says one line. */
  public static void say(String line) {
    System.err.println("bench: " + line);
  }
}
