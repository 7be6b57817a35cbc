package dev.onejob.bench.contest;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.zaxxer.hikari.HikariDataSource;
import dev.onejob.bench.BenchKinds;
import dev.onejob.bench.peer.Ledger;
import dev.onejob.bench.peer.Peer;
import dev.onejob.bench.peer.PeerDatabase;
import dev.onejob.bench.peer.PeerJob;
import dev.onejob.bench.peer.PeerProgram;
import dev.onejob.domain.IntentKey;
import dev.onejob.domain.Owner;
import dev.onejob.domain.Result;
import dev.onejob.engine.Admitted;
import dev.onejob.engine.EngineConfig;
import dev.onejob.engine.JobEngine;
import dev.onejob.engine.Submission;
import dev.onejob.provider.CallWatch;
import dev.onejob.provider.Capabilities;
import dev.onejob.provider.Outcome;
import dev.onejob.provider.Provider;
import dev.onejob.provider.ProviderRequest;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** The library of Onejob as a contestant, with the defaults of the server. */
public final class OnejobPeer implements Peer {
  /** With a harmless kind whose rule lets its jobs go on from every doubt. */
  static final String GOING_ON = "going-on";

  private static final int CONNECTIONS = 16;
  private static final int SLOTS = 256;
  private static final Owner OWNER = new Owner("bench");

  /**
   * The first of each sort, in the order of an index: it is asked while the clock runs, beside a
   * backlog and millions that have ended, and a count of these took a processor of two.
   */
  private static final String UNFINISHED =
      """
      SELECT
        (SELECT count(*) FROM (
           SELECT FROM onejob.job AS j WHERE j.run_at IS NOT NULL
           ORDER BY j.kind, coalesce(j.goes_on_at, j.route[1]), (-j.priority), j.owner, j.run_at
           LIMIT 1) AS waiting)
        + (SELECT count(*) FROM (
             SELECT FROM onejob.attempt AS a WHERE a.state IN ('starting', 'running')
             ORDER BY a.started_at LIMIT 1) AS live)
        + (SELECT count(*) FROM (
             SELECT FROM onejob.attempt AS a WHERE a.state = 'unknown'
             ORDER BY a.unknown_at LIMIT 1) AS doubtful)
      """;

  private static final String KEPT = "SELECT count(*) FROM onejob.job WHERE state = 'succeeded'";

  private final HikariDataSource pool;
  private final EngineConfig config;
  private final String variant;
  private final NodeCounts counts = new NodeCounts();
  private JobEngine engine;

  private OnejobPeer(
      PeerDatabase database, Ledger ledger, Function<Provider, EngineConfig> config) {
    this.pool = database.pool(CONNECTIONS);
    this.config = config.apply(new Telling(ledger));
    this.variant = this.config.kinds().getFirst().goesOnFromDoubt() ? "harmless, going on" : "";
    this.engine = start();
    engine.drain();
  }

  OnejobPeer(PeerDatabase database, Ledger ledger) {
    this(database, ledger, provider -> BenchKinds.config(provider, SLOTS));
  }

  /** One that knows the kind for workers too. */
  static OnejobPeer withFetched(PeerDatabase database, Ledger ledger) {
    return new OnejobPeer(database, ledger, provider -> BenchKinds.withFetched(provider, SLOTS));
  }

  private static OnejobPeer goingOn(PeerDatabase database, Ledger ledger) {
    return new OnejobPeer(database, ledger, provider -> BenchKinds.goingOn(provider, SLOTS));
  }

  /**
   * Serves the bench.
   *
   * @param args {@link #GOING_ON}, or none: an exclusive kind
   */
  public static void main(String[] args) {
    boolean goingOn = args.length > 0 && args[0].equals(GOING_ON);
    PeerProgram.run(goingOn ? OnejobPeer::goingOn : OnejobPeer::new);
  }

  /** The node that acts now. */
  JobEngine engine() {
    return engine;
  }

  HikariDataSource pool() {
    return pool;
  }

  private JobEngine start() {
    return JobEngine.start(pool, pool, config, counts);
  }

  @Override
  public Description description() {
    return new Description(
        "Onejob library",
        variant,
        "this commit",
        "the server's defaults: pool of 16, 256 slots, polling every second, own work at once",
        "PostgreSQL",
        "job, attempt, input, result and history",
        List.of(),
        /* batch= */ true);
  }

  /** A node that was drained still admits, and starts nothing. */
  @Override
  public void workersOn() {
    JobEngine drained = engine;
    engine = start();
    drained.close();
  }

  @Override
  public void workersOff() {
    engine.drain();
  }

  @Override
  public void submit(PeerJob job) {
    requireCreated(engine.submit(submission(job)));
  }

  @Override
  public void submitAll(List<PeerJob> jobs) {
    engine
        .submitAll(jobs.stream().map(OnejobPeer::submission).toList())
        .forEach(OnejobPeer::requireCreated);
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

  private static void requireCreated(Admitted answer) {
    if (!(answer instanceof Admitted.Created)) {
      throw new IllegalStateException("not created: " + answer);
    }
  }

  @Override
  public long unfinished() throws SQLException {
    return PeerDatabase.count(pool, UNFINISHED);
  }

  @Override
  public long kept() throws SQLException {
    return PeerDatabase.count(pool, KEPT);
  }

  /** What the node has counted since the last time. */
  @Override
  public Map<String, Object> counts() {
    return counts.taken();
  }

  @Override
  public void close() {
    engine.close();
    pool.close();
  }

  /** Tells of the start of a call, and answers at once. */
  private record Telling(Ledger ledger) implements Provider {
    @Override
    public Capabilities capabilities() {
      return Capabilities.NONE;
    }

    @Override
    public Outcome call(ProviderRequest request, CallWatch watch) {
      ledger.started(PeerJob.keyIn(new String(request.input(), UTF_8)));
      Result answer = new Result(Result.Format.JSON, PeerJob.ANSWER.getBytes(UTF_8));
      return new Outcome.Succeeded(answer, null);
    }
  }
}
