package dev.onejob.providers.httpasync;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The settings of one provider, laid over those of its profile, as the schema beside this class
 * describes them. Pointers are JSON pointers.
 *
 * @param id where the provider's id of the work is
 */
record AsyncSettings(
    String profile,
    @Nullable String model,
    @Nullable String version,
    @Nullable String baseUrl,
    @Nullable String apiKeyEnv,
    @Nullable String apiKeyFile,
    @Nullable String authorization,
    @Nullable Submit submit,
    @Nullable String id,
    @Nullable Status status,
    @Nullable Fetch result,
    @Nullable Cancel cancel,
    @Nullable Callback callback,
    @Nullable Poll poll,
    @Nullable String connectTimeout,
    @Nullable String firstByteTimeout,
    @Nullable String silenceTimeout,
    @Nullable List<Integer> refusedStatuses,
    @Nullable Promises promises) {

  /** How work is begun; the strings of the body are templates. */
  record Submit(
      @Nullable String path,
      @Nullable String method,
      @Nullable Map<String, String> query,
      @Nullable Map<String, String> headers,
      @Nullable JsonNode body) {}

  /** How it is asked about, and what its words mean. */
  record Status(
      @Nullable String path,
      @Nullable String url,
      @Nullable String word,
      @Nullable List<String> atWork,
      @Nullable List<String> succeeded,
      @Nullable List<String> failed,
      @Nullable List<String> failedRetryable,
      @Nullable List<String> stopped,
      @Nullable String error,
      @Nullable String cost) {}

  /** Where the result is: in the status, or at an address of its own. */
  record Fetch(
      @Nullable String path,
      @Nullable String url,
      @Nullable String at,
      @Nullable Format format,
      @Nullable List<Integer> failedStatuses) {}

  /** How a result is kept. */
  enum Format {
    JSON,
    TEXT
  }

  /** How it is told to stop. */
  record Cancel(@Nullable String path, @Nullable String url, @Nullable String method) {}

  /** Where the callback address goes, and how callbacks are read. */
  record Callback(
      @Nullable String query,
      @Nullable String header,
      @Nullable String body,
      @Nullable ObjectNode also,
      @Nullable String id,
      @Nullable String attempt,
      @Nullable String event,
      @Nullable String word,
      @Nullable List<String> atWork,
      @Nullable List<String> succeeded,
      @Nullable List<String> failed,
      @Nullable List<String> failedRetryable,
      @Nullable List<String> stopped,
      @Nullable String error,
      @Nullable String result,
      @Nullable SignatureSettings signature) {}

  /** How callbacks are signed. */
  record SignatureSettings(
      @Nullable String scheme,
      @Nullable String secretEnv,
      @Nullable String secretFile,
      @Nullable String keysUrl,
      @Nullable String userId,
      @Nullable String tolerance) {}

  /** How often it is asked while the call runs. */
  record Poll(@Nullable String every) {}

  /** What the provider is relied on for. */
  record Promises(
      @Nullable String evidenceFor,
      @Nullable String ended,
      @Nullable String notFound,
      @Nullable String cancel,
      @Nullable String hiddenReexecution,
      @Nullable String billingOnCancel,
      @Nullable Deduplicates deduplicates) {}

  /** A header by which it acts once. */
  record Deduplicates(String header, @Nullable String keyFor) {}
}
