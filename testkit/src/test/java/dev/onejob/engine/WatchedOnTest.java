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
import dev.onejob.domain.Limits;
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
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;
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
    return config(64);
  }

  private EngineConfig config(int slots) {
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
            slots);
    EngineConfig usual = Askable.config(List.of(patient), provider, Askable.QUICK);
    return new EngineConfig(
            usual.node(),
            usual.kinds(),
            Map.of("a", new EngineConfig.ProviderSlot(provider, slots, Askable.QUICK)),
            slots,
            usual.pollInterval(),
            usual.sweepInterval())
        .with(Engines.HOLDING);
  }

  /** On a node that has lost its database since; another lives. */
  private JobId left(String providerRef) {
    return left(providerRef, postgres.dataSource());
  }

  private JobId left(String providerRef, DataSource ofTheOther) {
    JobEngine gone = fixture.node(own, config());
    JobId id = submit(gone, "k", "patient");
    provider.next().accept(providerRef);
    fixture.node(ofTheOther, config());
    fixture.awaitAttempt(id, 1, AttemptState.RUNNING);
    own.cut();
    return id;
  }

  private int count(String sql) {
    try (Connection connection = postgres.dataSource().getConnection();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      row.next();
      return row.getInt(1);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private static final String UNDER_ITS_FIRST_LEASE =
      """
      SELECT count(*)
      FROM onejob.attempt AS a
      WHERE a.lease_until > clock_timestamp()
        AND NOT EXISTS (SELECT FROM onejob.probe AS p WHERE p.watch_token = a.lease_token)
      """;

  /** Its lease lapses after others were looked for that can be watched on, before the doubting. */
  private void awaitLapse() {
    await().atMost(Duration.ofSeconds(60)).until(() -> count(UNDER_ITS_FIRST_LEASE) == 0);
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
  void a_lease_that_lapses_between_the_looks_of_a_sweep_is_no_doubt_either() {
    provider.found(AT_WORK);
    JobId id =
        left(
            "ref-1",
            AfterStatements.over(
                postgres.dataSource(), AfterStatements.WATCH_ON, this::awaitLapse));

    awaitAsked(1);

    assertThat(first(fixture.awaitState(id, JobState.RUNNING)).unknownAt()).isNull();
  }

  private static final String RUNNING =
      """
      SELECT count(*)
      FROM onejob.attempt
      WHERE state = 'running'
      """;

  private static final String WATCHED =
      """
      SELECT count(*)
      FROM onejob.probe
      WHERE watch_token IS NOT NULL
      """;

  @Test
  void however_many_attempts_go_down_with_a_node_all_are_watched_on() {
    int many = Limits.BATCH_MAX + 44;
    provider.found(SILENT); // what is in doubt is not watched later
    JobEngine gone = fixture.node(own, config(many));
    for (int i = 0; i < many; i++) {
      submit(gone, "k-" + i, "patient");
    }
    for (int i = 0; i < many; i++) {
      provider.next().accept("ref-" + i);
    }
    await().until(() -> count(RUNNING) == many);
    own.cut();

    fixture.node(config(many));

    await().atMost(Duration.ofSeconds(60)).until(() -> count(WATCHED) == many);
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
