package dev.onejob.server.database;

import org.jspecify.annotations.Nullable;

/** The database cannot be used; the message says why and what to do, for the person who started. */
public final class DatabaseException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  DatabaseException(String message) {
    super(message);
  }

  DatabaseException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
