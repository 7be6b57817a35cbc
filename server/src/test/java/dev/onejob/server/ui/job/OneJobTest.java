package dev.onejob.server.ui.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.onejob.domain.Owner;
import dev.onejob.server.access.Role;
import dev.onejob.server.testing.ApiClient;
import dev.onejob.server.testing.UiClient;
import dev.onejob.server.testing.UiNode;
import dev.onejob.server.testing.UiPage;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class OneJobTest {
  @RegisterExtension static final UiNode NODE = new UiNode();

  private static final String HANG = "{\"script\":{\"sandbox-a\":{\"outcome\":\"hang\"}}}";

  @Test
  void numbers_and_markup_are_shown_to_the_letter() {
    String input =
        "{\"n\": 1234567890123456789, \"d\":0.30000000000000004, \"e\":1e400,"
            + " \"m\":\"<script>alert(1)</script>&amp;\"}";
    ApiClient client = NODE.client(Role.CLIENT, "exact");
    String job =
        client.submit("<img src=x onerror=alert(1)>".replace(' ', '_'), "demo", input).at("/id");
    awaitState(client, job, "succeeded");

    UiPage page = NODE.person(Role.CLIENT, "exact").get("/ui/jobs/" + job);

    assertThat(page.document().select("pre.text").first().wholeText()).isEqualTo(input);
    assertThat(page.document().select("script:not([src]), img")).isEmpty();
    assertThat(page.text("dl.facts")).contains("<img_src=x_onerror=alert(1)>");
    assertThat(page.document().select("pre.text").last().text()).contains("sandbox-a");
  }

  @Test
  void of_a_large_payload_the_beginning_is_shown_and_the_whole_given_as_a_file() {
    String input = "{\"n\":0.30000000000000004,\"t\":\"<b>" + "\u20ac".repeat(40_000) + "\"}";
    ApiClient client = NODE.client(Role.CLIENT, "large");
    String job = client.submit("large", "demo", input).at("/id");
    awaitState(client, job, "succeeded");
    UiClient person = NODE.person(Role.CLIENT, "large");

    UiPage page = person.get("/ui/jobs/" + job);
    String shown = page.document().select("pre#input").first().wholeText();
    assertThat(input).startsWith(shown);
    assertThat(shown.getBytes(StandardCharsets.UTF_8).length).isBetween(24_573, 24_576);
    assertThat(page.body().length()).isLessThan(100_000);
    UiPage whole = person.get(page.document().select("#whole-input").attr("href"));
    assertThat(whole.body()).isEqualTo(input);
    assertThat(whole.header("Content-Type")).isEqualTo("text/plain;charset=utf-8");
    assertThat(whole.header("Content-Disposition")).startsWith("attachment; ");
    assertThat(whole.header("X-Content-Type-Options")).isEqualTo("nosniff");

    assertThat(person.get("/ui/jobs/" + job + "/result").body())
        .isEqualTo(client.get("/v1/jobs/" + job).json().get("result").toString());
    UiClient stranger = NODE.person(Role.CLIENT, "small");
    assertThat(stranger.get("/ui/jobs/" + job + "/input").status()).isEqualTo(404);
    assertThat(stranger.get("/ui/jobs/" + job + "/result").status()).isEqualTo(404);
  }

  /** C37 of the collected faults: a dashboard that ran what a job had failed with. */
  @Test
  void what_came_from_outside_is_text_on_every_page() {
    String hostile = "\"><img src=x onerror=alert(1)>";
    String quoted = "\\\"><img src=x onerror=alert(1)>";
    String part = "{\"outcome\":\"status\",\"status\":400,\"body\":\"" + quoted + "\"}";
    ApiClient client = NODE.client(Role.CLIENT, "c37");
    String failed =
        client
            .submit("><img/src=x>", "demo", "{\"script\":{\"sandbox-a\":" + part + "}}")
            .at("/id");
    String succeeded =
        client
            .submit("other", "demo", "{\"script\":{\"sandbox-a\":{\"value\":\"" + quoted + "\"}}}")
            .at("/id");
    awaitState(client, succeeded, "succeeded");
    await()
        .atMost(Duration.ofSeconds(60))
        .until(() -> !client.get("/v1/jobs/" + failed).at("/attempts/0/ended_at").isEmpty());
    UiClient operator = new UiClient(NODE.uri());
    operator.logIn(NODE.keys().create(hostile, Role.OPERATOR, new Owner("house")).secret());
    UiClient owner = NODE.person(Role.CLIENT, "c37");

    for (String path :
        List.of(
            "/ui",
            "/ui/jobs",
            "/ui/jobs?q=%22%3E%3Cimg%20src%3Dx%20onerror%3Dalert(1)%3E",
            "/ui/jobs?kind=%22%3E%3Cimg%20src%3Dx%20onerror%3Dalert(1)%3E",
            "/ui/jobs/" + failed,
            "/ui/jobs/" + succeeded,
            "/ui/%22%3E%3Cimg%20src%3Dx%3E")) {
      for (UiClient each : List.of(operator, owner)) {
        UiPage page = each.get(path);
        assertThat(page.document().select("img, [onerror], script:not([src])")).isEmpty();
        assertThat(page.header("Content-Security-Policy")).startsWith("default-src 'self'");
      }
    }
    UiPage page = operator.get("/ui/jobs/" + succeeded);
    assertThat(page.text("form.who")).contains(hostile);
    assertThat(operator.get("/ui/jobs/" + failed).text("dl.facts")).contains("><img/src=x>");
    assertThat(page.document().select("pre.text").last().wholeText())
        .isEqualTo("\"" + quoted + "\"");
  }

  @Test
  void a_foreign_job_is_the_same_page_as_none() {
    String theirs = NODE.client(Role.CLIENT, "owner-1").submit("k", "demo", "{}").at("/id");
    UiClient stranger = NODE.person(Role.CLIENT, "owner-2");
    String attempt =
        NODE.client(Role.OPERATOR, "house").get("/v1/jobs/" + theirs).at("/attempts/0/id");

    UiPage none = stranger.get("/ui/jobs/job_01K0000000000000000000000");
    assertThat(none.status()).isEqualTo(404);
    for (String path : List.of("/ui/jobs/" + theirs, "/ui/jobs/x", "/ui/attempts/" + attempt)) {
      UiPage foreign = stranger.get(path);
      assertThat(foreign.status()).isEqualTo(404);
      assertThat(foreign.body()).isEqualTo(none.body());
    }
    String csrf = none.document().select("input[name=csrf]").attr("value");
    for (String button : List.of("attempts", "cancel", "reopen", "resolution")) {
      UiPage pressed =
          stranger.send(
              "/ui/jobs/" + theirs + "/" + button,
              Map.of(),
              Map.of("csrf", csrf, "reason", "x", "attempt", attempt, "verdict", "abandon"));
      assertThat(pressed.status()).isEqualTo(404);
      assertThat(pressed.body()).isEqualTo(none.body());
    }
    assertThat(
            NODE.person(Role.CLIENT, "owner-1").get("/ui/attempts/" + attempt).header("Location"))
        .isEqualTo("/ui/jobs/" + theirs + "#" + attempt);
  }

  @Test
  void a_refused_fallback_says_why_and_leads_to_what_stands_in_its_way() {
    ApiClient client = NODE.client(Role.CLIENT, "blocked");
    String job = inDoubt(client, "stalled");
    UiClient person = NODE.person(Role.CLIENT, "blocked");
    String attempt = client.get("/v1/jobs/" + job).at("/attempts/0/id");

    UiPage refused = person.press(person.get("/ui/jobs/" + job), "#fallback", Map.of());

    assertThat(refused.status()).isEqualTo(409);
    assertThat(refused.text(".problem")).contains("attempt-blocked", "is unknown");
    assertThat(refused.document().select(".problem a").attr("href"))
        .isEqualTo("/ui/attempts/" + attempt);
    assertThat(client.get("/v1/jobs/" + job).at("/attempts_started")).isEqualTo("1");
  }

  @Test
  void a_second_press_of_a_button_starts_nothing_at_the_next_provider() {
    ApiClient client = NODE.client(Role.CLIENT, "pressed-twice");
    String job = inDoubt(client, "stalled");
    UiClient operator = NODE.person(Role.OPERATOR, "house");
    Map<String, String> abandon = Map.of("verdict", "abandon", "then", "wait", "reason", "gone");
    operator.press(operator.get("/ui/jobs/" + job), "#resolve-1", abandon);
    UiPage page = operator.get("/ui/jobs/" + job);

    UiPage first = operator.press(page, "#fallback", Map.of());
    UiPage second = operator.press(page, "#fallback", Map.of("provider", "sandbox-a"));
    awaitState(client, job, "succeeded");
    UiPage late = operator.press(page, "#cancel", Map.of());

    assertThat(first.status()).isEqualTo(303);
    for (UiPage each : List.of(second, late)) {
      assertThat(each.status()).isEqualTo(409);
      assertThat(each.text(".problem")).contains("job-changed", "Nothing was changed");
      assertThat(each.document().body().attr("data-here")).isEqualTo("/ui/jobs/" + job);
    }
    assertThat(client.get("/v1/jobs/" + job).at("/attempts_started")).isEqualTo("2");
  }

  @Test
  void a_refused_resolution_keeps_what_was_typed_in_its_own_form() {
    ApiClient client = NODE.client(Role.CLIENT, "kept");
    String job = inDoubt(client, "stalled");
    UiClient operator = NODE.person(Role.OPERATOR, "house");

    UiPage refused =
        operator.press(
            operator.get("/ui/jobs/" + job),
            "#resolve-1",
            Map.of("verdict", "done", "reason", "<b>seen", "result", "{\"n\": 1", "then", ""));

    assertThat(refused.status()).isEqualTo(400);
    assertThat(refused.document().select("#why-1").text()).isEqualTo("<b>seen");
    assertThat(refused.document().select("#result-1").text()).isEqualTo("{\"n\": 1");
    assertThat(refused.document().select("#done-1[checked]")).hasSize(1);
    assertThat(refused.document().select("[data-kept]")).hasSize(1);
    assertThat(operator.get("/ui/jobs/" + job).document().select("[data-kept]")).isEmpty();
  }

  @Test
  void an_operator_ends_the_doubt_and_the_job_goes_on() {
    ApiClient client = NODE.client(Role.CLIENT, "resolved");
    String job = inDoubt(client, "stalled");
    UiClient operator = NODE.person(Role.OPERATOR, "house");

    assertThat(
            NODE.person(Role.CLIENT, "resolved")
                .get("/ui/jobs/" + job)
                .document()
                .select("#resolve-1"))
        .isEmpty();
    UiPage without =
        operator.press(operator.get("/ui/jobs/" + job), "#resolve-1", Map.of("verdict", "done"));
    assertThat(without.status()).isEqualTo(400);
    UiPage smuggled =
        operator.press(
            operator.get("/ui/jobs/" + job),
            "#resolve-1",
            Map.of("verdict", "done", "reason", "r", "result", "1,\"then\":\"retry\""));
    assertThat(smuggled.status()).isEqualTo(400);

    UiPage done =
        operator.press(
            operator.get("/ui/jobs/" + job),
            "#resolve-1",
            Map.of(
                "verdict",
                "done",
                "then",
                "",
                "reason",
                "seen <there>",
                "result",
                "{\"n\":0.30000000000000004}"));

    assertThat(done.header("Location")).isEqualTo("/ui/jobs/" + job);
    UiPage page = operator.get("/ui/jobs/" + job);
    assertThat(page.text(".headline .state")).isEqualTo("succeeded");
    assertThat(page.document().select("pre.text").last().wholeText())
        .isEqualTo("{\"n\":0.30000000000000004}");
    assertThat(page.text(".attempt")).contains("done", "seen <there>");
  }

  @Test
  void a_client_cannot_resolve_even_with_a_form_of_their_own() {
    ApiClient client = NODE.client(Role.CLIENT, "tries");
    String job = inDoubt(client, "stalled");
    UiClient person = NODE.person(Role.CLIENT, "tries");
    String csrf = person.get("/ui/jobs/" + job).document().select("input[name=csrf]").attr("value");

    UiPage refused =
        person.send(
            "/ui/jobs/" + job + "/resolution",
            Map.of(),
            Map.of(
                "csrf",
                csrf,
                "verdict",
                "not_done",
                "reason",
                "mine",
                "attempt",
                client.get("/v1/jobs/" + job).at("/attempts/0/id")));

    assertThat(refused.status()).isEqualTo(403);
    assertThat(client.get("/v1/jobs/" + job).at("/state")).isEqualTo("unknown");
  }

  @Test
  void a_failed_job_is_cancelled_in_vain_and_reopened_with_a_reason() {
    ApiClient client = NODE.client(Role.CLIENT, "again");
    String both =
        "{\"script\":{\"sandbox-a\":[{\"outcome\":\"refuse\"},{}],"
            + "\"sandbox-b\":{\"outcome\":\"refuse\"}}}";
    String job = client.submit("fails", "demo", both).at("/id");
    await()
        .atMost(Duration.ofSeconds(60))
        .until(
            () ->
                List.of("failed", "queued").contains(client.get("/v1/jobs/" + job).at("/state"))
                    && !client.get("/v1/jobs/" + job).at("/attempts/0/ended_at").isEmpty());
    UiClient person = NODE.person(Role.CLIENT, "again");
    if (client.get("/v1/jobs/" + job).at("/state").equals("queued")) {
      person.press(person.get("/ui/jobs/" + job), "#fallback", Map.of("provider", "sandbox-b"));
      awaitState(client, job, "failed");
    }

    UiPage page = person.get("/ui/jobs/" + job);
    assertThat(page.document().select("#cancel, #fallback")).isEmpty();
    assertThat(person.press(page, "#reopen", Map.of("attempts", "0", "reason", "r")).status())
        .isEqualTo(400);
    UiPage reopened = person.press(page, "#reopen", Map.of("attempts", "1", "reason", "once more"));
    UiPage twice = person.press(page, "#reopen", Map.of("attempts", "9", "reason", "and again"));

    assertThat(reopened.status()).isEqualTo(303);
    assertThat(twice.text(".problem")).contains("job-changed");
    awaitState(client, job, "succeeded");
    assertThat(person.get("/ui/jobs/" + job).text("main")).contains("once more");
  }

  @Test
  void repeats_of_the_key_are_counted_and_shown_when_they_came() {
    ApiClient client = NODE.client(Role.CLIENT, "repeats");
    String job = client.submit("twice", "demo", "{}").at("/id");
    client.submit("twice", "demo", "{}");
    client.submit("twice", "demo", "{}");
    UiClient person = NODE.person(Role.CLIENT, "repeats");

    await()
        .atMost(Duration.ofSeconds(60))
        .until(
            () ->
                !person
                    .get("/ui/jobs/" + job)
                    .document()
                    .select(".timeline > svg .tick")
                    .isEmpty());
    assertThat(person.get("/ui/jobs/" + job).text(".moments")).contains("the key was repeated");
    assertThat(person.get("/ui/jobs/" + job).text("dl.facts")).contains("repeats of the key 2");
  }

  private static String inDoubt(ApiClient client, String key) {
    String job = client.submit(key, "demo", HANG).at("/id");
    awaitState(client, job, "unknown");
    return job;
  }

  private static void awaitState(ApiClient client, String job, String state) {
    await()
        .atMost(Duration.ofSeconds(60))
        .until(() -> client.get("/v1/jobs/" + job).at("/state").equals(state));
  }
}
