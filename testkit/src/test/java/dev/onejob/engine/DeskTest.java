package dev.onejob.engine;

import static dev.onejob.engine.EngineFixture.attempt;
import static dev.onejob.engine.EngineFixture.decision;
import static dev.onejob.engine.EngineFixture.submit;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.onejob.domain.Basis;
import dev.onejob.domain.Choice;
import dev.onejob.domain.DeskItem;
import dev.onejob.domain.DeskItem.Because;
import dev.onejob.domain.Failure;
import dev.onejob.domain.Job;
import dev.onejob.domain.JobId;
import dev.onejob.domain.JobState;
import dev.onejob.domain.Limits;
import dev.onejob.domain.Owner;
import dev.onejob.domain.Resolution;
import dev.onejob.domain.Result;
import dev.onejob.domain.Then;
import dev.onejob.domain.Verdict;
import dev.onejob.domain.WaitingFor;
import dev.onejob.provider.Outcome;
import dev.onejob.testkit.PostgresExtension;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class DeskTest {
  @RegisterExtension final PostgresExtension postgres = new PostgresExtension();

  private EngineFixture fixture;
  private JobEngine node;

  @BeforeEach
  void start() {
    fixture = new EngineFixture(postgres.dataSource());
    node = fixture.node();
  }

  @AfterEach
  void stop() {
    fixture.close();
  }

  private Job inDoubt(String key) {
    fixture.a.always(new Outcome.InDoubt(new Failure("status-502", "a gateway said 502")));
    return fixture.awaitState(submit(node, key, "plain"), JobState.UNKNOWN);
  }

  private static DeskFilter filter(DeskItem.@Nullable Place after, int limit) {
    return new DeskFilter(null, null, null, after, limit);
  }

  private List<DeskItem> desk() {
    return node.desk(Access.ALL, filter(null, 50)).items();
  }

  private static List<String> choices(DeskItem item) {
    return item.choices().stream()
        .map(
            c ->
                c.act().word()
                    + (c.then() == null ? "" : " " + c.then().word())
                    + (c.provider() == null ? "" : " at " + c.provider())
                    + ": "
                    + c.job().state().word()
                    + (c.job().waitingFor() == null ? "" : " " + c.job().waitingFor().word()))
        .toList();
  }

  @Test
  void an_attempt_in_doubt_is_listed_with_why_and_with_what_each_verdict_would_do() {
    Job job = inDoubt("k");

    DeskItem item = desk().getFirst();

    assertThat(item.because()).isEqualTo(Because.IN_DOUBT);
    assertThat(item.job().id()).isEqualTo(job.id());
    assertThat(item.attempt().failure().code()).isEqualTo("status-502");
    assertThat(item.since()).isEqualTo(item.attempt().unknownAt());
    assertThat(item.age()).isPositive();
    assertThat(choices(item))
        .containsExactly(
            "not_done retry: queued",
            "not_done wait: queued decision",
            "done: succeeded",
            "still_running: unknown",
            "abandon wait: queued decision",
            "abandon retry: queued");
  }

  @Test
  void what_a_choice_says_it_would_do_is_what_it_does() {
    Job job = inDoubt("k");
    Choice choice =
        desk().getFirst().choices().stream()
            .filter(c -> c.act() == Choice.Act.ABANDON && c.then() == Then.WAIT)
            .findFirst()
            .orElseThrow();

    node.resolve(attempt(job, 1), decision(Verdict.ABANDON, Then.WAIT));

    Job after = node.job(Access.ALL, job.id()).orElseThrow();
    assertThat(after.standing()).isEqualTo(choice.job());
    assertThat(after.attempts().getFirst().standing().state()).isEqualTo(choice.attemptState());
  }

  @Test
  void a_job_that_waits_for_a_decision_is_listed_with_the_button_and_the_cancel() {
    Job job = inDoubt("k");
    node.resolve(attempt(job, 1), decision(Verdict.ABANDON, Then.WAIT));

    DeskItem item = desk().getFirst();

    assertThat(item.because()).isEqualTo(Because.DECISION);
    assertThat(item.id()).isEqualTo(job.id().uuid());
    assertThat(item.attempt().standing().id()).isEqualTo(attempt(job, 1));
    assertThat(choices(item))
        .containsExactly(
            "start_attempt at a: running", "start_attempt at b: running", "cancel: cancelled");
    node.cancel(Access.ALL, job.id());
    assertThat(desk()).isEmpty();
  }

  @Test
  void a_contested_job_is_listed_until_it_is_acknowledged() {
    JobId id = submit(node, "k", "plain");
    Job job = fixture.awaitState(id, JobState.UNKNOWN);
    node.resolve(attempt(job, 1), decision(Verdict.NOT_DONE, Then.WAIT));
    fixture.a.calls().getFirst().succeed("\"it did act\"");
    fixture.awaitJob(id, j -> j.standing().contested());

    DeskItem item = desk().getFirst();

    assertThat(item.because()).isEqualTo(Because.CONTESTED);
    assertThat(item.attempt().evidence()).isNotEmpty();
    assertThat(choices(item))
        .containsExactly(
            "acknowledge wait: queued decision", "acknowledge retry: queued", "cancel: cancelled");
    node.acknowledge(id, Then.WAIT, "refunded", "operator");
    assertThat(desk().getFirst().because()).isEqualTo(Because.DECISION);
  }

  @Test
  void pages_follow_each_other_oldest_first_without_gap_or_repeat() {
    List<Job> jobs = IntStream.range(0, 5).mapToObj(n -> inDoubt("k" + n)).toList();
    node.resolve(attempt(jobs.get(1), 1), decision(Verdict.ABANDON, Then.WAIT));
    node.resolve(attempt(jobs.get(3), 1), decision(Verdict.NOT_DONE, Then.WAIT));
    List<DeskItem> listed = new ArrayList<>();
    DeskItem.Place place = null;
    do {
      DeskItem.Page page = node.desk(Access.ALL, filter(place, 2));
      listed.addAll(page.items());
      place = page.next();
    } while (place != null);

    assertThat(listed).isSortedAccordingTo(Comparator.comparing(DeskItem::since));
    assertThat(listed.stream().map(item -> item.job().id()))
        .containsExactlyInAnyOrderElementsOf(jobs.stream().map(Job::id).toList());
    assertThat(node.inDoubt(Access.ALL, filter(null, 50)).items()).hasSize(3);
  }

  @Test
  void the_lists_are_filtered_and_show_nobody_the_jobs_of_another_owner() {
    inDoubt("k");
    Access other = Access.of(new Owner("somebody-else"));
    DeskFilter atB = new DeskFilter(null, "plain", "b", null, 50);
    DeskFilter atA = new DeskFilter(new Owner("tester"), "plain", "a", null, 50);

    assertThat(node.desk(Access.ALL, atA).items()).hasSize(1);
    assertThat(node.desk(Access.ALL, atB).items()).isEmpty();
    assertThat(node.inDoubt(other, filter(null, 50)).items()).isEmpty();
    assertThat(node.inDoubt(other, atA).items()).isEmpty();
    assertThat(node.inDoubt(Access.of(new Owner("tester")), atA).items()).hasSize(1);
  }

  @Test
  void a_decision_keeps_what_was_known_when_it_was_made() {
    Job job = inDoubt("k");
    node.resolve(attempt(job, 1), decision(Verdict.STILL_RUNNING, null));
    node.resolve(attempt(job, 1), decision(Verdict.ABANDON, Then.WAIT));

    Job after = node.job(Access.ALL, job.id()).orElseThrow();

    List<Resolution> kept = after.attempts().getFirst().resolutions();
    assertThat(kept).hasSize(2);
    assertThat(kept.getLast().basis())
        .isEqualTo(
            new Basis(
                "unknown",
                job.attempts().getFirst().unknownAt(),
                new Failure("status-502", "a gateway said 502"),
                List.of()));
    assertThat(after.attempts().getFirst().failure().code()).isEqualTo("abandon");
  }

  @Test
  void
      an_acknowledgement_keeps_the_evidence_that_made_the_job_contested_and_none_that_came_later() {
    JobId id = submit(node, "k", "plain");
    Job job = fixture.awaitState(id, JobState.UNKNOWN);
    node.resolve(attempt(job, 1), decision(Verdict.NOT_DONE, Then.WAIT));
    fixture.a.calls().getFirst().succeed("\"it did act\"");
    fixture.awaitJob(id, j -> j.standing().contested());
    node.acknowledge(id, Then.WAIT, "refunded", "operator");

    Job after = node.job(Access.ALL, id).orElseThrow();

    assertThat(after.attempts().getFirst().resolutions().getFirst().basis().evidence()).isEmpty();
    Basis basis = after.resolutions().getFirst().basis();
    assertThat(basis.state()).isEqualTo("queued");
    assertThat(basis.evidence()).isEqualTo(after.attempts().getFirst().evidence()).hasSize(1);
  }

  @Test
  void a_decision_that_cannot_be_kept_changes_nothing() {
    Job job = inDoubt("k");
    refused(job, new Decision(Verdict.NOT_DONE, null, null, " ", "operator"), "reason");
    refused(
        job,
        new Decision(
            Verdict.NOT_DONE, null, null, "x".repeat(Limits.REASON_CHARS_MAX + 1), "operator"),
        "reason");
    refused(job, new Decision(Verdict.NOT_DONE, null, null, "x", ""), "who decides");
    refused(job, new Decision(Verdict.NOT_DONE, null, null, "x", "o".repeat(129)), "who decides");
    refused(job, new Decision(Verdict.DONE, null, null, "x", "operator"), "needs a result");
    refused(job, new Decision(Verdict.DONE, json("{"), null, "x", "operator"), "cannot be read");
    refused(
        job,
        new Decision(
            Verdict.DONE,
            json("\"" + "x".repeat(Limits.RESULT_BYTES_MAX) + "\""),
            null,
            "x",
            "operator"),
        "at most");
    refused(job, new Decision(Verdict.ABANDON, json("1"), null, "x", "operator"), "only the");

    assertThat(node.job(Access.ALL, job.id()).orElseThrow())
        .usingRecursiveComparison()
        .isEqualTo(job);
  }

  @Test
  void a_result_that_a_person_found_is_kept_as_a_provider_s_would_be() {
    Job job = inDoubt("k");
    Decision found = new Decision(Verdict.DONE, json(" {\"n\":1,\"n\":2} "), null, "x", "operator");

    node.resolve(attempt(job, 1), found);

    assertThat(EngineFixture.result(fixture.awaitState(job.id(), JobState.SUCCEEDED)))
        .isEqualTo("{\"n\":2}");
  }

  private void refused(Job job, Decision decision, String why) {
    assertThatThrownBy(() -> node.resolve(attempt(job, 1), decision))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(why);
  }

  private static Result json(String text) {
    return new Result(Result.Format.JSON, text.getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void a_stop_that_nobody_asked_for_brings_the_job_to_the_desk() {
    fixture.a.always(new Outcome.Stopped("stopped"));
    JobId id = submit(node, "k", "plain");
    fixture.awaitJob(id, job -> job.standing().waitingFor() == WaitingFor.DECISION);

    assertThat(desk()).singleElement().satisfies(i -> assertThat(i.job().id()).isEqualTo(id));
  }
}
