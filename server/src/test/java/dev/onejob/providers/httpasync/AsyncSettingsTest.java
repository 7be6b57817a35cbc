package dev.onejob.providers.httpasync;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.onejob.provider.Capabilities;
import dev.onejob.provider.Finding;
import dev.onejob.provider.Outcome;
import dev.onejob.provider.Provider;
import dev.onejob.provider.ProviderRequest;
import dev.onejob.providers.InvalidSetting;
import dev.onejob.providers.http.RawServer;
import dev.onejob.testkit.ProviderCall;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A provider described from scratch, and descriptions that cannot be used. */
final class AsyncSettingsTest {
  private static final String WHOLE =
      """
      profile: generic
      base_url: http://127.0.0.1:1/api
      submit: {path: /tasks}
      status: {path: "/tasks/{id}", succeeded: [done], failed: [broken]}
      result: {at: /answer}
      """;

  private static final Duration AMPLE = Duration.ofSeconds(60);

  @Test
  void everything_can_be_described_and_a_text_can_be_the_result() throws Exception {
    try (RawServer server =
        RawServer.answering(
            200, "{\"task\":{\"no\":17},\"state\":\"ok\",\"out\":{\"text\":\"hi\"}}")) {
      Provider provider =
          Adapters.of(
              """
              profile: generic
              base_url: %s/api
              api_key_env: PEER_KEY
              authorization: Token
              id: /task/no
              submit:
                path: /tasks
                method: PUT
                query: {version: "2 a"}
                headers: {X-Team: blue}
                body: {text: "Say: {{/words}} \\\\{{", n: "{{/n}}", fixed: [1, true]}
              status: {path: "/tasks/{id}/state", word: /state, succeeded: [ok]}
              result: {at: /out/text, format: text}
              callback: {header: X-Callback}
              """
                  .formatted(server.uri()));
      byte[] input = "{\"words\":\"x\\\"y\",\"n\":1.50}".getBytes(UTF_8);
      ProviderRequest plain = ProviderCall.request(input, AMPLE, Duration.ZERO);

      Outcome outcome = ProviderCall.start(provider, plain).outcome();

      assertThat(new String(((Outcome.Succeeded) outcome).result().bytes(), UTF_8)).isEqualTo("hi");
      assertThat(server.requests().getFirst())
          .startsWith("PUT /api/tasks?version=2%20a HTTP/1.1\r\n")
          .contains("\r\nAuthorization: Token the-key\r\n", "\r\nX-Team: blue\r\n")
          .doesNotContain("X-Callback")
          .endsWith("\r\n\r\n{\"text\":\"Say: x\\\"y {{\",\"n\":1.50,\"fixed\":[1,true]}");
    }
  }

  @Test
  void an_input_that_lacks_what_the_template_needs_is_refused_before_anything_is_sent()
      throws Exception {
    Provider provider = Adapters.of(WHOLE + "\n");
    Provider needs = Adapters.of(WHOLE.replace("/tasks}", "/tasks, body: {a: \"{{/missing}}\"}}"));
    ProviderRequest request = ProviderCall.request("{}".getBytes(UTF_8), AMPLE, Duration.ZERO);

    assertThat(provider.capabilities().terminalState())
        .isEqualTo(Capabilities.TerminalState.MAY_CHANGE);
    assertThat(ProviderCall.start(needs, request).outcome())
        .isInstanceOfSatisfying(
            Outcome.Refused.class,
            refused -> {
              assertThat(refused.failure().code()).isEqualTo("input-unusable");
              assertThat(refused.failure().message()).contains("/missing");
            });
  }

  @Test
  void it_de_duplicates_only_where_that_is_declared_and_a_replay_then_asks_by_the_same_key()
      throws IOException, InterruptedException {
    String promises = "promises: {deduplicates: {header: Idempotency-Key, key_for: 24h}}\n";
    try (RawServer server =
        RawServer.answering(200, "{\"id\":\"t\",\"status\":\"done\",\"answer\":1}")) {
      String settings = WHOLE.replace("http://127.0.0.1:1", server.uri().toString());
      Provider keyed = Adapters.of(settings + promises);
      Provider plain = Adapters.of(settings);
      ProviderRequest request = ProviderCall.request("{}".getBytes(UTF_8), AMPLE, Duration.ZERO);

      assertThat(plain.replay(request, () -> true)).isInstanceOf(Finding.CannotSay.class);
      assertThat(server.requests()).isEmpty();
      assertThat(keyed.replay(request, () -> false)).isInstanceOf(Finding.CannotSay.class);
      assertThat(server.requests()).isEmpty();
      assertThat(keyed.replay(request, () -> true)).isInstanceOf(Finding.Succeeded.class);
      assertThat(server.requests().getFirst())
          .contains("\r\nIdempotency-Key: " + request.providerKey() + "\r\n");
      assertThat(keyed.capabilities().evidenceRetention()).isEqualTo(Duration.ofHours(24));
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          profile: generic                                     | /base_url
          profile: pigeon                                      | /profile
          profile: replicate                                   | /model
          {profile: fal, model: flux/}                         | /model
          {R, api_key_env: NONE}  | /api_key_env
          {R, submit: {path: x}}  | /submit/path
          {R, submit: {path: //x.example}} | /submit/path
          {R, status: {path: /x}} | /status/path
          {R, status: {stopped: [failed]}} | /status
          {R, submit: {body: "{{x}}"}} | /submit/body
          {R, submit: {body: "{{/x"}} | /submit/body
          {R, poll: {every: 0s}}  | /poll/every
          {R, result: {at: x}}    | /result/at
          {R, callback: {signature: {scheme: stripe}}} | /callback/signature
          {F, callback: {signature: {keys_url: "ftp://x"}}} | /callback/signature/keys_url
          {R, promises: {not_found: final, evidence_for: null}} | /promises/not_found
          {R, submit: {headers: {X: "a\\nb"}}} | /submit/headers
          """)
  void a_description_that_cannot_be_used_is_refused_with_the_place(String yaml, String pointer) {
    String whole =
        yaml.replace("{R,", "{profile: replicate, model: a/b,")
            .replace("{F,", "{profile: fal, model: a/b,");
    assertThatThrownBy(() -> Adapters.of(whole))
        .isInstanceOfSatisfying(
            InvalidSetting.class, e -> assertThat(e.pointer()).isEqualTo(pointer));
  }
}
