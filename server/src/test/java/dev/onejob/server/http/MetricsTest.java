package dev.onejob.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.onejob.domain.Failure;
import dev.onejob.provider.Outcome;
import dev.onejob.server.testing.ApiAnswer;
import dev.onejob.server.testing.ApiExtension;
import dev.onejob.server.testing.ApiNode;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What {@code /metrics} says of the life that jobs have had. */
final class MetricsTest {
  private static final Pattern LABEL = Pattern.compile("(kind|provider)=\"([^\"]*)\"");

  @RegisterExtension final ApiExtension api = new ApiExtension();

  private String metrics() {
    ApiAnswer answer = api.operator().get("/metrics");
    assertThat(answer.status()).isEqualTo(200);
    return answer.text();
  }

  private String succeeded(String key) {
    String job = api.client().submit(key, "plain", "{}").at("/id");
    api.node().a.next().succeed("1");
    ApiNode.awaitJob(api.client(), job, "/state", "succeeded");
    return job;
  }

  private String inDoubt(String key) {
    String job = api.client().submit(key, "plain", "{}").at("/id");
    api.node()
        .a
        .next()
        .answer(new Outcome.InDoubt(new Failure("connection-lost", "the line was cut")));
    ApiNode.awaitJob(api.client(), job, "/state", "unknown");
    return job;
  }

  @Test
  void submits_are_counted_by_kind_and_answer_and_an_unknown_kind_makes_no_label() {
    succeeded("k");
    api.client().submit("k", "plain", "{}");
    api.client().submit("k", "plain", "{\"other\":1}");
    api.client().submit("k2", "made-up-kind", "{}");

    assertThat(metrics())
        .contains("onejob_submits_total{answer=\"created\",kind=\"plain\"} 1.0")
        .contains("onejob_submits_total{answer=\"repeated\",kind=\"plain\"} 1.0")
        .contains("onejob_submits_total{answer=\"mismatched\",kind=\"plain\"} 1.0")
        .contains("onejob_submits_total{answer=\"refused\",kind=\"other\"} 1.0")
        .doesNotContain("made-up-kind");
  }

  @Test
  void starts_and_outcomes_are_counted_by_kind_and_provider() {
    succeeded("k");

    assertThat(metrics())
        .contains(
            "onejob_starts_total{cause=\"dispatch\",kind=\"plain\",provider=\"a\"} 1.0",
            "onejob_attempts_ended_total{kind=\"plain\",outcome=\"succeeded\",provider=\"a\"} 1.0");
  }

  @Test
  void a_refused_start_is_counted_by_its_reason() {
    String job = inDoubt("k");
    api.client().post("/v1/jobs/" + job + "/attempts", "");

    assertThat(metrics())
        .contains("onejob_starts_refused_total{kind=\"plain\",reason=\"attempt_unknown\"} 1.0");
  }

  @Test
  void a_lost_race_is_counted() {
    String job = api.client().submit("k", "race", "{}").at("/id");
    var first = api.node().a.next();
    api.node().b.next().succeed("1");
    ApiNode.awaitJob(api.client(), job, "/state", "succeeded");
    first.succeed("2");
    ApiNode.awaitJob(api.client(), job, "/attempts/0/state", "lost");

    assertThat(metrics())
        .contains("onejob_attempts_ended_total{kind=\"race\",outcome=\"lost\",provider=\"a\"} 1.0")
        .contains("onejob_starts_total{cause=\"race\",kind=\"race\",provider=\"b\"} 1.0");
  }

  @Test
  void doubt_is_shown_with_its_age_and_what_is_not_in_doubt_with_zero() {
    inDoubt("k1");
    inDoubt("k2");

    String metrics = metrics();

    assertThat(metrics)
        .contains("onejob_attempts_doubted_total{kind=\"plain\",provider=\"a\"} 2.0")
        .contains("onejob_attempts_in_doubt{kind=\"plain\",provider=\"a\"} 2.0")
        .contains("onejob_attempts_in_doubt{kind=\"plain\",provider=\"b\"} 0.0")
        .containsPattern("onejob_doubt_oldest_age_seconds\\{kind=\"plain\",provider=\"a\"} [0-9.]+")
        .contains("onejob_jobs_due{kind=\"plain\"} 0.0");
  }

  @Test
  void batches_looks_pool_and_the_machine_are_shown() {
    succeeded("k");

    assertThat(metrics())
        .contains("onejob_batch_items_count 3")
        .contains("onejob_batch_items_sum 3")
        .contains("onejob_batch_seconds_bucket{le=\"0.1\"}")
        .contains("onejob_look_seconds_count")
        .contains("jvm_memory_used_bytes")
        .contains("process_uptime_seconds");
  }

  @Test
  void every_metric_has_a_description_and_every_kind_and_provider_is_a_configured_word() {
    succeeded("k");
    inDoubt("k2");
    String metrics = metrics();

    List<String> types =
        metrics
            .lines()
            .filter(line -> line.startsWith("# TYPE onejob_"))
            .map(line -> line.split(" ")[2])
            .toList();
    assertThat(types).hasSizeGreaterThan(9);
    assertThat(types)
        .allSatisfy(name -> assertThat(metrics).containsPattern("(?m)^# HELP " + name + " \\S.*$"));
    assertThat(LABEL.matcher(metrics).results().map(found -> found.group(2)))
        .isSubsetOf("plain", "race", "receipt", "a", "b", "other");
  }
}
