package dev.onejob.providers.anthropic;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.awaitility.Awaitility.await;

import dev.onejob.provider.Provider;
import dev.onejob.providers.http.RawServer;
import dev.onejob.testkit.FarSide;
import dev.onejob.testkit.ProviderContract;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;

final class AnthropicContractTest implements ProviderContract {
  private RawServer server;

  @AfterEach
  void close() throws IOException {
    if (server != null) {
      server.close();
    }
  }

  @Override
  public Optional<Stage> set(Scene scene) throws IOException {
    close();
    server = server(scene);
    URI address = scene == Scene.UNREACHABLE ? URI.create("http://127.0.0.1:1") : server.uri();
    Provider provider = AnthropicMessagesTest.provider(AnthropicMessagesTest.settings(address));
    byte[] input = "{\"q\":\"why?\"}".getBytes(UTF_8);
    return Optional.of(new Stage(provider, input, () -> server.requests().size()));
  }

  @Override
  public Optional<FarSide> farSide() throws IOException {
    return Optional.of(new MessagesFarSide());
  }

  private static RawServer server(Scene scene) throws IOException {
    return switch (scene) {
      case SUCCESS -> RawServer.answering(200, AnthropicFailuresTest.GOOD);
      case LATE_SUCCESS -> RawServer.start(AnthropicContractTest::answerLate);
      case REFUSAL -> RawServer.answering(401, "{\"type\":\"error\"}");
      case HOSTILE_WORDS -> RawServer.answering(500, "\u0000\u001b[31m" + "x".repeat(5_000));
      case UNREACHABLE -> RawServer.start(Socket::close);
      case SILENCE -> RawServer.start(connection -> {});
      case CUT -> RawServer.start(Socket::close);
      case GARBAGE -> RawServer.answering(200, "<html>");
      case TOO_LARGE ->
          RawServer.answering(
              200, AnthropicFailuresTest.GOOD.replace("because", "x".repeat(5_000_000)));
      case TOO_DEEP -> RawServer.answering(200, "[".repeat(500) + "]".repeat(500));
    };
  }

  private static void answerLate(Socket connection) {
    Thread.ofVirtual()
        .start(
            () -> {
              await().pollDelay(SHORT.plusMillis(250)).until(() -> true);
              try {
                String raw = RawServer.whole(200, AnthropicFailuresTest.GOOD);
                RawServer.write(connection, raw, RawServer.End.CLOSE);
              } catch (IOException e) {
                // The caller had no patience left: part of the play.
              }
            });
  }
}
