package dev.onejob.providers.http;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * A request, to be sent once: most are a POST of JSON.
 *
 * @param target absolute, http or https
 * @param headers besides those that every request has; values of visible ASCII characters and
 *     spaces
 * @param body not copied, not to be changed
 */
public record Post(Method method, URI target, Map<String, String> headers, byte[] body) {
  /** What is asked for. */
  public enum Method {
    /** To be shown something; changes nothing. Has no body. */
    GET,
    /** To do something. */
    POST
  }

  /** The header to be set where the body is not JSON. */
  public static final String CONTENT_TYPE = "Content-Type";

  private static final String ACCEPT = "Accept";
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9-]+");
  private static final Pattern VALUE = Pattern.compile("[\\x20-\\x7e]*");

  /**
   * Checks that nothing can break out of its line.
   *
   * @throws IllegalArgumentException if a header cannot be sent as it is; its value is not quoted
   */
  public Post {
    headers.forEach(
        (name, value) -> {
          if (!NAME.matcher(name).matches() || !VALUE.matcher(value).matches()) {
            throw new IllegalArgumentException(
                "the header " + name + " is not of visible ASCII characters");
          }
        });
  }

  /** A POST of JSON. */
  public Post(URI target, Map<String, String> headers, byte[] body) {
    this(Method.POST, target, headers, body);
  }

  /** A question that changes nothing. */
  public static Post get(URI target, Map<String, String> headers) {
    return new Post(Method.GET, target, headers, new byte[0]);
  }

  /** The same with the trace context of the attempt. */
  Post withTraceparent(String traceparent) {
    Map<String, String> more = new LinkedHashMap<>(headers);
    more.put("traceparent", traceparent);
    return new Post(method, target, more, body);
  }

  String host() {
    String host = target.getHost();
    return host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
  }

  int port() {
    int ordinary = isTls() ? 443 : 80;
    return target.getPort() < 0 ? ordinary : target.getPort();
  }

  boolean isTls() {
    return target.getScheme().equalsIgnoreCase("https");
  }

  byte[] head() {
    StringBuilder head = new StringBuilder(512);
    head.append(method.name()).append(' ').append(pathAndQuery()).append(" HTTP/1.1\r\n");
    line(head, "Host", target.getRawAuthority());
    if (method == Method.POST && !headers.containsKey(CONTENT_TYPE)) {
      line(head, CONTENT_TYPE, "application/json");
    }
    if (method == Method.POST) {
      line(head, "Content-Length", Integer.toString(body.length));
    }
    if (!headers.containsKey(ACCEPT)) {
      line(head, ACCEPT, "application/json");
    }
    line(head, "Accept-Encoding", "identity");
    line(head, "User-Agent", "onejob");
    line(head, "Connection", "close");
    headers.forEach((name, value) -> line(head, name, value));
    return head.append("\r\n").toString().getBytes(StandardCharsets.US_ASCII);
  }

  private String pathAndQuery() {
    String path = target.getRawPath().isEmpty() ? "/" : target.getRawPath();
    return target.getRawQuery() == null ? path : path + "?" + target.getRawQuery();
  }

  private static void line(StringBuilder head, String name, String value) {
    head.append(name).append(": ").append(value).append("\r\n");
  }
}
