package dev.onejob.server.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.onejob.providers.http.RawServer;
import dev.onejob.server.access.Role;
import dev.onejob.server.testing.ApiAnswer;
import dev.onejob.server.testing.ApiClient;
import dev.onejob.server.testing.ApiExtension;
import dev.onejob.testkit.ScriptedProvider;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Webhooks over HTTP. */
final class WebhooksTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final String URL = "http://127.0.0.1:9/hook";

  @RegisterExtension static final ApiExtension api = new ApiExtension();

  private static String body(String name, String url) {
    return "{\"name\":\"" + name + "\",\"url\":\"" + url + "\"}";
  }

  private static ApiAnswer create(String name) {
    return api.client().post("/v1/webhooks", body(name, URL));
  }

  @Test
  void a_webhook_is_made_shown_without_its_secret_and_removed() {
    ApiAnswer made = create("till");
    assertThat(made.status()).isEqualTo(201);
    assertThat(made.at("/secret")).startsWith("whsec_");
    assertThat(made.at("/jobs")).isEqualTo("all");
    assertThat(made.json().at("/events")).hasSize(2);
    String path = "/v1/webhooks/" + made.at("/id");
    assertThat(api.client().get(path).text()).doesNotContain("whsec_");
    assertThat(api.client().get("/v1/webhooks").text())
        .contains(made.at("/id"))
        .doesNotContain("whsec_");
    assertThat(create("till").code()).isEqualTo("webhook-name-taken");
    assertThat(api.client().delete(path).status()).isEqualTo(204);
    assertThat(api.client().get(path).code()).isEqualTo("not-found");
    assertThat(create("till").status()).isEqualTo(201);
  }

  @Test
  void what_belongs_to_another_owner_is_not_there_and_operators_see_all() {
    String id = create("mine").at("/id");
    ApiClient other = api.node().client(Role.CLIENT, "somebody-else");
    for (String path : new String[] {"", "/deliveries"}) {
      assertThat(other.get("/v1/webhooks/" + id + path).code()).isEqualTo("not-found");
      assertThat(api.operator().get("/v1/webhooks/" + id + path).status()).isEqualTo(200);
    }
    assertThat(other.post("/v1/webhooks/" + id + "/rotate", "").code()).isEqualTo("not-found");
    assertThat(other.delete("/v1/webhooks/" + id).code()).isEqualTo("not-found");
    assertThat(other.get("/v1/webhooks").text()).doesNotContain(id);
    assertThat(api.operator().get("/v1/webhooks").text()).contains(id);
    ApiClient worker = api.node().client(Role.WORKER, "somebody-else");
    assertThat(worker.get("/v1/webhooks").code()).isEqualTo("forbidden");
  }

  @Test
  void pages_follow_one_another_to_the_end() {
    String first = create("first").at("/id");
    String second = create("second").at("/id");
    ApiAnswer page = api.client().get("/v1/webhooks?limit=1");
    assertThat(page.at("/webhooks/0/id")).isEqualTo(second);
    ApiAnswer next = api.client().get("/v1/webhooks?limit=1&cursor=" + page.at("/next_cursor"));
    assertThat(next.at("/webhooks/0/id")).isEqualTo(first);
    assertThat(
            api.client()
                .get("/v1/webhooks?limit=1&cursor=" + next.at("/next_cursor"))
                .json()
                .at("/webhooks"))
        .isEmpty();
    assertThat(api.client().get("/v1/webhooks?cursor=x").code()).isEqualTo("parameter-invalid");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      textBlock =
          """
          {"name":"a b","url":"https://example.com"}                          | /name
          {"url":"https://example.com"}                                       | /name
          {"name":"x"}                                                        | /url
          {"name":"x","url":"example.com"}                                    | /url
          {"name":"x","url":"ftp://example.com"}                              | /url
          {"name":"x","url":"https://u:p@example.com"}                        | /url
          {"name":"x","url":"http://169.254.169.254/latest"}                  | /url
          {"name":"x","url":"http://[::1]/"}                                  | /url
          {"name":"x","url":"http://10.0.0.1/"}                               | /url
          {"name":"x","url":"http://2852039166/"}                             | /url
          {"name":"x","url":"https://example.com","events":[]}                | /events
          {"name":"x","url":"https://example.com","events":["job.ended","x"]} | /events/1
          {"name":"x","url":"https://example.com","jobs":"some"}              | /jobs
          """)
  void what_cannot_be_registered_is_refused_where_it_is_wrong(String body, String pointer) {
    ApiAnswer answer = api.client().post("/v1/webhooks", body);
    assertThat(answer.code()).isEqualTo("field-invalid");
    assertThat(answer.at("/pointer")).isEqualTo(pointer);
  }

  @Test
  void a_new_secret_signs_beside_the_one_before_and_may_end_all_of_them() {
    ApiAnswer made = create("till");
    String path = "/v1/webhooks/" + made.at("/id") + "/rotate";
    ApiAnswer rotated = api.client().post(path, "{\"overlap_seconds\":3600}");
    assertThat(rotated.at("/secret")).startsWith("whsec_").isNotEqualTo(made.at("/secret"));
    assertThat(rotated.json().at("/earlier_secrets_until")).hasSize(1);
    api.client().post(path, "");
    api.client().post(path, "{}");
    assertThat(api.client().post(path, "").code()).isEqualTo("webhook-secrets-full");
    assertThat(
            api.client().post(path, "{\"overlap_seconds\":0}").json().at("/earlier_secrets_until"))
        .isEmpty();
    ApiAnswer refused = api.client().post(path, "{\"overlap_seconds\":604801}");
    assertThat(refused.at("/pointer")).isEqualTo("/overlap_seconds");
  }

  @Test
  void what_was_told_can_be_read_and_sent_again() throws Exception {
    try (RawServer receiver = RawServer.answering(503, "no")) {
      ApiAnswer made = api.client().post("/v1/webhooks", body("till", receiver.uri().toString()));
      api.node().a.always(ScriptedProvider.succeeded("{}"));
      api.client().submit("k", "plain", "{}");
      String log = "/v1/webhooks/" + made.at("/id") + "/deliveries";
      ApiAnswer tried =
          await()
              .atMost(PATIENCE)
              .until(
                  () -> api.client().get(log),
                  each -> each.at("/deliveries/0/tries/0/outcome").equals("refused"));
      assertThat(tried.at("/deliveries/0/state")).isEqualTo("waiting");
      assertThat(tried.at("/deliveries/0/job_key")).isEqualTo("k");
      assertThat(api.client().get(log + "?state=delivered").json().at("/deliveries")).isEmpty();
      assertThat(api.client().get(log + "?state=lost").code()).isEqualTo("parameter-invalid");
      String resend = "/v1/webhooks/deliveries/" + tried.at("/deliveries/0/id") + "/resend";
      assertThat(api.node().client(Role.CLIENT, "another").post(resend, "").code())
          .isEqualTo("not-found");
      assertThat(api.client().post(resend, "").at("/id")).isEqualTo(tried.at("/deliveries/0/id"));
      await().atMost(PATIENCE).until(() -> receiver.requests().size() >= 2);
      api.client().delete("/v1/webhooks/" + made.at("/id"));
      await()
          .atMost(PATIENCE)
          .until(() -> api.client().post(resend, "").code().equals("webhook-not-in-use"));
      assertThat(api.operator().get("/metrics").text())
          .contains("onejob_webhook_tries_total{delivery=\"waits\",outcome=\"refused\"}");
    } finally {
      api.node().a.always(null);
    }
  }

  @Test
  void a_job_names_a_webhook_of_its_owner_or_none() {
    api.client()
        .post("/v1/webhooks", "{\"name\":\"one\",\"url\":\"" + URL + "\",\"jobs\":\"named\"}");
    String named = "{\"kind\":\"plain\",\"input\":{},\"webhook\":\"one\"}";
    ApiAnswer job = api.client().submit("k", named);
    assertThat(job.status()).isEqualTo(201);
    assertThat(api.client().submit("k", named.replace("one", "other")).at("/id"))
        .as("a repeat finds its job, whatever it names")
        .isEqualTo(job.at("/id"));
    ApiAnswer refused = api.client().submit("l", named.replace("one", "other"));
    assertThat(refused.code()).isEqualTo("field-invalid");
    assertThat(refused.at("/pointer")).isEqualTo("/webhook");
    ApiClient other = api.node().client(Role.CLIENT, "somebody-else");
    assertThat(other.submit("m", named).at("/pointer")).isEqualTo("/webhook");
  }
}
