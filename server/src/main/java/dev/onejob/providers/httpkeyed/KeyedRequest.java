package dev.onejob.providers.httpkeyed;

import dev.onejob.provider.ProviderRequest;
import dev.onejob.providers.BoundedJson;
import dev.onejob.providers.InvalidSetting;
import dev.onejob.providers.http.Address;
import dev.onejob.providers.http.Post;
import dev.onejob.providers.model.ApiKey;
import dev.onejob.providers.model.Template.MissingPart;
import java.net.URI;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * Makes the request for a job out of the settings and the job's input: for one attempt always the
 * same, so that it can be sent again under its key.
 */
final class KeyedRequest {
  private static final String KEY_HEADER = "Idempotency-Key";

  /** What is not left to the configuration: the frame of the request, and its secret. */
  private static final Set<String> OURS =
      Set.of(
          "accept",
          "accept-encoding",
          "authorization",
          "connection",
          "content-length",
          "content-type",
          "host",
          "onejob-attempt-id",
          "onejob-job-id",
          "te",
          "traceparent",
          "trailer",
          "transfer-encoding",
          "upgrade",
          "user-agent");

  private final URI target;
  private final Map<String, String> headers;
  private final Optional<String> keyHeader;
  private final BodyTemplate body;

  private KeyedRequest(
      URI target, Map<String, String> headers, Optional<String> keyHeader, BodyTemplate body) {
    this.target = target;
    this.headers = headers;
    this.keyHeader = keyHeader;
    this.body = body;
  }

  static KeyedRequest of(KeyedSettings settings, Optional<ApiKey> key) {
    BodyTemplate body = body(settings);
    Map<String, String> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    if (settings.headers() != null) {
      settings.headers().forEach((name, value) -> headers.put(plain(name), value));
    }
    key.ifPresent(known -> secret(headers, settings, known));
    headers.put(Post.CONTENT_TYPE, body.contentType());
    Optional<String> keyHeader =
        settings.keyMember() == null
            ? Optional.of(Objects.requireNonNullElse(settings.keyHeader(), KEY_HEADER))
            : Optional.empty();
    if (keyHeader.map(name -> headers.containsKey(name) || isOurs(name)).orElse(false)) {
      throw new InvalidSetting("/key_header", "another header of the request has this name");
    }
    URI target = address(settings, settings.path(), "/path");
    return new KeyedRequest(target, sendable(target, headers), keyHeader, body);
  }

  /** An address below the base. */
  static URI address(KeyedSettings settings, String path, String setting) {
    String base = Address.of(settings.baseUrl(), "/base_url").toString().replaceAll("/+$", "");
    return Address.of(base + path, setting);
  }

  private static boolean isOurs(String name) {
    return OURS.contains(name.toLowerCase(Locale.ROOT));
  }

  private static String plain(String name) {
    if (isOurs(name)) {
      throw new InvalidSetting("/headers/" + name, "this header cannot be set here");
    }
    return name;
  }

  private static void secret(Map<String, String> headers, KeyedSettings settings, ApiKey key) {
    if (settings.apiKeyHeader() == null) {
      headers.put("Authorization", key.bearer());
    } else if (isOurs(settings.apiKeyHeader()) || headers.containsKey(settings.apiKeyHeader())) {
      throw new InvalidSetting("/api_key_header", "another header of the request has this name");
    } else {
      headers.put(settings.apiKeyHeader(), key.plain());
    }
  }

  private static Map<String, String> sendable(URI target, Map<String, String> headers) {
    try {
      return new Post(target, headers, new byte[0]).headers();
    } catch (IllegalArgumentException e) {
      throw new InvalidSetting("/headers", String.valueOf(e.getMessage()));
    }
  }

  private static BodyTemplate body(KeyedSettings settings) {
    String member = settings.keyMember();
    Set<String> names =
        settings.form() == null
            ? Set.copyOf(Objects.requireNonNull(settings.json()).propertyNames())
            : settings.form().keySet();
    if (member != null && names.contains(member)) {
      throw new InvalidSetting("/key_member", "the body has a member of this name already");
    }
    return settings.form() == null
        ? BodyTemplate.Json.of(Objects.requireNonNull(settings.json()), member)
        : BodyTemplate.Form.of(settings.form(), member);
  }

  /** The headers of a question: those of a request, but for what belongs to its body. */
  Map<String, String> headersOfQuestion() {
    Map<String, String> kept = new TreeMap<>(headers);
    kept.remove(Post.CONTENT_TYPE);
    return kept;
  }

  /** Fills the templates. */
  Post fill(ProviderRequest request) throws MissingPart {
    Map<String, String> all = new TreeMap<>(headers);
    keyHeader.ifPresent(name -> all.put(name, request.providerKey()));
    all.put("Onejob-Job-Id", request.jobId().toString());
    all.put("Onejob-Attempt-Id", request.attemptId().toString());
    return new Post(
        target, all, body.fill(BoundedJson.read(request.input()), request.providerKey()));
  }
}
