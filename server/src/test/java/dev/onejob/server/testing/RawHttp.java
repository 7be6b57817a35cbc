package dev.onejob.server.testing;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Sends bytes that no proper client would send, and reads one answer. */
public final class RawHttp {
  private static final int PATIENCE_MS = 60_000;

  private RawHttp() {}

  /**
   * Sends the text in ISO 8859-1 with a socket of its own, and checks the answer against the
   * OpenAPI document where a method and path are given.
   *
   * @param checkedAs such as {@code POST /v1/jobs}
   */
  public static ApiAnswer send(URI base, String request, String checkedAs) {
    try (Socket socket = new Socket(base.getHost(), base.getPort())) {
      socket.setSoTimeout(PATIENCE_MS);
      socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
      socket.getOutputStream().flush();
      ApiAnswer answer = read(socket.getInputStream());
      String[] parts = checkedAs.split(" ");
      OpenApiCheck.check(parts[0], parts[1], answer);
      return answer;
    } catch (IOException e) {
      throw new AssertionError("no answer", e);
    }
  }

  private static ApiAnswer read(InputStream stream) throws IOException {
    String head = head(stream);
    String[] lines = head.split("\r\n");
    Map<String, List<String>> headers = new HashMap<>();
    for (String line : Arrays.copyOfRange(lines, 1, lines.length)) {
      String[] field = line.split(":", 2);
      headers.put(field[0].toLowerCase(Locale.ROOT), List.of(field[1].strip()));
    }
    int length = Integer.parseInt(headers.getOrDefault("content-length", List.of("0")).getFirst());
    return new ApiAnswer(
        Integer.parseInt(lines[0].split(" ")[1]), headers, stream.readNBytes(length));
  }

  private static String head(InputStream stream) throws IOException {
    ByteArrayOutputStream head = new ByteArrayOutputStream();
    while (!head.toString(StandardCharsets.ISO_8859_1).endsWith("\r\n\r\n")) {
      int next = stream.read();
      if (next < 0) {
        throw new IOException("the answer ends after: " + head);
      }
      head.write(next);
    }
    return head.toString(StandardCharsets.ISO_8859_1);
  }
}
