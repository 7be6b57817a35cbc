package dev.onejob.bench.dbos;

import com.zaxxer.hikari.HikariDataSource;
import dev.dbos.transact.DBOS;
import dev.dbos.transact.StartWorkflowOptions;
import dev.dbos.transact.config.DBOSConfig;
import dev.dbos.transact.workflow.Queue;
import dev.onejob.bench.peer.Ledger;
import dev.onejob.bench.peer.Peer;
import dev.onejob.bench.peer.PeerDatabase;
import dev.onejob.bench.peer.PeerJob;
import dev.onejob.bench.peer.PeerProgram;
import dev.onejob.bench.peer.Versions;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;

/**
 * DBOS Transact: workflows through a queue, or ({@code direct}) started where they are submitted.
 */
public final class DbosPeer implements Peer {
  private static final int CONNECTIONS = 72;
  private static final Duration POLLING = Duration.ofMillis(200);
  private static final String DIRECT = "direct";
  private static final String QUEUE = "bench";

  /** A queue that nobody fills: who listens to it alone does not work. */
  private static final String IDLE = "idle";

  private static final String UNFINISHED =
      "SELECT count(*) FROM dbos.workflow_status WHERE status <> 'SUCCESS'";
  private static final String KEPT =
      "SELECT count(*) FROM dbos.workflow_status WHERE status = 'SUCCESS'";

  private final HikariDataSource pool;
  private final Ledger ledger;
  private final boolean direct;
  private Running running;

  /** An instance, and the proxy through which it is called. */
  private record Running(DBOS dbos, Work work) {}

  private DbosPeer(PeerDatabase database, Ledger ledger, boolean direct) {
    this.pool = database.pool(CONNECTIONS);
    this.ledger = ledger;
    this.direct = direct;
    this.running = launch(IDLE);
  }

  /**
   * Serves the bench.
   *
   * @param args {@code direct}, or none
   */
  public static void main(String[] args) {
    boolean direct = args.length > 0 && args[0].equals(DIRECT);
    PeerProgram.run((database, ledger) -> new DbosPeer(database, ledger, direct));
  }

  private Running launch(String listened) {
    DBOSConfig config =
        DBOSConfig.defaults("bench")
            .withDataSource(pool)
            .withAppVersion("bench")
            .withListenQueue(listened);
    DBOS dbos = new DBOS(config);
    dbos.registerQueues(queue(QUEUE), queue(IDLE));
    Work work = dbos.registerProxy(Work.class, new ToldWork(ledger));
    dbos.launch();
    return new Running(dbos, work);
  }

  private static Queue queue(String name) {
    return new Queue(name).withPollingInterval(POLLING);
  }

  @Override
  public Description description() {
    return new Description(
        "DBOS Transact Java",
        direct ? DIRECT : "queue",
        Versions.of(DBOS.class, "transact"),
        direct
            ? "startWorkflow without a queue: runs in the process that submits; workflow id = key,"
                + " pool of 72"
            : "a queue polled every 200 ms, concurrency not limited, workflow id = key, pool of 72",
        "PostgreSQL",
        "status, input and output of the workflow",
        List.of("keys per owner", "input comparison", "attempts as rows", "fencing", "doubt"),
        /* batch= */ false);
  }

  @Override
  public void workersOn() {
    if (!direct) {
      running.dbos().shutdown();
      running = launch(QUEUE);
    }
  }

  @Override
  public void workersOff() {
    if (direct) {
      throw new UnsupportedOperationException("submitting is running: there is no queue");
    }
    running.dbos().shutdown();
    running = launch(IDLE);
  }

  @Override
  public void submit(PeerJob job) {
    StartWorkflowOptions options = new StartWorkflowOptions(job.key());
    Work work = running.work();
    running
        .dbos()
        .startWorkflow(() -> work.run(job.payload()), direct ? options : options.withQueue(QUEUE));
  }

  @Override
  public void submitAll(List<PeerJob> jobs) {
    throw new UnsupportedOperationException("no such call");
  }

  @Override
  public long unfinished() throws SQLException {
    return PeerDatabase.count(pool, UNFINISHED);
  }

  @Override
  public long kept() throws SQLException {
    return PeerDatabase.count(pool, KEPT);
  }

  @Override
  public void close() {
    running.dbos().shutdown();
    pool.close();
  }
}
