package dev.onejob.bench.contest;

import com.zaxxer.hikari.HikariDataSource;
import dev.onejob.bench.peer.Commands;
import dev.onejob.bench.peer.LineLoop;
import dev.onejob.bench.peer.Peer;
import dev.onejob.bench.peer.PeerDatabase;
import dev.onejob.bench.peer.PeerProgram;
import dev.onejob.store.Migrations;
import io.javalin.Javalin;
import io.javalin.http.Context;
import io.javalin.http.HttpStatus;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;

/**
 * A bare endpoint on the same HTTP server: it takes the bytes of the body and the key, inserts what
 * has gathered as one batch into the product's table, and answers after the commit. No access
 * check, no reading of the intent, no fingerprint, no repeats.
 */
public final class BareDoorProgram implements Commands {
  private static final int WRITERS = 2;
  private static final int BATCH_MAX = 256;
  private static final String JOBS = "SELECT count(*) FROM onejob.job";

  private final HikariDataSource pool;
  private final BlockingQueue<Waiting> gathered = new LinkedBlockingQueue<>();
  private final ExecutorService writers = Executors.newFixedThreadPool(WRITERS);
  private final Javalin server;

  /** A request that waits for its commit. */
  private record Waiting(String key, byte[] body, CompletableFuture<Boolean> durable) {}

  private BareDoorProgram(PeerDatabase database) {
    pool = database.pool(WRITERS + 1);
    Migrations.migrate(pool);
    for (int i = 0; i < WRITERS; i++) {
      writers.execute(this::write);
    }
    server =
        Javalin.create(
                config -> {
                  config.startup.showJavalinBanner = false;
                  config.concurrency.useVirtualThreads = true;
                  config.routes.post("/", this::take);
                })
            .start("127.0.0.1", 0);
  }

  /** Serves the bench. */
  public static void main(String[] args) {
    LineLoop.serve(BareDoorProgram::new);
  }

  private void take(Context context) {
    String key = Objects.requireNonNull(context.header("Idempotency-Key"));
    Waiting waiting = new Waiting(key, context.bodyAsBytes(), new CompletableFuture<>());
    gathered.add(waiting);
    waiting.durable().join();
    context.status(HttpStatus.CREATED).contentType("application/json").result("{}");
  }

  private void write() {
    try (LimitSession session = new LimitSession(pool)) {
      while (!Thread.currentThread().isInterrupted()) {
        List<Waiting> batch = new ArrayList<>(List.of(gathered.take()));
        gathered.drainTo(batch, BATCH_MAX - 1);
        write(session, batch);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // the end
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void write(LimitSession session, List<Waiting> batch) {
    try {
      session.admit(
          batch.stream().map(Waiting::key).toList(), batch.stream().map(Waiting::body).toList());
      batch.forEach(one -> one.durable().complete(true));
    } catch (SQLException | IllegalStateException e) {
      batch.forEach(one -> one.durable().completeExceptionally(e));
    }
  }

  @Override
  public Map<String, Object> ready() {
    Map<String, Object> answer =
        PeerProgram.ready(
            new Peer.Description(
                "bare endpoint",
                "",
                "this commit",
                "the product's HTTP server and table; 2 sessions insert what has gathered, at most"
                    + " 256 rows",
                "PostgreSQL",
                "the row",
                List.of("anything but the insert"),
                /* batch= */ false));
    answer.put(
        "http",
        Map.of(
            "one_way", "http://127.0.0.1:" + server.port() + "/", "key_header", "Idempotency-Key"));
    return answer;
  }

  @Override
  public Map<String, Object> answer(String[] words) throws SQLException {
    return switch (words[0]) {
      case "workers" -> Map.of("workers", words[1]);
      case "await" -> Map.of("unfinished", 0);
      case "check" -> {
        long jobs = PeerDatabase.count(pool, JOBS);
        yield Map.of("submitted", jobs, "executions", 0, "jobs_executed", 0, "unfinished", 0);
      }
      default -> throw new UnsupportedOperationException("the endpoint inserts, and that is all");
    };
  }

  @Override
  public void close() {
    server.stop();
    writers.shutdownNow();
    pool.close();
  }
}
