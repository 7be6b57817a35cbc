package dev.onejob.providers.httpasync;

import dev.onejob.providers.httpasync.Peer.Work;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Instant;
import java.util.Base64;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Replicate's HTTP API for predictions, as it is documented. */
final class ReplicateDialect implements Dialect {
  /** What its callbacks are signed with. */
  static final String SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

  private static final Pattern PREDICTION = Pattern.compile("/v1/predictions/([^/]+)(/cancel)?");

  @Override
  public @Nullable String workOf(String path, String ending) {
    Matcher prediction = PREDICTION.matcher(path);
    boolean fits =
        prediction.matches() && ending.equals(Optional.ofNullable(prediction.group(2)).orElse(""));
    return fits ? prediction.group(1) : null;
  }

  @Override
  public String statusEnding() {
    return "";
  }

  @Override
  public JsonNode taken(Work work, URI base) {
    return status(work, base);
  }

  @Override
  public JsonNode status(Work work, URI base) {
    ObjectNode prediction = callback(work);
    prediction
        .putObject("urls")
        .put("get", base + "/v1/predictions/" + work.id)
        .put("cancel", base + "/v1/predictions/" + work.id + "/cancel");
    return prediction;
  }

  @Override
  public ObjectNode callback(Work work) {
    ObjectNode prediction = JsonNodeFactory.instance.objectNode();
    prediction.put("id", work.id).put("status", word(work)).put("data_removed", false);
    prediction.set("input", work.body.path("input"));
    prediction.set("output", work.output);
    prediction.put("error", work.error.isEmpty() ? null : work.error);
    prediction.putObject("metrics").put("predict_time", 0.5);
    return prediction;
  }

  private static String word(Work work) {
    return switch (work.state) {
      case QUEUED -> "starting";
      case RUNNING -> "processing";
      case SUCCEEDED -> "succeeded";
      case FAILED -> "failed";
      case CANCELLED -> "canceled";
    };
  }

  @Override
  public Optional<URI> callbackAddress(Work work) {
    JsonNode address = work.body.path("webhook");
    return address.isString() ? Optional.of(URI.create(address.stringValue())) : Optional.empty();
  }

  @Override
  public Map<String, String> signed(byte[] body, String event, Instant now) {
    String seconds = Long.toString(now.getEpochSecond());
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      byte[] key = Base64.getDecoder().decode(SECRET.substring("whsec_".length()));
      mac.init(new SecretKeySpec(key, "HmacSHA256"));
      mac.update((event + "." + seconds + ".").getBytes(StandardCharsets.UTF_8));
      String signature = "v1," + Base64.getEncoder().encodeToString(mac.doFinal(body));
      return Map.of(
          "webhook-id", event, "webhook-timestamp", seconds, "webhook-signature", signature);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public int takenStatus() {
    return 201;
  }

  @Override
  public String cancelMethod() {
    return "POST";
  }

  @Override
  public Optional<JsonNode> document(String path) {
    return Optional.empty();
  }
}
