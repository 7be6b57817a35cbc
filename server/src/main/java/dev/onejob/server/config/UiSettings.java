package dev.onejob.server.config;

import java.time.Duration;

/**
 * How the dashboard serves.
 *
 * @param presence whether there is one
 * @param sessionIdle how long a session lasts without a request of its person
 * @param sessionMax how long it lasts at most
 * @param poolSize connections of this node for pages alone
 * @param statementTimeout of every statement of a page
 * @param streamsMax live pages at once on this node
 * @param playground whether there is a playground, with its kinds and providers
 */
public record UiSettings(
    Presence presence,
    Duration sessionIdle,
    Duration sessionMax,
    int poolSize,
    Duration statementTimeout,
    int streamsMax,
    Presence playground) {
  private static final Duration SESSION_MIN = Duration.ofMinutes(1);
  private static final Duration SESSION_MAX = Duration.ofDays(30);
  private static final Duration STATEMENT_MIN = Duration.ofMillis(100);
  private static final Duration STATEMENT_MAX = Duration.ofSeconds(30);

  /** A working day at most, two hours of silence, three connections, two seconds, no playground. */
  public static final UiSettings USUAL =
      new UiSettings(
          Presence.SERVED,
          Duration.ofHours(2),
          Duration.ofHours(12),
          3,
          Duration.ofSeconds(2),
          200,
          Presence.OFF);

  /** Whether a node has a dashboard, or a part of it. */
  public enum Presence {
    SERVED,
    OFF
  }

  /**
   * Checks the settings.
   *
   * @throws IllegalArgumentException beginning with the setting: {@code session_max: …}
   */
  public UiSettings {
    if (sessionIdle.compareTo(SESSION_MIN) < 0 || sessionIdle.compareTo(sessionMax) > 0) {
      throw new IllegalArgumentException("session_idle: from 1m to session_max");
    }
    if (sessionMax.compareTo(SESSION_MAX) > 0) {
      throw new IllegalArgumentException("session_max: at most 30d");
    }
    if (statementTimeout.compareTo(STATEMENT_MIN) < 0
        || statementTimeout.compareTo(STATEMENT_MAX) > 0) {
      throw new IllegalArgumentException("statement_timeout: from 100ms to 30s");
    }
  }

  /** Whether the playground is open: a dashboard that is not served has none. */
  public boolean playgroundOpen() {
    return presence == Presence.SERVED && playground == Presence.SERVED;
  }
}
