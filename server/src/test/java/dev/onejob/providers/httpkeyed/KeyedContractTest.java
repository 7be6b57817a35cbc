package dev.onejob.providers.httpkeyed;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.onejob.provider.Outcome;
import dev.onejob.provider.Provider;
import dev.onejob.provider.ProviderRequest;
import dev.onejob.providers.http.RawServer;
import dev.onejob.providers.httpkeyed.KeyedFarSide.LookUp;
import dev.onejob.testkit.FarSide;
import dev.onejob.testkit.PaymentPeer;
import dev.onejob.testkit.PaymentPeer.Fate;
import dev.onejob.testkit.ProviderCall;
import dev.onejob.testkit.ProviderContract;
import java.io.Closeable;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;

final class KeyedContractTest implements ProviderContract {
  private static final URI NOBODY = URI.create("http://127.0.0.1:1");

  private final Deque<Closeable> open = new ArrayDeque<>();

  @AfterEach
  void close() throws IOException {
    while (!open.isEmpty()) {
      open.pop().close();
    }
  }

  @Override
  public Optional<FarSide> farSide() {
    return Optional.of(new KeyedFarSide());
  }

  @Override
  public Optional<Stage> set(Scene scene) throws IOException {
    RawServer server = server(scene);
    open.push(server);
    URI address = scene == Scene.UNREACHABLE ? NOBODY : server.uri();
    Provider provider = KeyedFarSide.stripe(address, "SERVE", LookUp.NONE);
    return Optional.of(new Stage(provider, "{}".getBytes(UTF_8), () -> server.requests().size()));
  }

  private static RawServer server(Scene scene) throws IOException {
    return switch (scene) {
      case SUCCESS -> RawServer.answering(200, payment(""));
      case LATE_SUCCESS -> RawServer.start(KeyedContractTest::answerLate);
      case REFUSAL -> RawServer.answering(400, "{\"error\":{\"type\":\"invalid_request_error\"}}");
      case HOSTILE_WORDS -> RawServer.answering(500, "\u0000\u001b[31m" + "x".repeat(5_000));
      case UNREACHABLE, CUT -> RawServer.start(Socket::close);
      case SILENCE -> RawServer.start(connection -> {});
      case GARBAGE -> RawServer.answering(200, "<html>");
      case TOO_LARGE -> RawServer.answering(200, payment("x".repeat(5_000_000)));
      case TOO_DEEP -> RawServer.answering(200, "[".repeat(500) + "]".repeat(500));
    };
  }

  private static String payment(String description) {
    return "{\"id\":\"pi_1\",\"status\":\"succeeded\",\"description\":\"" + description + "\"}";
  }

  private static void answerLate(Socket connection) {
    Thread.ofVirtual()
        .start(
            () -> {
              await().pollDelay(SHORT.plusMillis(250)).until(() -> true);
              try {
                RawServer.write(connection, RawServer.whole(200, payment("")), RawServer.End.CLOSE);
              } catch (IOException e) {
                // The caller had no patience left: part of the play.
              }
            });
  }

  /** It can be asked by sending the request again, and by nothing else. */
  @Override
  public Optional<Recall> set(Memory memory) throws Exception {
    PaymentPeer peer = PaymentPeer.start();
    open.push(peer);
    ProviderRequest request =
        ProviderCall.request("{\"order\":7}".getBytes(UTF_8), AMPLE, Duration.ZERO);
    Provider provider =
        switch (memory) {
          case DONE -> sent(peer, Fate.LOSE_ANSWER, request);
          case FAILED -> sent(peer, Fate.DECLINE_UNHEARD, request);
          case AT_WORK -> sent(peer, Fate.HOLD, request);
          case NEVER_ARRIVED -> KeyedFarSide.stripe(peer.uri(), "SERVE", LookUp.NONE);
          case UNREACHABLE -> KeyedFarSide.stripe(NOBODY, "SERVE", LookUp.NONE);
          case SILENCE, GARBAGE -> null;
        };
    return provider == null
        ? Optional.empty()
        : Optional.of(new Recall(provider, request, peer::effects));
  }

  private static Provider sent(PaymentPeer peer, Fate fate, ProviderRequest request)
      throws Exception {
    Provider provider = KeyedFarSide.stripe(peer.uri(), fate.name(), LookUp.NONE);
    assertThat(ProviderCall.start(provider, request).outcome()).isInstanceOf(Outcome.InDoubt.class);
    return provider;
  }
}
