package dev.onejob.bench;

/** What is going on, on standard error: standard output holds the figures alone. */
final class Progress {
  private Progress() {}

  static void say(String line) {
    System.err.println("bench: " + line);
  }
}
