package dev.onejob.bench.contest;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.zaxxer.hikari.HikariDataSource;
import dev.onejob.bench.BenchKinds;
import dev.onejob.bench.peer.Commands;
import dev.onejob.bench.peer.LineLoop;
import dev.onejob.bench.peer.Peer;
import dev.onejob.bench.peer.PeerDatabase;
import dev.onejob.bench.peer.PeerJob;
import dev.onejob.bench.peer.PeerProgram;
import dev.onejob.domain.IntentKey;
import dev.onejob.domain.Owner;
import dev.onejob.domain.Result;
import dev.onejob.engine.JobEngine;
import dev.onejob.engine.Submission;
import dev.onejob.provider.CallWatch;
import dev.onejob.provider.Capabilities;
import dev.onejob.provider.Outcome;
import dev.onejob.provider.Provider;
import dev.onejob.provider.ProviderRequest;
import java.lang.management.ManagementFactory;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A node with so many attempts in flight at a provider that keeps silent until it is told to
 * answer. The provider is an object of the process: its calls hold a thread, and no socket.
 */
public final class FlightProgram implements Commands {
  private static final int CONNECTIONS = 16;
  private static final int SUBMITTERS = 64;
  private static final Duration PATIENCE = Duration.ofSeconds(240);
  private static final long BYTES_OF_A_MIB = 1_048_576;
  private static final Owner OWNER = new Owner("bench");

  /** Of the attempts in flight: how many milliseconds the lease that ends first has left. */
  private static final String SHORTEST_LEASE =
      """
      SELECT coalesce(
        min(extract(epoch FROM lease_until - clock_timestamp()) * 1000)::bigint, -1)
      FROM onejob.attempt
      WHERE state IN ('starting', 'running')
      """;

  private static final String IN_DOUBT =
      "SELECT count(*) FROM onejob.attempt WHERE unknown_at IS NOT NULL";
  private static final String ENDED = "SELECT count(*) FROM onejob.job WHERE state = 'succeeded'";

  private final HikariDataSource pool;
  private final int flights;
  private final CountDownLatch inFlight;
  private final CountDownLatch answer = new CountDownLatch(1);
  private final JobEngine engine;

  private FlightProgram(PeerDatabase database, int flights) {
    this.pool = database.pool(CONNECTIONS);
    this.flights = flights;
    this.inFlight = new CountDownLatch(flights);
    this.engine = JobEngine.start(pool, BenchKinds.config(new Silent(), flights));
  }

  /**
   * Serves the bench.
   *
   * @param args how many attempts at once
   */
  public static void main(String[] args) {
    int flights = Integer.parseInt(args[0]);
    LineLoop.serve(database -> new FlightProgram(database, flights));
  }

  @Override
  public Map<String, Object> ready() {
    return PeerProgram.ready(
        new Peer.Description(
            "Onejob library",
            flights + " in flight",
            "this commit",
            "pool of 16, as many slots as flights, leases of 30 s renewed every 10 s",
            "PostgreSQL",
            "everything",
            List.of(),
            /* batch= */ false));
  }

  @Override
  public Map<String, Object> answer(String[] words) throws Exception {
    if (!words[0].equals("flight")) {
      throw new UnsupportedOperationException("flight SECONDS");
    }
    long from = System.nanoTime();
    submitAll();
    if (!inFlight.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
      throw new TimeoutException(inFlight.getCount() + " are not in flight");
    }
    long tookMillis = Duration.ofNanos(System.nanoTime() - from).toMillis();
    long shortest = watch(Duration.ofSeconds(Long.parseLong(words[1])));
    System.gc();
    long heap = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    answer.countDown();
    awaitEnds();
    return Map.of(
        "flights", flights,
        "all_in_flight_ms", tookMillis,
        "heap_mib", heap / BYTES_OF_A_MIB,
        "shortest_lease_left_ms", shortest,
        "in_doubt", PeerDatabase.count(pool, IN_DOUBT));
  }

  private void submitAll() throws Exception {
    try (ExecutorService callers = Executors.newFixedThreadPool(SUBMITTERS)) {
      List<Future<?>> all = new ArrayList<>();
      for (int i = 0; i < flights; i++) {
        PeerJob job = PeerJob.of("flight", i);
        all.add(callers.submit(() -> engine.submit(submission(job))));
      }
      for (Future<?> one : all) {
        one.get();
      }
    }
  }

  private static Submission submission(PeerJob job) {
    return new Submission(
        OWNER,
        new IntentKey(job.key()),
        BenchKinds.KIND,
        job.payload().getBytes(UTF_8),
        null,
        null,
        0,
        List.of());
  }

  private long watch(Duration time) throws SQLException, InterruptedException {
    long until = System.nanoTime() + time.toNanos();
    long shortest = Long.MAX_VALUE;
    while (System.nanoTime() < until) {
      shortest = Math.min(shortest, PeerDatabase.count(pool, SHORTEST_LEASE));
      Thread.sleep(Duration.ofMillis(250));
    }
    return shortest;
  }

  private void awaitEnds() throws SQLException, InterruptedException, TimeoutException {
    long until = System.nanoTime() + PATIENCE.toNanos();
    while (PeerDatabase.count(pool, ENDED) < flights) {
      if (System.nanoTime() > until) {
        throw new TimeoutException("not all have ended");
      }
      Thread.sleep(Duration.ofMillis(100));
    }
  }

  @Override
  public void close() {
    answer.countDown();
    engine.close();
    pool.close();
  }

  /** Answers when it is told to. */
  private final class Silent implements Provider {
    @Override
    public Capabilities capabilities() {
      return Capabilities.NONE;
    }

    @Override
    public Outcome call(ProviderRequest request, CallWatch watch) throws InterruptedException {
      inFlight.countDown();
      answer.await();
      Result result = new Result(Result.Format.JSON, PeerJob.ANSWER.getBytes(UTF_8));
      return new Outcome.Succeeded(result, null);
    }
  }
}
