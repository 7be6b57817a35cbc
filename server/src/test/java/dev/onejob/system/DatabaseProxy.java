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
  private final AtomicReference<@Nullable Loss> loss = new AtomicReference<>();

  /** Of the first line that says {@code text} and then {@code commit}, the answer is lost. */
  private record Loss(String text, String commit) {}

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
   * From now on: of the first statement that has this text and commits by itself, the answer is
   * lost, once it was carried out. The connection is cut then; all others go on.
   */
  void loseAnswer(String statement) {
    loss.set(new Loss(statement, statement));
  }

  /** The same for the commit of the first transaction that has a statement with this text. */
  void loseCommitAnswer(String statement) {
    loss.set(new Loss(statement, "COMMIT"));
  }

  /** Waits until an answer was lost. */
  void awaitLost() throws InterruptedException {
    if (!lost.await(20, TimeUnit.SECONDS)) {
      throw new AssertionError("no answer was lost");
    }
  }

  /** Waits until a statement was held back. */
  void awaitHeld() throws InterruptedException {
    if (!held.await(20, TimeUnit.SECONDS)) {
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
    private volatile @Nullable Loss due;
    private volatile boolean losing;

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
          boolean passes = requests ? request(buffer, read) : !silent && !losing;
          if (passes) {
            out.write(buffer, 0, read);
          } else if (losing && isReady(buffer, read)) {
            lost.countDown();
            return; // both ends are closed: the commit is done, its answer is gone
          }
        }
      } catch (IOException e) {
        // The other side is gone: so is this line.
        silent = true;
      }
    }

    /** Ends with ReadyForQuery, outside of any transaction. */
    private static boolean isReady(byte[] buffer, int length) {
      return new String(buffer, 0, length, StandardCharsets.ISO_8859_1)
          .endsWith("Z\u0000\u0000\u0000\u0005I");
    }

    private void watchForLoss(String request) {
      Loss wanted = loss.get();
      if (wanted != null && request.contains(wanted.text()) && loss.compareAndSet(wanted, null)) {
        due = wanted;
      }
      Loss mine = due;
      if (mine != null && request.contains(mine.commit())) {
        losing = true;
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
