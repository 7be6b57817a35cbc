package dev.onejob.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.onejob.domain.Job;
import dev.onejob.domain.JobId;
import dev.onejob.domain.JobState;
import dev.onejob.domain.Result;
import dev.onejob.provider.CallWatch;
import dev.onejob.provider.Capabilities;
import dev.onejob.provider.Outcome;
import dev.onejob.provider.Provider;
import dev.onejob.provider.ProviderRequest;
import dev.onejob.testkit.Engines;
import dev.onejob.testkit.PostgresExtension;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class JobEngineTest {
  @RegisterExtension final PostgresExtension postgres = new PostgresExtension();

  private final AtomicInteger calls = new AtomicInteger();

  private final class Echo implements Provider {
    @Override
    public Capabilities capabilities() {
      return Capabilities.NONE;
    }

    @Override
    public Outcome call(ProviderRequest request, CallWatch watch) {
      calls.incrementAndGet();
      return new Outcome.Succeeded(new Result(Result.Format.JSON, request.input()), null);
    }
  }

  @Test
  void runs_a_job_once_however_often_its_key_is_sent() throws InterruptedException {
    EngineConfig config =
        Engines.config(List.of(Engines.exclusive("echo", "a")), Map.of("a", new Echo()));
    try (JobEngine engine = JobEngine.start(postgres.dataSource(), config)) {
      Admitted first = engine.submit(Engines.submission("k", "echo", "{\"a\":1}"));
      Admitted repeat = engine.submit(Engines.submission("k", "echo", "{\"a\":1}"));
      JobId id = ((Admitted.Created) first).id();

      engine.awaitEnd(id, Duration.ofSeconds(10));
      Job job = engine.job(Access.ALL, id).orElseThrow();

      assertThat(repeat).isEqualTo(new Admitted.Known(id));
      assertThat(job.standing().state()).isEqualTo(JobState.SUCCEEDED);
      assertThat(job.result().bytes()).isEqualTo(job.input());
      assertThat(job.attempts()).hasSize(1);
      assertThat(calls).hasValue(1);
    }
  }
}
