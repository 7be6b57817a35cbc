package dev.onejob.bench;

import com.zaxxer.hikari.HikariDataSource;
import dev.onejob.domain.Owner;
import dev.onejob.engine.JobEngine;
import dev.onejob.server.access.ApiKeys;
import dev.onejob.server.access.Role;
import dev.onejob.server.http.ApiServer;
import dev.onejob.server.http.ApiSettings;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import tools.jackson.databind.node.JsonNodeFactory;

/**
 * The measured server, in a process of its own: the API and the engine of the product, once for
 * each pool that is asked for. It says where it listens, and stops when its standard input ends.
 */
public final class SubmitServer {
  private SubmitServer() {}

  /**
   * Starts.
   *
   * @param args pairs of a JDBC address and a pool size
   */
  public static void main(String[] args) throws Exception {
    Deque<AutoCloseable> open = new ArrayDeque<>();
    try {
      for (int i = 0; i < args.length; i += 2) {
        start(args[i], Integer.parseInt(args[i + 1]), open);
      }
      awaitEndOfInput();
    } finally {
      while (!open.isEmpty()) {
        open.pop().close();
      }
    }
  }

  private static void start(String url, int poolSize, Deque<AutoCloseable> open)
      throws InterruptedException {
    HikariDataSource pool = Ground.pool(url, poolSize);
    open.push(pool);
    NeverAnswers provider = new NeverAnswers();
    JobEngine engine = JobEngine.start(pool, BenchKinds.config(provider, 1));
    open.push(engine);
    engine.submit(LibraryLives.submission());
    provider.awaitCall();
    ApiKeys keys = new ApiKeys(pool);
    String secret = keys.create("bench", Role.CLIENT, new Owner("bench")).secret();
    ApiServer server =
        ApiServer.start(
            engine,
            keys,
            job -> JsonNodeFactory.instance.objectNode(),
            new ApiSettings("127.0.0.1", 0));
    open.push(server);
    System.out.println(server.port() + " " + secret);
  }

  static void awaitEndOfInput() throws IOException {
    while (System.in.read() != -1) {
      Thread.onSpinWait();
    }
  }
}
