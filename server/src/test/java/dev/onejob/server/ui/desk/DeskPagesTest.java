package dev.onejob.server.ui.desk;

import static org.assertj.core.api.Assertions.assertThat;

import dev.onejob.server.access.Role;
import dev.onejob.server.testing.ApiAnswer;
import dev.onejob.server.testing.ApiClient;
import dev.onejob.server.testing.ApiNode;
import dev.onejob.server.testing.UiClient;
import dev.onejob.server.testing.UiNode;
import dev.onejob.server.testing.UiPage;
import java.util.List;
import java.util.Map;
import org.jsoup.nodes.Element;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The desk over HTTP; each test has an owner of its own. */
class DeskPagesTest {
  private static final String CONFIG =
      """
      kinds:
        charge:
          effect: exclusive
          route: [sandbox-a, sandbox-b]
          attempt_timeout: 400ms
          backoff: {first: 100ms, max: 200ms}
        refund:
          effect: harmless
          route: [sandbox-a, sandbox-b]
          attempt_timeout: 400ms
          unknown: {after: 10h, verdict: abandon, then: retry}
        slow:
          effect: exclusive
          route: [sandbox-a]
          attempt_timeout: 2m
      providers:
        sandbox-a: {type: sandbox}
        sandbox-b: {type: sandbox}
      """;

  private static final String HANGS = "{\"script\":{\"sandbox-a\":{\"outcome\":\"hang\"}}}";
  private static final String HANGS_ONCE =
      "{\"script\":{\"sandbox-a\":[{\"outcome\":\"hang\"},{\"value\":7}]}}";
  private static final String REASON = "asked the provider by telephone";

  @RegisterExtension static final UiNode NODE = new UiNode(CONFIG);

  private static ApiAnswer inDoubt(ApiClient client, String key, String kind, String input) {
    String job = client.submit(key, kind, input).at("/id");
    return ApiNode.awaitJob(client, job, "/state", "unknown");
  }

  private static String page(ApiAnswer job) {
    return "/ui/desk/attempts/" + job.at("/attempts/0/id");
  }

  private static UiPage decide(UiClient person, String path, Map<String, String> filled) {
    return person.press(person.get(path), "form.decide", filled);
  }

  @Test
  void an_operator_sees_what_is_in_doubt_what_is_known_and_what_ends_it_by_itself() {
    ApiClient client = NODE.client(Role.CLIENT, "seen");
    ApiAnswer job = inDoubt(client, "seen-1", "refund", HANGS);

    UiPage desk = NODE.person(Role.OPERATOR, "house").get("/ui/desk?owner=seen");

    assertThat(desk.status()).isEqualTo(200);
    String item = desk.text("#item-" + uuidOfOnly(desk));
    assertThat(item)
        .contains("in doubt for", "refund at sandbox-a", "seen-1", job.at("/id"))
        .contains("harmless", "Raised by timeout", "The provider cannot be asked about it")
        .contains("The rule of the kind: abandon, then retry, in 9 h 59 m")
        .contains("Not done, then retry The attempt becomes failed. The job becomes queued");
    assertThat(desk.document().select("#item-" + uuidOfOnly(desk) + " a.button").attr("href"))
        .isEqualTo(page(job));
    assertThat(desk.text("table")).contains("refund sandbox-a 1");
  }

  private static String uuidOfOnly(UiPage desk) {
    List<Element> items = desk.document().select(".waits > li");
    assertThat(items).hasSize(1);
    return items.getFirst().id().substring("item-".length());
  }

  @ParameterizedTest
  @CsvSource({
    "not_done-retry, failed, queued",
    "not_done-wait, failed, queued",
    "done, succeeded, succeeded",
    "still_running, unknown, unknown",
    "abandon-wait, cancelled, queued",
    "abandon-retry, cancelled, queued"
  })
  void a_verdict_does_what_the_page_said_before(String verdict, String attempt, String state) {
    ApiClient client = NODE.client(Role.CLIENT, "does");
    ApiAnswer job = inDoubt(client, "does-" + verdict, "charge", HANGS_ONCE);
    UiClient person = NODE.person(Role.OPERATOR, "house");
    String said = person.get(page(job)).text("#does-" + verdict);

    UiPage pressed =
        decide(
            person,
            page(job),
            Map.of(
                "choice",
                verdict,
                "reason",
                REASON,
                "format",
                "json",
                "result",
                verdict.equals("done") ? "{\"n\": 1234567890123456789.10}" : ""));

    assertThat(pressed.status()).isEqualTo(303);
    assertThat(pressed.header("Location")).isEqualTo(page(job));
    UiPage after = person.get(page(job));
    assertThat(after.text("#attempt-state")).startsWith(attempt);
    assertThat(said)
        .contains(
            attempt.equals("unknown")
                ? "The attempt stays in doubt"
                : "The attempt becomes " + attempt);
    assertThat(said).containsPattern("The job (becomes|stays|is) " + state);
    assertThat(after.text(".facts")).contains(REASON, "by operator-");
    ApiAnswer now = client.get("/v1/jobs/" + job.at("/id"));
    if (verdict.endsWith("-wait")) {
      assertThat(said).contains("waits for a decision");
      assertThat(now.at("/waiting_for")).isEqualTo("decision");
    } else if (verdict.endsWith("-retry")) {
      assertThat(said).contains("goes on by itself at sandbox-a", "acts twice");
      ApiAnswer ended = ApiNode.awaitJob(client, job.at("/id"), "/state", "succeeded");
      assertThat(ended.at("/attempts/1/provider")).isEqualTo("sandbox-a");
      assertThat(ended.at("/result")).isEqualTo("7");
    } else if (verdict.equals("done")) {
      assertThat(now.text()).contains("\"result\":{\"n\": 1234567890123456789.10}");
    }
  }

  @Test
  void a_result_may_be_text_with_lines() {
    ApiClient client = NODE.client(Role.CLIENT, "text");
    ApiAnswer job = inDoubt(client, "text-1", "charge", HANGS);

    decide(
        NODE.person(Role.OPERATOR, "house"),
        page(job),
        Map.of("choice", "done", "reason", REASON, "format", "text", "result", "a\r\n\"b\" </p>"));

    ApiAnswer now = client.get("/v1/jobs/" + job.at("/id"));
    assertThat(now.at("/result")).isEqualTo("a\n\"b\" </p>");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "not_done-wait | `` | `` | A reason is needed",
        "not_done-wait | `   ` | `` | A reason is needed",
        "not_done-wait | NUL | `` | A reason is needed",
        "not_done-wait | why | 1 | Only the verdict done brings a result",
        "done | why | `` | The result is not the JSON of a result",
        "done | why | 1,\"then\":\"wait\" | The result is not the JSON of a result",
        "done | why | {\"a\":1,\"a\":2} | The result is not the JSON of a result",
        "`` | why | `` | Choose a verdict",
        "abandon-x-wait | why | `` | Choose a verdict",
        "hope | why | `` | This is one of not_done"
      })
  void what_cannot_be_decided_so_is_refused_and_stays_filled_in(
      String choice, String reason, String result, String says) {
    ApiClient client = NODE.client(Role.CLIENT, "refused");
    ApiAnswer job = inDoubt(client, "refused-1", "charge", HANGS); // one job: a repeat finds it
    String typed = "NUL".equals(reason) ? "<b>why\0" : "<b>" + reason;
    UiClient person = NODE.person(Role.OPERATOR, "house");

    UiPage page =
        decide(
            person,
            page(job),
            Map.of(
                "choice",
                choice,
                "reason",
                reason.isBlank() ? reason : typed,
                "result",
                result,
                "format",
                "json"));

    assertThat(page.status()).isEqualTo(400);
    assertThat(page.text(".problem")).contains(says, "field-invalid");
    assertThat(page.document().select("#result").text()).isEqualTo(result);
    assertThat(page.document().select("b")).isEmpty();
    assertThat(client.get("/v1/jobs/" + job.at("/id")).at("/state")).isEqualTo("unknown");
  }

  @Test
  void what_came_from_outside_is_text() {
    ApiClient client = NODE.client(Role.CLIENT, "hostile");
    String key = "'\"><script>alert(1)</script><img/src=x>";
    String answers =
        "{\"script\":{\"sandbox-a\":{\"outcome\":\"status\",\"status\":503,\"body\":"
            + "\"<svg onload=alert(1)>{{7*7}}</svg>\"}}}";
    ApiAnswer job = inDoubt(client, key, "charge", answers);
    UiClient person = NODE.person(Role.OPERATOR, "house");

    for (String path :
        List.of(
            "/ui/desk?owner=hostile",
            page(job),
            "/ui/desk/jobs/" + job.at("/id"),
            "/ui/desk/several?kind=charge&provider=sandbox-a&owner=hostile",
            "/ui/desk?what=in_doubt&owner=%22%3E%3Cscript%3Ealert(1)%3C/script%3E")) {
      UiPage page = person.get(path);
      assertThat(page.document().select("script:not([src]), img, main svg:not(.icon), [onload]"))
          .as(path)
          .isEmpty();
    }
    assertThat(person.get("/ui/desk?owner=hostile").text(".waits")).contains(key);
  }

  @Test
  void an_owner_sees_its_own_and_decides_nothing_and_a_foreign_attempt_is_as_absent_as_none() {
    ApiClient client = NODE.client(Role.CLIENT, "mine");
    ApiAnswer job = inDoubt(client, "mine-1", "charge", HANGS);
    UiClient mine = NODE.person(Role.CLIENT, "mine");
    UiClient theirs = NODE.person(Role.CLIENT, "theirs");

    assertThat(mine.get("/ui/desk").text(".waits")).contains("mine-1");
    assertThat(mine.get("/ui/desk").document().select(".waits .button")).isEmpty();
    assertThat(mine.get("/ui/desk?owner=mine").status()).isEqualTo(400);
    UiPage looked = mine.get(page(job));
    assertThat(looked.text("main")).contains("An operator decides");
    assertThat(looked.document().select("form.decide")).isEmpty();
    Map<String, String> verdict =
        Map.of(
            "csrf", looked.document().select("input[name=csrf]").attr("value"),
            "choice", "abandon-wait",
            "reason", "x");
    UiPage refused = mine.send(page(job), Map.of(), verdict);
    assertThat(refused.status()).isEqualTo(403);
    assertThat(refused.text(".problem")).contains("forbidden");
    assertThat(mine.get("/ui/desk/several?kind=charge&provider=sandbox-a").status()).isEqualTo(403);

    assertThat(theirs.get("/ui/desk").text("main")).doesNotContain("mine-1");
    String none = "/ui/desk/attempts/att_01KB8XJ4N1F6W8T3VAXZ4S7Y2A";
    assertThat(theirs.get(page(job)).status()).isEqualTo(404);
    assertThat(withoutToken(theirs.get(page(job)))).isEqualTo(withoutToken(theirs.get(none)));
    assertThat(theirs.get("/ui/desk/jobs/" + job.at("/id")).status()).isEqualTo(404);
    assertThat(client.get("/v1/jobs/" + job.at("/id")).at("/state")).isEqualTo("unknown");
  }

  private static String withoutToken(UiPage page) {
    return page.document().select("main").html();
  }

  @Test
  void a_form_without_the_token_of_its_session_decides_nothing() {
    ApiClient client = NODE.client(Role.CLIENT, "forged");
    ApiAnswer job = inDoubt(client, "forged-1", "charge", HANGS);
    UiClient person = NODE.person(Role.OPERATOR, "house");
    Map<String, String> verdict = Map.of("choice", "abandon-wait", "reason", "x", "csrf", "no");

    for (String path : List.of(page(job), "/ui/desk/several", "/ui/desk/jobs/" + job.at("/id"))) {
      assertThat(person.send(path, Map.of(), verdict).status()).isEqualTo(403);
    }
    assertThat(client.get("/v1/jobs/" + job.at("/id")).at("/state")).isEqualTo("unknown");
  }

  @Test
  void a_form_that_has_been_overtaken_is_refused_by_the_words_of_the_api() {
    ApiClient client = NODE.client(Role.CLIENT, "stale");
    ApiAnswer job = inDoubt(client, "stale-1", "charge", HANGS);
    UiClient person = NODE.person(Role.OPERATOR, "house");
    UiPage shown = person.get(page(job));
    NODE.client(Role.OPERATOR, "house")
        .post(
            "/v1/attempts/" + job.at("/attempts/0/id") + "/resolution",
            "{\"verdict\":\"not_done\",\"then\":\"wait\",\"reason\":\"first\"}");

    UiPage late =
        person.press(shown, "form.decide", Map.of("choice", "abandon-retry", "reason", "second"));

    assertThat(late.status()).isEqualTo(409);
    assertThat(late.text(".problem")).contains("job-changed", "Nothing was changed");
    assertThat(late.text("#attempt-state")).startsWith("failed");
    assertThat(late.text(".facts")).contains("first").doesNotContain("second");
    assertThat(person.part(page(job)).text("#over")).contains("not in doubt any more");
  }

  @Test
  void an_attempt_that_is_at_work_is_abandoned_by_the_api_and_not_by_an_old_form() {
    ApiClient client = NODE.client(Role.CLIENT, "working");
    String id = client.submit("working-1", "slow", HANGS).at("/id");
    ApiAnswer job = ApiNode.awaitJob(client, id, "/state", "running");
    UiClient person = NODE.person(Role.OPERATOR, "house");
    UiPage shown = person.get(page(job));
    assertThat(shown.document().select("form.decide")).isEmpty();

    UiPage refused =
        person.send(
            page(job),
            Map.of(),
            Map.of(
                "csrf", shown.document().select("input[name=csrf]").attr("value"),
                "choice", "abandon-wait",
                "reason", "too slow"));

    assertThat(refused.status()).isEqualTo(409);
    assertThat(refused.text(".problem")).contains("verdict-not-allowed", "not in doubt");
    assertThat(client.get("/v1/jobs/" + id).at("/state")).isEqualTo("running");
    NODE.client(Role.OPERATOR, "house")
        .post(
            "/v1/attempts/" + job.at("/attempts/0/id") + "/resolution",
            "{\"verdict\":\"abandon\",\"reason\":\"too slow\"}");
    assertThat(person.get(page(job)).text("#attempt-state")).startsWith("cancelled");
  }

  @Test
  void pages_follow_each_other_and_filters_are_those_of_the_api() {
    ApiClient client = NODE.client(Role.CLIENT, "pages");
    inDoubt(client, "pages-1", "charge", HANGS);
    inDoubt(client, "pages-2", "refund", HANGS);
    UiClient person = NODE.person(Role.OPERATOR, "house");

    UiPage first = person.get("/ui/desk?owner=pages&limit=1");
    assertThat(first.text(".waits")).contains("pages-1").doesNotContain("pages-2");
    UiPage second = person.get(first.document().select("#next").attr("href"));
    assertThat(second.text(".waits")).contains("pages-2").doesNotContain("pages-1");
    assertThat(second.document().select("#next")).isEmpty();
    assertThat(person.get("/ui/desk?owner=pages&kind=refund").text(".waits"))
        .contains("pages-2")
        .doesNotContain("pages-1");
    assertThat(person.get("/ui/desk?owner=pages&provider=sandbox-b").text("main"))
        .contains("Nothing waits here");
    assertThat(person.part("/ui/desk?owner=pages").document().select("nav.pager")).hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"cursor=xyz", "kind=%3Cb%3E", "limit=0", "provider=a%20b"})
  void a_filter_that_cannot_be_used_is_named(String query) {
    UiPage page = NODE.person(Role.OPERATOR, "house").get("/ui/desk?" + query);

    assertThat(page.status()).isEqualTo(400);
    assertThat(page.text(".problem")).contains("parameter-invalid", query.split("=", 2)[0]);
    assertThat(page.document().select("form.filters")).hasSize(1);
  }

  @Test
  void a_job_that_waits_for_a_decision_goes_on_or_ends_from_the_desk() {
    ApiClient client = NODE.client(Role.CLIENT, "waits");
    UiClient person = NODE.person(Role.OPERATOR, "house");
    ApiAnswer started = inDoubt(client, "waits-1", "charge", HANGS);
    ApiAnswer cancelled = inDoubt(client, "waits-2", "charge", HANGS);
    for (ApiAnswer each : List.of(started, cancelled)) {
      decide(person, page(each), Map.of("choice", "abandon-wait", "reason", REASON));
    }
    assertThat(person.get("/ui/desk?owner=waits").text(".waits"))
        .contains("waits for a decision", "at sandbox-b", "Cancel The job becomes cancelled");

    String start = "/ui/desk/jobs/" + started.at("/id");
    decide(person, start, Map.of("choice", "start_attempt-at-sandbox-b", "reason", REASON));
    ApiNode.awaitJob(client, started.at("/id"), "/state", "succeeded");
    String cancel = "/ui/desk/jobs/" + cancelled.at("/id");
    decide(person, cancel, Map.of("choice", "cancel", "reason", REASON));
    assertThat(person.get(cancel).text("#job-state")).startsWith("cancelled");
    assertThat(person.get("/ui/desk?owner=waits").text("main")).contains("Nothing waits here");
  }

  @Test
  void a_contested_job_is_acknowledged_with_a_reason() {
    ApiClient client = NODE.client(Role.CLIENT, "contested");
    String late = "{\"script\":{\"sandbox-a\":{\"answer_after_ms\":6000}}}";
    ApiAnswer job = inDoubt(client, "contested-1", "charge", late);
    UiClient person = NODE.person(Role.OPERATOR, "house");
    decide(person, page(job), Map.of("choice", "not_done-wait", "reason", REASON));
    ApiNode.awaitJob(client, job.at("/id"), "/contested", "true");
    String path = "/ui/desk/jobs/" + job.at("/id");

    UiPage refused = decide(person, path, Map.of("choice", "acknowledge-wait", "reason", " "));
    assertThat(refused.status()).isEqualTo(400);
    assertThat(refused.text(".problem")).contains("A reason is needed");
    UiPage pressed =
        decide(person, path, Map.of("choice", "start_attempt-at-sandbox-b", "reason", REASON));
    assertThat(pressed.status()).isEqualTo(409);
    assertThat(pressed.text(".problem")).contains("job-contested");

    decide(person, path, Map.of("choice", "acknowledge-wait", "reason", "it was refunded"));

    ApiAnswer now = client.get("/v1/jobs/" + job.at("/id"));
    assertThat(now.at("/contested")).isEqualTo("false");
    assertThat(now.at("/resolutions/0/reason")).isEqualTo("it was refunded");
  }
}
