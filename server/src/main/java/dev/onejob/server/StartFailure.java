package dev.onejob.server;

import org.jspecify.annotations.Nullable;

/**
 * The service cannot start, for a reason that the person at the terminal can do something about.
 */
public final class StartFailure extends RuntimeException {
  private static final long serialVersionUID = 1L;

  StartFailure(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
