package dev.onejob.providers.http;

import java.io.IOException;

/** What came back is not HTTP as we know it. */
final class UnreadableAnswer extends IOException {
  private static final long serialVersionUID = 1L;

  UnreadableAnswer(String message) {
    super(message);
  }
}
