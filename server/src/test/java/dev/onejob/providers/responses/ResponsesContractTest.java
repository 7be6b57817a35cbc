package dev.onejob.providers.responses;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.awaitility.Awaitility.await;

import dev.onejob.provider.Provider;
import dev.onejob.providers.http.RawServer;
import dev.onejob.testkit.ProviderContract;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import tools.jackson.databind.node.ObjectNode;

final class ResponsesContractTest implements ProviderContract {
  private static final String QUEUED = ResponsesPeer.status("queued").body();
  private static final String DONE = ResponsesPeer.completed("because").body();

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
    ObjectNode settings = OpenAiResponsesTest.settings(address);
    if (scene == Scene.TOO_LARGE || scene == Scene.TOO_DEEP) {
      settings.put("background", false); // in the background: whose answer is it?
    }
    Provider provider = OpenAiResponsesTest.provider(settings);
    byte[] input = "{\"q\":\"why?\"}".getBytes(UTF_8);
    return Optional.of(new Stage(provider, input, this::submits));
  }

  private int submits() {
    return (int)
        server.requests().stream()
            .filter(request -> request.startsWith("POST /v1/responses HTTP"))
            .count();
  }

  private RawServer server(Scene scene) throws IOException {
    return switch (scene) {
      case SUCCESS -> RawServer.answering(200, DONE);
      case LATE_SUCCESS -> RawServer.start(this::submittedThenDone);
      case REFUSAL -> RawServer.answering(401, "{\"error\":{\"code\":\"invalid_api_key\"}}");
      case HOSTILE_WORDS -> RawServer.answering(500, "\u0000\u001b[31m" + "x".repeat(5_000));
      case UNREACHABLE -> RawServer.start(Socket::close);
      case SILENCE -> RawServer.start(connection -> {});
      case CUT -> RawServer.start(Socket::close);
      case GARBAGE -> RawServer.answering(200, "<html>");
      case TOO_LARGE -> RawServer.answering(200, DONE.replace("because", "x".repeat(5_000_000)));
      case TOO_DEEP -> RawServer.answering(200, "[".repeat(500) + "]".repeat(500));
    };
  }

  /** The first question is answered late, by which the work has been done. */
  private void submittedThenDone(Socket connection) throws IOException {
    if (server.requests().size() == 1) {
      RawServer.write(connection, RawServer.whole(200, QUEUED), RawServer.End.CLOSE);
      return;
    }
    Thread.ofVirtual()
        .start(
            () -> {
              await().pollDelay(SHORT.plusMillis(250)).until(() -> true);
              try {
                String raw = RawServer.whole(200, DONE);
                RawServer.write(connection, raw, RawServer.End.CLOSE);
              } catch (IOException e) {
                // The caller had no patience left: part of the play.
              }
            });
  }
}
