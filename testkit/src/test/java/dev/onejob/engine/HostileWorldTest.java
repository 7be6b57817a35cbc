package dev.onejob.engine;

import static dev.onejob.engine.EngineFixture.submit;
import static org.assertj.core.api.Assertions.assertThat;

import dev.onejob.domain.Attempt;
import dev.onejob.domain.AttemptState;
import dev.onejob.domain.Failure;
import dev.onejob.domain.IntentKey;
import dev.onejob.domain.JobId;
import dev.onejob.domain.JobState;
import dev.onejob.domain.Result;
import dev.onejob.domain.Retryability;
import dev.onejob.provider.CallWatch;
import dev.onejob.provider.Capabilities;
import dev.onejob.provider.Outcome;
import dev.onejob.provider.Provider;
import dev.onejob.provider.ProviderRequest;
import dev.onejob.testkit.Engines;
import dev.onejob.testkit.PostgresExtension;
import dev.onejob.testkit.ScriptedProvider;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Providers, callers and rows that nobody wishes for. */
class HostileWorldTest {
  @RegisterExtension final PostgresExtension postgres = new PostgresExtension();

  private EngineFixture fixture;

  @BeforeEach
  void open() {
    fixture = new EngineFixture(postgres.dataSource());
  }

  @AfterEach
  void close() {
    fixture.close();
  }

  private static final class Broken implements Provider {
    @Override
    public Capabilities capabilities() {
      return Capabilities.NONE;
    }

    @Override
    public Outcome call(ProviderRequest request, CallWatch watch) {
      throw new NoClassDefFoundError("as if a library were missing");
    }
  }

  @Test
  void an_adapter_that_breaks_by_an_error_leaves_doubt_at_once_not_when_its_lease_lapses() {
    JobEngine node =
        fixture.node(
            Engines.config(List.of(Engines.exclusive("k", "x")), Map.of("x", new Broken())));

    Attempt attempt = fixture.awaitAttempt(submit(node, "k", "k"), 1, AttemptState.UNKNOWN);

    assertThat(attempt.failure().code()).isEqualTo("adapter-failed");
  }

  @Test
  void a_retry_after_beyond_all_time_is_a_failure_and_a_long_wait_not_doubt() {
    JobEngine node = fixture.node();
    fixture.a.always(ScriptedProvider.busy(Duration.ofSeconds(Long.MAX_VALUE)));
    JobId id = submit(node, "k", "plain");

    fixture.awaitAttempt(id, 1, AttemptState.FAILED);

    Instant runAt = fixture.awaitState(id, JobState.QUEUED).standing().runAt();
    assertThat(runAt)
        .isBetween(
            Instant.now().plus(Duration.ofDays(364)), Instant.now().plus(Duration.ofDays(366)));
  }

  @Test
  void a_result_that_outgrows_the_limit_when_it_is_written_anew_is_a_failure_not_doubt() {
    JobEngine node = fixture.node();
    fixture.a.always(
        ScriptedProvider.succeeded("{\"a\":1,\"a\":\"" + "\\n".repeat(1_500_000) + "\"}"));

    Attempt attempt = fixture.awaitAttempt(submit(node, "k", "plain"), 1, AttemptState.FAILED);

    assertThat(attempt.failure().code()).isEqualTo("result-too-large");
  }

  @Test
  void a_text_that_is_not_utf_8_is_no_result() {
    JobEngine node = fixture.node();
    byte[] latin1 = "caf\u00e9".getBytes(StandardCharsets.ISO_8859_1);
    fixture.a.always(new Outcome.Succeeded(new Result(Result.Format.TEXT, latin1), null));

    Attempt attempt = fixture.awaitAttempt(submit(node, "k", "plain"), 1, AttemptState.FAILED);

    assertThat(attempt.failure().code()).isEqualTo("result-invalid");
    assertThat(attempt.failure().message()).contains("byte 3");
  }

  @Test
  void a_deadline_that_no_column_holds_is_refused_by_name() {
    JobEngine node = fixture.node();
    for (Instant deadline : List.of(Instant.MAX, Instant.MIN)) {
      Admitted answer =
          node.submit(
              new Submission(
                  Engines.OWNER,
                  new IntentKey("k"),
                  "plain",
                  "{}".getBytes(StandardCharsets.UTF_8),
                  null,
                  deadline,
                  0,
                  List.of()));

      assertThat(answer)
          .isEqualTo(
              new Admitted.Refused(
                  "field-invalid",
                  "a deadline is a time from the year 1 to the year 9999",
                  "/deadline"));
    }
  }

  @Test
  void one_row_that_cannot_be_swept_stops_no_other_from_being_swept() throws SQLException {
    SeverableDatabase own = new SeverableDatabase(postgres.dataSource());
    JobEngine node = fixture.node(own, fixture.config(EngineFixture.PLAIN));
    JobId bad = submit(node, "bad", "plain");
    JobId good = submit(node, "good", "plain");
    fixture.awaitAttempt(bad, 1, AttemptState.STARTING);
    fixture.awaitAttempt(good, 1, AttemptState.STARTING);
    own.cut();
    node.close(); // both attempts are left to their leases
    try (Connection connection = postgres.dataSource().getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(
          """
          ALTER TABLE onejob.job
            ADD CONSTRAINT unwritable CHECK (key <> 'bad' OR state <> 'unknown')
          """);
      statement.execute(
          """
          UPDATE onejob.attempt AS a
          SET lease_until = now() - CASE j.key WHEN 'bad' THEN interval '9 s' ELSE '1 s' END
          FROM onejob.job AS j WHERE j.id = a.job_id
          """);
    }

    fixture.node();

    fixture.awaitState(good, JobState.UNKNOWN);
  }

  @Test
  void a_code_and_an_id_that_cannot_be_kept_do_not_turn_a_definite_failure_into_doubt() {
    JobId id = submit(fixture.node(), "unfit", "plain");
    ScriptedProvider.Call call = fixture.a.next();
    call.accept("x".repeat(10_000) + (char) 0);
    call.answer(
        new Outcome.Refused(new Failure("no code " + (char) 0, "no"), Retryability.FINAL, null));

    Attempt failed = fixture.awaitAttempt(id, 1, AttemptState.FAILED);

    assertThat(failed.failure().code()).isEqualTo("adapter-code-unfit");
    assertThat(failed.providerRef()).isNull();
  }
}
