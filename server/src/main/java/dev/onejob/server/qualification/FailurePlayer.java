package dev.onejob.server.qualification;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/**
 * Plays a failure of a provider to one call, from this machine: a status, a line that is cut, or
 * silence. It reads the whole request first, as a provider would.
 */
final class FailurePlayer implements Closeable {
  private static final String STATUS = "status-";
  private static final int HEAD_BYTES_MAX = 64 << 10;

  private final ServerSocket server;
  private final String play;

  private FailurePlayer(ServerSocket server, String play) {
    this.server = server;
    this.play = play;
  }

  /** Listens for one call. */
  static FailurePlayer start(String play) {
    try {
      ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
      FailurePlayer player = new FailurePlayer(server, play);
      Thread.ofVirtual().name("onejob-failure-player").start(player::answerOnce);
      return player;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Where the adapter is sent to. */
  String address() {
    return "http://127.0.0.1:" + server.getLocalPort() + "/v1";
  }

  private void answerOnce() {
    try (Socket line = server.accept()) {
      readRequest(line.getInputStream());
      if (play.startsWith(STATUS)) {
        line.getOutputStream().write(answer(play.substring(STATUS.length())));
        line.getOutputStream().flush();
      } else if (play.equals("silence")) {
        line.getInputStream().readAllBytes(); // until the caller has no patience left
      }
    } catch (IOException e) {
      // The caller went away, or the play was called off before it began.
    }
  }

  private static byte[] answer(String status) {
    String body = "{\"error\":{\"message\":\"a failure that is played\"}}";
    return ("HTTP/1.1 %s played\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s"
            .formatted(status, body.length(), body))
        .getBytes(StandardCharsets.US_ASCII);
  }

  private static void readRequest(InputStream in) throws IOException {
    StringBuilder head = new StringBuilder();
    while (head.indexOf("\r\n\r\n") < 0 && head.length() < HEAD_BYTES_MAX) {
      int b = in.read();
      if (b < 0) {
        return;
      }
      head.append((char) b);
    }
    for (String line : head.toString().split("\r\n")) {
      if (line.regionMatches(true, 0, "content-length:", 0, "content-length:".length())) {
        in.skipNBytes(Long.parseLong(line.substring("content-length:".length()).strip()));
      }
    }
  }

  @Override
  public void close() throws IOException {
    server.close();
  }
}
