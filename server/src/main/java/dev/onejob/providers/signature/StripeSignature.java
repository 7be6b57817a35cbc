package dev.onejob.providers.signature;

import dev.onejob.provider.CallbackHead;
import dev.onejob.provider.CallbackMessage;
import dev.onejob.provider.CallbackReader.Sender;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

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

  private record Said(List<String> seconds, List<String> signatures) {
    static Said of(CallbackHead head) {
      Said said = new Said(new ArrayList<>(), new ArrayList<>());
      for (String part : head.header("stripe-signature").orElse("").split(",", -1)) {
        String item = part.strip();
        if (item.startsWith("t=")) {
          said.seconds.add(item.substring(2));
        } else if (item.startsWith("v1=")) { // others are schemes of the past, or for tests
          said.signatures.add(item.substring(3));
        }
      }
      return said;
    }
  }

  @Override
  public Optional<Sender.Refused> refusal(CallbackHead head, Instant now) {
    Said said = Said.of(head);
    if (said.seconds.size() != 1 || said.signatures.isEmpty()) {
      return Optional.of(
          new Sender.Refused("the header Stripe-Signature is needed, with one t= and a v1="));
    }
    return Moment.isNear(said.seconds.getFirst(), now, tolerance)
        ? Optional.empty()
        : Optional.of(
            new Sender.Refused("the time in Stripe-Signature is too far from this node's clock"));
  }

  @Override
  public Sender of(CallbackMessage message, Instant now) {
    Optional<Sender.Refused> refusal = refusal(message.head(), now);
    if (refusal.isPresent()) {
      return refusal.get();
    }
    Said said = Said.of(message.head());
    return fits(said.seconds.getFirst(), message.body(), said.signatures)
        ? new Sender.Proved(null)
        : new Sender.Refused("no signature in Stripe-Signature fits");
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
