package dev.onejob.providers.signature;

import dev.onejob.providers.BoundedJson;
import dev.onejob.providers.http.OnePost;
import dev.onejob.providers.http.Post;
import dev.onejob.providers.http.Reply;
import dev.onejob.providers.http.Unwatched;
import java.math.BigInteger;
import java.net.URI;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PublicKey;
import java.security.spec.EdECPoint;
import java.security.spec.EdECPublicKeySpec;
import java.security.spec.NamedParameterSpec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/**
 * The Ed25519 keys that a provider publishes as a JSON Web Key Set (RFC 7517, RFC 8037), fetched
 * from one configured address and kept for a while. Whoever sends us signatures that fit nothing
 * makes us fetch no more than once a minute. Safe for many threads.
 */
public final class PublishedKeys {
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  /** How long keys are relied on; what providers recommend is a day at most. */
  private static final Duration KEPT_FOR = Duration.ofHours(12);

  private static final Duration PAUSE = Duration.ofMinutes(1);

  /** What fails is not tried by everybody at once. */
  private static final Duration PAUSE_AFTER_FAILURE = Duration.ofSeconds(5);

  private static final int OK = 200;
  private static final int KEY_BYTES = 32;
  private static final int KEYS_MAX = 100;

  private final Post request;
  private final ReentrantLock lock = new ReentrantLock();
  private volatile Kept kept = new Kept(List.of(), 0, false);

  private boolean failed; // guarded by lock, as is the next
  private long failedAt;

  private record Kept(List<PublicKey> keys, long at, boolean fetched) {
    boolean isYounger(Duration age) {
      return fetched && System.nanoTime() - at < age.toNanos();
    }
  }

  public PublishedKeys(URI address) {
    this.request = Post.bare("GET", address, Map.of());
  }

  /** What came of fetching. */
  sealed interface Fetched {
    record Keys(List<PublicKey> keys) implements Fetched {}

    /** Not fetched now, as it was done a moment ago: what fits none of them is not refused. */
    record Recent(List<PublicKey> keys) implements Fetched {}

    record NotNow(String why) implements Fetched {}
  }

  /** Those that are known and not too old; none before they were fetched. */
  List<PublicKey> known() {
    Kept now = kept;
    return now.isYounger(KEPT_FOR) ? now.keys() : List.of();
  }

  /** Fetches them, unless that was done a moment ago. */
  Fetched fetched() throws InterruptedException {
    lock.lockInterruptibly();
    try {
      if (kept.isYounger(PAUSE)) {
        // The key may be newer than what was fetched for somebody else's message.
        return new Fetched.Recent(kept.keys());
      }
      if (failed && System.nanoTime() - failedAt < PAUSE_AFTER_FAILURE.toNanos()) {
        return notNow("fetched");
      }
      Reply reply = OnePost.send(request, PATIENCE, Unwatched.QUESTION, head -> {});
      if (reply instanceof Reply.Answer answer && answer.head().status() == OK) {
        List<PublicKey> keys = read(BoundedJson.read(answer.body()));
        if (keys.isEmpty()) {
          return failed("read"); // those before stay
        }
        kept = new Kept(keys, System.nanoTime(), true);
        failed = false;
        return new Fetched.Keys(keys);
      }
      return failed("fetched");
    } catch (JacksonException e) {
      return failed("read");
    } finally {
      lock.unlock();
    }
  }

  private Fetched failed(String how) {
    failed = true;
    failedAt = System.nanoTime();
    return notNow(how);
  }

  private static Fetched notNow(String how) {
    return new Fetched.NotNow("the provider's keys cannot be " + how + " at the moment");
  }

  /** Keys of other kinds are passed over. */
  static List<PublicKey> read(JsonNode document) {
    List<PublicKey> keys = new ArrayList<>();
    for (JsonNode key : document.path("keys")) {
      JsonNode curve = key.path("crv");
      boolean other = curve.isString() && !curve.stringValue().equals("Ed25519");
      if (!other && key.path("x").isString() && keys.size() < KEYS_MAX) {
        add(keys, key.path("x").stringValue());
      }
    }
    return List.copyOf(keys);
  }

  private static void add(List<PublicKey> keys, String encoded) {
    try {
      byte[] point = Base64.getUrlDecoder().decode(encoded);
      if (point.length == KEY_BYTES) {
        keys.add(key(point));
      }
    } catch (IllegalArgumentException | GeneralSecurityException e) {
      return; // no key: nothing can fit it
    }
  }

  /** RFC 8032, 5.1.3: y in little endian, and in the highest bit whether x is odd. */
  private static PublicKey key(byte[] point) throws GeneralSecurityException {
    byte[] bigEndian = new byte[KEY_BYTES];
    for (int i = 0; i < KEY_BYTES; i++) {
      bigEndian[i] = point[KEY_BYTES - 1 - i];
    }
    boolean xOdd = (bigEndian[0] & 0x80) != 0;
    bigEndian[0] &= 0x7f;
    EdECPoint decoded = new EdECPoint(xOdd, new BigInteger(1, bigEndian));
    return KeyFactory.getInstance("Ed25519")
        .generatePublic(new EdECPublicKeySpec(NamedParameterSpec.ED25519, decoded));
  }
}
