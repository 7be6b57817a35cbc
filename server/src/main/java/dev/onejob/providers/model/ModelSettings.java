package dev.onejob.providers.model;

import dev.onejob.provider.ProviderRequest;
import dev.onejob.providers.InvalidSetting;
import dev.onejob.providers.ProviderContext;
import dev.onejob.providers.http.Address;
import dev.onejob.providers.http.Timeouts;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * The settings that every language model has, as the schemas of the types describe them.
 *
 * @param refusedStatuses statuses that this endpoint sends only before any work
 * @param stream whether the answer is asked for as a stream of events; null: it is not
 */
public record ModelSettings(
    String baseUrl,
    String model,
    @Nullable String apiKeyEnv,
    @Nullable String apiKeyFile,
    @Nullable ObjectNode parameters,
    @Nullable String system,
    @Nullable List<Prompt.Message> messages,
    @Nullable String prompt,
    @Nullable ResultAs result,
    @Nullable List<Integer> refusedStatuses,
    @Nullable Boolean stream,
    @Nullable String connectTimeout,
    @Nullable String firstByteTimeout,
    @Nullable String silenceTimeout) {

  /** What of an answer is the result; text where nothing is said. */
  public ResultAs reading() {
    return result == null ? ResultAs.TEXT : result;
  }

  List<Integer> refused() {
    return refusedStatuses == null ? List.of() : refusedStatuses;
  }

  /** Whether the answer is asked for as a stream. */
  public boolean streams() {
    return Boolean.TRUE.equals(stream);
  }

  /** How long the steps of a request may take. */
  public Timeouts timeouts() {
    return Timeouts.of(connectTimeout, firstByteTimeout, silenceTimeout);
  }

  /** The templates of the prompt, in order. */
  public Prompt turns() {
    return Prompt.of(system, messages, prompt);
  }

  /**
   * An address below the endpoint's own.
   *
   * @param path begins with a slash
   * @throws InvalidSetting if {@code base_url} is no address
   */
  public URI at(String path) {
    String base = Address.of(baseUrl, "/base_url").toString().replaceAll("/+$", "");
    return URI.create(base + path);
  }

  /** The key; empty if the settings name none. */
  public Optional<ApiKey> key(ProviderContext context) {
    return ApiKey.of(apiKeyEnv, apiKeyFile, context);
  }

  /** A request without its prompt: the parameters, and the model. */
  public ObjectNode frame() {
    ObjectNode frame = JsonNodeFactory.instance.objectNode();
    if (parameters != null) {
      frame.setAll(parameters.deepCopy());
    }
    return frame.put("model", model);
  }

  /** Headers by which a provider's support, and gateways, can find a request; besides others. */
  public static Map<String, String> withIds(Map<String, String> others, ProviderRequest request) {
    Map<String, String> all = new TreeMap<>(others);
    all.put("Idempotency-Key", request.providerKey());
    all.put("X-Client-Request-Id", request.attemptId().toString());
    all.put("Onejob-Job-Id", request.jobId().toString());
    all.put("Onejob-Attempt-Id", request.attemptId().toString());
    return all;
  }
}
