package dev.onejob.engine;

import static dev.onejob.engine.EngineFixture.result;
import static dev.onejob.engine.EngineFixture.submit;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.onejob.domain.Attempt;
import dev.onejob.domain.AttemptState;
import dev.onejob.domain.Evidence;
import dev.onejob.domain.Failure;
import dev.onejob.domain.Job;
import dev.onejob.domain.JobId;
import dev.onejob.domain.JobState;
import dev.onejob.domain.Kind;
import dev.onejob.domain.Result;
import dev.onejob.provider.Capabilities.NegativeAnswer;
import dev.onejob.provider.Capabilities.StatusProbe;
import dev.onejob.provider.Capabilities.TerminalState;
import dev.onejob.provider.Finding;
import dev.onejob.provider.Inquiry;
import dev.onejob.testkit.Engines;
import dev.onejob.testkit.PostgresExtension;
import dev.onejob.testkit.ScriptedProvider;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A node is gone, and its attempts go on at providers that can be asked about them. */
class WatchedOnTest {
  private static final Finding AT_WORK = new Finding.AtWork("ref-1");
  private static final Finding SILENT = new Finding.CannotSay(new Failure("timeout", "no answer"));
  private static final Finding FOUND =
      new Finding.Succeeded(
          new Result(Result.Format.JSON, "\"found\"".getBytes(StandardCharsets.UTF_8)), null);

  @RegisterExtension final PostgresExtension postgres = new PostgresExtension();

  private EngineFixture fixture;
  private SeverableDatabase own;
  private ScriptedProvider provider;

  @BeforeEach
  void open() {
    fixture = new EngineFixture(postgres.dataSource());
    own = new SeverableDatabase(postgres.dataSource());
    provider =
        new ScriptedProvider(
            Askable.capabilities(
                StatusProbe.BY_PROVIDER_ID, NegativeAnswer.FINAL, TerminalState.STABLE));
  }

  @AfterEach
  void close() {
    own.mend();
    fixture.close();
  }

  private EngineConfig config() {
    Kind kind = Engines.exclusive("patient", "a");
    Kind patient =
        new Kind(
            kind.name(),
            kind.effect(),
            kind.route(),
            Duration.ofMinutes(5),
            kind.lateAnswerLimit(),
            kind.attemptsAllowed(),
            kind.retry(),
            null,
            null,
            kind.whenUnqualified(),
            kind.inFlightMax());
    return Askable.config(List.of(patient), provider, Askable.QUICK).with(Engines.HOLDING);
  }

  /** On a node that has lost its database since; another lives. */
  private JobId left(String providerRef) {
    JobEngine gone = fixture.node(own, config());
    JobId id = submit(gone, "k", "patient");
    provider.next().accept(providerRef);
    fixture.node(config());
    fixture.awaitAttempt(id, 1, AttemptState.RUNNING);
    own.cut();
    return id;
  }

  private static Attempt first(Job job) {
    return job.attempts().getFirst();
  }

  private void awaitAsked(int times) {
    await().atMost(Duration.ofSeconds(60)).until(() -> provider.lookups().size() >= times);
  }

  @Test
  void its_attempt_is_watched_on_by_another_without_a_doubt_until_it_ends() {
    provider.found(AT_WORK);
    JobId id = left("ref-1");

    awaitAsked(3);
    Attempt watched = first(fixture.awaitState(id, JobState.RUNNING));
    provider.found(FOUND);
    Job ended = fixture.awaitState(id, JobState.SUCCEEDED);

    assertThat(watched.probing().asked()).isPositive();
    assertThat(first(ended).unknownAt()).isNull();
    assertThat(first(ended).evidence())
        .extracting(Evidence::says)
        .containsExactly("at work", "succeeded");
    assertThat(result(ended)).isEqualTo("\"found\"");
    assertThat(provider.lookups()).extracting(Inquiry::providerRef).containsOnly("ref-1");
    assertThat(provider.calls()).hasSize(1);
    assertThat(provider.calls().getFirst().stopAsked())
        .as("what another node watches is not stopped by the one that has lost it")
        .isNotDone();
  }

  @Test
  void what_the_node_that_was_thought_gone_still_hears_is_a_late_answer() {
    provider.found(AT_WORK);
    JobId id = left("ref-1");
    awaitAsked(1);

    own.mend();
    provider.calls().getFirst().succeed("\"by itself\"");

    Job ended = fixture.awaitState(id, JobState.SUCCEEDED);
    assertThat(result(ended)).isEqualTo("\"by itself\"");
    assertThat(ended.attempts()).hasSize(1);
  }

  @Test
  void it_is_in_doubt_once_nothing_was_heard_of_it_for_the_time_of_its_new_lease() {
    provider.found(SILENT);
    JobId id = left("ref-1");

    awaitAsked(1);
    Attempt before = first(fixture.awaitState(id, JobState.RUNNING));
    Attempt after = first(fixture.awaitState(id, JobState.UNKNOWN));

    assertThat(before.unknownAt()).isNull();
    assertThat(after.failure().code()).isEqualTo("lease-lapsed");
    assertThat(after.unknownAt()).isAfterOrEqualTo(before.leaseUntil());
  }

  @Test
  void without_the_provider_s_id_on_record_it_is_in_doubt_at_once() {
    provider.found(FOUND);
    JobId id = left(null);

    Attempt doubtful = first(fixture.awaitState(id, JobState.UNKNOWN));

    assertThat(doubtful.failure().code()).isEqualTo("lease-lapsed");
    assertThat(provider.lookups()).isEmpty();
  }
}
