package dev.onejob.domain;

import java.time.Duration;

/**
 * When a provider that does not answer is left alone for a while.
 *
 * @param failures so many in a row open the circuit
 * @param pause before the first trial
 * @param pauseMax each trial that fails doubles the pause, up to this
 */
public record CircuitPolicy(int failures, Duration pause, Duration pauseMax) {
  /** Five failures in a row; five seconds, doubled up to one minute. */
  public static final CircuitPolicy USUAL =
      new CircuitPolicy(5, Duration.ofSeconds(5), Duration.ofMinutes(1));

  /**
   * Checks what must hold between the settings.
   *
   * @throws IllegalArgumentException beginning with the setting: {@code circuit.pause: …}
   */
  public CircuitPolicy {
    if (failures < 1) {
      throw new IllegalArgumentException("circuit.failures: at least 1");
    }
    if (pause.toMillis() < 1) {
      throw new IllegalArgumentException("circuit.pause: must be positive");
    }
    if (pauseMax.compareTo(pause) < 0) {
      throw new IllegalArgumentException("circuit.pause_max: must not be shorter than the pause");
    }
  }
}
