package dev.onejob.bench.dbscheduler;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.github.kagkarlsson.scheduler.Scheduler;
import com.github.kagkarlsson.scheduler.serializer.Serializer;
import com.github.kagkarlsson.scheduler.task.TaskInstance;
import com.github.kagkarlsson.scheduler.task.helper.OneTimeTask;
import com.github.kagkarlsson.scheduler.task.helper.Tasks;
import com.zaxxer.hikari.HikariDataSource;
import dev.onejob.bench.peer.Ledger;
import dev.onejob.bench.peer.Peer;
import dev.onejob.bench.peer.PeerDatabase;
import dev.onejob.bench.peer.PeerJob;
import dev.onejob.bench.peer.PeerProgram;
import dev.onejob.bench.peer.Versions;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** db-scheduler, claiming by lock-and-fetch, with immediate execution. */
public final class DbSchedulerPeer implements Peer {
  private static final int CONNECTIONS = 72;
  private static final int THREADS = 32;
  private static final Duration POLLING = Duration.ofMillis(200);

  /** Of its documentation for high throughput, as multiples of the threads. */
  private static final double FETCH_BELOW = 4.0;

  private static final double FETCH_UP_TO = 20.0;
  private static final String TASK = "bench";

  /** As its documentation gives them for PostgreSQL. */
  private static final String TABLES =
      """
      CREATE TABLE IF NOT EXISTS scheduled_tasks (
        task_name text NOT NULL,
        task_instance text NOT NULL,
        task_data bytea,
        execution_time timestamp with time zone NOT NULL,
        picked boolean NOT NULL,
        picked_by text,
        last_success timestamp with time zone,
        last_failure timestamp with time zone,
        consecutive_failures int,
        last_heartbeat timestamp with time zone,
        version bigint NOT NULL,
        priority smallint,
        PRIMARY KEY (task_name, task_instance)
      );
      CREATE INDEX IF NOT EXISTS execution_time_idx ON scheduled_tasks (execution_time);
      CREATE INDEX IF NOT EXISTS last_heartbeat_idx ON scheduled_tasks (last_heartbeat);
      """;

  private static final String UNFINISHED = "SELECT count(*) FROM scheduled_tasks";

  private final HikariDataSource pool;
  private final OneTimeTask<String> task;
  private Scheduler scheduler;
  private boolean working;

  private DbSchedulerPeer(PeerDatabase database, Ledger ledger) throws SQLException {
    pool = database.pool(CONNECTIONS);
    PeerDatabase.execute(pool, TABLES);
    task =
        Tasks.oneTime(TASK, String.class)
            .execute((one, context) -> ledger.started(PeerJob.keyIn(one.getData())));
    scheduler = scheduler();
  }

  /** Serves the bench. */
  public static void main(String[] args) {
    PeerProgram.run(DbSchedulerPeer::new);
  }

  private Scheduler scheduler() {
    return Scheduler.create(pool, task)
        .threads(THREADS)
        .pollingInterval(POLLING)
        .pollUsingLockAndFetch(FETCH_BELOW, FETCH_UP_TO)
        .enableImmediateExecution()
        .serializer(new Text())
        .build();
  }

  @Override
  public Description description() {
    return new Description(
        "db-scheduler",
        "",
        Versions.of(Scheduler.class, "db-scheduler"),
        "lock-and-fetch 4.0/20.0, 32 threads, polling every 200 ms, immediate execution, data as"
            + " bytes, scheduleIfNotExists, pool of 72",
        "PostgreSQL",
        "nothing: the row is deleted",
        List.of(
            "keys per owner",
            "keys after the end",
            "input comparison",
            "attempts as rows",
            "fencing",
            "doubt",
            "result kept",
            "history kept"),
        /* batch= */ true);
  }

  @Override
  public void workersOn() {
    scheduler = scheduler();
    scheduler.start();
    working = true;
  }

  @Override
  public void workersOff() {
    if (working) {
      scheduler.stop();
      scheduler = scheduler();
      working = false;
    }
  }

  @Override
  public void submit(PeerJob job) {
    if (!scheduler.scheduleIfNotExists(instance(job), Instant.now())) {
      throw new IllegalStateException(job.key() + " is there already");
    }
  }

  @Override
  public void submitAll(List<PeerJob> jobs) {
    List<TaskInstance<?>> all = jobs.stream().<TaskInstance<?>>map(this::instance).toList();
    scheduler.scheduleBatch(all, Instant.now());
  }

  private TaskInstance<String> instance(PeerJob job) {
    return task.instance(job.key(), job.payload());
  }

  @Override
  public long unfinished() throws SQLException {
    return PeerDatabase.count(pool, UNFINISHED);
  }

  @Override
  public long kept() {
    return 0;
  }

  @Override
  public void close() {
    workersOff();
    pool.close();
  }

  /** Data is text already: bytes of it are all that a serializer needs to make. */
  private static final class Text implements Serializer {
    @Override
    public byte[] serialize(Object data) {
      return ((String) data).getBytes(UTF_8);
    }

    @Override
    public <T> T deserialize(Class<T> type, byte[] data) {
      return type.cast(new String(data, UTF_8));
    }
  }
}
