package dev.onejob.providers.httpasync;

import dev.onejob.provider.ProviderRequest;
import dev.onejob.providers.BoundedJson;
import dev.onejob.providers.InvalidSetting;
import dev.onejob.providers.http.Address;
import dev.onejob.providers.http.OnePost.Patience;
import dev.onejob.providers.http.Post;
import dev.onejob.providers.http.Timeouts;
import dev.onejob.providers.httpasync.JsonTemplate.MissingPart;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonPointer;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Makes the requests to one provider. All go to the configured address and nowhere else. */
final class Requests {
  private static final String ID = "{id}";

  private final URI base;
  private final Map<String, String> always;
  private final AsyncSettings.Submit submit;
  private final JsonTemplate body;
  private final AsyncSettings.@Nullable Callback callback;
  private final AsyncSettings.@Nullable Deduplicates key;
  private final Way status;
  private final @Nullable Way result;
  private final @Nullable Way cancel;
  private final Timeouts timeouts;

  /** An address for each work: by its id, or as the provider has said when it took the work. */
  private record Way(String method, String path, @Nullable JsonPointer url) {}

  /**
   * Addresses that the provider has named for one work; only those of the configured host.
   *
   * @param cancel null, as the others: it is found by the id
   */
  record Links(@Nullable URI status, @Nullable URI result, @Nullable URI cancel) {
    static final Links NONE = new Links(null, null, null);
  }

  Requests(AsyncSettings settings, Optional<String> apiKey) {
    this.base = URI.create(base(settings.baseUrl()));
    this.always = authorization(settings.authorization(), apiKey);
    this.submit = required(settings.submit(), "/submit");
    required(submit.path(), "/submit/path");
    this.body = JsonTemplate.of(required(submit.body(), "/submit/body"), "/submit/body");
    this.callback = settings.callback();
    this.key = settings.promises() == null ? null : settings.promises().deduplicates();
    AsyncSettings.Status asked = required(settings.status(), "/status");
    this.status = way("GET", asked.path(), asked.url(), "/status");
    AsyncSettings.Fetch fetch = settings.result();
    this.result =
        fetch == null || fetch.path() == null
            ? null
            : way("GET", fetch.path(), fetch.url(), "/result");
    AsyncSettings.Cancel stop = settings.cancel();
    this.cancel =
        stop == null
            ? null
            : way(
                stop.method() == null ? "POST" : stop.method(), stop.path(), stop.url(), "/cancel");
    this.timeouts =
        Timeouts.of(
            settings.connectTimeout(), settings.firstByteTimeout(), settings.silenceTimeout());
    checked(submit.path(), "/submit/path");
    checkHeaders();
  }

  /** How long one of them is waited for, with the timeouts of its steps. */
  Patience patience(Duration whole) {
    return new Patience(whole, timeouts);
  }

  private static String base(@Nullable String text) {
    URI base = Address.of(required(text, "/base_url"), "/base_url");
    if (base.getRawQuery() != null) {
      throw new InvalidSetting("/base_url", "expected an address without a query");
    }
    return base.toString().replaceAll("/+$", "");
  }

  private static Map<String, String> authorization(
      @Nullable String scheme, Optional<String> apiKey) {
    String before = scheme == null || scheme.isEmpty() ? "" : scheme + " ";
    return apiKey.map(secret -> Map.of("Authorization", before + secret)).orElse(Map.of());
  }

  private static Way way(
      String method, @Nullable String path, @Nullable String url, String setting) {
    String there = required(path, setting + "/path");
    if (!there.contains(ID)) {
      throw new InvalidSetting(
          setting + "/path", "expected the provider's id of the work, as {id}");
    }
    checked(there.replace(ID, "x"), setting + "/path");
    return new Way(method, there, Places.pointer(url, setting + "/url"));
  }

  private static String checked(@Nullable String path, String setting) {
    try {
      URI read = new URI(required(path, setting));
      if (read.getRawPath() == null
          || !read.toString().startsWith("/")
          || read.getRawAuthority() != null
          || read.getRawFragment() != null) {
        throw new InvalidSetting(setting, "expected a path that begins with one slash");
      }
      return read.toString();
    } catch (URISyntaxException e) {
      throw new InvalidSetting(setting, "not a path: " + e.getReason());
    }
  }

  private void checkHeaders() {
    try {
      new Post(base, headers(Map.of()), new byte[0]);
    } catch (IllegalArgumentException e) {
      throw new InvalidSetting("/submit/headers", String.valueOf(e.getMessage()));
    }
  }

  static <T> T required(@Nullable T value, String setting) {
    if (value == null) {
      throw new InvalidSetting(setting, "this is needed, and neither set nor part of the profile");
    }
    return value;
  }

  boolean fetchesResult() {
    return result != null;
  }

  boolean cancels() {
    return cancel != null;
  }

  /** The one that starts the work. */
  Post submit(ProviderRequest request) throws MissingPart {
    JsonNode filled = body.fill(BoundedJson.read(request.input()));
    Map<String, String> query = new LinkedHashMap<>(orEmpty(submit.query()));
    Map<String, String> headers = new TreeMap<>(orEmpty(submit.headers()));
    if (callback != null && request.callback() != null) {
      String address = request.callback().toString();
      if (callback.query() != null) {
        query.put(callback.query(), address);
      }
      if (callback.header() != null) {
        headers.put(callback.header(), address);
      }
      filled = withCallback(filled, address);
    }
    if (key != null) {
      headers.put(key.header(), request.providerKey());
    }
    headers.put("Onejob-Job-Id", request.jobId().toString());
    headers.put("Onejob-Attempt-Id", request.attemptId().toString());
    String method = submit.method() == null ? "POST" : submit.method();
    URI target = URI.create(base + submit.path() + query(submit.path(), query));
    return new Post(method, target, headers(headers), BoundedJson.bytes(filled));
  }

  private JsonNode withCallback(JsonNode filled, String address) throws MissingPart {
    if (callback == null || (callback.body() == null && callback.also() == null)) {
      return filled;
    }
    if (!(filled instanceof ObjectNode object)) {
      throw MissingPart.because(
          "the body is no object, so that there is no place for the callback address");
    }
    ObjectNode more = object.deepCopy();
    if (callback.body() != null) {
      more.put(callback.body(), address);
    }
    if (callback.also() != null) {
      more.setAll(callback.also());
    }
    return more;
  }

  private static String query(@Nullable String path, Map<String, String> query) {
    if (query.isEmpty()) {
      return "";
    }
    String joined =
        query.entrySet().stream()
            .map(each -> encoded(each.getKey()) + "=" + encoded(each.getValue()))
            .collect(Collectors.joining("&"));
    return (path != null && path.contains("?") ? "&" : "?") + joined;
  }

  private static Map<String, String> orEmpty(@Nullable Map<String, String> some) {
    return some == null ? Map.of() : some;
  }

  private Map<String, String> headers(Map<String, String> more) {
    Map<String, String> all = new TreeMap<>(orEmpty(submit.headers()));
    all.putAll(more);
    all.putAll(always);
    return all;
  }

  /** Nothing of the submit but what says who we are. */
  private Post bare(Way way, String id, @Nullable URI link) {
    URI target = link == null ? URI.create(base + way.path().replace(ID, encoded(id))) : link;
    return Post.bare(way.method(), target, always);
  }

  Post status(String id, Links links) {
    return bare(status, id, links.status());
  }

  Post result(String id, Links links) {
    return bare(required(result, "/result"), id, links.result());
  }

  Post cancel(String id, Links links) {
    return bare(required(cancel, "/cancel"), id, links.cancel());
  }

  /** The addresses that an answer names for its work. */
  Links links(JsonNode document) {
    return new Links(link(document, status), link(document, result), link(document, cancel));
  }

  /** Only of the configured host: whoever answers could lead us, and our key, anywhere. */
  private @Nullable URI link(JsonNode document, @Nullable Way way) {
    String text = way == null ? "" : Places.text(document, way.url()).orElse("");
    if (text.isEmpty()) {
      return null;
    }
    try {
      URI uri = new URI(text);
      return isOurs(uri) ? uri : null;
    } catch (URISyntaxException e) {
      return null; // no address: the way by the id is left
    }
  }

  private boolean isOurs(URI uri) {
    return uri.getHost() != null
        && uri.getRawUserInfo() == null
        && uri.getRawFragment() == null
        && uri.toASCIIString().equals(uri.toString())
        && base.getScheme().equalsIgnoreCase(uri.getScheme())
        && base.getHost().equalsIgnoreCase(uri.getHost())
        && port(base) == port(uri);
  }

  private static int port(URI uri) {
    int ordinary = uri.getScheme().equalsIgnoreCase("https") ? 443 : 80;
    return uri.getPort() < 0 ? ordinary : uri.getPort();
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
  }
}
