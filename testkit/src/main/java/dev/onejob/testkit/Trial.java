package dev.onejob.testkit;

import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.onejob.domain.Attempt;
import dev.onejob.domain.Effect;
import dev.onejob.domain.Job;
import dev.onejob.domain.JobId;
import dev.onejob.domain.JobState;
import dev.onejob.domain.Kind;
import dev.onejob.engine.Access;
import dev.onejob.engine.Admitted;
import dev.onejob.engine.EngineConfig;
import dev.onejob.engine.JobEngine;
import dev.onejob.engine.ProbePolicy;
import dev.onejob.provider.Provider;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;

/**
 * One job at one provider, in a real engine. Kind and provider have names of their own: no engine
 * of another trial knows them, and none touches its job.
 */
final class Trial implements AutoCloseable {
  /** Ample on a busy machine; nothing that works gets there. */
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private static final Duration LISTENED_ON = Duration.ofSeconds(20);

  /** After so many questions without an end, none is to be expected any more. */
  static final int ASKED_ENOUGH = 5;

  private static final ProbePolicy QUICK =
      new ProbePolicy(
          Duration.ofMillis(50),
          Duration.ofMillis(200),
          Duration.ofSeconds(2),
          Duration.ofMinutes(5),
          2);

  /** One far side may see several trials, and so does the database. */
  private static final AtomicInteger TRIALS = new AtomicInteger();

  private final int number = TRIALS.incrementAndGet();
  private final JobEngine engine;
  private final JobId job;

  private Trial(Provider provider, Effect effect, byte[] input, Duration timeout) {
    engine = JobEngine.start(Database.POOL, config(provider, effect, timeout));
    String text = new String(input, StandardCharsets.UTF_8);
    String key = "trial-" + number;
    job = ((Admitted.Created) engine.submit(Engines.submission(key, kind(), text))).id();
  }

  /** The one database of all trials in a process. */
  private static final class Database {
    private static final HikariDataSource POOL = pool();

    private Database() {}

    private static HikariDataSource pool() {
      HikariConfig settings = new HikariConfig();
      settings.setJdbcUrl(PostgresServer.get().url(PostgresServer.get().create()));
      settings.setMaximumPoolSize(8);
      settings.setMinimumIdle(1);
      return new HikariDataSource(settings);
    }
  }

  private String kind() {
    return "kind-" + number;
  }

  private String provider() {
    return "provider-" + number;
  }

  /** Submits a job with that input to a kind of that effect, whose attempts have so long. */
  static Trial of(Provider provider, Effect effect, byte[] input, Duration timeout) {
    return new Trial(provider, effect, input, timeout);
  }

  private EngineConfig config(Provider provider, Effect effect, Duration timeout) {
    Kind usual = Engines.exclusive(kind(), provider());
    Kind kind =
        new Kind(
            usual.name(),
            effect,
            usual.route(),
            timeout,
            LISTENED_ON,
            usual.attemptsAllowed(),
            usual.retry(),
            null,
            null,
            usual.whenUnqualified(),
            usual.inFlightMax());
    EngineConfig config = Engines.config(List.of(kind), Map.of(provider(), provider));
    return new EngineConfig(
            config.node(),
            config.kinds(),
            Map.of(provider(), new EngineConfig.ProviderSlot(provider, 64, QUICK)),
            config.slots(),
            config.pollInterval(),
            config.sweepInterval())
        .with(Engines.HOLDING);
  }

  Job job() {
    return engine.job(Access.ALL, job).orElseThrow();
  }

  Attempt first() {
    return job().attempts().getFirst();
  }

  Job awaitJob(Predicate<Job> condition) {
    return await().atMost(PATIENCE).pollInterval(Duration.ofMillis(20)).until(this::job, condition);
  }

  /** Waits until the job has that state, or has been asked about often enough to see that not. */
  Job awaitState(JobState state) {
    return awaitJob(job -> job.standing().state() == state || asked(job) >= ASKED_ENOUGH);
  }

  /** Waits until the first attempt has been asked about often enough, or the job is over. */
  Job awaitAskedEnough() {
    return awaitJob(job -> asked(job) >= ASKED_ENOUGH || job.standing().state().terminal());
  }

  private static int asked(Job job) {
    return job.attempts().isEmpty() || job.attempts().getFirst().probing() == null
        ? 0
        : job.attempts().getFirst().probing().asked();
  }

  void cancel() {
    engine.cancel(Access.ALL, job);
  }

  @Override
  public void close() {
    engine.close();
  }
}
