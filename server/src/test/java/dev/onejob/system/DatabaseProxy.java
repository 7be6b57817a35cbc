package dev.onejob.system;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Stands between a node and PostgreSQL, and holds back one statement or its answer: the moment
 * between a commit and what the node learns of it. From that moment nothing else of the node
 * reaches the database.
 */
final class DatabaseProxy implements AutoCloseable {
  private static final Pattern ADDRESS = Pattern.compile("//([^:/]+):(\\d+)/");

  /** What is held back. */
  enum Hold {
    NOTHING,
    /** The statement never reaches the database. */
    REQUEST,
    /** The statement is carried out; its answer never reaches the node. */
    ANSWER
  }

  private final String url;
  private final String host;
  private final int port;
  private final ServerSocket listener;
  private final List<Socket> sockets = new CopyOnWriteArrayList<>();
  private final CountDownLatch held = new CountDownLatch(1);
  private volatile Hold hold = Hold.NOTHING;
  private volatile String text = "";
  private volatile boolean cutOff;
  private final CountDownLatch lost = new CountDownLatch(1);
  private final AtomicReference<@Nullable String> losing = new AtomicReference<>();

  DatabaseProxy(String url) throws IOException {
    Matcher address = ADDRESS.matcher(url);
    if (!address.find()) {
      throw new IllegalArgumentException(url);
    }
    this.url = url;
    this.host = address.group(1);
    this.port = Integer.parseInt(address.group(2));
    this.listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    Thread.ofVirtual().start(this::accept);
  }

  /** The JDBC address that leads through this proxy. */
  String url() {
    return ADDRESS.matcher(url).replaceFirst("//127.0.0.1:" + listener.getLocalPort() + "/");
  }

  /** From now on, holds back the first statement that has this text. */
  void hold(Hold what, String statement) {
    text = statement;
    hold = what;
  }

  /**
   * From now on: the answer to the commit of the first transaction that has a statement with this
   * text is lost, once the database has given it. The connection is cut then; all others go on.
   */
  void loseCommitAnswer(String statement) {
    losing.set(statement);
  }

  /** Waits until an answer was lost. */
  void awaitLost() throws InterruptedException {
    if (!lost.await(60, TimeUnit.SECONDS)) {
      throw new AssertionError("no answer was lost");
    }
  }

  /** Waits until a statement was held back. */
  void awaitHeld() throws InterruptedException {
    if (!held.await(60, TimeUnit.SECONDS)) {
      throw new AssertionError("no statement came with " + text);
    }
  }

  private void accept() {
    while (!listener.isClosed()) {
      try {
        Socket node = listener.accept();
        Socket database = new Socket(host, port);
        sockets.add(node);
        sockets.add(database);
        Line line = new Line(node, database);
        Thread.ofVirtual().start(line::requests);
        Thread.ofVirtual().start(line::answers);
      } catch (IOException e) {
        return; // closed
      }
    }
  }

  /** One connection, and whether its answers are held back. */
  private final class Line {
    private final Socket node;
    private final Socket database;
    private volatile boolean silent;
    private volatile boolean doomed;

    Line(Socket node, Socket database) {
      this.node = node;
      this.database = database;
    }

    void requests() {
      copy(node, database, true);
    }

    void answers() {
      copy(database, node, false);
    }

    private void copy(Socket from, Socket to, boolean requests) {
      byte[] buffer = new byte[1 << 16];
      try (from;
          to) {
        InputStream in = from.getInputStream();
        OutputStream out = to.getOutputStream();
        for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
          if (!requests && doomed && isCommitted(buffer, read)) {
            lost.countDown();
            return; // both ends are closed: the commit is done, its answer is gone
          }
          boolean passes = requests ? request(buffer, read) : !silent;
          if (passes) {
            out.write(buffer, 0, read);
          }
        }
      } catch (IOException e) {
        // The other side is gone: so is this line.
        silent = true;
      }
    }

    /** Ends with ReadyForQuery outside of any transaction. */
    private static boolean isCommitted(byte[] buffer, int length) {
      return new String(buffer, 0, length, StandardCharsets.ISO_8859_1)
          .endsWith("Z\u0000\u0000\u0000\u0005I");
    }

    private void watchForLoss(String request) {
      String wanted = losing.get();
      if (wanted != null && request.contains(wanted) && losing.compareAndSet(wanted, null)) {
        doomed = true;
      }
    }

    private boolean request(byte[] buffer, int length) {
      if (cutOff) {
        return false; // the node must not go on by another connection, such as its poll's
      }
      watchForLoss(new String(buffer, 0, length, StandardCharsets.ISO_8859_1));
      boolean marked =
          hold != Hold.NOTHING
              && new String(buffer, 0, length, StandardCharsets.ISO_8859_1).contains(text);
      if (!marked) {
        return true;
      }
      cutOff = true;
      silent = true;
      boolean passes = hold == Hold.ANSWER;
      held.countDown();
      return passes;
    }
  }

  @Override
  public void close() throws IOException {
    listener.close();
    for (Socket socket : sockets) {
      socket.close();
    }
  }
}
