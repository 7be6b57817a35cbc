package dev.onejob.providers.sandbox;

/** A script that cannot be played; the message names the place. */
final class InvalidScript extends Exception {
  private static final long serialVersionUID = 1L;

  private final String says;

  InvalidScript(String place, String problem) {
    super(place + ": " + problem);
    says = place + ": " + problem;
  }

  /** The place and what is wrong there. */
  String says() {
    return says;
  }
}
