package dev.onejob.providers.signature;

import dev.onejob.provider.CallbackHead;
import dev.onejob.provider.CallbackMessage;
import dev.onejob.provider.CallbackReader.Sender;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.PublicKey;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * fal's scheme: Ed25519 (RFC 8032) over the id of the request, the id of the user, the seconds and
 * the SHA-256 of the body in hexadecimal, a line each. The keys are those that fal publishes.
 * Source: fal's documentation on verifying webhooks.
 */
public final class FalSignature implements Signature {
  private static final String PREFIX = "x-fal-webhook-";

  private final PublishedKeys keys;
  private final @Nullable String account;
  private final Duration tolerance;

  /**
   * Makes one.
   *
   * @param account the id of the user whose work it is: fal signs for all its users with the same
   *     keys. Null: not known, and then a message that fits proves only that it is of somebody's
   */
  public FalSignature(PublishedKeys keys, @Nullable String account, Duration tolerance) {
    this.keys = keys;
    this.account = account;
    this.tolerance = tolerance;
  }

  private record Said(String request, String user, String seconds, byte[] signature) {
    static Said of(CallbackHead head) {
      return new Said(
          head.header(PREFIX + "request-id").orElse(""),
          head.header(PREFIX + "user-id").orElse(""),
          head.header(PREFIX + "timestamp").orElse(""),
          bytes(head.header(PREFIX + "signature").orElse("")));
    }

    boolean isWhole() {
      return !request.isEmpty() && !user.isEmpty() && !seconds.isEmpty() && signature.length > 0;
    }
  }

  @Override
  public Optional<Sender.Refused> refusal(CallbackHead head, Instant now) {
    Said said = Said.of(head);
    if (!said.isWhole()) {
      return refused(
          "the headers X-Fal-Webhook-Request-Id, -User-Id, -Timestamp and -Signature are needed");
    }
    if (!Moment.isNear(said.seconds, now, tolerance)) { // before a key is fetched for anybody
      return refused("X-Fal-Webhook-Timestamp is too far from this node's clock");
    }
    return account == null || account.equals(said.user)
        ? Optional.empty()
        : refused("X-Fal-Webhook-User-Id is not the configured user_id");
  }

  private static Optional<Sender.Refused> refused(String why) {
    return Optional.of(new Sender.Refused(why));
  }

  @Override
  public Sender of(CallbackMessage message, Instant now) throws InterruptedException {
    Optional<Sender.Refused> refusal = refusal(message.head(), now);
    if (refusal.isPresent()) {
      return refusal.get();
    }
    Said said = Said.of(message.head());
    byte[] signed =
        String.join("\n", said.request, said.user, said.seconds, sha256(message.body()))
            .getBytes(StandardCharsets.UTF_8);
    return sender(said.request, signed, said.signature);
  }

  /** Keys are changed: what fits none of those that are known may fit one that is new. */
  private Sender sender(String request, byte[] signed, byte[] signature)
      throws InterruptedException {
    List<PublicKey> known = keys.known();
    if (fits(known, signed, signature)) {
      return fitting(request);
    }
    return switch (keys.fetched()) {
      case PublishedKeys.Fetched.Keys fresh ->
          fits(fresh.keys(), signed, signature)
              ? fitting(request)
              : new Sender.Refused("X-Fal-Webhook-Signature fits no published key");
      case PublishedKeys.Fetched.Recent recent ->
          fits(recent.keys(), signed, signature)
              ? fitting(request)
              : new Sender.Unchecked("it fits no key that is known; they are fetched anew soon");
      case PublishedKeys.Fetched.NotNow notNow -> new Sender.Unchecked(notNow.why());
    };
  }

  private Sender fitting(String request) {
    return account == null ? new Sender.Unproved() : new Sender.Proved(request);
  }

  private static boolean fits(List<PublicKey> keys, byte[] signed, byte[] signature) {
    boolean fits = false;
    for (PublicKey key : keys) {
      fits |= fits(key, signed, signature);
    }
    return fits;
  }

  private static boolean fits(PublicKey key, byte[] signed, byte[] given) {
    try {
      java.security.Signature check = java.security.Signature.getInstance("Ed25519");
      check.initVerify(key);
      check.update(signed);
      return check.verify(given);
    } catch (GeneralSecurityException e) {
      return false; // of another length, or no point of the curve: it fits nothing
    }
  }

  /** Empty if it is no hexadecimal. */
  private static byte[] bytes(String hex) {
    try {
      return HexFormat.of().parseHex(hex);
    } catch (IllegalArgumentException e) {
      return new byte[0];
    }
  }

  private static String sha256(byte[] body) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(body));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }
}
