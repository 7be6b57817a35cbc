package dev.onejob.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.onejob.server.access.Role;
import dev.onejob.server.testing.ApiAnswer;
import dev.onejob.server.testing.ApiClient;
import dev.onejob.server.testing.ApiExtension;
import dev.onejob.server.testing.ApiNode;
import dev.onejob.server.testing.OpenApiCheck;
import dev.onejob.server.testing.RawHttp;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Who may do what, and how little others learn. */
final class AccessTest {
  private static final String NOBODY = "job_01KB8XJ4M0E5V7S2T9QW3R6Y1Z";

  @RegisterExtension static final ApiExtension api = new ApiExtension();

  /** What each role gets on each route; the ids name nothing. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "POST   | /v1/jobs                          | 400 | 403 | 400",
        "GET    | /v1/jobs                          | 200 | 403 | 200",
        "GET    | /v1/jobs/{job}                    | 404 | 403 | 404",
        "POST   | /v1/jobs/{job}/attempts           | 404 | 403 | 404",
        "POST   | /v1/jobs/{job}/cancel             | 404 | 403 | 404",
        "POST   | /v1/jobs/{job}/acknowledgement    | 403 | 403 | 400",
        "POST   | /v1/jobs/{job}/reopen             | 400 | 403 | 400",
        "GET    | /v1/desk                          | 403 | 403 | 200",
        "GET    | /v1/attempts                      | 400 | 403 | 400",
        "GET    | /v1/attempts/{attempt}            | 404 | 403 | 404",
        "POST   | /v1/attempts/{attempt}/resolution | 403 | 403 | 400",
        "POST   | /v1/attempts/claim                | 403 | 400 | 400",
        "POST   | /v1/attempts/{attempt}/heartbeat  | 403 | 400 | 400",
        "POST   | /v1/attempts/{attempt}/accepted   | 403 | 400 | 400",
        "POST   | /v1/attempts/{attempt}/settle     | 403 | 400 | 400",
        "GET    | /v1/qualifications                | 403 | 403 | 200",
        "POST   | /v1/qualifications/withdraw       | 403 | 403 | 400",
        "GET    | /v1/providers                     | 403 | 403 | 200",
        "POST   | /v1/qualification-runs            | 403 | 403 | 400",
        "GET    | /v1/qualification-runs            | 403 | 403 | 200",
        "GET    | /v1/qualification-runs/run_x      | 403 | 403 | 404",
        "POST   | /v1/qualification-runs/run_x/stop | 403 | 403 | 404",
        "GET    | /v1/webhooks                      | 200 | 403 | 200",
        "POST   | /v1/webhooks                      | 400 | 403 | 400",
        "GET    | /v1/webhooks/hook_x               | 404 | 403 | 404",
        "DELETE | /v1/webhooks/hook_x               | 404 | 403 | 404",
        "POST   | /v1/webhooks/hook_x/rotate        | 404 | 403 | 404",
        "GET    | /v1/webhooks/hook_x/deliveries    | 404 | 403 | 404",
        "POST   | /v1/webhooks/deliveries/x/resend  | 404 | 403 | 404",
        "POST   | /openai/v1/chat/completions       | 400 | 403 | 400",
        "POST   | /openai/v1/responses              | 400 | 403 | 400",
        "GET    | /openai/v1/models                 | 200 | 403 | 200",
        "GET    | /openai/v1/models/none            | 404 | 403 | 404",
        "GET    | /metrics                          | 403 | 403 | 200",
        "GET    | /v1/keys                          | 403 | 403 | 200",
        "POST   | /v1/keys                          | 403 | 403 | 400",
        "DELETE | /v1/keys/{key}                    | 403 | 403 | 404"
      })
  void a_role_reaches_what_it_is_for(
      String method, String template, int client, int worker, int operator) {
    String path =
        template
            .replace("{job}", NOBODY)
            .replace("{attempt}", NOBODY.replace("job_", "att_"))
            .replace("{key}", "00000000-0000-4000-8000-000000000000");
    assertThat(status(api.client(), method, path)).isEqualTo(client);
    assertThat(status(api.node().client(Role.WORKER, "shop"), method, path)).isEqualTo(worker);
    assertThat(status(api.operator(), method, path)).isEqualTo(operator);
    ApiAnswer stranger = new ApiClient(api.uri(), "").send(method, path, "", Map.of());
    assertThat(stranger.status()).isEqualTo(401);
    assertThat(stranger.header("WWW-Authenticate")).contains("Bearer realm=\"onejob\"");
  }

  @Test
  void two_keys_in_one_request_open_nothing() {
    String header = "Authorization: Bearer " + api.node().secret(Role.CLIENT, "shop") + "\r\n";
    String request =
        "GET /v1/jobs HTTP/1.1\r\nHost: x\r\n" + header + "Authorization: Bearer other\r\n\r\n";
    assertThat(RawHttp.send(api.uri(), request, "GET /v1/jobs").status()).isEqualTo(401);
  }

  private static int status(ApiClient client, String method, String path) {
    return client.send(method, path, "", Map.of()).status();
  }

  @Test
  void the_matrix_leaves_out_no_operation_that_needs_a_key() {
    Set<String> guarded = new HashSet<>();
    OpenApiCheck.openApi()
        .path("paths")
        .properties()
        .forEach(
            path ->
                path.getValue()
                    .properties()
                    .forEach(
                        operation -> {
                          if (!operation.getValue().has("security")) {
                            guarded.add(operation.getKey() + " " + path.getKey());
                          }
                        }));
    assertThat(guarded).hasSize(37);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Bearer",
        "Bearer x",
        "Basic b25lOmpvYg==",
        "Bearer ojk_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
      })
  void what_is_no_key_in_use_is_not_let_in(String header) {
    ApiAnswer answer =
        new ApiClient(api.uri(), "").send("GET", "/v1/jobs", "", Map.of("Authorization", header));
    assertThat(answer.code()).isEqualTo("unauthorized");
    assertThat(answer.header("WWW-Authenticate").orElseThrow()).contains("invalid_token");
  }

  @Test
  void the_scheme_is_read_in_any_case() {
    ApiAnswer answer =
        new ApiClient(api.uri(), "")
            .send(
                "GET",
                "/v1/jobs",
                "",
                Map.of("Authorization", "bEARER " + api.node().secret(Role.CLIENT, "shop")));
    assertThat(answer.status()).isEqualTo(200);
  }

  @Test
  void another_owners_job_a_malformed_id_and_an_id_that_never_existed_look_the_same() {
    String theirs = api.client().submit("k", "plain", "{\"secret\":1}").at("/id");
    ApiClient other = api.node().client(Role.CLIENT, "bakery");
    for (String suffix : List.of("", "/attempts", "/cancel")) {
      List<ApiAnswer> answers =
          List.of(theirs, NOBODY, "job_", "JOB-1", theirs.toLowerCase(Locale.ROOT)).stream()
              .map(id -> "/v1/jobs/" + id + suffix)
              .map(path -> suffix.isEmpty() ? other.get(path) : other.post(path, ""))
              .toList();
      assertThat(answers).allSatisfy(answer -> assertThat(answer.status()).isEqualTo(404));
      assertThat(answers.stream().map(ApiAnswer::text).distinct()).hasSize(1);
      assertThat(answers.stream().map(AccessTest::headersButDate).distinct()).hasSize(1);
      assertThat(answers.getFirst().text()).doesNotContain("job_", "bakery");
    }
  }

  @Test
  void another_owners_attempt_looks_like_none() {
    String job = api.client().submit("k", "plain", "{}").at("/id");
    String attempt =
        ApiNode.awaitJob(api.client(), job, "/attempts_started", "1").at("/attempts/0/id");
    ApiClient other = api.node().client(Role.CLIENT, "bakery");
    assertThat(api.client().get("/v1/attempts/" + attempt).at("/job_id")).isEqualTo(job);
    assertThat(other.get("/v1/attempts/" + attempt).text())
        .isEqualTo(other.get("/v1/attempts/att_").text());
  }

  @Test
  void an_operator_sees_the_jobs_of_all_owners() {
    String job = api.client().submit("k", "plain", "{}").at("/id");
    assertThat(api.operator().get("/v1/jobs/" + job).status()).isEqualTo(200);
    assertThat(api.operator().get("/v1/jobs").text()).contains(job);
  }

  private static Map<String, List<String>> headersButDate(ApiAnswer answer) {
    Map<String, List<String>> headers = new TreeMap<>(answer.headers());
    headers.remove("date");
    return headers;
  }
}
