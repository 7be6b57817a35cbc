package dev.onejob.bench;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpResponse.BodySubscribers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Somebody who has logged in at the dashboard, with connections of their own. */
final class Person implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final double NANOS_OF_A_MILLI = 1_000_000;
  private static final int SEE_OTHER = 303;
  private static final Pattern TOKEN = Pattern.compile("name=\"csrf\" value=\"([^\"]+)\"");

  private final HttpClient http =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private final URI base;
  private final String cookie;

  /** An answer, and when its first and its last byte were there, from the request on. */
  record Answer(
      int status, double firstByteMillis, double allMillis, HttpHeaders headers, String body) {
    String header(String name) {
      return headers.firstValue(name).orElse("");
    }
  }

  private Person(URI base, String secret) throws IOException, InterruptedException {
    this.base = base;
    HttpResponse<String> answer =
        http.send(
            form("/ui/login", Map.of("key", secret)).header("Origin", base.toString()).build(),
            BodyHandlers.ofString());
    if (answer.statusCode() != SEE_OTHER) {
      throw new IOException("not logged in: " + answer.statusCode() + " " + answer.body());
    }
    this.cookie = answer.headers().firstValue("Set-Cookie").orElseThrow().split(";", 2)[0];
  }

  static Person logIn(URI base, String secret) throws IOException, InterruptedException {
    return new Person(base, secret);
  }

  /** Reads a page; follows nothing. */
  Answer get(String path) throws IOException, InterruptedException {
    return timed(reading(path).build());
  }

  /** Reads a part of a page, as htmx does. */
  CompletableFuture<Integer> part(String path) {
    return http.sendAsync(
            reading(path).header("HX-Request", "true").build(), BodyHandlers.ofByteArray())
        .thenApply(HttpResponse::statusCode);
  }

  /** Opens the line of a live page; empty lines and all. */
  InputStream events(String topic) throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(base.resolve("/ui/events?topic=" + topic))
            .header("Cookie", cookie)
            .header("Accept", "text/event-stream")
            .build();
    HttpResponse<InputStream> answer = http.send(request, BodyHandlers.ofInputStream());
    if (answer.statusCode() != 200) {
      answer.body().close();
      throw new IOException("no live page: " + answer.statusCode());
    }
    return answer.body();
  }

  /** Sends the form of a page with these fields. */
  Answer press(String path, String onPage, Map<String, String> fields)
      throws IOException, InterruptedException {
    Matcher token = TOKEN.matcher(get(onPage).body());
    if (!token.find()) {
      throw new IOException("no form on " + onPage);
    }
    Map<String, String> all = new HashMap<>(fields);
    all.put("csrf", token.group(1));
    return timed(
        form(path, all).header("Origin", base.toString()).header("Cookie", cookie).build());
  }

  private HttpRequest.Builder reading(String path) {
    return HttpRequest.newBuilder(base.resolve(path)).timeout(PATIENCE).header("Cookie", cookie);
  }

  private HttpRequest.Builder form(String path, Map<String, String> fields) {
    String body =
        fields.entrySet().stream()
            .map(each -> each.getKey() + "=" + encoded(each.getValue()))
            .collect(Collectors.joining("&"));
    return HttpRequest.newBuilder(base.resolve(path))
        .timeout(PATIENCE)
        .header("Content-Type", "application/x-www-form-urlencoded")
        .POST(HttpRequest.BodyPublishers.ofString(body));
  }

  private Answer timed(HttpRequest request) throws IOException, InterruptedException {
    AtomicLong firstByte = new AtomicLong();
    BodyHandler<String> body =
        head -> {
          firstByte.set(System.nanoTime());
          return BodySubscribers.ofString(StandardCharsets.UTF_8);
        };
    long sent = System.nanoTime();
    HttpResponse<String> answer = http.send(request, body);
    return new Answer(
        answer.statusCode(),
        (firstByte.get() - sent) / NANOS_OF_A_MILLI,
        (System.nanoTime() - sent) / NANOS_OF_A_MILLI,
        answer.headers(),
        answer.body());
  }

  static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  /** Cuts what is under way. */
  @Override
  public void close() {
    http.shutdownNow();
  }
}
