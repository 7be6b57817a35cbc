package dev.onejob.server.webhooks;

import java.time.Duration;
import java.util.List;

/**
 * What operators say about webhooks.
 *
 * @param policy which addresses may be reached
 * @param timeout of one request, from its connection to the head of the answer; the name of its
 *     host was looked up before
 * @param kept how long a delivery that has ended stays in the log
 */
public record WebhookSettings(
    AddressPolicy policy, Scheme scheme, Duration timeout, Duration kept) {
  /** A receiver that needs longer should answer first and work afterwards. */
  private static final Duration TIMEOUT_MAX = Duration.ofSeconds(30);

  /** Longer than any try lasts: what is forgotten has no late end, and can be looked into. */
  private static final Duration KEPT_MIN = Duration.ofHours(1);

  private static final Duration TIMEOUT_MIN = Duration.ofSeconds(1);

  /** Public addresses over https, twenty seconds, thirty days. */
  public static final WebhookSettings USUAL =
      new WebhookSettings(
          AddressPolicy.PUBLIC, Scheme.HTTPS, Duration.ofSeconds(20), Duration.ofDays(30));

  /** How requests may travel. */
  public enum Scheme {
    HTTPS,
    HTTP_TOO
  }

  /**
   * Checks the settings.
   *
   * @throws IllegalArgumentException beginning with the setting: {@code timeout: …}
   */
  public WebhookSettings {
    if (timeout.compareTo(TIMEOUT_MIN) < 0 || timeout.compareTo(TIMEOUT_MAX) > 0) {
      throw new IllegalArgumentException("timeout: from 1s to 30s");
    }
    if (kept.compareTo(KEPT_MIN) < 0) {
      throw new IllegalArgumentException("keep_for: at least 1h");
    }
  }

  /** The same, with other addresses and schemes allowed. */
  public WebhookSettings reaching(List<Network> allowed, Scheme other) {
    return new WebhookSettings(new AddressPolicy(policy.reach(), allowed), other, timeout, kept);
  }
}
