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
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Map.Entry;
import org.jsoup.nodes.Element;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class SeveralAtTheDeskTest {
  private static final String SEVERAL = "/ui/desk/several";
  private static final String HANGS =
      "{\"script\":{\"sandbox-a\":{\"outcome\":\"hang\"},\"sandbox-b\":{\"outcome\":\"hang\"}}}";

  @RegisterExtension
  static final UiNode NODE =
      new UiNode(
          """
          kinds:
            charge: {effect: exclusive, route: [sandbox-a], attempt_timeout: 400ms}
            refund: {effect: exclusive, route: [sandbox-a], attempt_timeout: 400ms}
            mail: {effect: exclusive, route: [sandbox-b], attempt_timeout: 400ms}
          providers:
            sandbox-a: {type: sandbox}
            sandbox-b: {type: sandbox}
          """);

  private final UiClient person = NODE.person(Role.OPERATOR, "house");

  private static List<ApiAnswer> inDoubt(String owner, String kind, int count) {
    ApiClient client = NODE.client(Role.CLIENT, owner);
    List<String> jobs = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      jobs.add(client.submit(kind + "-" + i, kind, HANGS).at("/id"));
    }
    return jobs.stream().map(job -> ApiNode.awaitJob(client, job, "/state", "unknown")).toList();
  }

  private static String attempt(ApiAnswer job) {
    return job.at("/attempts/0/id");
  }

  private static String state(ApiAnswer job) {
    ApiAnswer now = NODE.client(Role.OPERATOR, "house").get("/v1/attempts/" + attempt(job));
    return now.at("/state");
  }

  /** What a browser would send of the form: ticked boxes, hidden fields, and what is typed. */
  private UiPage press(UiPage page, Map<String, String> filled) {
    List<Entry<String, String>> fields = new ArrayList<>(filled.entrySet());
    for (Element each : page.document().select("form.decide [name]")) {
      boolean sent = !each.attr("type").matches("checkbox|radio") || each.hasAttr("checked");
      if (sent && !filled.containsKey(each.attr("name"))) {
        String value = each.tagName().equals("textarea") ? each.wholeText() : each.attr("value");
        fields.add(Map.entry(each.attr("name"), value));
      }
    }
    return person.send(SEVERAL, Map.of("Origin", NODE.uri().toString()), fields);
  }

  private UiPage listed(String owner) {
    return person.get(SEVERAL + "?kind=charge&provider=sandbox-a&owner=" + owner);
  }

  @Test
  void several_are_listed_then_shown_with_what_it_does_then_resolved_each_by_itself() {
    List<ApiAnswer> jobs = inDoubt("three", "charge", 3);
    UiPage desk = person.get("/ui/desk?owner=three");
    UiPage list = person.get(desk.document().select("#several-charge-sandbox-a").attr("href"));
    assertThat(list.document().select("input[type=checkbox][checked]")).hasSize(3);

    UiPage confirm =
        press(list, Map.of("choice", "not_done-wait", "reason", "<b>provider was down"));

    assertThat(confirm.status()).isEqualTo(200);
    assertThat(confirm.text("main"))
        .contains("Not done, then wait about 3 attempts", "<b>provider was down")
        .contains("charge-0", "charge-1", "charge-2")
        .contains("The attempt becomes failed. The job becomes queued and waits for a decision");
    assertThat(jobs).extracting(SeveralAtTheDeskTest::state).containsOnly("unknown");

    NODE.client(Role.OPERATOR, "house")
        .post(
            "/v1/attempts/" + attempt(jobs.get(1)) + "/resolution",
            "{\"verdict\":\"abandon\",\"reason\":\"somebody else was faster\"}");
    UiPage done = press(confirm, Map.of());

    assertThat(done.status()).isEqualTo(200);
    assertThat(done.text("[role=status]")).contains("done for 2 of 3 attempts");
    assertThat(done.text(".problem")).contains("job-changed", "has changed since");
    assertThat(done.document().select(".problem")).hasSize(1);
    assertThat(jobs)
        .extracting(SeveralAtTheDeskTest::state)
        .containsExactly("failed", "cancelled", "failed");
    assertThat(
            NODE.client(Role.OPERATOR, "house")
                .get("/v1/attempts/" + attempt(jobs.getFirst()))
                .at("/resolutions/0/reason"))
        .isEqualTo("<b>provider was down");
  }

  @Test
  void what_has_changed_since_it_was_listed_or_confirmed_is_left_alone_also_on_a_second_press() {
    List<ApiAnswer> jobs = inDoubt("changed", "charge", 3);
    Map<String, String> verdict = Map.of("choice", "abandon-wait", "reason", "down");
    UiPage list = listed("changed");
    stillRunning(jobs.get(0)); // still in doubt, and somebody has said something about it

    UiPage confirm = press(list, verdict);
    assertThat(confirm.text("main")).contains("about 2 attempts", "all 2", "left alone");
    assertThat(confirm.document().select("input[name=id]")).hasSize(2);
    stillRunning(jobs.get(1));
    UiPage done = press(confirm, Map.of());
    UiPage again = press(confirm, Map.of());
    UiPage none = press(list, verdict);

    assertThat(done.text("[role=status]")).contains("done for 1 of 2 attempts");
    assertThat(done.text(".problem")).contains("job-changed", "has changed since");
    assertThat(again.text("[role=status]")).contains("done for 0 of 2 attempts");
    assertThat(none.text("main")).contains("have changed since they were looked at");
    assertThat(jobs)
        .extracting(SeveralAtTheDeskTest::state)
        .containsExactly("unknown", "unknown", "cancelled");
  }

  @Test
  void a_verdict_that_would_do_something_else_than_was_shown_is_given_about_none_of_them() {
    ApiAnswer job = inDoubt("otherwise", "charge", 1).getFirst();
    UiPage confirm =
        press(listed("otherwise"), Map.of("choice", "abandon-wait", "reason", "\n down"));
    assertThat(confirm.document().select("textarea").first().wholeText()).isEqualTo("\n down");
    String foreseen = "as_of-does-" + attempt(job);
    assertThat(confirm.document().select("input[name=" + foreseen + "]").attr("value"))
        .startsWith("The attempt becomes cancelled.");

    UiPage refused = press(confirm, Map.of(foreseen, "The attempt becomes failed."));

    assertThat(refused.text("[role=status]")).contains("done for 0 of 1 attempts");
    assertThat(refused.text(".problem")).contains("has changed since it was shown");
    assertThat(state(job)).isEqualTo("unknown");
  }

  private static void stillRunning(ApiAnswer job) {
    NODE.client(Role.OPERATOR, "house")
        .post(
            "/v1/attempts/" + attempt(job) + "/resolution",
            "{\"verdict\":\"still_running\",\"reason\":\"it says so\"}");
  }

  @Test
  void a_hundred_are_listed_at_once_and_the_page_says_truthfully_whether_there_are_more()
      throws Exception {
    inDoubt("many", "charge", 101);

    UiPage more = listed("many");
    assertThat(more.document().select("input[type=checkbox]")).hasSize(100);
    assertThat(more.text("main")).contains("These are the 100 oldest; there are more.");

    takeTheResultOfAnother("many"); // of the oldest: those with a result would fill the page
    UiPage all = listed("many");
    assertThat(all.document().select("input[type=checkbox]")).hasSize(100);
    assertThat(all.text("main")).doesNotContain("there are more");
  }

  /** As if a rival had won; a race of that very moment would be a matter of luck. */
  private static void takeTheResultOfAnother(String owner) throws Exception {
    try (Connection connection = NODE.dataSource().getConnection();
        PreparedStatement update =
            connection.prepareStatement(
                """
                UPDATE onejob.job SET
                  state = 'succeeded', completed_by = gen_random_uuid(), ended_at = now(),
                  result = '7', result_format = 'json', at_desk_since = NULL
                WHERE id = (
                  SELECT j.id FROM onejob.job AS j WHERE j.owner = ? ORDER BY j.id LIMIT 1)
                """)) {
      update.setString(1, owner);
      assertThat(update.executeUpdate()).isEqualTo(1);
    }
  }

  @Test
  void only_those_that_share_kind_and_provider_are_decided_at_once() {
    ApiAnswer charge = inDoubt("mixed", "charge", 1).getFirst();
    ApiAnswer refund = inDoubt("mixed", "refund", 1).getFirst();
    ApiAnswer mail = inDoubt("mixed", "mail", 1).getFirst();
    UiPage list = listed("mixed");

    for (ApiAnswer other : List.of(refund, mail)) {
      List<Entry<String, String>> fields =
          List.of(
              Map.entry("csrf", list.document().select("input[name=csrf]").attr("value")),
              Map.entry("kind", "charge"),
              Map.entry("provider", "sandbox-a"),
              Map.entry("owner", "mixed"),
              Map.entry("choice", "abandon-wait"),
              Map.entry("reason", "x"),
              Map.entry("confirmed", "yes"),
              Map.entry("id", attempt(charge)),
              Map.entry("id", attempt(other)));
      UiPage refused = person.send(SEVERAL, Map.of(), fields);
      assertThat(refused.status()).isEqualTo(400);
      assertThat(refused.text(".problem")).contains("share kind and provider");
    }
    assertThat(List.of(charge, refund, mail))
        .extracting(SeveralAtTheDeskTest::state)
        .containsOnly("unknown");
    assertThat(person.get(SEVERAL + "?kind=charge").status()).isEqualTo(400);
  }

  @Test
  void without_a_reason_a_verdict_or_an_attempt_nothing_is_done() {
    ApiAnswer job = inDoubt("strict", "charge", 1).getFirst();
    UiPage list = listed("strict");

    UiPage noReason = press(list, Map.of("choice", "abandon-wait", "reason", " "));
    UiPage noVerdict = press(list, Map.of("reason", "x"));
    UiPage done = press(list, Map.of("choice", "done", "reason", "x"));
    UiPage odd = press(list, Map.of("choice", "abandon-wait", "reason", "x", "id", "att_x"));

    assertThat(List.of(noReason, noVerdict, done, odd))
        .extracting(UiPage::status)
        .containsOnly(400);
    assertThat(noReason.text(".problem")).contains("A reason is needed");
    assertThat(noVerdict.text(".problem")).contains("Choose a verdict");
    assertThat(done.text(".problem")).contains("Choose a verdict");
    assertThat(odd.text(".problem")).contains("not the id of an attempt");
    assertThat(noVerdict.document().select("input[type=checkbox][checked]")).hasSize(1);
    UiPage none =
        person.send(
            SEVERAL,
            Map.of("Origin", NODE.uri().toString()),
            Map.of(
                "csrf", list.document().select("input[name=csrf]").attr("value"),
                "kind", "charge",
                "provider", "sandbox-a",
                "owner", "strict",
                "choice", "abandon-wait",
                "reason", "kept"));
    assertThat(none.text(".problem")).contains("Tick the attempts");
    assertThat(none.document().select("input[type=checkbox]")).hasSize(1);
    assertThat(none.document().select("input[type=checkbox][checked]")).isEmpty();
    assertThat(none.document().select("#reason").text()).isEqualTo("kept");
    assertThat(state(job)).isEqualTo("unknown");
  }
}
