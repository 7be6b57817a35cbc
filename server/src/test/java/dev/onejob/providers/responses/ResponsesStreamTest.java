package dev.onejob.providers.responses;

import static dev.onejob.providers.responses.ResponseEvents.CREATED;
import static dev.onejob.providers.responses.ResponseEvents.ended;
import static dev.onejob.providers.responses.ResponseEvents.event;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.onejob.domain.Usage;
import dev.onejob.provider.Outcome;
import dev.onejob.providers.InvalidSetting;
import dev.onejob.providers.http.RawServer;
import dev.onejob.testkit.ProviderCall;
import java.net.URI;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

final class ResponsesStreamTest {
  @Test
  void the_response_of_the_last_event_is_the_result() throws Exception {
    Outcome outcome = streamed(String.join("", ResponseEvents.events()));
    Outcome.Succeeded done = (Outcome.Succeeded) outcome;
    assertThat(new String(done.result().bytes(), UTF_8)).isEqualTo("because");
    assertThat(done.usage()).isEqualTo(new Usage(5L, 2L, "m"));
  }

  @Test
  void a_response_that_ends_otherwise_has_failed() throws Exception {
    String cut = "\"incomplete_details\":{\"reason\":\"max_output_tokens\"}";
    assertThat(code(streamed(CREATED + ended("incomplete", cut)))).isEqualTo("truncated");
    assertThat(code(streamed(CREATED + ended("failed", "\"output\":[]"))))
        .isEqualTo("response-failed");
  }

  @Test
  void an_error_means_what_it_says_before_the_response_was_created_and_is_doubt_later()
      throws Exception {
    String limited = event("error", "\"code\":\"rate_limit_exceeded\",\"message\":\"x\"");
    assertThat(streamed(limited)).isInstanceOf(Outcome.Refused.class);
    assertThat(streamed(CREATED + limited)).isInstanceOf(Outcome.InDoubt.class);
  }

  @Test
  void a_last_event_that_does_not_say_what_became_of_it_is_doubt() throws Exception {
    assertThat(streamed(CREATED + event("response.completed", "\"response\":null")))
        .isInstanceOf(Outcome.InDoubt.class);
    assertThat(streamed(CREATED + "data: {}\n\n")).isInstanceOf(Outcome.InDoubt.class);
    String atWork = ResponsesPeer.status("in_progress").body();
    assertThat(streamed(CREATED + event("response.completed", "\"response\":" + atWork)))
        .isInstanceOf(Outcome.InDoubt.class);
  }

  @Test
  void an_event_that_is_nested_too_deep_is_no_result_once_the_stream_has_ended() throws Exception {
    String deep = "data: " + "[".repeat(500) + "]".repeat(500) + "\n\n";
    String end = ended("completed", ResponsesPeer.output("because"));
    assertThat(code(streamed(CREATED + deep + end))).isEqualTo("result-invalid");
    assertThat(streamed(CREATED + deep)).isInstanceOf(Outcome.InDoubt.class);
    String limited = event("error", "\"code\":\"rate_limit_exceeded\",\"message\":\"x\"");
    assertThat(streamed(deep + limited)).isInstanceOf(Outcome.InDoubt.class);
  }

  @Test
  void a_stream_is_for_what_is_not_in_the_background() {
    ObjectNode settings = OpenAiResponsesTest.settings(URI.create("http://h"));
    assertThatThrownBy(() -> OpenAiResponsesTest.provider(settings.put("stream", true)))
        .isInstanceOf(InvalidSetting.class)
        .hasMessageContaining("background");
  }

  private static String code(Outcome outcome) {
    return ((Outcome.Failed) outcome).failure().code();
  }

  private static Outcome streamed(String events) throws Exception {
    String head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n";
    try (RawServer server = RawServer.answering(head + events)) {
      ObjectNode settings = OpenAiResponsesTest.settings(server.uri());
      settings.put("background", false).put("stream", true);
      Outcome outcome =
          ProviderCall.start(
                  OpenAiResponsesTest.provider(settings),
                  ProviderCall.request(
                      "{\"q\":1}".getBytes(UTF_8), Duration.ofSeconds(20), Duration.ZERO))
              .outcome();
      assertThat(server.requests()).hasSize(1);
      return outcome;
    }
  }
}
