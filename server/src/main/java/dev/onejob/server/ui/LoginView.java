package dev.onejob.server.ui;

/**
 * What the page of the log-in shows.
 *
 * @param next where the browser goes afterwards, on this host
 */
public record LoginView(String next, Why why) {
  /** Why it is shown. */
  public enum Why {
    /** Somebody wants to log in. */
    ASKED,
    /** A key was tried in vain. */
    KEY_REFUSED,
    /** A form came after its session had ended, and was not taken. */
    FORM_LOST
  }

  /** Whether a key was tried in vain. */
  public boolean failed() {
    return why == Why.KEY_REFUSED;
  }

  /** Whether a form was not taken. */
  public boolean lost() {
    return why == Why.FORM_LOST;
  }
}
