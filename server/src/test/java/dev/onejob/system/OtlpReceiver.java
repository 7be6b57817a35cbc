package dev.onejob.system;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BiConsumer;

/** Takes traces over OTLP/HTTP, as a collector does, and reads the protobuf by itself. */
final class OtlpReceiver implements AutoCloseable {
  private static final int VARINT = 0;
  private static final int FIXED64 = 1;
  private static final int BYTES = 2;

  private final HttpServer server;
  private final List<Span> spans = new CopyOnWriteArrayList<>();

  /**
   * One span that has arrived.
   *
   * @param parent id of the span above; empty at the top
   * @param links trace id and span id, with a colon between
   */
  record Span(
      String trace,
      String id,
      String parent,
      String name,
      Map<String, String> attributes,
      List<String> links) {
    String place() {
      return trace + ":" + id;
    }
  }

  OtlpReceiver() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/v1/traces", this::take);
    server.start();
  }

  String endpoint() {
    return "http://127.0.0.1:" + server.getAddress().getPort() + "/v1/traces";
  }

  List<Span> spans() {
    return List.copyOf(spans);
  }

  private void take(HttpExchange exchange) throws IOException {
    byte[] request = exchange.getRequestBody().readAllBytes();
    fields(request, (field, resourceSpans) -> take(field, (byte[]) resourceSpans));
    exchange.getResponseHeaders().add("Content-Type", "application/x-protobuf");
    exchange.sendResponseHeaders(200, -1);
    exchange.close();
  }

  private void take(int ofRequest, byte[] resourceSpans) {
    fields(
        resourceSpans,
        (field, scopeSpans) -> {
          if (field == 2) {
            fields(
                (byte[]) scopeSpans,
                (inner, span) -> {
                  if (inner == 2) {
                    spans.add(span((byte[]) span));
                  }
                });
          }
        });
  }

  private static Span span(byte[] message) {
    Map<Integer, Object> plain = new HashMap<>();
    Map<String, String> attributes = new HashMap<>();
    List<String> links = new ArrayList<>();
    fields(
        message,
        (field, value) -> {
          switch (field) {
            case 9 -> attribute((byte[]) value, attributes);
            case 13 -> links.add(link((byte[]) value));
            default -> plain.put(field, value);
          }
        });
    return new Span(
        hex(plain.get(1)),
        hex(plain.get(2)),
        hex(plain.getOrDefault(4, new byte[0])),
        text(plain.get(5)),
        attributes,
        links);
  }

  private static void attribute(byte[] message, Map<String, String> into) {
    Map<Integer, Object> parts = map(message);
    Map<Integer, Object> value = map((byte[]) parts.get(2));
    Object one = value.values().iterator().next();
    into.put(text(parts.get(1)), one instanceof byte[] ? text(one) : one.toString());
  }

  private static String link(byte[] message) {
    Map<Integer, Object> parts = map(message);
    return hex(parts.get(1)) + ":" + hex(parts.get(2));
  }

  private static Map<Integer, Object> map(byte[] message) {
    Map<Integer, Object> parts = new HashMap<>();
    fields(message, parts::put);
    return parts;
  }

  private static String hex(Object bytes) {
    return HexFormat.of().formatHex((byte[]) bytes);
  }

  private static String text(Object bytes) {
    return new String((byte[]) bytes, StandardCharsets.UTF_8);
  }

  /** The fields of one protobuf message: numbers as Long, all else as bytes. */
  private static void fields(byte[] message, BiConsumer<Integer, Object> each) {
    ByteBuffer in = ByteBuffer.wrap(message).order(ByteOrder.LITTLE_ENDIAN);
    while (in.hasRemaining()) {
      long key = varint(in);
      Object value =
          switch ((int) (key & 7)) {
            case VARINT -> varint(in);
            case FIXED64 -> in.getLong();
            case BYTES -> bytes(in, (int) varint(in));
            default -> (long) in.getInt();
          };
      each.accept((int) (key >>> 3), value);
    }
  }

  private static byte[] bytes(ByteBuffer in, int length) {
    byte[] bytes = new byte[length];
    in.get(bytes);
    return bytes;
  }

  private static long varint(ByteBuffer in) {
    long value = 0;
    for (int shift = 0; ; shift += 7) {
      byte next = in.get();
      value |= (long) (next & 0x7f) << shift;
      if (next >= 0) {
        return value;
      }
    }
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
