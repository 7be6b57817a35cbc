package dev.onejob.providers.anthropic;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.onejob.provider.Provider;
import dev.onejob.providers.http.RawServer;
import dev.onejob.testkit.FarSide;
import java.io.IOException;
import java.net.Socket;
import java.util.Optional;

/** An endpoint whose prompts say what it does. */
final class MessagesFarSide implements FarSide {
  private final RawServer server;
  private final Provider provider;

  MessagesFarSide() throws IOException {
    server = RawServer.start(this::play);
    provider = AnthropicMessagesTest.provider(AnthropicMessagesTest.settings(server.uri()));
  }

  private void play(Socket connection) throws IOException {
    String request = server.requests().getLast();
    if (request.contains(Fate.SERVE.name())) {
      String raw = RawServer.whole(200, AnthropicFailuresTest.GOOD);
      RawServer.write(connection, raw, RawServer.End.CLOSE);
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
    return request.startsWith("POST /v1/messages ");
  }

  @Override
  public void close() throws IOException {
    server.close();
  }
}
