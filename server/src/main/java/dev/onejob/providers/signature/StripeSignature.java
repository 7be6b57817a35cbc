package dev.onejob.providers.signature;

import dev.onejob.provider.CallbackMessage;
import dev.onejob.provider.CallbackReader.Sender;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/**
 * Stripe's scheme: the header {@code Stripe-Signature} holds {@code t=} seconds and one or more
 * {@code v1=}, each an HMAC-SHA256 in hexadecimal over the seconds, a dot and the body. Source:
 * Stripe's documentation on verifying webhook signatures by hand.
 */
public final class StripeSignature implements Signature {
  private final List<Hmac> secrets;
  private final Duration tolerance;

  /**
   * Takes what was signed under any of these secrets.
   *
   * @param secrets as they are shown, with their prefix
   */
  public StripeSignature(List<String> secrets, Duration tolerance) {
    this.secrets =
        secrets.stream().map(secret -> new Hmac(secret.getBytes(StandardCharsets.UTF_8))).toList();
    this.tolerance = tolerance;
  }

  @Override
  public Sender of(CallbackMessage message, Instant now) {
    List<String> seconds = new ArrayList<>();
    List<String> signatures = new ArrayList<>();
    for (String part : message.header("stripe-signature").orElse("").split(",", -1)) {
      String item = part.strip();
      if (item.startsWith("t=")) {
        seconds.add(item.substring(2));
      } else if (item.startsWith("v1=")) { // others are schemes of the past, or for tests
        signatures.add(item.substring(3));
      }
    }
    if (seconds.size() != 1 || signatures.isEmpty()) {
      return new Sender.Refused("the header Stripe-Signature is needed, with one t= and a v1=");
    }
    if (!fits(seconds.getFirst(), message.body(), signatures)) {
      return new Sender.Refused("no signature in Stripe-Signature fits");
    }
    return Moment.isNear(seconds.getFirst(), now, tolerance)
        ? new Sender.Proved(null)
        : new Sender.Refused("the time in Stripe-Signature is too far from this node's clock");
  }

  private boolean fits(String seconds, byte[] body, List<String> signatures) {
    byte[] head = (seconds + ".").getBytes(StandardCharsets.UTF_8);
    boolean fits = false;
    for (Hmac secret : secrets) {
      String expected = HexFormat.of().formatHex(secret.of(head, body));
      for (String signature : signatures) {
        fits |=
            Hmac.equal(
                expected.getBytes(StandardCharsets.UTF_8),
                signature.getBytes(StandardCharsets.UTF_8));
      }
    }
    return fits;
  }
}
