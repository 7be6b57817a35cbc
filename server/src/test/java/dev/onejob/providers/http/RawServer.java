package dev.onejob.providers.http;

import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A server of raw bytes: it reads whole requests, counts them, and then does to the connection what
 * a test says. It keeps a connection open for more requests unless the test closes it.
 */
public final class RawServer implements Closeable {
  private static final Pattern LENGTH = Pattern.compile("(?i)content-length: *(\\d+)");

  private final ServerSocket server;
  private final Behaviour behaviour;
  private final List<String> requests = new CopyOnWriteArrayList<>();
  private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();

  /** What is done with a connection on which a whole request has arrived. */
  public interface Behaviour {
    void play(Socket connection) throws IOException;
  }

  private RawServer(ServerSocket server, Behaviour behaviour) {
    this.server = server;
    this.behaviour = behaviour;
  }

  /** A plain one. */
  public static RawServer start(Behaviour behaviour) throws IOException {
    return start(new ServerSocket(0, 200, InetAddress.getLoopbackAddress()), behaviour);
  }

  static RawServer start(ServerSocket socket, Behaviour behaviour) {
    RawServer server = new RawServer(socket, behaviour);
    Thread.ofVirtual().start(server::accept);
    return server;
  }

  /** One that answers every request with these bytes and closes. */
  public static RawServer answering(String raw) throws IOException {
    return start(connection -> write(connection, raw, End.CLOSE));
  }

  /** One that answers every request with a status and a body. */
  public static RawServer answering(int status, String body) throws IOException {
    return answering(whole(status, body));
  }

  /** A whole answer. */
  public static String whole(int status, String body) {
    int length = body.getBytes(StandardCharsets.UTF_8).length;
    return "HTTP/1.1 " + status + " x\r\nContent-Length: " + length + "\r\n\r\n" + body;
  }

  /** What becomes of a connection after an answer. */
  public enum End {
    CLOSE,
    KEEP
  }

  /** Writes bytes. */
  public static void write(Socket connection, String raw, End end) throws IOException {
    connection.getOutputStream().write(raw.getBytes(StandardCharsets.UTF_8));
    connection.getOutputStream().flush();
    if (end == End.CLOSE) {
      connection.close();
    }
  }

  /** Closes with a reset instead of an orderly end. */
  public static void reset(Socket connection) throws IOException {
    connection.setSoLinger(true, 0);
    connection.close();
  }

  /** Where it listens. */
  public URI uri() {
    return URI.create("http://127.0.0.1:" + server.getLocalPort());
  }

  /** The whole requests that arrived, heads and bodies. */
  public List<String> requests() {
    return List.copyOf(requests);
  }

  @Override
  public void close() throws IOException {
    server.close();
    for (Socket socket : sockets) {
      socket.close();
    }
  }

  private void accept() {
    while (!server.isClosed()) {
      try {
        Socket socket = server.accept();
        sockets.add(socket);
        Thread.ofVirtual().start(() -> serve(socket));
      } catch (SocketException e) {
        return; // closed: the test is over
      } catch (IOException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  private void serve(Socket socket) {
    try {
      InputStream in = socket.getInputStream();
      for (String request = read(in); !request.isEmpty(); request = read(in)) {
        requests.add(request);
        behaviour.play(socket);
      }
    } catch (IOException e) {
      // The client went away or the test closed the connection: both are part of the play.
    }
  }

  private static String read(InputStream in) throws IOException {
    ByteArrayOutputStream head = new ByteArrayOutputStream();
    while (!head.toString(StandardCharsets.UTF_8).endsWith("\r\n\r\n")) {
      int b = in.read();
      if (b < 0) {
        return "";
      }
      head.write(b);
    }
    String text = head.toString(StandardCharsets.UTF_8);
    Matcher length = LENGTH.matcher(text);
    int bytes = length.find() ? Integer.parseInt(length.group(1)) : 0;
    return text + new String(in.readNBytes(bytes), StandardCharsets.UTF_8);
  }
}
