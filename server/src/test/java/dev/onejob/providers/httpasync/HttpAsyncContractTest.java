package dev.onejob.providers.httpasync;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.onejob.domain.Limits;
import dev.onejob.provider.Outcome;
import dev.onejob.provider.Provider;
import dev.onejob.provider.ProviderRequest;
import dev.onejob.testkit.FarSide;
import dev.onejob.testkit.ProviderCall;
import dev.onejob.testkit.ProviderContract;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** The rules of the seam, at a provider whose results have an address of their own. */
final class HttpAsyncContractTest implements ProviderContract {
  private static final URI NOBODY = URI.create("http://127.0.0.1:1");

  private Peer peer;

  @BeforeEach
  void start() throws IOException {
    peer = Peer.fal();
  }

  @AfterEach
  void close() {
    peer.close();
  }

  @Override
  public Optional<Stage> set(Scene scene) {
    peer.endsAtOnceWith("{\"images\":[{\"url\":\"https://example.com/1.png\"}]}");
    peer.submits(
        switch (scene) {
          case SUCCESS, UNREACHABLE, TOO_LARGE, TOO_DEEP -> new Peer.Submit.Take(0);
          case LATE_SUCCESS -> new Peer.Submit.Take(750);
          case REFUSAL -> new Peer.Submit.Refuse(422, "{\"detail\":\"no prompt\"}");
          case HOSTILE_WORDS -> new Peer.Submit.Refuse(400, "\u0000\u001b[31m" + "x".repeat(5_000));
          case SILENCE -> new Peer.Submit.Silence();
          case CUT -> new Peer.Submit.Cut();
          case GARBAGE -> new Peer.Submit.Say(200, "<html>");
        });
    if (scene == Scene.TOO_LARGE) {
      peer.results(200, "[" + "1234567,".repeat(Limits.RESULT_BYTES_MAX / 8) + "1]");
    } else if (scene == Scene.TOO_DEEP) {
      peer.results(200, "[".repeat(500) + "]".repeat(500));
    }
    URI address = scene == Scene.UNREACHABLE ? NOBODY : peer.uri();
    Provider provider = Adapters.of(Adapters.fal(address));
    return Optional.of(new Stage(provider, "{\"prompt\":\"x\"}".getBytes(UTF_8), peer::submits));
  }

  @Override
  public Optional<FarSide> farSide() {
    return Optional.of(AsyncFarSide.fal(peer));
  }

  /** It is asked by its id of the work, which the answer that was lost would have named. */
  @Override
  public Optional<Recall> set(Memory memory) throws Exception {
    boolean arrives = memory != Memory.NEVER_ARRIVED && memory != Memory.UNREACHABLE;
    URI address = memory == Memory.UNREACHABLE ? NOBODY : peer.uri();
    Provider provider = Adapters.of(Adapters.fal(address));
    ProviderRequest request = ProviderCall.request("{}".getBytes(UTF_8), AMPLE, Duration.ZERO);
    String id = "w-that-never-was";
    if (arrives) {
      peer.plays(work -> lost(work, memory));
      assertThat(ProviderCall.start(provider, request).outcome())
          .isInstanceOf(Outcome.InDoubt.class);
      id = peer.next().id();
    }
    if (memory == Memory.SILENCE) {
      peer.looks(new Peer.Look.Silence());
    } else if (memory == Memory.GARBAGE) {
      peer.looks(new Peer.Look.Say(200, "<html>", Map.of()));
    }
    return Optional.of(new Recall(provider, request, peer::effects, id));
  }

  private Peer.Submit lost(Peer.Work work, Memory memory) {
    if (memory == Memory.FAILED) {
      peer.end(work, Peer.State.FAILED, "out of memory");
    } else if (memory != Memory.AT_WORK) {
      peer.succeed(work, "{}");
    }
    return new Peer.Submit.Cut();
  }
}
