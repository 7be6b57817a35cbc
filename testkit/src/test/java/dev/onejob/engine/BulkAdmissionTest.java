package dev.onejob.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.onejob.domain.JobId;
import dev.onejob.domain.JobState;
import dev.onejob.domain.Limits;
import dev.onejob.store.StoreException;
import dev.onejob.testkit.Engines;
import dev.onejob.testkit.PostgresExtension;
import dev.onejob.testkit.ScriptedProvider;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Many intents in one call. */
class BulkAdmissionTest {
  @RegisterExtension final PostgresExtension postgres = new PostgresExtension();

  private EngineFixture fixture;

  @BeforeEach
  void open() {
    fixture = new EngineFixture(postgres.dataSource());
    fixture.a.always(ScriptedProvider.succeeded("1"));
  }

  @AfterEach
  void close() {
    fixture.close();
  }

  private JobEngine node() {
    return fixture.node(fixture.config(EngineFixture.PATIENT));
  }

  private static Submission intent(String key, String input) {
    return Engines.submission(key, "plain", input);
  }

  private static JobId id(Admitted answer) {
    return switch (answer) {
      case Admitted.Created created -> created.id();
      case Admitted.Known known -> known.id();
      case Admitted.DifferentIntent other -> other.id();
      case Admitted.Refused refused -> throw new AssertionError(refused);
    };
  }

  private int jobs(String condition) throws SQLException {
    try (Connection connection = postgres.dataSource().getConnection();
        PreparedStatement query =
            connection.prepareStatement(
                """
                SELECT count(*) FROM onejob.job WHERE ? = '' OR state = ?
                """)) {
      query.setString(1, condition);
      query.setString(2, condition);
      try (var rows = query.executeQuery()) {
        rows.next();
        return rows.getInt(1);
      }
    }
  }

  private void awaitAllSucceeded(int jobs) {
    await()
        .atMost(Duration.ofSeconds(60))
        .until(() -> jobs(JobState.SUCCEEDED.word()), count -> count == jobs);
    assertThat(fixture.a.calls()).hasSize(jobs);
  }

  @Test
  void none_at_all_gets_no_answer() {
    assertThat(node().submitAll(List.of())).isEmpty();
  }

  @Test
  void each_gets_its_own_answer_in_its_place_and_what_is_created_runs() throws Exception {
    JobEngine node = node();
    JobId known = id(node.submit(intent("known", "{}")));

    List<Admitted> answers =
        node.submitAll(
            List.of(
                intent("new", "{}"),
                intent("known", "{ }"),
                intent("known", "{\"other\": 1}"),
                Engines.submission("no-kind", "nothing", "{}"),
                intent("twice", "{\"n\": 1}"),
                intent("bad", "{"),
                intent("twice", "{\"n\": 2}"),
                intent("twice", "{\"n\": 1.0}"),
                intent("last", "{}")));

    assertThat(answers)
        .hasExactlyElementsOfTypes(
            Admitted.Created.class,
            Admitted.Known.class,
            Admitted.DifferentIntent.class,
            Admitted.Refused.class,
            Admitted.Created.class,
            Admitted.Refused.class,
            Admitted.DifferentIntent.class,
            Admitted.Known.class,
            Admitted.Created.class);
    assertThat(id(answers.get(1))).isEqualTo(known).isEqualTo(id(answers.get(2)));
    assertThat(id(answers.get(4))).isEqualTo(id(answers.get(6))).isEqualTo(id(answers.get(7)));
    assertThat(((Admitted.Created) answers.getFirst()).job().standing().state())
        .isEqualTo(JobState.QUEUED);
    awaitAllSucceeded(4);
  }

  @Test
  void a_key_that_was_refused_at_first_is_there_for_the_next() {
    List<Admitted> answers = node().submitAll(List.of(intent("k", "{"), intent("k", "{}")));

    assertThat(answers).hasExactlyElementsOfTypes(Admitted.Refused.class, Admitted.Created.class);
  }

  @Test
  void more_than_one_statement_can_carry_is_written_in_several_and_all_of_it_runs()
      throws Exception {
    JobEngine node = node();
    String large = "\"" + "x".repeat(Limits.INPUT_BYTES_MAX - 2) + "\"";
    List<Submission> all = new ArrayList<>();
    IntStream.range(0, 300).forEach(i -> all.add(intent("small-" + i, "{}")));
    IntStream.range(0, 18).forEach(i -> all.add(intent("large-" + i, large)));
    IntStream.range(0, 300).forEach(i -> all.add(intent("small-" + i, "{}")));

    List<Admitted> answers = node.submitAll(all);

    assertThat(answers.subList(0, 318)).hasOnlyElementsOfType(Admitted.Created.class);
    assertThat(answers.subList(318, 618)).hasOnlyElementsOfType(Admitted.Known.class);
    Set<JobId> ids = new HashSet<>(answers.stream().map(BulkAdmissionTest::id).toList());
    assertThat(ids).hasSize(318);
    awaitAllSucceeded(318);
  }

  @Test
  void a_locked_key_in_the_middle_harms_no_other_and_the_same_call_again_answers_for_all()
      throws Exception {
    JobEngine node = node();
    List<Submission> all = new ArrayList<>();
    IntStream.range(0, 31).forEach(i -> all.add(intent("k" + i, "{}")));
    try (Connection holder = postgres.dataSource().getConnection()) {
      holder.setAutoCommit(false);
      hold(holder, "k13");

      assertThatThrownBy(() -> node.submitAll(all)).isInstanceOf(StoreException.LockTimeout.class);

      assertThat(jobs("")).isEqualTo(30);
      holder.rollback();
    }
    List<Admitted> again = node.submitAll(all);
    assertThat(again).filteredOn(Admitted.Created.class::isInstance).hasSize(1);
    assertThat(again.get(13)).isInstanceOf(Admitted.Created.class);
    awaitAllSucceeded(31);
  }

  private static void hold(Connection holder, String key) throws SQLException {
    try (PreparedStatement insert =
        holder.prepareStatement(
            """
            INSERT INTO onejob.job (
              id, owner, key, kind, effect, fingerprint_version, fingerprint, input, route,
              priority, tags, state, version, live, starting, in_doubt, attempts_started,
              attempts_allowed, run_at, contested, when_unqualified)
            VALUES (
              gen_random_uuid(), 'tester', ?, 'plain', 'exclusive', 1,
              decode(repeat('00', 32), 'hex'), '{}', '{a}', 0, '{}', 'queued', 0, 0, 0, 0, 0, 1,
              now(), false, 'wait')
            """)) {
      insert.setString(1, key);
      insert.executeUpdate();
    }
  }

  @Test
  void nothing_is_lost_if_the_database_goes_away_amid_and_the_same_call_again_answers_for_all()
      throws Exception {
    AtomicBoolean once = new AtomicBoolean(true);
    SeverableDatabase line = new SeverableDatabase(postgres.dataSource());
    JobEngine node =
        fixture.node(
            AfterStatements.over(
                line,
                AfterStatements.BIRTH,
                () -> {
                  if (once.getAndSet(false)) {
                    line.cut(); // the first chunk is there, and nobody hears of it
                  }
                }),
            fixture.config(EngineFixture.PATIENT));
    await().until(node::ready);
    List<Submission> all = new ArrayList<>();
    IntStream.range(0, 3 * Limits.BULK_MAX).forEach(i -> all.add(intent("k" + i, "{}")));

    assertThatThrownBy(() -> node.submitAll(all)).isInstanceOf(StoreException.class);

    line.mend();
    List<Admitted> again = node.submitAll(all);
    assertThat(again).hasSize(all.size());
    assertThat(again).filteredOn(Admitted.Known.class::isInstance).hasSizeGreaterThanOrEqualTo(256);
    assertThat(new HashSet<>(again.stream().map(BulkAdmissionTest::id).toList()))
        .hasSameSizeAs(all);
    awaitAllSucceeded(all.size());
  }

  @Test
  void an_interrupt_is_kept_and_breaks_nothing() throws Exception {
    JobEngine node = node();
    Thread.currentThread().interrupt();

    List<Admitted> answers = node.submitAll(List.of(intent("a", "{}"), intent("b", "{}")));

    assertThat(Thread.interrupted()).isTrue();
    assertThat(answers).hasOnlyElementsOfType(Admitted.Created.class);
    awaitAllSucceeded(2);
  }
}
