package dev.onejob.bench.jobrunr;

import com.zaxxer.hikari.HikariDataSource;
import dev.onejob.bench.peer.Ledger;
import dev.onejob.bench.peer.Peer;
import dev.onejob.bench.peer.PeerDatabase;
import dev.onejob.bench.peer.PeerJob;
import dev.onejob.bench.peer.PeerProgram;
import dev.onejob.bench.peer.Versions;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import org.jobrunr.configuration.JobRunr;
import org.jobrunr.configuration.JobRunrConfiguration;
import org.jobrunr.scheduling.JobBuilder;
import org.jobrunr.scheduling.JobRequestScheduler;
import org.jobrunr.server.BackgroundJobServer;
import org.jobrunr.server.BackgroundJobServerConfiguration;
import org.jobrunr.server.JobActivator;
import org.jobrunr.server.configuration.BackgroundJobServerThreadType;
import org.jobrunr.server.configuration.DefaultBackgroundJobServerWorkerPolicy;
import org.jobrunr.storage.StorageProvider;
import org.jobrunr.storage.sql.common.SqlStorageProviderFactory;
import org.jobrunr.utils.mapper.jackson.JacksonJsonMapper;
import org.jspecify.annotations.Nullable;

/** JobRunr in its open edition, with workers on virtual threads. */
public final class JobRunrPeer implements Peer {
  private static final int CONNECTIONS = 72;
  private static final int WORKERS = 32;

  /** The shortest that it takes with an SQL store. */
  private static final Duration POLLING = Duration.ofSeconds(5);

  private static final String UNFINISHED =
      "SELECT count(*) FROM jobrunr_jobs WHERE state <> 'SUCCEEDED'";
  private static final String KEPT = "SELECT count(*) FROM jobrunr_jobs WHERE state = 'SUCCEEDED'";

  private final HikariDataSource pool;
  private final StorageProvider storage;
  private final JacksonJsonMapper json = new JacksonJsonMapper();
  private final JobActivator activator;
  private final JobRequestScheduler scheduler;
  private @Nullable BackgroundJobServer server;

  private JobRunrPeer(PeerDatabase database, Ledger ledger) {
    pool = database.pool(CONNECTIONS);
    storage = SqlStorageProviderFactory.using(pool);
    Runner runner = new Runner(ledger);
    activator =
        new JobActivator() {
          @Override
          public <T> T activateJob(Class<T> type) {
            return type.cast(runner);
          }
        };
    JobRunrConfiguration configuration =
        JobRunr.configure()
            .useJsonMapper(json)
            .useJobActivator(activator)
            .useStorageProvider(storage);
    scheduler = configuration.initialize().getJobRequestScheduler();
  }

  /** Serves the bench. */
  public static void main(String[] args) {
    PeerProgram.run(JobRunrPeer::new);
  }

  @Override
  public Description description() {
    return new Description(
        "JobRunr OSS",
        "",
        Versions.of(JobRunr.class, "jobrunr"),
        "enqueue(UUID, JobRequest), 32 workers on virtual threads, polling every 5 s (the shortest"
            + " that it takes), Jackson 2, pool of 72",
        "PostgreSQL",
        "the job, with its states as one JSON, for 36 hours",
        List.of(
            "keys per owner",
            "input comparison",
            "attempts as rows",
            "fencing",
            "doubt",
            "result kept"),
        /* batch= */ true);
  }

  @Override
  public void workersOn() {
    BackgroundJobServerConfiguration configuration =
        BackgroundJobServerConfiguration.usingStandardBackgroundJobServerConfiguration()
            .andPollInterval(POLLING)
            .andBackgroundJobServerWorkerPolicy(
                new DefaultBackgroundJobServerWorkerPolicy(
                    WORKERS, BackgroundJobServerThreadType.VirtualThreads));
    server = new BackgroundJobServer(storage, json, activator, configuration);
    server.start();
  }

  @Override
  public void workersOff() {
    if (server != null) {
      server.stop();
      server = null;
    }
  }

  @Override
  public void submit(PeerJob job) {
    scheduler.enqueue(job.id(), new RunRequest(job.payload()));
  }

  @Override
  public void submitAll(List<PeerJob> jobs) {
    scheduler.create(
        jobs.stream()
            .map(
                job ->
                    JobBuilder.aJob()
                        .withId(job.id())
                        .withJobRequest(new RunRequest(job.payload()))));
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
    workersOff();
    storage.close();
    pool.close();
  }
}
