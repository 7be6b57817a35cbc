package dev.onejob.providers.httpasync;

import dev.onejob.providers.httpasync.Peer.State;
import dev.onejob.providers.httpasync.Peer.Work;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.MessageDigest;
import java.security.Signature;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** fal's queue, as it is documented; its keys are published beside it. */
final class FalDialect implements Dialect {
  static final String KEYS = "/.well-known/jwks.json";

  private static final Pattern REQUEST =
      Pattern.compile("/[^/]+/[^/]+/requests/([^/]+)(/status|/cancel)?");
  private static final Pattern WEBHOOK = Pattern.compile("(?:^|&)fal_webhook=([^&]*)");

  /** An X.509 key of Ed25519 ends in its 32 bytes. */
  private static final int KEY_BYTES = 32;

  private final KeyPair keys = keys();

  private static KeyPair keys() {
    try {
      return KeyPairGenerator.getInstance("Ed25519").generateKeyPair();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public @Nullable String workOf(String path, String ending) {
    Matcher request = REQUEST.matcher(path);
    boolean fits =
        request.matches() && ending.equals(Optional.ofNullable(request.group(2)).orElse(""));
    return fits ? request.group(1) : null;
  }

  @Override
  public String statusEnding() {
    return "/status";
  }

  private static String at(Work work, URI base) {
    String[] parts = work.path.split("/", -1); // without what follows the name of the app
    return base + "/" + parts[1] + "/" + parts[2] + "/requests/" + work.id;
  }

  @Override
  public JsonNode taken(Work work, URI base) {
    return JsonNodeFactory.instance
        .objectNode()
        .put("status", "IN_QUEUE")
        .put("request_id", work.id)
        .put("response_url", at(work, base))
        .put("status_url", at(work, base) + "/status")
        .put("cancel_url", at(work, base) + "/cancel");
  }

  @Override
  public JsonNode status(Work work, URI base) {
    ObjectNode status = JsonNodeFactory.instance.objectNode().put("request_id", work.id);
    switch (work.state) {
      case QUEUED -> status.put("status", "IN_QUEUE").put("queue_position", 0);
      case RUNNING -> status.put("status", "IN_PROGRESS");
      case SUCCEEDED -> status.put("status", "COMPLETED");
      case FAILED -> status.put("status", "COMPLETED").put("error", work.error);
      case CANCELLED -> status.put("status", "COMPLETED").put("error", "cancelled");
    }
    return status;
  }

  @Override
  public JsonNode callback(Work work) {
    ObjectNode callback =
        JsonNodeFactory.instance
            .objectNode()
            .put("request_id", work.id)
            .put("gateway_request_id", work.id)
            .put("status", work.state == State.SUCCEEDED ? "OK" : "ERROR");
    callback.set("payload", work.output);
    if (!work.error.isEmpty()) {
      callback.put("error", work.error);
    }
    return callback;
  }

  @Override
  public Optional<URI> callbackAddress(Work work) {
    Matcher webhook = WEBHOOK.matcher(work.query);
    return webhook.find()
        ? Optional.of(URI.create(URLDecoder.decode(webhook.group(1), StandardCharsets.UTF_8)))
        : Optional.empty();
  }

  @Override
  public Map<String, String> signed(byte[] body, String event, Instant now) {
    String seconds = Long.toString(now.getEpochSecond());
    try {
      String digest = HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(body));
      Signature signature = Signature.getInstance("Ed25519");
      signature.initSign(keys.getPrivate());
      signature.update(
          (event + "\nuser\n" + seconds + "\n" + digest).getBytes(StandardCharsets.UTF_8));
      return Map.of(
          "X-Fal-Webhook-Request-Id",
          event,
          "X-Fal-Webhook-User-Id",
          "user",
          "X-Fal-Webhook-Timestamp",
          seconds,
          "X-Fal-Webhook-Signature",
          HexFormat.of().formatHex(signature.sign()));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public int takenStatus() {
    return 200;
  }

  @Override
  public String cancelMethod() {
    return "PUT";
  }

  @Override
  public Optional<JsonNode> document(String path) {
    if (!path.equals(KEYS)) {
      return Optional.empty();
    }
    byte[] encoded = keys.getPublic().getEncoded();
    byte[] point = Arrays.copyOfRange(encoded, encoded.length - KEY_BYTES, encoded.length);
    ObjectNode document = JsonNodeFactory.instance.objectNode();
    document
        .putArray("keys")
        .addObject()
        .put("kty", "OKP")
        .put("crv", "Ed25519")
        .put("x", Base64.getUrlEncoder().withoutPadding().encodeToString(point));
    return Optional.of(document);
  }
}
