package dev.onejob.system;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * The kind {@code slow}, whose attempts outlast many leases, on nodes with short leases; and the
 * kind {@code going-on}, whose jobs go on from every doubt.
 */
final class LeaseConfig {
  private LeaseConfig() {}

  /** Arguments of a node that stops with this grace, such as {@code 20s}. */
  static List<String> arguments(Path folder, String stopGrace) {
    try {
      Path file =
          Files.writeString(
              folder.resolve("leases-" + stopGrace + ".yaml"),
              """
              server:
                lease: 3s
                heartbeat: 500ms
                stop_grace: %s
              kinds:
                slow:
                  effect: exclusive
                  route: [sandbox-a, sandbox-b]
                  attempt_timeout: 2m
                going-on:
                  effect: harmless
                  route: [sandbox-a]
                  attempt_timeout: 2m
                  backoff: {first: 100ms, max: 1s}
                  unknown: {after: 500ms, verdict: abandon, then: retry}
              providers:
                sandbox-a: {type: sandbox}
                sandbox-b: {type: sandbox}
              """
                  .formatted(stopGrace));
      return List.of("--config", file.toString());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Input for an answer after that time. */
  static String answerAfter(int millis) {
    return "{\"script\":{\"sandbox-a\":{\"answer_after_ms\":" + millis + "}}}";
  }
}
