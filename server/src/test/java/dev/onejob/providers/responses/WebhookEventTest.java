package dev.onejob.providers.responses;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class WebhookEventTest {
  private static String event(String type, String data) {
    return "{\"object\":\"event\",\"id\":\"evt_1\",\"type\":\""
        + type
        + "\",\"data\":"
        + data
        + "}";
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "response.completed",
        "response.failed",
        "response.cancelled",
        "response.incomplete"
      })
  void an_event_about_an_end_names_the_response_to_look_at(String type) {
    assertThat(WebhookEvent.endedResponse(event(type, "{\"id\":\"resp_1\"}").getBytes(UTF_8)))
        .contains("resp_1");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "[]",
        "{\"type\":\"response.completed\"}",
        "{\"type\":\"response.created\",\"data\":{\"id\":\"resp_1\"}}",
        "{\"type\":\"batch.completed\",\"data\":{\"id\":\"resp_1\"}}",
        "{\"type\":\"response.completed\",\"data\":{\"id\":\"../x\"}}",
        "{\"type\":\"response.completed\",\"data\":{\"id\":\"a\",\"id\":\"b\"}}",
        "{\"type\":\"response.completed\",\"data\":{\"id\":7}}",
      })
  void anything_else_says_nothing(String body) {
    assertThat(WebhookEvent.endedResponse(body.getBytes(UTF_8))).isEmpty();
  }
}
