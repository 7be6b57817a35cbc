package dev.onejob.engine;

import static dev.onejob.engine.EngineFixture.attempt;
import static dev.onejob.engine.EngineFixture.decision;
import static dev.onejob.engine.EngineFixture.submit;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.onejob.domain.AttemptState;
import dev.onejob.domain.ClaimedAttempt;
import dev.onejob.domain.Failure;
import dev.onejob.domain.Job;
import dev.onejob.domain.JobId;
import dev.onejob.domain.JobState;
import dev.onejob.domain.Kind;
import dev.onejob.domain.Retryability;
import dev.onejob.domain.Then;
import dev.onejob.domain.Verdict;
import dev.onejob.provider.Outcome;
import dev.onejob.provider.PulledProvider;
import dev.onejob.testkit.Engines;
import dev.onejob.testkit.PostgresExtension;
import dev.onejob.testkit.ScriptedProvider;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.slf4j.LoggerFactory;
import org.slf4j.event.KeyValuePair;

/** What the log tells of a job. */
class StoryInTheLogTest {
  @RegisterExtension final PostgresExtension postgres = new PostgresExtension();

  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final Logger logger = (Logger) LoggerFactory.getLogger(JobLog.NAME);
  private final ListAppender<ILoggingEvent> lines = new ListAppender<>();
  private EngineFixture fixture;
  private JobEngine node;

  @BeforeEach
  void start() {
    lines.start();
    logger.addAppender(lines);
    logger.setLevel(Level.DEBUG);
    fixture = new EngineFixture(postgres.dataSource());
    node = fixture.node();
  }

  @AfterEach
  void stop() {
    fixture.close();
    logger.detachAppender(lines);
    logger.setLevel(null);
  }

  /** The lines about one job, each in short: its message, and what goes with it but the ids. */
  private List<String> story(JobId job) {
    return List.copyOf(lines.list).stream()
        .filter(line -> value(line, "job").equals(job.toString()))
        .map(line -> line.getLevel() + " " + line.getFormattedMessage())
        .toList();
  }

  private ILoggingEvent line(JobId job, String message) {
    return line(job, message, "job");
  }

  /** The first such line that has that value. */
  private ILoggingEvent line(JobId job, String message, String key) {
    return await()
        .atMost(PATIENCE)
        .until(
            () ->
                List.copyOf(lines.list).stream()
                    .filter(line -> value(line, "job").equals(job.toString()))
                    .filter(line -> line.getFormattedMessage().equals(message))
                    .filter(line -> !value(line, key).isEmpty())
                    .findFirst(),
            Optional::isPresent)
        .orElseThrow();
  }

  private static String value(ILoggingEvent line, String key) {
    return line.getKeyValuePairs().stream()
        .filter(pair -> pair.key.equals(key))
        .map(pair -> String.valueOf(pair.value))
        .findFirst()
        .orElse("");
  }

  private static Outcome refusedQuoting(String words) {
    return new Outcome.Refused(new Failure("refused", words), Retryability.FINAL, null);
  }

  @Test
  void what_a_worker_says_under_a_lost_lease_is_told_without_its_words() throws Exception {
    Logger pulls = (Logger) LoggerFactory.getLogger(Pull.class);
    Kind kind = Engines.exclusive("pulled", "w");
    JobEngine pulling =
        fixture.node(
            Engines.config(List.of(kind), Map.of("w", new PulledProvider(Duration.ofSeconds(1)))));
    JobId id = submit(pulling, "k", "pulled");
    Claim claim = new Claim(Access.ALL, new UUID(0, 1), "worker", "r", List.of("pulled"), 1);
    ClaimedAttempt claimed =
        ((ClaimAnswer.Taken) pulling.pull().claim(claim, PATIENCE)).attempts().getFirst();
    fixture.awaitState(id, JobState.UNKNOWN);
    pulls.addAppender(lines);
    pulls.setLevel(Level.INFO);
    try {
      pulling
          .pull()
          .settle(
              Access.ALL,
              claimed.attempt(),
              claimed.leaseToken(),
              refusedQuoting("its secret\n2026-11-30 ERROR forged"));
    } finally {
      pulls.detachAppender(lines);
      pulls.setLevel(null);
    }

    assertThat(List.copyOf(lines.list))
        .filteredOn(line -> line.getLoggerName().equals(Pull.class.getName()))
        .extracting(ILoggingEvent::getFormattedMessage)
        .containsExactly(id + " " + claimed.attempt() + ": fail came under a lost lease: taken");
    assertThat(List.copyOf(lines.list))
        .noneMatch(
            line -> line.toString().contains("secret") || line.toString().contains("forged"));
  }

  @Test
  void a_doubt_and_its_end_are_told_with_the_attempt_the_reason_and_who_decided() {
    JobId id = submit(node, "k", "plain");
    Job job = fixture.awaitState(id, JobState.UNKNOWN);
    node.startAttempt(Access.ALL, id, null);
    node.resolve(attempt(job, 1), decision(Verdict.ABANDON, Then.WAIT));
    node.cancel(Access.ALL, id);

    assertThat(story(id))
        .containsExactly(
            "DEBUG submitted",
            "DEBUG start",
            "WARN doubt",
            "INFO start",
            "INFO resolve",
            "INFO cancel request");
    ILoggingEvent doubt = line(id, "doubt");
    assertThat(value(doubt, "attempt")).isEqualTo(attempt(job, 1).toString());
    assertThat(value(doubt, "provider")).isEqualTo("a");
    assertThat(value(doubt, "code")).isEqualTo("timeout");
    assertThat(value(doubt, "state")).isEqualTo("unknown");
    ILoggingEvent refused = line(id, "start", "refused");
    assertThat(value(refused, "refused")).isEqualTo("attempt_unknown");
    assertThat(value(refused, "blocking")).isEqualTo(attempt(job, 1).toString());
    assertThat(value(line(id, "resolve"), "verdict")).isEqualTo("abandon");
    assertThat(value(line(id, "resolve"), "by")).isEqualTo("operator");
    assertThat(value(line(id, "cancel request"), "state")).isEqualTo("cancelled");
  }

  @Test
  void a_lost_race_names_the_winner() {
    JobId id = submit(node, "k", "race");
    var first = fixture.a.next();
    fixture.awaitAttempt(id, 1, AttemptState.RUNNING);
    node.startAttempt(Access.ALL, id, "b");
    fixture.b.next().succeed("1");
    Job won = fixture.awaitState(id, JobState.SUCCEEDED);
    first.succeed("2");
    fixture.awaitAttempt(id, 1, AttemptState.LOST);

    assertThat(value(line(id, "start"), "job")).isEqualTo(id.toString());
    ILoggingEvent lost = line(id, "finish", "lost_to");
    assertThat(lost.getLevel()).isEqualTo(Level.INFO);
    assertThat(value(lost, "attempt_state")).isEqualTo("lost");
    assertThat(value(lost, "lost_to")).isEqualTo(won.standing().completedBy().toString());
  }

  @Test
  void a_report_that_contradicts_the_record_is_a_warning() {
    JobId id = submit(node, "k", "plain");
    Job job = fixture.awaitState(id, JobState.UNKNOWN);
    node.resolve(attempt(job, 1), decision(Verdict.NOT_DONE, Then.WAIT));
    fixture.a.calls().getFirst().succeed("\"it was done\"");
    fixture.awaitJob(id, it -> it.standing().contested());

    ILoggingEvent contradiction = line(id, "finish", "answer");
    assertThat(contradiction.getLevel()).isEqualTo(Level.WARN);
    assertThat(value(contradiction, "answer")).isEqualTo("contested");
  }

  @Test
  void neither_payloads_nor_the_words_of_a_provider_are_told() {
    fixture.a.always(refusedQuoting("your password hunter2 is wrong"));
    JobId id = submit(node, "k", "plain");
    fixture.awaitJob(id, it -> !it.standing().state().equals(JobState.RUNNING));
    fixture.awaitAttempt(id, 1, AttemptState.FAILED);

    assertThat(value(line(id, "fail"), "code")).isEqualTo("refused");
    assertThat(lines.list)
        .allSatisfy(
            line -> {
              assertThat(line.getFormattedMessage()).doesNotContain("hunter2");
              assertThat(line.getKeyValuePairs())
                  .extracting((KeyValuePair pair) -> String.valueOf(pair.value))
                  .noneMatch(value -> value.contains("hunter2"));
            });
  }

  @Test
  void a_lapsed_lease_is_told() {
    JobId id = submit(node, "k", "plain");
    fixture.a.next();
    lapse(id);
    fixture.awaitState(id, JobState.UNKNOWN);

    assertThat(value(line(id, "doubt"), "code")).isEqualTo("lease-lapsed");
  }

  private void lapse(JobId job) {
    try (Connection connection = postgres.dataSource().getConnection();
        PreparedStatement statement =
            connection.prepareStatement(
                "UPDATE onejob.attempt SET lease_until = clock_timestamp() - interval '1 s'"
                    + " WHERE job_id = ?")) {
      statement.setObject(1, job.uuid());
      statement.executeUpdate();
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void what_goes_as_it_should_is_not_told_at_the_usual_level() {
    logger.setLevel(Level.INFO);
    fixture.a.always(ScriptedProvider.succeeded("1"));
    JobId id = submit(node, "k", "plain");
    fixture.awaitState(id, JobState.SUCCEEDED);

    assertThat(lines.list).isEmpty();
  }
}
