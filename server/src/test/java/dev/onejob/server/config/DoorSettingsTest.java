package dev.onejob.server.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.onejob.document.ConfigException;
import dev.onejob.providers.ProviderTypes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The OpenAI door in the configuration. */
class DoorSettingsTest {
  @TempDir Path folder;

  private Settings load(String door) throws IOException {
    Path file =
        Files.writeString(
            folder.resolve("onejob.yaml"),
            """
            openai_door: {%s}
            kinds:
              chat: {route: [peer]}
              answers: {route: [responding]}
              templated: {route: [filling]}
              sandboxed: {route: [sandbox-a]}
            providers:
              sandbox-a: {type: sandbox}
              peer:
                type: openai-chat
                base_url: http://p/v1
                model: m
                request: input
                result: whole
              responding:
                type: openai-chat
                base_url: http://p/v1
                model: m
                request: input
                endpoint: responses
                result: whole
              filling: {type: openai-chat, base_url: 'http://p/v1', model: m, prompt: '{{}}'}
            """
                .formatted(door));
    return new SettingsLoader(ProviderTypes.ALL, name -> null, folder).load(file);
  }

  @Test
  void models_lead_to_kinds_and_keys_are_derived_only_where_it_says_so() throws IOException {
    DoorSettings door =
        load("chat_completions: {gpt-x: chat, 'a/b:c': sandboxed}, responses: {gpt-x: answers}")
            .door();
    assertThat(door.chatCompletions()).containsEntry("a/b:c", "sandboxed").hasSize(2);
    assertThat(door.responses()).containsEntry("gpt-x", "answers");
    assertThat(door.patience()).isEqualTo(Duration.ofMinutes(9));
    assertThat(door.derivedKeysWindow()).isNull();
    assertThat(load("chat_completions: {m: chat}, derived_keys: {}").door().derivedKeysWindow())
        .isEqualTo(Duration.ofMinutes(1));
    assertThat(
            load("chat_completions: {m: chat}, derived_keys: {window: 30s}")
                .with(new Overrides(null, null, 0, null, null))
                .door()
                .derivedKeysWindow())
        .isEqualTo(Duration.ofSeconds(30));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          patience: 1m                                      | chat_completions
          chat_completions: {gpt-x: chart}                  | no kind is named "chart"
          chat_completions: {gpt-x: templated}              | needs request: input
          chat_completions: {gpt-x: answers}                | endpoint: chat_completions
          responses: {gpt-x: chat}                          | endpoint: responses
          chat_completions: {gpt-x: chat}, patience: 0s     | openai_door.patience
          chat_completions: {gpt-x: chat}, keep_alive: 2m   | openai_door.keep_alive
          chat_completions: {gpt-x: chat}, derived_keys: {window: 2d} | derived_keys.window
          """)
  void what_could_not_be_served_is_refused_at_the_start(String door, String complaint) {
    assertThatThrownBy(() -> load(door))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining(complaint);
  }
}
