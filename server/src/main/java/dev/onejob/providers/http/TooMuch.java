package dev.onejob.providers.http;

import java.io.IOException;

/** An answer is larger than what is read of one. */
final class TooMuch extends IOException {
  private static final long serialVersionUID = 1L;

  TooMuch(String message) {
    super(message);
  }
}
