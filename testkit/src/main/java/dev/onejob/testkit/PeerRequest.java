package dev.onejob.testkit;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * A request as a peer reads it, one for each connection.
 *
 * @param head its lines, as they came
 */
record PeerRequest(String head, Map<String, String> headers, String body) {
  private static final int HEAD_BYTES_MAX = 64 << 10;
  private static final int BODY_BYTES_MAX = 8 << 20;

  /** Reads one; empty if the connection was closed before the first byte. */
  static Optional<PeerRequest> read(InputStream in) throws IOException {
    String head = head(in);
    if (head.isEmpty()) {
      return Optional.empty();
    }
    Map<String, String> headers = new LinkedHashMap<>();
    head.lines()
        .skip(1)
        .map(line -> line.split(":", 2))
        .filter(parts -> parts.length == 2)
        .forEach(parts -> headers.put(parts[0].toLowerCase(Locale.ROOT), parts[1].strip()));
    int length = Integer.parseInt(headers.getOrDefault("content-length", "0"));
    if (length > BODY_BYTES_MAX) {
      throw new IOException("a body of " + length + " bytes");
    }
    byte[] body = in.readNBytes(length);
    if (body.length < length) {
      throw new EOFException("the body broke off");
    }
    return Optional.of(new PeerRequest(head, headers, new String(body, StandardCharsets.UTF_8)));
  }

  private static String head(InputStream in) throws IOException {
    ByteArrayOutputStream head = new ByteArrayOutputStream();
    int ends = 0;
    while (ends < 2) {
      int b = in.read();
      if (b < 0 || head.size() > HEAD_BYTES_MAX) {
        return "";
      }
      head.write(b);
      ends = b == '\n' ? ends + 1 : b == '\r' ? ends : 0;
    }
    return head.toString(StandardCharsets.UTF_8);
  }

  /** Answers with JSON. */
  static void answer(Socket socket, int status, String headers, String body) throws IOException {
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    String head =
        "HTTP/1.1 %d x\r\nContent-Type: application/json\r\n%sContent-Length: %d\r\n\r\n"
            .formatted(status, headers, bytes.length);
    socket.getOutputStream().write(head.getBytes(StandardCharsets.UTF_8));
    socket.getOutputStream().write(bytes);
    socket.getOutputStream().flush();
  }

  /** The first line. */
  String line() {
    return head.lines().findFirst().orElse("");
  }

  /** A header; empty if it is not there. */
  String header(String name) {
    return headers.getOrDefault(name.toLowerCase(Locale.ROOT), "");
  }

  /** The fields of a form. */
  Map<String, String> form() {
    return form(body);
  }

  static Map<String, String> form(String body) {
    Map<String, String> fields = new LinkedHashMap<>();
    for (String field : body.split("&", -1)) {
      String[] parts = field.split("=", 2);
      fields.put(decoded(parts[0]), parts.length == 2 ? decoded(parts[1]) : "");
    }
    return fields;
  }

  private static String decoded(String text) {
    return URLDecoder.decode(text, StandardCharsets.UTF_8);
  }
}
