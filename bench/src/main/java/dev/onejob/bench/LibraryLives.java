package dev.onejob.bench;

import com.zaxxer.hikari.HikariDataSource;
import dev.onejob.domain.IntentKey;
import dev.onejob.domain.JobId;
import dev.onejob.domain.Owner;
import dev.onejob.engine.Admitted;
import dev.onejob.engine.JobEngine;
import dev.onejob.engine.Submission;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Whole lives by the library: submit, run a provider that does nothing, settle, be told. */
final class LibraryLives implements Contestant, AutoCloseable {
  static final String NAME = "library";
  static final String INPUT =
      "{\"page\":17,\"source\":\"scan-000017.png\",\"languages\":[\"eng\",\"deu\"],\"scale\":1.25}";

  private static final int AT_A_TIME = 32;

  /** Submit, start and settle. */
  private static final double MOVES_OF_A_LIFE = 3;

  /** As the server's default. */
  private static final int POOL_SIZE = 20;

  private static final Duration END_AWAITED_MAX = Duration.ofSeconds(30);
  private static final Owner OWNER = new Owner("bench");

  private final String url;
  private final HikariDataSource pool;
  private final JobEngine engine;
  private final ProcessHandle postmaster;
  private Cost.Spent spent = Cost.Spent.NOTHING;
  private long lived;

  LibraryLives(String url, Ground ground) {
    postmaster = ground.postmaster();
    this.url = url;
    pool = Ground.pool(url, POOL_SIZE);
    engine = JobEngine.start(pool, BenchKinds.config(new NoOpProvider(), AT_A_TIME * 2));
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public double measure(Duration about) throws Exception {
    Cost before = Cost.now(url, postmaster);
    long from = System.nanoTime();
    long until = from + about.toNanos();
    long lives = 0;
    try (ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<Long>> all = new ArrayList<>();
      for (int i = 0; i < AT_A_TIME; i++) {
        all.add(callers.submit(() -> liveUntil(until)));
      }
      for (Future<Long> one : all) {
        lives += one.get();
      }
    }
    double took = (System.nanoTime() - from) / 1e9;
    spent = spent.plus(Cost.now(url, postmaster).since(before));
    lived += lives;
    return lives / took;
  }

  private long liveUntil(long until) throws InterruptedException {
    long lives = 0;
    while (System.nanoTime() < until) {
      JobId id =
          switch (engine.submit(submission())) {
            case Admitted.Created created -> created.id();
            case Admitted other -> throw new IllegalStateException("not admitted: " + other);
          };
      long submitted = System.nanoTime();
      engine.awaitEnd(id, END_AWAITED_MAX);
      if (System.nanoTime() - submitted >= END_AWAITED_MAX.toNanos()) {
        throw new IllegalStateException(id + " has not ended within " + END_AWAITED_MAX);
      }
      lives++;
    }
    return lives;
  }

  static Submission submission() {
    return new Submission(
        OWNER,
        new IntentKey(UUID.randomUUID().toString()),
        BenchKinds.KIND,
        INPUT.getBytes(StandardCharsets.UTF_8),
        null,
        null,
        0,
        List.of());
  }

  /** What was spent while it warmed up does not count. */
  void forgetCosts() {
    spent = Cost.Spent.NOTHING;
    lived = 0;
  }

  /** What a life has cost, in words. */
  String costs() {
    String words =
        "A life by the library took %.0f µs of processor time in Java and %.0f µs in PostgreSQL;"
            + " %.1f moves shared a transaction.";
    return words.formatted(
        spent.java().toNanos() / 1e3 / lived,
        spent.postgres().toNanos() / 1e3 / lived,
        MOVES_OF_A_LIFE * lived / spent.commits());
  }

  @Override
  public void close() {
    engine.close();
    pool.close();
  }
}
