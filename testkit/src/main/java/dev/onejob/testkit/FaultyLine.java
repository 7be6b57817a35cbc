package dev.onejob.testkit;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A way to a server on this machine that can be cut, or swallow every byte without a sign, as a
 * network does whose middle has gone.
 */
public final class FaultyLine implements AutoCloseable {
  private static final int BACKLOG = 256;

  private final int serverPort;
  private final ServerSocket listener;
  private final Set<Pair> pairs = ConcurrentHashMap.newKeySet();
  private volatile boolean swallowing;

  /** A way to that port on 127.0.0.1, in order for now. */
  public FaultyLine(int serverPort) throws IOException {
    this.serverPort = serverPort;
    this.listener = new ServerSocket(0, BACKLOG, InetAddress.getLoopbackAddress());
    Thread.ofVirtual().name("faulty-line").start(this::accept);
  }

  /** Where it is entered, on 127.0.0.1. */
  public int port() {
    return listener.getLocalPort();
  }

  /** Cuts all connections; new ones are let through. */
  public void cut() {
    pairs.forEach(Pair::close);
  }

  /**
   * From now on no byte arrives, and nobody is told: connections are taken, and stay silent. One
   * that has lost a byte stays silent for ever.
   */
  public void swallow() {
    swallowing = true;
  }

  /** New connections are let through again, and old ones that have lost nothing. */
  public void restore() {
    swallowing = false;
  }

  private void accept() {
    while (!listener.isClosed()) {
      try {
        Pair pair = new Pair(listener.accept());
        pairs.add(pair);
        Thread.ofVirtual().start(pair::open);
      } catch (IOException e) {
        return; // closed
      }
    }
  }

  /** One connection: its two halves, and whether it has lost a byte. */
  private final class Pair {
    private final Socket caller;
    private final Socket server = new Socket();
    private volatile boolean broken;

    Pair(Socket caller) {
      this.caller = caller;
    }

    void open() {
      try {
        if (swallowing) {
          broken = true;
          drain(caller.getInputStream());
        } else {
          server.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), serverPort));
          server.setTcpNoDelay(true);
          caller.setTcpNoDelay(true);
          Thread.ofVirtual().start(() -> copy(server, caller));
          copy(caller, server);
        }
      } catch (IOException e) {
        close(); // the server refuses: so does this
      }
    }

    private void drain(InputStream in) throws IOException {
      in.transferTo(OutputStream.nullOutputStream());
      close();
    }

    private void copy(Socket from, Socket to) {
      byte[] buffer = new byte[1 << 16];
      try {
        InputStream in = from.getInputStream();
        OutputStream out = to.getOutputStream();
        for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
          broken |= swallowing;
          if (!broken) {
            out.write(buffer, 0, read);
          }
        }
      } catch (IOException e) {
        broken |= swallowing;
      }
      if (!broken) {
        close();
      }
    }

    void close() {
      pairs.remove(this);
      try (caller;
          server) {
        broken = false;
      } catch (IOException e) {
        throw new IllegalStateException("a socket does not close", e);
      }
    }
  }

  /** Cuts everything and lets nobody in any more. */
  @Override
  public void close() throws IOException {
    listener.close();
    cut();
  }
}
