package dev.onejob.server.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.onejob.domain.Failure;
import dev.onejob.provider.Outcome;
import dev.onejob.server.access.ApiKeys;
import dev.onejob.server.access.Role;
import dev.onejob.server.http.door.Door;
import dev.onejob.server.http.door.RequestKeys;
import dev.onejob.server.http.operation.Watching;
import dev.onejob.server.testing.ApiAnswer;
import dev.onejob.server.testing.ApiClient;
import dev.onejob.server.testing.ApiExtension;
import dev.onejob.store.DerivedKeys;
import dev.onejob.testkit.ScriptedProvider;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.node.JsonNodeFactory;

/** The OpenAI door, as the wire shows it. */
final class DoorTest {
  private static final String CHAT = "/openai/v1/chat/completions";
  private static final String ASK =
      "{ \"model\":\"gpt-x\", \"messages\":[{\"role\":\"user\",\"content\":\"Hi\"}] }";
  private static final String STREAMED =
      "{\"model\":\"gpt-x\",\"stream\":true,\"stream_options\":{\"include_usage\":true},"
          + "\"messages\":[]}";
  private static final String COMPLETION =
      "{ \"id\":\"chatcmpl-1\",\"object\":\"chat.completion\",\"created\":17,\"model\":\"m\","
          + "\"choices\":[{\"index\":0,\"message\":{\"role\":\"assistant\",\"content\":\"Ho\"},"
          + "\"finish_reason\":\"stop\"}],\"usage\":{\"prompt_tokens\":1.50} }";
  private static final Duration LONG = Duration.ofSeconds(60);
  private static final Duration SHORT = Duration.ofMillis(300);

  @RegisterExtension final ApiExtension api = new ApiExtension();

  private final ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor();
  private ApiServer server;
  private String secret;

  @BeforeEach
  void open() {
    secret = api.node().secret(Role.CLIENT, "shop");
    open(LONG, LONG, LONG, null);
  }

  private void open(
      Duration patience, Duration doubt, Duration keepAlive, @Nullable RequestKeys keys) {
    SequencedMap<String, String> kinds = new LinkedHashMap<>();
    kinds.put("gpt-x", "plain");
    kinds.put("house/model:1", "plain");
    serve(new Door(kinds, kinds, patience, doubt, keepAlive, keys));
  }

  private void serve(@Nullable Door door) {
    if (server != null) {
      server.close();
    }
    server =
        ApiServer.start(
            api.node().engine(),
            new ApiKeys(api.dataSource()),
            job -> JsonNodeFactory.instance.objectNode(),
            new ApiSettings("127.0.0.1", 0, Watching.NOBODY, door));
  }

  private RequestKeys derived(Duration window) {
    DerivedKeys keys = new DerivedKeys(api.dataSource());
    return (owner, digest) -> keys.of(owner, digest, Door.freshKey(), window);
  }

  @AfterEach
  void close() {
    server.close();
    callers.close();
  }

  private ApiClient client(String key) {
    return new ApiClient(URI.create("http://127.0.0.1:" + server.port()), key);
  }

  private ApiAnswer ask(String body, Map<String, String> headers) {
    return client(secret).send("POST", CHAT, body, headers);
  }

  private CompletableFuture<ApiAnswer> asking(String body, Map<String, String> headers) {
    return CompletableFuture.supplyAsync(() -> ask(body, headers), callers);
  }

  private static Map<String, String> key(String key) {
    return Map.of("Idempotency-Key", key);
  }

  private ApiAnswer job(ApiAnswer answer) {
    return api.client().get("/v1/jobs/" + answer.header("Onejob-Job-Id").orElseThrow());
  }

  @Test
  void the_request_is_the_input_and_the_answer_the_result_byte_for_byte() {
    CompletableFuture<ApiAnswer> answer = asking(ASK, key("k"));
    ScriptedProvider.Call call = api.node().a.next();
    assertThat(call.request().input()).isEqualTo(ASK.getBytes(UTF_8));
    call.succeed(COMPLETION);
    assertThat(answer.join().status()).isEqualTo(200);
    assertThat(answer.join().text()).isEqualTo(COMPLETION);
    assertThat(job(answer.join()).at("/key")).isEqualTo("k");
    assertThat(answer.join().header("x-request-id"))
        .isEqualTo(answer.join().header("Onejob-Job-Id"));
  }

  @Test
  void a_retry_under_the_same_key_joins_the_running_job_whose_provider_is_asked_once() {
    CompletableFuture<ApiAnswer> first = asking(ASK, key("k"));
    ScriptedProvider.Call call = api.node().a.next();
    CompletableFuture<ApiAnswer> retry = asking(ASK, key("k"));
    call.succeed(COMPLETION);
    assertThat(retry.join().text()).isEqualTo(first.join().text());
    assertThat(retry.join().header("Idempotency-Replayed")).contains("true");
    assertThat(ask(ASK, key("k")).text()).isEqualTo(COMPLETION);
    assertThat(api.node().a.calls()).hasSize(1);
  }

  @Test
  void without_a_key_each_request_is_a_job_and_says_that_it_is_not_to_be_sent_again() {
    api.node().a.always(ScriptedProvider.succeeded(COMPLETION));
    ApiAnswer one = ask(ASK, Map.of());
    ApiAnswer other = ask(ASK, Map.of());
    assertThat(one.header("Onejob-Job-Id")).isNotEqualTo(other.header("Onejob-Job-Id"));
    assertThat(one.header("x-should-retry")).contains("false");
  }

  @Test
  void a_derived_key_joins_the_same_bytes_while_the_job_runs_and_after_its_end() {
    open(LONG, LONG, LONG, derived(LONG));
    CompletableFuture<ApiAnswer> first = asking(ASK, Map.of());
    ScriptedProvider.Call call = api.node().a.next();
    CompletableFuture<ApiAnswer> retry = asking(ASK, Map.of());
    call.succeed(COMPLETION);
    String id = first.join().header("Onejob-Job-Id").orElseThrow();
    assertThat(retry.join().header("Onejob-Job-Id")).contains(id);
    assertThat(ask(ASK, Map.of()).header("Onejob-Job-Id")).contains(id);
    api.node().a.always(ScriptedProvider.succeeded(COMPLETION));
    assertThat(ask(ASK.replace("Hi", "Hi!"), Map.of()).header("Onejob-Job-Id").orElseThrow())
        .isNotEqualTo(id);
    assertThat(ask(ASK, key("own")).header("Onejob-Job-Id").orElseThrow()).isNotEqualTo(id);
  }

  @Test
  void a_stream_tells_the_whole_completion_in_chunks_with_usage_and_its_end() {
    api.node().a.always(ScriptedProvider.succeeded(COMPLETION));
    ApiAnswer answer = ask(STREAMED, key("k"));
    String head =
        "data: {\"object\":\"chat.completion.chunk\",\"id\":\"chatcmpl-1\",\"created\":17,"
            + "\"model\":\"m\",\"choices\":[";
    assertThat(answer.text())
        .isEqualTo(
            head
                + "{\"index\":0,\"delta\":{\"role\":\"assistant\",\"content\":\"\"},"
                + "\"finish_reason\":null}],\"usage\":null}\n\n"
                + head
                + "{\"index\":0,\"delta\":{\"content\":\"Ho\"},\"finish_reason\":null}],"
                + "\"usage\":null}\n\n"
                + head
                + "{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}],\"usage\":null}\n\n"
                + head
                + "],\"usage\":{\"prompt_tokens\":1.50}}\n\n"
                + "data: [DONE]\n\n");
  }

  @Test
  void calls_of_tools_are_numbered_in_a_stream() {
    api.node()
        .a
        .always(
            ScriptedProvider.succeeded(
                "{\"id\":\"c\",\"choices\":[{\"message\":{\"content\":null,\"tool_calls\":["
                    + "{\"id\":\"t\",\"type\":\"function\",\"function\":{\"name\":\"f\"}}]},"
                    + "\"finish_reason\":\"tool_calls\"}]}"));
    assertThat(ask(STREAMED.replace("true", "true "), key("k")).text())
        .contains(
            "\"delta\":{\"content\":null,\"tool_calls\":[{\"id\":\"t\",\"type\":\"function\","
                + "\"function\":{\"name\":\"f\"},\"index\":0}]}");
  }

  @Test
  void a_stream_is_kept_alive_while_the_job_is_at_work_and_tells_its_failure_as_an_event() {
    open(LONG, LONG, SHORT, null);
    CompletableFuture<ApiAnswer> answer =
        asking(STREAMED, key("k")); // committed before the failure, so with the status of success
    ScriptedProvider.Call call = api.node().a.next();
    api.node().a.always(ScriptedProvider.busy(null));
    CompletableFuture.runAsync(
        () -> call.answer(ScriptedProvider.busy(null)),
        CompletableFuture.delayedExecutor(2, TimeUnit.SECONDS));
    assertThat(answer.join().status()).isEqualTo(200);
    assertThat(answer.join().text())
        .startsWith(": the job is still at work\n\n")
        .contains("data: {\"error\":{\"message\":\"The job job_")
        .doesNotContain("[DONE]");
  }

  @Test
  void what_fails_early_in_a_stream_has_a_status_of_its_own() {
    api.node().a.always(ScriptedProvider.busy(null));
    assertThat(ask(STREAMED, key("k")).status()).isEqualTo(422);
  }

  @Test
  void a_failed_job_is_an_error_that_names_it_and_is_not_to_be_repeated() {
    api.node().a.always(ScriptedProvider.busy(null));
    ApiAnswer answer = ask(ASK, key("k"));
    String id = answer.header("Onejob-Job-Id").orElseThrow();
    assertThat(answer.status()).isEqualTo(422);
    assertThat(answer.at("/error/code")).isEqualTo("job_failed");
    assertThat(answer.at("/error/type")).isEqualTo("job_error");
    assertThat(answer.at("/error/message")).startsWith("The job " + id + " has failed: ");
    assertThat(answer.header("x-should-retry")).contains("false");
  }

  @Test
  void a_doubt_that_lasts_is_told_and_the_job_stays_one() {
    open(LONG, SHORT, LONG, null);
    api.node().a.always(new Outcome.InDoubt(new Failure("connection-lost", "cut")));
    ApiAnswer answer = ask(ASK, key("k"));
    assertThat(answer.status()).isEqualTo(422);
    assertThat(answer.at("/error/code")).isEqualTo("job_in_doubt");
    assertThat(answer.at("/error/job_id")).isEqualTo(answer.header("Onejob-Job-Id").orElseThrow());
    assertThat(answer.header("x-should-retry")).contains("false");
    assertThat(ask(ASK, key("k")).at("/error/code")).isEqualTo("job_in_doubt");
    assertThat(api.node().a.calls()).hasSize(1);
  }

  @Test
  void when_patience_is_over_the_same_request_may_join_again_but_not_one_without_a_key() {
    open(SHORT, LONG, LONG, null);
    ApiAnswer keyed = ask(ASK, key("k"));
    assertThat(keyed.at("/error/code")).isIn("job_unfinished", "job_in_doubt");
    assertThat(keyed.status()).isEqualTo(422);
    ApiAnswer keyless = ask(ASK, Map.of());
    assertThat(keyless.header("x-should-retry")).contains("false");
  }

  @Test
  void a_job_that_waits_for_a_person_is_told_and_not_waited_out() {
    open(LONG, SHORT, LONG, null);
    api.node().a.always(ScriptedProvider.refused()); // the next provider has proved nothing
    ApiAnswer answer = ask(ASK, key("k"));
    assertThat(answer.at("/error/code")).isEqualTo("job_unfinished");
    assertThat(answer.at("/error/message")).contains("it waits for a qualification");
    assertThat(answer.header("x-should-retry")).contains("false");
  }

  @Test
  void a_cancelled_job_is_told() {
    CompletableFuture<ApiAnswer> answer = asking(ASK, key("k"));
    ScriptedProvider.Call call = api.node().a.next();
    String id = api.client().get("/v1/jobs").at("/jobs/0/id");
    api.client().post("/v1/jobs/" + id + "/cancel", "");
    call.answer(ScriptedProvider.refused());
    assertThat(answer.join().at("/error/code")).isEqualTo("job_cancelled");
  }

  @Test
  void a_result_that_is_no_completion_cannot_be_streamed_and_says_so() {
    api.node().a.always(ScriptedProvider.succeeded("{\"pages\":2}"));
    assertThat(ask(STREAMED, key("k")).at("/error/code")).isEqualTo("result_unsuitable");
  }

  @Test
  void another_request_under_the_same_key_is_a_conflict() {
    api.node().a.always(ScriptedProvider.succeeded(COMPLETION));
    ApiAnswer first = ask(ASK, key("k"));
    ApiAnswer other = ask(ASK.replace("Hi", "Ho"), key("k"));
    assertThat(other.status()).isEqualTo(409);
    assertThat(other.at("/error/code")).isEqualTo("intent_mismatch");
    assertThat(other.header("Onejob-Job-Id")).isEqualTo(first.header("Onejob-Job-Id"));
    assertThat(other.header("x-should-retry")).contains("false");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{\"model\":\"gpt-y\"}|404|model_not_found|model",
        "{\"model\":7}|400|field_invalid|model",
        "{}|400|field_invalid|model",
        "[]|400|body_invalid|''",
        "{\"model\":\"gpt-x\",|400|body_invalid|''",
        "{\"model\":\"gpt-x\",\"model\":\"gpt-x\"}|400|body_invalid|''",
        "{\"model\":\"gpt-x\",\"n\":2}|400|field_invalid|n",
        "{\"model\":\"gpt-x\",\"stream\":\"yes\"}|400|field_invalid|stream",
        "{\"model\":\"gpt-x\",\"models\":[\"a\"]}|400|field_invalid|models",
        "{\"model\":\"gpt-x\",\"store\":true}|400|field_invalid|store",
      })
  void what_cannot_be_served_is_told_in_openais_form(
      String body, int status, String code, String param) {
    ApiAnswer answer = ask(body, key("k"));
    assertThat(answer.status()).isEqualTo(status);
    assertThat(answer.at("/error/code")).isEqualTo(code);
    assertThat(answer.at("/error/type")).isEqualTo("invalid_request_error");
    assertThat(answer.at("/error/param")).isEqualTo(param);
    assertThat(api.client().get("/v1/jobs").json().path("jobs").isEmpty()).isTrue();
  }

  @Test
  void a_wrong_key_and_a_wrong_role_are_told_in_openais_form() {
    ApiAnswer wrong = client("sk-no-such-key").send("POST", CHAT, ASK, Map.of());
    assertThat(wrong.status()).isEqualTo(401);
    assertThat(wrong.at("/error/code")).isEqualTo("invalid_api_key");
    ApiAnswer worker =
        client(api.node().secret(Role.WORKER, "shop")).send("POST", CHAT, ASK, Map.of());
    assertThat(worker.status()).isEqualTo(403);
  }

  @Test
  void responses_are_served_whole_and_neither_streamed_nor_in_the_background() {
    api.node().a.always(ScriptedProvider.succeeded("{\"id\":\"resp_1\",\"status\":\"completed\"}"));
    String path = "/openai/v1/responses";
    ApiClient client = client(secret);
    ApiAnswer answer =
        client.send("POST", path, "{\"model\":\"gpt-x\",\"input\":\"Hi\"}", key("k"));
    assertThat(answer.text()).isEqualTo("{\"id\":\"resp_1\",\"status\":\"completed\"}");
    for (String member : List.of("stream", "background")) {
      String body = "{\"model\":\"gpt-x\",\"" + member + "\":true}";
      assertThat(client.send("POST", path, body, key("k2")).at("/error/param")).isEqualTo(member);
    }
    String other = "{\"model\":\"gpt-x\",\"input\":[{\"type\":\"item_reference\",\"id\":\"i\"}]}";
    assertThat(client.send("POST", path, other, key("k2")).at("/error/param")).isEqualTo("input.0");
  }

  @Test
  void the_models_are_those_that_lead_to_a_kind() {
    ApiClient client = client(secret);
    ApiAnswer all = client.get("/openai/v1/models");
    assertThat(all.json().path("data").valueStream().map(each -> each.path("id").asString()))
        .containsExactly("gpt-x", "house/model:1");
    assertThat(client.get("/openai/v1/models/gpt-x").at("/object")).isEqualTo("model");
    assertThat(client.get("/openai/v1/models/gpt-y").status()).isEqualTo(404);
  }

  @Test
  void a_model_with_a_slash_in_its_name_is_found_and_no_other_path_is_there() throws Exception {
    try (HttpClient http = HttpClient.newHttpClient()) {
      assertThat(read(http, "/openai/v1/models/house/model:1").body())
          .contains("\"id\":\"house/model:1\"");
      HttpResponse<String> nowhere = read(http, "/openai/v1/embeddings");
      assertThat(nowhere.statusCode()).isEqualTo(404);
      assertThat(nowhere.body()).startsWith("{\"error\":{\"message\":");
    }
  }

  private HttpResponse<String> read(HttpClient http, String path) throws Exception {
    URI uri = URI.create("http://127.0.0.1:" + server.port() + path);
    return http.send(
        HttpRequest.newBuilder(uri).header("Authorization", "Bearer " + secret).build(),
        HttpResponse.BodyHandlers.ofString());
  }

  @Test
  void a_node_without_a_door_has_none_of_its_paths() {
    serve(null);

    assertThat(ask(ASK, key("k")).status()).isEqualTo(404);
  }
}
