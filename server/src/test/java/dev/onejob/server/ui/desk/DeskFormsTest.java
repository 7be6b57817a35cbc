package dev.onejob.server.ui.desk;

import static org.assertj.core.api.Assertions.assertThat;

import dev.onejob.server.access.Role;
import dev.onejob.server.testing.ApiAnswer;
import dev.onejob.server.testing.ApiClient;
import dev.onejob.server.testing.ApiNode;
import dev.onejob.server.testing.UiClient;
import dev.onejob.server.testing.UiNode;
import dev.onejob.server.testing.UiPage;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.util.List;
import java.util.Map;
import org.jsoup.nodes.Element;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Forms of the desk act on what they have shown; each test has an owner of its own. */
class DeskFormsTest {
  private static final String HANGS = "{\"script\":{\"sandbox-a\":{\"outcome\":\"hang\"}}}";
  private static final String REASON = "asked the provider by telephone";

  @RegisterExtension
  static final UiNode NODE =
      new UiNode(
          """
          kinds:
            charge:
              effect: exclusive
              route: [sandbox-a, sandbox-b, sandbox.c]
              attempt_timeout: 400ms
          providers:
            sandbox-a: {type: sandbox}
            sandbox-b: {type: sandbox}
            sandbox.c: {type: sandbox}
          """);

  private final UiClient person = NODE.person(Role.OPERATOR, "house");

  private static ApiAnswer inDoubt(ApiClient client, String input) {
    String job = client.submit("k", "charge", input).at("/id");
    return ApiNode.awaitJob(client, job, "/state", "unknown");
  }

  private static ApiAnswer waiting(ApiClient client) {
    ApiAnswer job = inDoubt(client, HANGS);
    verdict(job, "{\"verdict\":\"abandon\",\"then\":\"wait\",\"reason\":\"gone\"}");
    return ApiNode.awaitJob(client, job.at("/id"), "/waiting_for", "decision");
  }

  private static void verdict(ApiAnswer job, String body) {
    ApiClient operator = NODE.client(Role.OPERATOR, "house");
    operator.post("/v1/attempts/" + job.at("/attempts/0/id") + "/resolution", body);
  }

  private static String page(ApiAnswer job) {
    return "/ui/desk/jobs/" + job.at("/id");
  }

  private static String now(ApiClient client, ApiAnswer job, String pointer) {
    return client.get("/v1/jobs/" + job.at("/id")).at(pointer);
  }

  @Test
  void a_start_a_cancel_and_an_acknowledgement_after_a_colleague_has_acted_change_nothing() {
    ApiClient client = NODE.client(Role.CLIENT, "colleague");
    ApiAnswer job = waiting(client);
    UiPage shown = person.get(page(job));
    UiClient colleague = NODE.person(Role.OPERATOR, "house");
    Map<String, String> start = Map.of("choice", "start_attempt-at-sandbox-b", "reason", REASON);

    assertThat(colleague.press(colleague.get(page(job)), "form.decide", start).status())
        .isEqualTo(303);
    ApiNode.awaitJob(client, job.at("/id"), "/state", "succeeded");
    for (String choice : List.of("start_attempt-at-sandbox.c", "cancel", "acknowledge-wait")) {
      UiPage late =
          person.press(shown, "form.decide", Map.of("choice", choice, "reason", "<i>mine"));
      assertThat(late.status()).as(choice).isEqualTo(409);
      assertThat(late.text(".problem")).contains("job-changed", "has changed since");
    }

    assertThat(now(client, job, "/attempts_started")).isEqualTo("2");
    assertThat(now(client, job, "/cancel_requested_at")).isEmpty();
  }

  @Test
  void a_form_that_says_not_as_of_what_it_was_shown_changes_nothing() {
    ApiClient client = NODE.client(Role.CLIENT, "bare");
    ApiAnswer job = waiting(client);
    UiPage shown = person.get(page(job));

    for (String mark : List.of("", "0", "<b>", "x".repeat(9_000))) {
      UiPage refused =
          person.press(
              shown, "form.decide", Map.of("choice", "cancel", "reason", REASON, "as_of", mark));
      assertThat(refused.status()).isEqualTo(409);
      assertThat(refused.text(".problem")).contains("job-changed");
      assertThat(refused.document().select("#reason").text()).isEqualTo(REASON);
    }
    assertThat(now(client, job, "/state")).isEqualTo("queued");
  }

  @Test
  void each_provider_of_the_route_is_a_choice_with_its_own_preview() {
    ApiClient client = NODE.client(Role.CLIENT, "providers");
    ApiAnswer job = waiting(client);

    UiPage shown = person.get(page(job));

    assertThat(shown.document().select("form.decide input[name=choice]"))
        .extracting(each -> each.attr("value"))
        .containsExactly(
            "start_attempt-at-sandbox-a",
            "start_attempt-at-sandbox-b",
            "start_attempt-at-sandbox.c",
            "cancel");
    assertThat(shown.text("form.decide")).contains("Start an attempt at sandbox-b");
    assertThat(shown.document().getElementById("does-start_attempt-at-sandbox.c").text())
        .contains("The job is running");
    person.press(
        shown, "form.decide", Map.of("choice", "start_attempt-at-sandbox.c", "reason", REASON));
    ApiNode.awaitJob(client, job.at("/id"), "/state", "succeeded");
    assertThat(now(client, job, "/attempts/1/provider")).isEqualTo("sandbox.c");
  }

  @Test
  void a_choice_that_would_do_something_else_than_was_shown_is_not_made() {
    ApiClient client = NODE.client(Role.CLIENT, "otherwise");
    ApiAnswer job = waiting(client);
    UiPage shown = person.get(page(job));
    String field = "as_of-start_attempt-at-sandbox-b";
    assertThat(shown.document().select("#known[data-steady]")).hasSize(1);
    assertThat(shown.document().select("#as-of input[name=" + field + "]").attr("value"))
        .isEqualTo(shown.text("#does-start_attempt-at-sandbox-b").split(" If an", 2)[0])
        .startsWith("The job is running");

    for (String other : List.of("The job becomes queued.", "")) {
      UiPage refused =
          person.press(
              shown,
              "form.decide",
              Map.of("choice", "start_attempt-at-sandbox-b", "reason", REASON, field, other));
      assertThat(refused.status()).isEqualTo(409);
      assertThat(refused.text(".problem"))
          .contains("job-changed", "has changed since it was shown");
      assertThat(refused.document().select("#reason").text()).isEqualTo(REASON);
    }
    assertThat(now(client, job, "/attempts_started")).isEqualTo("1");
  }

  @Test
  void nothing_is_started_or_cancelled_without_a_reason_or_a_choice_of_the_list() {
    ApiClient client = NODE.client(Role.CLIENT, "reasons");
    ApiAnswer job = waiting(client);

    for (String choice : List.of("start_attempt-at-sandbox-b", "cancel")) {
      UiPage refused =
          person.press(
              person.get(page(job)), "form.decide", Map.of("choice", choice, "reason", " "));
      assertThat(refused.status()).isEqualTo(400);
      assertThat(refused.text(".problem")).contains("A reason is needed");
    }
    for (String choice : List.of("start_attempt", "start_attempt-retry", "cancel-wait", "")) {
      UiPage refused =
          person.press(
              person.get(page(job)), "form.decide", Map.of("choice", choice, "reason", REASON));
      assertThat(refused.status()).as(choice).isEqualTo(400);
      assertThat(refused.text(".problem")).contains("Choose what is to be done");
    }
    UiPage elsewhere =
        person.press(
            person.get(page(job)),
            "form.decide",
            Map.of("choice", "start_attempt-at-nowhere", "reason", REASON));
    assertThat(elsewhere.text(".problem")).contains("provider-not-on-route");
    assertThat(now(client, job, "/attempts_started")).isEqualTo("1");
    assertThat(person.get(page(job)).text("#reason-hint")).contains("written to the log");
  }

  @Test
  void an_owner_is_offered_the_cancel_of_a_contested_job_and_no_acknowledgement() throws Exception {
    ApiClient client = NODE.client(Role.CLIENT, "owner");
    ApiAnswer job = waiting(client);
    contest("owner"); // as a late answer does: how that comes about is told elsewhere
    ApiNode.awaitJob(client, job.at("/id"), "/contested", "true");

    UiPage mine = NODE.person(Role.CLIENT, "owner").get(page(job));

    assertThat(person.get(page(job)).text("form.decide")).contains("Acknowledge, then wait");
    assertThat(mine.status()).isEqualTo(200);
    assertThat(mine.text("main")).doesNotContain("Acknowledge");
    assertThat(mine.document().select("input[value=cancel]")).hasSize(1);
  }

  private static void contest(String owner) throws Exception {
    try (Connection connection = NODE.dataSource().getConnection();
        PreparedStatement update =
            connection.prepareStatement("UPDATE onejob.job SET contested = true WHERE owner = ?")) {
      update.setString(1, owner);
      assertThat(update.executeUpdate()).isEqualTo(1);
    }
  }

  @Test
  void a_live_part_renews_the_previews_and_shuts_the_form_when_the_choices_are_others() {
    ApiClient client = NODE.client(Role.CLIENT, "live");
    ApiAnswer job = waiting(client);
    UiPage shown = person.get(page(job));
    String part = shown.document().select("#known").attr("hx-get");

    UiPage same = person.part(part);
    assertThat(same.document().select("#does-cancel[hx-swap-oob]")).hasSize(1);
    assertThat(same.document().select("#as-of input").attr("value"))
        .isEqualTo(shown.document().select("#as-of input").attr("value"));
    assertThat(same.document().select("#press button")).hasSize(1);
    assertThat(same.document().select("#press button[disabled]")).isEmpty();

    UiPage others = person.part(part.replace("+cancel", ""));
    assertThat(others.text("#over")).contains("Load the page again");
    assertThat(others.document().select("#press button[disabled]")).hasSize(1);
    assertThat(others.document().select("#as-of, #does-cancel")).isEmpty();

    client.post("/v1/jobs/" + job.at("/id") + "/cancel", "");
    UiPage over = person.part(part);
    assertThat(over.text("#over")).contains("waits for no decision any more");
    assertThat(over.document().select("#press button[disabled]")).hasSize(1);
  }

  @Test
  void a_verdict_is_not_given_about_evidence_that_nobody_has_shown() {
    ApiClient client = NODE.client(Role.CLIENT, "again");
    ApiAnswer job = inDoubt(client, HANGS);
    String path = "/ui/desk/attempts/" + job.at("/attempts/0/id");
    UiPage shown = person.get(path);
    verdict(job, "{\"verdict\":\"still_running\",\"reason\":\"it says so\"}");

    UiPage late =
        person.press(shown, "form.decide", Map.of("choice", "abandon-retry", "reason", "mine"));

    assertThat(late.status()).isEqualTo(409);
    assertThat(late.text(".problem")).contains("job-changed");
    assertThat(late.document().select("#reason").text()).isEqualTo("mine");
    Element chosen = late.document().selectFirst("#choice-abandon-retry");
    assertThat(chosen.hasAttr("checked")).isTrue();
    assertThat(late.document().body().attr("data-here")).isEqualTo(path);
    assertThat(now(client, job, "/state")).isEqualTo("unknown");
    UiPage again =
        person.press(late, "form.decide", Map.of("choice", "abandon-wait", "reason", "mine"));
    assertThat(again.status()).isEqualTo(303);
  }
}
