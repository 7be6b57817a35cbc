package dev.onejob.providers.signature;

import dev.onejob.provider.CallbackHead;
import dev.onejob.provider.CallbackMessage;
import dev.onejob.provider.CallbackReader.Sender;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Optional;

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

  private record Said(String id, String seconds, String signatures) {
    static Said of(CallbackHead head) {
      return new Said(
          head.header("webhook-id").orElse(""),
          head.header("webhook-timestamp").orElse(""),
          head.header("webhook-signature").orElse(""));
    }
  }

  @Override
  public Optional<Sender.Refused> refusal(CallbackHead head, Instant now) {
    Said said = Said.of(head);
    if (said.id.isEmpty() || said.seconds.isEmpty() || said.signatures.isEmpty()) {
      return Optional.of(
          new Sender.Refused(
              "the headers webhook-id, webhook-timestamp and webhook-signature are needed"));
    }
    return Moment.isNear(said.seconds, now, tolerance)
        ? Optional.empty()
        : Optional.of(new Sender.Refused("webhook-timestamp is too far from this node's clock"));
  }

  @Override
  public Sender of(CallbackMessage message, Instant now) {
    Optional<Sender.Refused> refusal = refusal(message.head(), now);
    if (refusal.isPresent()) {
      return refusal.get();
    }
    Said said = Said.of(message.head());
    return fits(said.id, said.seconds, message.body(), said.signatures)
        ? new Sender.Proved(said.id)
        : new Sender.Refused("no signature in webhook-signature fits");
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
