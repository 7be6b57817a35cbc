package dev.onejob.server.qualification;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.onejob.domain.IntentKey;
import dev.onejob.domain.Job;
import dev.onejob.domain.JobState;
import dev.onejob.domain.Owner;
import dev.onejob.domain.Qualification;
import dev.onejob.domain.QualificationRun;
import dev.onejob.domain.QualificationRun.State;
import dev.onejob.domain.QualificationRun.Subject;
import dev.onejob.domain.RunId;
import dev.onejob.engine.Access;
import dev.onejob.engine.Admitted;
import dev.onejob.engine.Submission;
import dev.onejob.server.config.Validity;
import dev.onejob.server.qualification.Qualifier.Prospect;
import dev.onejob.store.QualificationRuns;
import dev.onejob.store.QualificationRuns.NewRun;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

final class QualifierTest extends BesideAPeer {
  private int sent() {
    Prospect prospect = bench.qualifier().prospects("invoice", List.of("backup")).getFirst();
    return prospect.estimate().asks();
  }

  @Test
  void a_dry_run_says_what_would_be_asked_and_asks_nothing() {
    Prospect prospect = bench.qualifier().prospects("invoice", List.of()).getFirst();
    assertThat(prospect.provider()).isEqualTo("backup");
    assertThat(prospect.unusable()).isNull();
    assertThat(prospect.estimate().asks()).isGreaterThan(20);
    assertThat(prospect.estimate().promptTokens()).isGreaterThan(1_000);
    assertThat(peer.completions()).isZero();
    assertThat(bench.runs().list(null, null, 10)).isEmpty();
  }

  @Test
  void a_pass_is_bound_to_contract_settings_adapter_and_models_and_expires() {
    QualificationRun run = bench.ended(bench.open("backup"));
    assertThat(run.state()).isEqualTo(State.PASSED);
    Qualification pass = passes().getFirst();
    assertThat(pass.run()).isEqualTo(run.id().toString());
    assertThat(pass.binding().digest()).isEqualTo(run.subject().binding());
    assertThat(pass.binding().contractHash()).isEqualTo(run.subject().contractHash());
    assertThat(pass.binding().requestedModel()).isEqualTo("peer");
    assertThat(pass.answeringModel()).isEqualTo("peer");
    assertThat(Duration.between(pass.passedAt(), pass.validUntil())).isEqualTo(Duration.ofDays(30));
    assertThat(run.transcript()).contains("sample/short/1").contains("context/long/5");
  }

  @Test
  void a_run_that_was_stopped_goes_on_and_asks_nothing_twice() {
    RunId id = bench.open("backup");
    bench.qualifier().advanceOnce();
    assertThat(bench.runs().stop(id)).isEqualTo(QualificationRuns.Stopped.NOW);
    bench.qualifier().advanceOnce();
    assertThat(bench.runs().run(id).orElseThrow().state()).isEqualTo(State.STOPPED);
    assertThat(bench.open("backup")).isEqualTo(id);
    assertThat(bench.ended(id).state()).isEqualTo(State.PASSED);
    // The question with a key that nobody has is turned away before it counts as a completion.
    assertThat(peer.completions()).isEqualTo(sent() - 1);
  }

  @Test
  void two_nodes_that_carry_on_one_run_ask_each_question_once() throws Exception {
    try (Bench other =
        Bench.over(
            postgres.dataSource(), Bench.promise(folder), Map.of("backup", peer.baseUrl()))) {
      RunId id = bench.open("backup");
      QualificationRun run;
      do {
        bench.qualifier().advanceOnce();
        other.qualifier().advanceOnce();
        run = bench.runs().run(id).orElseThrow();
      } while (run.state() == State.RUNNING);
      assertThat(run.state()).isEqualTo(State.PASSED);
      assertThat(peer.completions()).isEqualTo(sent() - 1);
      assertThat(passes()).hasSize(1);
    }
  }

  @Test
  void a_run_that_fails_withdraws_what_the_provider_held() {
    bench.ended(bench.open("backup"));
    peer.turn(Fault.SUMS_WRONG);
    assertThat(bench.ended(bench.open("backup")).state()).isEqualTo(State.FAILED);
    assertThat(passes()).hasSize(1);
    assertThat(passes().getFirst().withdrawal()).isNotNull();
  }

  @Test
  void a_pass_is_made_anew_before_it_expires_and_once() {
    bench.ended(bench.open("backup"));
    Instant passed = passes().getFirst().passedAt();
    Passes.Due backup = new Passes.Due("invoice", "backup");
    Validity usual = Validity.USUAL;
    assertThat(kept(usual, passed.plus(Duration.ofDays(26))).due()).isEmpty();
    KeptPasses lastDays = kept(usual, passed.plus(Duration.ofDays(28)));
    assertThat(lastDays.due()).containsExactly(backup);
    assertThat(lastDays.due()).as("within the same minute").isEmpty();
    assertThat(kept(usual, passed.plus(Duration.ofDays(31))).due()).as("expired").isEmpty();

    Validity alwaysDue = new Validity(usual.validFor(), usual.validFor());
    assertThat(kept(alwaysDue, passed.plusSeconds(1)).due()).containsExactly(backup);
    bench.open("backup");
    assertThat(kept(alwaysDue, passed.plusSeconds(1)).due()).as("under way already").isEmpty();
  }

  private KeptPasses kept(Validity validity, Instant now) {
    return new KeptPasses(
        bench.engine().proofs(),
        bench.runs(),
        bench.qualifier().scope(),
        kind -> validity,
        () -> now);
  }

  @Test
  void a_run_about_another_contract_makes_the_open_one_outdated() {
    RunId id = bench.open("backup");
    Subject subject = bench.runs().run(id).orElseThrow().subject();
    Subject other = new Subject(subject.kind(), subject.provider(), "other", "binding");
    RunId fresh = new RunId(UUID.randomUUID());
    assertThat(bench.runs().open(new NewRun(fresh, other, "tester", 1))).isEqualTo(fresh);
    assertThat(bench.runs().run(id).orElseThrow().state()).isEqualTo(State.OUTDATED);
    bench.qualifier().advanceOnce(); // this node has another contract, and leaves it alone
    assertThat(bench.runs().run(fresh).orElseThrow().state()).isEqualTo(State.RUNNING);
  }

  @Test
  void nothing_is_proved_without_a_contract_or_of_a_provider_that_is_not_there() {
    assertThatThrownBy(() -> bench.qualifier().open("other", "backup", "tester"))
        .hasMessageContaining("no kind is named other");
    assertThatThrownBy(() -> bench.qualifier().open("invoice", "nobody", "tester"))
        .hasMessageContaining("nobody is not configured");
  }

  @Test
  void a_question_cannot_send_the_key_of_a_provider_to_another_address() throws Exception {
    try (FaultyPeer elsewhere = FaultyPeer.start(null)) {
      String settings = bench.qualifier().scope().providers().get("backup").settingsHash();
      for (String more : List.of("\"system_after\":\"Be brief.\"", "\"render\":true")) {
        byte[] input =
            """
            {"kind":"invoice","provider":"backup","settings":"%s","input":"{\\"id\\":\\"INV-1\\"}",
             "twist":{"base_url":"%s",%s}}
            """
                .formatted(settings, elsewhere.baseUrl(), more)
                .getBytes(UTF_8);
        Submission submission =
            new Submission(
                Probes.OWNER,
                new IntentKey("k" + more.length()),
                Probes.KIND,
                input,
                null,
                null,
                0,
                List.of());
        Admitted.Created created = (Admitted.Created) bench.engine().submit(submission);
        bench.engine().awaitEnd(created.id(), Duration.ofSeconds(30));
        assertThat(bench.engine().job(Access.ALL, created.id()).orElseThrow().standing().state())
            .isEqualTo(JobState.SUCCEEDED);
      }
      assertThat(elsewhere.calls()).isZero();
      assertThat(peer.calls()).isPositive();
    }
  }

  @Test
  void nobody_but_a_run_can_have_a_provider_asked_otherwise() throws Exception {
    byte[] input =
        """
        {"kind":"invoice","provider":"backup","input":"{}","twist":{"user":"Write a poem"}}
        """
            .getBytes(UTF_8);
    Admitted.Created created =
        (Admitted.Created)
            bench
                .engine()
                .submit(
                    new Submission(
                        new Owner("shop"),
                        new IntentKey("k"),
                        Probes.KIND,
                        input,
                        null,
                        null,
                        0,
                        List.of()));
    bench.engine().awaitEnd(created.id(), Duration.ofSeconds(30));
    Job job = bench.engine().job(Access.ALL, created.id()).orElseThrow();
    assertThat(job.standing().state()).isEqualTo(JobState.FAILED);
    assertThat(job.attempts().getFirst().failure().message()).contains("qualifications alone");
    assertThat(peer.completions()).isZero();
  }
}
