package dev.onejob.providers.openai;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.onejob.provider.Provider;
import dev.onejob.providers.ProviderContext;
import dev.onejob.providers.http.RawServer;
import dev.onejob.testkit.FarSide;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Path;
import java.util.Optional;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** An endpoint whose prompts say what it does. */
final class ChatFarSide implements FarSide {
  private static final String COMPLETION =
      """
      {"model":"m","choices":[{"finish_reason":"stop","message":{"content":"because"}}]}""";

  private final RawServer server;
  private final Provider provider;

  ChatFarSide() throws IOException {
    server = RawServer.start(this::play);
    ObjectNode settings = JsonNodeFactory.instance.objectNode();
    settings.put("base_url", server.uri() + "/v1").put("model", "m").put("prompt", "{{/q}}");
    ProviderContext context =
        new ProviderContext(name -> null, Path.of("."), () -> URI.create("http://unused"));
    provider = new OpenAiChatType().create("chat", settings, context);
  }

  private void play(Socket connection) throws IOException {
    String request = server.requests().getLast();
    if (request.contains(Fate.SERVE.name())) {
      RawServer.write(connection, RawServer.whole(200, COMPLETION), RawServer.End.CLOSE);
    } else if (request.contains(Fate.LOSE_ANSWER.name())) {
      connection.close();
    }
  }

  @Override
  public Provider provider() {
    return provider;
  }

  @Override
  public Optional<byte[]> input(Fate fate) {
    return switch (fate) {
      case SERVE, LOSE_ANSWER, HOLD -> Optional.of(("{\"q\":\"" + fate + "\"}").getBytes(UTF_8));
      case LOSE_REQUEST, ACCEPT, FAIL_UNHEARD -> Optional.empty();
    };
  }

  @Override
  public Tally tally() {
    int posts = (int) server.requests().stream().filter(each -> isPost(each)).count();
    int others = server.requests().size() - posts;
    return new Tally(posts, others, 0, posts);
  }

  private static boolean isPost(String request) {
    return request.startsWith("POST /v1/chat/completions ");
  }

  @Override
  public void close() throws IOException {
    server.close();
  }
}
