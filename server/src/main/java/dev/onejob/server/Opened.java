package dev.onejob.server;

import java.util.ArrayDeque;
import java.util.Deque;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What was opened, to be closed in the opposite order, once. */
final class Opened {
  private static final Logger LOG = LoggerFactory.getLogger(Opened.class);

  private final Deque<AutoCloseable> parts = new ArrayDeque<>();

  synchronized <T extends AutoCloseable> T add(T part) {
    parts.push(part);
    return part;
  }

  /** One part that does not close in order must not keep the others open. */
  synchronized void close() {
    while (!parts.isEmpty()) {
      AutoCloseable part = parts.pop();
      try {
        part.close();
      } catch (Exception e) {
        LOG.warn("{} did not close in order", part.getClass().getSimpleName(), e);
      }
    }
  }
}
