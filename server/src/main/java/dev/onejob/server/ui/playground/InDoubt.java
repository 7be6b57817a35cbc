package dev.onejob.server.ui.playground;

import dev.onejob.domain.Attempt;
import dev.onejob.domain.Failure;
import dev.onejob.providers.http.OnePost;

/** What is said of an attempt that is unknown: what raised the doubt, by its own record. */
final class InDoubt {
  private InDoubt() {}

  /** That it is unknown, and why. */
  static String says(Attempt attempt) {
    Failure why = attempt.failure();
    return "Attempt "
        + attempt.standing().number()
        + " is unknown"
        + (why == null ? "" : ": " + why.message());
  }

  /** What that means. */
  static String means(Attempt attempt) {
    Failure why = attempt.failure();
    return why != null && why.code().equals(OnePost.TIMEOUT)
        ? "It may have acted, be acting, or never have begun. Its line is still listened to."
        : "It may have acted, be acting, or never have begun.";
  }
}
