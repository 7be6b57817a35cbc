package dev.onejob.server.cli;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A server on a raw socket. It reads each request whole, then plays the next of its answers; the
 * last one for ever.
 */
final class DroppingServer implements AutoCloseable {
  /** The request is read whole, then the line is cut. */
  static final String DROP = "";

  private static final Pattern LENGTH = Pattern.compile("(?i)content-length: *(\\d+)");

  private final ServerSocket socket;
  private final Queue<String> answers;
  private final List<Request> requests = new CopyOnWriteArrayList<>();

  /** What arrived: the head as text, the body as bytes. */
  record Request(String head, byte[] body) {
    String header(String name) {
      Matcher line = Pattern.compile("(?im)^" + name + ": *(.*?)\\r?$").matcher(head);
      return line.find() ? line.group(1) : "";
    }

    String line() {
      return head.lines().findFirst().orElse("");
    }
  }

  DroppingServer(String... answers) throws IOException {
    this.answers = new ConcurrentLinkedQueue<>(List.of(answers));
    this.socket = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    Thread.ofVirtual().start(this::serve);
  }

  static String json(int status, String body) {
    return "HTTP/1.1 %d X\r\nContent-Type: application/json\r\nContent-Length: %d\r\nConnection:"
            .formatted(status, body.getBytes(StandardCharsets.UTF_8).length)
        + " close\r\n\r\n"
        + body;
  }

  String url() {
    return "http://127.0.0.1:" + socket.getLocalPort();
  }

  List<Request> requests() {
    return requests;
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }

  private void serve() {
    try {
      while (true) {
        try (Socket line = socket.accept()) {
          requests.add(read(line.getInputStream()));
          String answer = answers.size() > 1 ? answers.remove() : answers.element();
          line.getOutputStream().write(answer.getBytes(StandardCharsets.UTF_8));
        }
      }
    } catch (SocketException e) {
      if (!socket.isClosed()) {
        throw new UncheckedIOException(e);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Request read(InputStream in) throws IOException {
    ByteArrayOutputStream head = new ByteArrayOutputStream();
    while (!head.toString(StandardCharsets.UTF_8).endsWith("\r\n\r\n")) {
      int next = in.read();
      if (next < 0) {
        break;
      }
      head.write(next);
    }
    String text = head.toString(StandardCharsets.UTF_8);
    Matcher length = LENGTH.matcher(text);
    return new Request(text, in.readNBytes(length.find() ? Integer.parseInt(length.group(1)) : 0));
  }
}
