package dev.onejob.providers.http;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;
import org.jspecify.annotations.Nullable;

/**
 * One connection. Whoever waits on it is woken by closing it, from any thread: when patience ends,
 * or when a stop is asked. Only the plain socket is closed for that, since closing a TLS socket can
 * block.
 */
final class Line implements Closeable {
  /** Why we closed it ourselves. */
  enum Cut {
    EXPIRED,
    STOPPED
  }

  private final Post post;
  private final Timeouts timeouts;
  private final @Nullable List<InetAddress> only;
  private final CompletableFuture<Void> alarm = new CompletableFuture<>();
  private @Nullable Socket plain;
  private @Nullable Socket socket;
  private @Nullable Cut cut;

  Line(Post post, Duration patience, Timeouts timeouts) {
    this(post, patience, timeouts, null);
  }

  /** With addresses, nothing is looked up: one of them is connected to, or none. */
  Line(Post post, Duration patience, Timeouts timeouts, @Nullable List<InetAddress> only) {
    this.post = post;
    this.timeouts = timeouts;
    this.only = only;
    alarm
        .orTimeout(patience.toMillis(), TimeUnit.MILLISECONDS)
        .exceptionally(
            expired -> {
              cut(Cut.EXPIRED);
              return null;
            });
  }

  /** Connects, and agrees upon TLS where the address asks for it. No byte of a request is sent. */
  void open() throws IOException {
    Socket connected = connect();
    socket = post.isTls() ? secured(connected) : connected;
  }

  private Socket connect() throws IOException {
    IOException failure = new IOException("no address");
    for (InetAddress address : addresses()) {
      Socket candidate = adopt(new Socket());
      try {
        candidate.setTcpNoDelay(true);
        candidate.connect(new InetSocketAddress(address, post.port()), connectMillis());
        return candidate;
      } catch (IOException e) {
        candidate.close();
        failure = e;
      }
    }
    throw failure;
  }

  private int connectMillis() {
    return (int) timeouts.connect().toMillis();
  }

  private List<InetAddress> addresses() throws IOException {
    return only == null ? List.of(InetAddress.getAllByName(post.host())) : only;
  }

  private synchronized Socket adopt(Socket candidate) throws IOException {
    if (cut != null) {
      candidate.close();
      throw new SocketException("closed before it was open");
    }
    plain = candidate;
    return candidate;
  }

  private Socket secured(Socket connected) throws IOException {
    connected.setSoTimeout(connectMillis());
    SSLSocket tls =
        (SSLSocket)
            factory().createSocket(connected, post.host(), post.port(), /* autoClose= */ true);
    SSLParameters parameters = tls.getSSLParameters();
    parameters.setEndpointIdentificationAlgorithm("HTTPS");
    tls.setSSLParameters(parameters);
    tls.startHandshake();
    connected.setSoTimeout(0);
    return tls;
  }

  private static SSLSocketFactory factory() {
    try {
      return SSLContext.getDefault().getSocketFactory();
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("this Java has no TLS", e);
    }
  }

  /** What comes, from now on, within the timeouts. To be asked for once. */
  InputStream in() throws IOException {
    return new PatientStream(opened(), timeouts);
  }

  OutputStream out() throws IOException {
    return opened().getOutputStream();
  }

  private Socket opened() throws IOException {
    if (socket == null) {
      throw new SocketException("not open");
    }
    return socket;
  }

  /** Closes it from outside; the first reason stays. */
  synchronized void cut(Cut why) {
    if (cut == null) {
      cut = why;
    }
    closePlain();
  }

  /** Why it was closed by us while in use; null if it was not. */
  synchronized @Nullable Cut why() {
    return cut;
  }

  @Override
  public synchronized void close() {
    alarm.complete(null);
    closePlain();
  }

  private void closePlain() {
    try {
      if (plain != null) {
        plain.close();
      }
    } catch (IOException e) {
      throw new IllegalStateException("a socket could not be closed", e);
    }
  }
}
