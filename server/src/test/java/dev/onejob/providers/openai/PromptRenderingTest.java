package dev.onejob.providers.openai;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.onejob.providers.ProviderContext;
import dev.onejob.providers.ProviderTypes;
import dev.onejob.providers.Twisting;
import dev.onejob.providers.http.RawServer;
import dev.onejob.testkit.ProviderCall;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.json.JsonMapper;

final class PromptRenderingTest {
  private static Optional<Twisting.Rendered> rendered(RawServer server)
      throws InterruptedException {
    String settings =
        """
        {"base_url": "%s", "model": "m", "prompt": "{{}}", "result": "json"}
        """
            .formatted(server.uri());
    ProviderContext context =
        new ProviderContext(variable -> null, Path.of("."), () -> URI.create("http://127.0.0.1:1"));
    return ProviderTypes.named("openai-chat")
        .orElseThrow()
        .twisting()
        .orElseThrow()
        .render(
            new JsonMapper().readTree(settings),
            context,
            ProviderCall.request("{}".getBytes(UTF_8), Duration.ofSeconds(20), Duration.ZERO));
  }

  @ParameterizedTest
  @ValueSource(ints = {404, 405, 501})
  void a_server_without_such_an_endpoint_does_not_show_how_it_renders(int status) throws Exception {
    try (RawServer server = RawServer.answering(status, "{}")) {
      assertThat(rendered(server)).isEmpty();
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {401, 429, 500, 503})
  void any_other_answer_is_no_word_about_it_and_is_asked_for_again(int status) throws Exception {
    try (RawServer server = RawServer.answering(status, "{}")) {
      assertThatThrownBy(() -> rendered(server))
          .isInstanceOf(Twisting.NotShownNow.class)
          .hasMessage("/apply-template answered with status " + status);
    }
  }
}
