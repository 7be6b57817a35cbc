package dev.onejob.bench.contest;

import com.zaxxer.hikari.HikariDataSource;
import dev.onejob.bench.peer.Commands;
import dev.onejob.bench.peer.LineLoop;
import dev.onejob.bench.peer.Peer;
import dev.onejob.bench.peer.PeerDatabase;
import dev.onejob.bench.peer.PeerProgram;
import dev.onejob.store.Migrations;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The limit: the writes of the library by hand-written SQL, in batches, into the same tables with
 * the same constraints. Keys, payloads and results come over the wire as the library's do; nobody
 * submits and nobody waits, no guard is asked, no intent is read. A life is three transactions:
 * admit, start, settle. The fused limit writes a job and its first attempt in one, as the library
 * does where a slot is free.
 */
public final class LimitProgram implements Commands {
  /** The variant whose lives are two transactions; it does nothing but lives. */
  static final String FUSED = "fused";

  private static final int BATCH = 100;
  private static final String UNFINISHED = "SELECT count(*) FROM onejob.job WHERE ended_at IS NULL";
  private static final String KEPT = "SELECT count(*) FROM onejob.job WHERE state = 'succeeded'";

  private final HikariDataSource pool;
  private final int sessions;
  private final boolean fused;
  private long submitted;
  private long ended;

  private LimitProgram(PeerDatabase database, int sessions, boolean fused) {
    this.sessions = sessions;
    this.fused = fused;
    pool = database.pool(sessions + 1);
    Migrations.migrate(pool);
  }

  /**
   * Serves the bench.
   *
   * @param args how many sessions write at once; {@link #FUSED} if they fuse
   */
  public static void main(String[] args) {
    int sessions = Integer.parseInt(args[0]);
    boolean fused = args.length > 1 && args[1].equals(FUSED);
    LineLoop.serve(database -> new LimitProgram(database, sessions, fused));
  }

  @Override
  public Map<String, Object> ready() {
    return PeerProgram.ready(
        new Peer.Description(
            fused ? "the fused limit" : "the limit",
            sessions + (sessions == 1 ? " session" : " sessions"),
            "this commit",
            fused
                ? "hand-written SQL in batches of 100; job and first attempt in one statement"
                : "hand-written SQL in batches of 100, for the bulk submit of 1,000",
            "PostgreSQL",
            "job, attempt, input and result",
            List.of("anything but the writes"),
            /* batch= */ !fused));
  }

  @Override
  public Map<String, Object> answer(String[] words) throws Exception {
    return switch (words[0]) {
      case "workers" -> workers(words[1]);
      case "submit", "paced" ->
          throw new UnsupportedOperationException("the limit writes in batches alone");
      case "batch" -> batch(Integer.parseInt(words[1]), Integer.parseInt(words[2]), words[3]);
      case "drain" -> drain();
      case "lives" -> lives(Integer.parseInt(words[2]), words[3]);
      case "await" -> Map.of("unfinished", PeerDatabase.count(pool, UNFINISHED));
      case "check" -> check();
      default -> Map.of("error", "no such command: " + words[0]);
    };
  }

  private Map<String, Object> workers(String word) {
    if (fused && word.equals("off")) {
      throw new UnsupportedOperationException("its jobs start as they are born");
    }
    return Map.of("workers", word);
  }

  private Map<String, Object> batch(int size, int jobs, String prefix) throws Exception {
    int batches = jobs / size;
    AtomicInteger next = new AtomicInteger();
    Map<String, Object> answer =
        timed(
            session -> {
              int done = 0;
              for (int b = next.getAndIncrement(); b < batches; b = next.getAndIncrement()) {
                done += session.admit(prefix, b * size, size).size();
              }
              return done;
            });
    submitted += (long) batches * size;
    return answer;
  }

  private Map<String, Object> lives(int jobs, String prefix) throws Exception {
    int batches = jobs / BATCH;
    AtomicInteger next = new AtomicInteger();
    Map<String, Object> answer =
        timed(
            session -> {
              int done = 0;
              for (int b = next.getAndIncrement(); b < batches; b = next.getAndIncrement()) {
                done += session.settle(begun(session, prefix, b * BATCH));
              }
              return done;
            });
    submitted += (long) batches * BATCH;
    ended += (long) batches * BATCH;
    return answer;
  }

  private List<UUID> begun(LimitSession session, String prefix, int first) throws SQLException {
    return fused
        ? session.bear(prefix, first, BATCH)
        : session.start(session.admit(prefix, first, BATCH));
  }

  private Map<String, Object> drain() throws Exception {
    Map<String, Object> answer =
        timed(
            session -> {
              int done = 0;
              int some;
              do {
                some = session.settle(session.claim(BATCH));
                done += some;
              } while (some > 0);
              return done;
            });
    ended = submitted;
    return answer;
  }

  /** What one session does; gives the number of jobs. */
  @FunctionalInterface
  private interface Part {
    int play(LimitSession session) throws SQLException;
  }

  private Map<String, Object> timed(Part part) throws Exception {
    long from = System.nanoTime();
    int jobs = 0;
    try (ExecutorService threads = Executors.newFixedThreadPool(sessions)) {
      List<Future<Integer>> all = new ArrayList<>();
      for (int i = 0; i < sessions; i++) {
        all.add(threads.submit(() -> play(part)));
      }
      for (Future<Integer> one : all) {
        jobs += one.get();
      }
    }
    return Map.of("jobs", jobs, "nanos", System.nanoTime() - from);
  }

  private int play(Part part) throws SQLException {
    try (LimitSession session = new LimitSession(pool)) {
      return part.play(session);
    }
  }

  private Map<String, Object> check() throws SQLException {
    Map<String, Object> answer =
        Map.of(
            "submitted", submitted,
            "executions", ended,
            "jobs_executed", ended,
            "unfinished", PeerDatabase.count(pool, UNFINISHED),
            "kept", PeerDatabase.count(pool, KEPT));
    submitted = 0;
    ended = 0;
    return answer;
  }

  @Override
  public void close() {
    pool.close();
  }
}
