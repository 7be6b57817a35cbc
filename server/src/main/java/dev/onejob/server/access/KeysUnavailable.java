package dev.onejob.server.access;

/** The keys cannot be read or written: the database does not answer, or refuses. */
public final class KeysUnavailable extends RuntimeException {
  private static final long serialVersionUID = 1L;

  KeysUnavailable(String what, Throwable cause) {
    super(what, cause);
  }
}
