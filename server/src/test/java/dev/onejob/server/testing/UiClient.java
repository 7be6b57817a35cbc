package dev.onejob.server.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jsoup.nodes.Element;

/** A person at the dashboard as HTTP sees them: cookies are kept, nothing is followed or run. */
public final class UiClient {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final HttpClient http = HttpClient.newHttpClient();
  private final URI base;
  private final Map<String, String> cookies = new LinkedHashMap<>();

  /** Of a service; nobody has logged in. */
  public UiClient(URI base) {
    this.base = base;
  }

  /** The same person, whose requests a load balancer gives to another node. */
  public UiClient at(URI other) {
    UiClient there = new UiClient(other);
    there.cookies.putAll(cookies);
    return there;
  }

  /** Logs in, which has to succeed. */
  public void logIn(String secret) {
    UiPage answer = send("/ui/login", Map.of("Origin", base.toString()), Map.of("key", secret));
    if (answer.status() != 303) {
      throw new AssertionError("not logged in: " + answer.status() + " " + answer.body());
    }
  }

  /** Reads a page. */
  public UiPage get(String path) {
    return get(path, Map.of());
  }

  /** Reads a part of a page, as htmx does. */
  public UiPage part(String path) {
    return get(path, Map.of("HX-Request", "true"));
  }

  /** Reads a page with more headers. */
  public UiPage get(String path, Map<String, String> headers) {
    return exchange(request(path, headers).GET().build());
  }

  /** Sends a form of a page with these fields filled in, as a browser does. */
  public UiPage press(UiPage page, String form, Map<String, String> filledIn) {
    Element found = page.document().selectFirst(form);
    if (found == null) {
      throw new AssertionError("no " + form + " on the page:\n" + page.body());
    }
    Map<String, String> fields = new LinkedHashMap<>();
    for (Element each : found.select("input[name]")) {
      fields.put(each.attr("name"), each.attr("value"));
    }
    fields.putAll(filledIn);
    return send(found.attr("action"), Map.of("Origin", base.toString()), fields);
  }

  /** Sends fields as a form. */
  public UiPage send(String path, Map<String, String> headers, Map<String, String> fields) {
    return send(path, headers, List.copyOf(fields.entrySet()));
  }

  /** Sends fields as a form, of which some may be there many times, such as boxes. */
  public UiPage send(
      String path, Map<String, String> headers, List<Map.Entry<String, String>> fields) {
    String body =
        fields.stream()
            .map(each -> encoded(each.getKey()) + "=" + encoded(each.getValue()))
            .collect(Collectors.joining("&"));
    return exchange(
        request(path, headers)
            .header("Content-Type", "application/x-www-form-urlencoded")
            .POST(HttpRequest.BodyPublishers.ofString(body))
            .build());
  }

  /** What it would send as cookies. */
  public Map<String, String> cookies() {
    return cookies;
  }

  private HttpRequest.Builder request(String path, Map<String, String> headers) {
    HttpRequest.Builder request = HttpRequest.newBuilder(base.resolve(path)).timeout(PATIENCE);
    headers.forEach(request::setHeader);
    if (!cookies.isEmpty()) {
      request.setHeader(
          "Cookie",
          cookies.entrySet().stream()
              .map(each -> each.getKey() + "=" + each.getValue())
              .collect(Collectors.joining("; ")));
    }
    return request;
  }

  private UiPage exchange(HttpRequest request) {
    try {
      HttpResponse<String> answer =
          http.send(request, BodyHandlers.ofString(StandardCharsets.UTF_8));
      answer.headers().allValues("Set-Cookie").forEach(this::keep);
      return new UiPage(answer.statusCode(), answer.headers(), answer.body());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private void keep(String cookie) {
    String[] pair = cookie.split(";", 2)[0].split("=", 2);
    if (pair[1].isEmpty()) {
      cookies.remove(pair[0]);
    } else {
      cookies.put(pair[0], pair[1]);
    }
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }
}
