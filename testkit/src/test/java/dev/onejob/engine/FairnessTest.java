package dev.onejob.engine;

import static dev.onejob.engine.EngineFixture.submit;
import static org.assertj.core.api.Assertions.assertThat;

import dev.onejob.domain.IntentKey;
import dev.onejob.domain.JobId;
import dev.onejob.domain.JobState;
import dev.onejob.domain.Kind;
import dev.onejob.domain.Owner;
import dev.onejob.testkit.Engines;
import dev.onejob.testkit.PostgresExtension;
import dev.onejob.testkit.ScriptedProvider;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Whose job starts next, where there are more jobs than slots. */
class FairnessTest {
  private static final Kind PATIENT = DispatchTest.patient("patient", "a");

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

  private JobEngine node(int slots) {
    return fixture.node(
        new EngineConfig(
            "test",
            List.of(PATIENT),
            Map.of("a", new EngineConfig.ProviderSlot(fixture.a, 64)),
            slots,
            Duration.ofSeconds(1),
            Duration.ofMillis(200)));
  }

  private static JobId submitted(JobEngine node, String owner, String key, int priority) {
    Submission plain = Engines.submission(key, "patient", "{}");
    Submission submission =
        new Submission(
            new Owner(owner),
            new IntentKey(key),
            plain.kind(),
            plain.input(),
            null,
            null,
            priority,
            List.of());
    return ((Admitted.Created) node.submit(submission)).id();
  }

  @Test
  void the_job_of_a_quiet_owner_is_next_though_a_flood_was_there_before_and_goes_on() {
    JobEngine node = node(1);
    for (int i = 0; i < 40; i++) {
      submitted(node, "flood", "f" + i, 0);
    }
    ScriptedProvider.Call first = fixture.a.next();
    JobId quiet = submitted(node, "quiet", "q", 0);
    for (int i = 40; i < 60; i++) {
      submitted(node, "flood", "f" + i, 0);
    }
    first.succeed("1");
    ScriptedProvider.Call second = fixture.a.next();
    second.succeed("1");
    ScriptedProvider.Call third = fixture.a.next();
    third.succeed("1");

    assertThat(List.of(second.request().jobId(), third.request().jobId())).contains(quiet);
  }

  @Test
  void a_job_that_is_admitted_does_not_pass_those_who_wait_but_by_its_priority() {
    JobEngine node = node(1);
    submitted(node, "flood", "f0", 0);
    ScriptedProvider.Call first = fixture.a.next();
    submitted(node, "flood", "f1", 0);
    submitted(node, "flood", "f2", 0);
    JobId urgent = submitted(node, "flood", "f3", 10);
    first.succeed("1");
    ScriptedProvider.Call second = fixture.a.next();
    second.succeed("1");

    assertThat(second.request().jobId()).isEqualTo(urgent);
  }

  @Test
  void a_retry_keeps_its_priority() {
    JobEngine node = node(1);
    JobId urgent = submitted(node, "o", "urgent", 10);
    ScriptedProvider.Call first = fixture.a.next();
    submitted(node, "o", "n1", 0);
    submitted(node, "o", "n2", 0);
    first.answer(ScriptedProvider.busy(Duration.ofSeconds(1)));
    ScriptedProvider.Call second = fixture.a.next();
    fixture.awaitJob(
        urgent, job -> job.standing().runAt() != null && isPast(job.standing().runAt()));
    second.succeed("1");

    ScriptedProvider.Call third = fixture.a.next();
    third.succeed("1");
    assertThat(third.request().jobId()).isEqualTo(urgent);
  }

  private static boolean isPast(Instant time) {
    return time.isBefore(Instant.now().minusMillis(100));
  }

  @Test
  void the_wish_of_a_provider_to_wait_holds_for_every_node() {
    JobEngine first = node(4);
    node(4);
    JobId job = submit(first, "k", "patient");
    fixture.a.next().answer(ScriptedProvider.busy(Duration.ofSeconds(3)));
    Instant asked = Instant.now();
    fixture.awaitState(job, JobState.QUEUED);

    ScriptedProvider.Call again = fixture.a.next();
    again.succeed("1");

    assertThat(Duration.between(asked, Instant.now())).isGreaterThan(Duration.ofMillis(2_900));
    assertThat(again.request().number()).isEqualTo(2);
  }
}
