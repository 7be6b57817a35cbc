package dev.onejob.providers.responses;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.onejob.provider.Outcome;
import dev.onejob.provider.Provider;
import dev.onejob.provider.ProviderRequest;
import dev.onejob.providers.http.RawServer;
import dev.onejob.providers.responses.ResponsesFarSide.Answers;
import dev.onejob.testkit.FarSide;
import dev.onejob.testkit.FarSide.Fate;
import dev.onejob.testkit.ProviderCall;
import dev.onejob.testkit.ProviderContract;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import tools.jackson.databind.node.ObjectNode;

final class ResponsesContractTest implements ProviderContract {
  private static final String QUEUED = ResponsesPeer.status("queued").body();
  private static final String DONE = ResponsesPeer.completed("because").body();

  private static final URI NOBODY = URI.create("http://127.0.0.1:1");

  private RawServer server;
  private ResponsesFarSide far;

  @AfterEach
  void close() throws IOException {
    if (server != null) {
      server.close();
    }
    if (far != null) {
      far.close();
    }
  }

  @Override
  public Optional<FarSide> farSide() throws IOException {
    return Optional.of(ResponsesFarSide.start("may-change"));
  }

  /** It is asked by its id of the work, which the answer that was lost would have named. */
  @Override
  public Optional<Recall> set(Memory memory) throws Exception {
    far = ResponsesFarSide.start("stable");
    Fate fate =
        switch (memory) {
          case DONE, SILENCE, GARBAGE, NEVER_ARRIVED, UNREACHABLE -> Fate.LOSE_ANSWER;
          case FAILED -> Fate.FAIL_UNHEARD;
          case AT_WORK -> Fate.HOLD;
        };
    byte[] input = far.input(fate).orElseThrow();
    ProviderRequest request = ProviderCall.request(input, SHORT, Duration.ZERO);
    if (memory == Memory.NEVER_ARRIVED) {
      return recall(far.provider(), request, "resp_0");
    }
    if (memory == Memory.UNREACHABLE) {
      Provider lost = OpenAiResponsesTest.provider(OpenAiResponsesTest.settings(NOBODY));
      return recall(lost, request, "resp_0");
    }
    assertThat(ProviderCall.start(far.provider(), request).outcome())
        .isInstanceOf(Outcome.InDoubt.class);
    far.answers(
        switch (memory) {
          case SILENCE -> Answers.NOTHING;
          case GARBAGE -> Answers.GARBAGE;
          default -> Answers.TRUTH;
        });
    return recall(far.provider(), request, far.onlyId());
  }

  private Optional<Recall> recall(Provider provider, ProviderRequest request, String id) {
    return Optional.of(new Recall(provider, request, far::effects, id));
  }

  @Override
  public Optional<Stage> set(Scene scene) throws IOException {
    close();
    server = server(scene);
    URI address = scene == Scene.UNREACHABLE ? NOBODY : server.uri();
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
