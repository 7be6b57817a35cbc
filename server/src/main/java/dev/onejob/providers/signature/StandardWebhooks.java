package dev.onejob.providers.signature;

import dev.onejob.provider.CallbackMessage;
import dev.onejob.provider.CallbackReader.Sender;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;

/**
 * Standard Webhooks with a shared secret (its scheme {@code v1}): HMAC-SHA256 over the id, the
 * seconds and the body, with dots between. Source: the specification of Standard Webhooks, 1.0.0.
 */
public final class StandardWebhooks implements Signature {
  private static final String PREFIX = "whsec_";
  private static final String SCHEME = "v1,";

  private final List<Hmac> secrets;
  private final Duration tolerance;

  /**
   * Takes what was signed under any of these secrets, so that they can be changed without a gap.
   *
   * @param secrets in base 64, with or without {@code whsec_} before it
   * @throws IllegalArgumentException if one is not; it is not quoted
   */
  public StandardWebhooks(List<String> secrets, Duration tolerance) {
    this.secrets = secrets.stream().map(StandardWebhooks::hmac).toList();
    this.tolerance = tolerance;
  }

  private static Hmac hmac(String secret) {
    String text = secret.startsWith(PREFIX) ? secret.substring(PREFIX.length()) : secret;
    byte[] key;
    try {
      key = Base64.getDecoder().decode(text);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("the secret is not in base 64", e);
    }
    if (key.length == 0) {
      throw new IllegalArgumentException("the secret is empty");
    }
    return new Hmac(key);
  }

  @Override
  public Sender of(CallbackMessage message, Instant now) {
    String id = message.header("webhook-id").orElse("");
    String seconds = message.header("webhook-timestamp").orElse("");
    String signatures = message.header("webhook-signature").orElse("");
    if (id.isEmpty() || seconds.isEmpty() || signatures.isEmpty()) {
      return new Sender.Refused(
          "the headers webhook-id, webhook-timestamp and webhook-signature are needed");
    }
    if (!fits(id, seconds, message.body(), signatures)) {
      return new Sender.Refused("no signature in webhook-signature fits");
    }
    return Moment.isNear(seconds, now, tolerance)
        ? new Sender.Proved(id)
        : new Sender.Refused("webhook-timestamp is too far from this node's clock");
  }

  /** Looks at all of them, whichever fits. */
  private boolean fits(String id, String seconds, byte[] body, String signatures) {
    byte[] head = (id + "." + seconds + ".").getBytes(StandardCharsets.UTF_8);
    boolean fits = false;
    for (Hmac secret : secrets) {
      String expected = SCHEME + Base64.getEncoder().encodeToString(secret.of(head, body));
      for (String signature : signatures.split(" ", -1)) {
        fits |=
            Hmac.equal(
                expected.getBytes(StandardCharsets.UTF_8),
                signature.getBytes(StandardCharsets.UTF_8));
      }
    }
    return fits;
  }
}
