package dev.onejob.server.qualification;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.onejob.contract.Contracts;
import dev.onejob.domain.Binding;
import dev.onejob.domain.IntentKey;
import dev.onejob.domain.Qualification;
import dev.onejob.domain.QualificationRun;
import dev.onejob.domain.QualificationRun.State;
import dev.onejob.domain.QualificationRun.Subject;
import dev.onejob.domain.RunId;
import dev.onejob.engine.Submission;
import dev.onejob.qualification.ContractPromise;
import dev.onejob.server.config.Validity;
import dev.onejob.store.QualificationRuns.Judged;
import dev.onejob.store.QualificationRuns.NewRun;
import java.nio.file.Files;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What is not known proves nothing, and disproves nothing. */
final class RunsThatProveNothingTest extends BesideAPeer {
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  /** Asks the first questions of a run, and puts another result in place of one that came. */
  private RunId tamperedWith(byte @Nullable [] result) {
    RunId id = bench.open("backup");
    bench.qualifier().advanceOnce();
    await().atMost(PATIENCE).until(() -> replaced(id, result) == 1);
    return id;
  }

  private int replaced(RunId id, byte @Nullable [] result) throws Exception {
    String text =
        """
        UPDATE onejob.job SET result = ?
        WHERE id = (
          SELECT j.id FROM onejob.job AS j
          WHERE j.kind = 'onejob.qualification' AND j.state = 'succeeded'
            AND j.key LIKE ?
          ORDER BY j.id
          LIMIT 1)
        """;
    try (Connection connection = postgres.dataSource().getConnection();
        PreparedStatement update = connection.prepareStatement(text)) {
      update.setBytes(1, result);
      update.setString(2, id + "/sample%");
      return update.executeUpdate();
    }
  }

  @Test
  void a_run_with_an_answer_that_nobody_knows_is_inconclusive_and_withdraws_nothing() {
    bench.ended(bench.open("backup"));

    QualificationRun renewal = bench.ended(tamperedWith(null));

    assertThat(renewal.state()).isEqualTo(State.INCONCLUSIVE);
    assertThat(renewal.report()).contains("\"passed\":false").contains("\"unanswered\":1");
    assertThat(renewal.transcript()).contains("the answer is no longer kept");
    assertThat(passes()).hasSize(1).allMatch(pass -> pass.withdrawal() == null);
    Instant since = renewal.createdAt();
    assertThat(due(since.plus(Duration.ofDays(7)))).as("too soon after it").isEmpty();
    assertThat(due(since.plus(Duration.ofDays(8)))).as("a renewal told nothing").hasSize(1);
  }

  /** Where a pass is due for its renewal from its first moment on, for its 30 days. */
  private List<Passes.Due> due(Instant now) {
    Duration month = Validity.USUAL.validFor();
    return new KeptPasses(
            bench.engine().proofs(),
            bench.runs(),
            bench.qualifier().scope(),
            kind -> new Validity(month, month),
            () -> now)
        .due();
  }

  @Test
  void an_answer_that_is_wrong_fails_a_run_whatever_else_is_not_known() {
    bench.ended(bench.open("backup"));
    peer.turn(Fault.SUMS_WRONG);

    assertThat(bench.ended(tamperedWith(null)).state()).isEqualTo(State.FAILED);

    assertThat(passes()).hasSize(1).allMatch(pass -> pass.withdrawal() != null);
  }

  @Test
  void neither_runs_of_other_nodes_nor_one_that_cannot_be_read_keep_others_from_going_on()
      throws Exception {
    for (int i = 0; i < 12; i++) {
      Subject foreign = new Subject("gone-" + i, "backup", "contract", "binding");
      bench.runs().open(new NewRun(new RunId(UUID.randomUUID()), foreign, "tester", 1));
    }
    try (Bench both =
        Bench.over(
            postgres.dataSource(),
            ContractPromise.of(InvoiceContract.in(folder)).orElseThrow(),
            Map.of("backup", peer.baseUrl(), "third", peer.baseUrl()))) {
      RunId unreadable = tamperedWith("{}".getBytes(UTF_8));
      RunId other = both.open("third");
      assertThat(both.ended(other).state()).isEqualTo(State.PASSED);
      assertThat(both.runs().run(unreadable).orElseThrow().state()).isEqualTo(State.RUNNING);
    }
  }

  @Test
  void a_question_that_was_asked_in_other_words_outdates_its_run() {
    RunId id = bench.open("backup");
    bench
        .engine()
        .submit(
            new Submission(
                Probes.OWNER,
                new IntentKey(id + "/sample%2Fshort%2F2"),
                Probes.KIND,
                "{}".getBytes(UTF_8),
                null,
                null,
                0,
                List.of()));

    bench.qualifier().advanceOnce();

    assertThat(bench.runs().run(id).orElseThrow().state()).isEqualTo(State.OUTDATED);
    assertThat(passes()).isEmpty();
  }

  @Test
  void the_first_judgement_of_a_run_counts_with_all_that_follows_from_it() {
    RunId id = bench.open("backup");
    Binding binding = bench.qualifier().scope().binding("invoice", "backup");
    Qualification.Pass pass = pass(id, binding);
    assertThat(concluded(id, State.PASSED, pass)).isTrue();
    assertThat(concluded(id, State.FAILED, pass)).isFalse();
    assertThat(concluded(id, State.PASSED, pass)).isFalse();
    assertThat(bench.runs().run(id).orElseThrow().state()).isEqualTo(State.PASSED);
    assertThat(passes()).hasSize(1).allMatch(each -> each.withdrawal() == null);

    Binding former = new Binding("contract", "settings", "1", "peer");
    RunId ofFormer = bench.open("backup");
    assertThat(concluded(ofFormer, State.FAILED, pass(ofFormer, former))).isTrue();
    assertThat(passes()).as("of another binding").allMatch(each -> each.withdrawal() == null);

    RunId stopped = bench.open("backup");
    bench.runs().stop(stopped);
    assertThat(concluded(stopped, State.PASSED, pass(stopped, binding))).isFalse();
    assertThat(passes()).hasSize(1);
  }

  private static Qualification.Pass pass(RunId id, Binding binding) {
    return new Qualification.Pass(
        "invoice", "backup", binding, "peer", id.toString(), Duration.ofDays(1));
  }

  private boolean concluded(RunId id, State state, Qualification.Pass pass) {
    Judged judged = new Judged(id, state, "{}", "[]");
    return bench.engine().proofs().conclude(judged, pass, "qualification");
  }

  @Test
  void a_sample_that_is_too_large_to_be_asked_about_is_told_before_anything_is_asked()
      throws Exception {
    String text =
        """
        contract: large
        version: 1
        answer: json
        output: {"type":"object","required":["id"],"properties":{"id":{"type":"string"}}}
        samples:
          - name: large
            input_file: large.json
        """;
    Files.writeString(folder.resolve("large.yaml"), text);
    Files.writeString(
        folder.resolve("large.json"), "{\"text\":\"%s\"}".formatted("word ".repeat(120_000)));
    try (Bench large =
        Bench.over(
            postgres.dataSource(),
            ContractPromise.of(Contracts.read(folder.resolve("large.yaml"))).orElseThrow(),
            Map.of("backup", peer.baseUrl()))) {
      assertThat(large.qualifier().prospects("invoice", List.of("backup")).getFirst().unusable())
          .contains("context/large/1")
          .contains("choose a smaller sample");
      assertThatThrownBy(() -> large.open("backup")).hasMessageContaining("smaller sample");
    }
    assertThat(peer.completions()).isZero();
  }
}
