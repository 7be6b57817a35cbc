package dev.onejob.providers.httpasync;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.onejob.provider.Provider;
import dev.onejob.providers.httpasync.Peer.State;
import dev.onejob.providers.httpasync.Peer.Submit;
import dev.onejob.providers.httpasync.Peer.Work;
import dev.onejob.testkit.FarSide;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** A peer whose work says what becomes of it. */
final class AsyncFarSide implements FarSide {
  private static final String RESULT = "{\"url\":\"https://example.com/1.png\"}";

  private final Peer peer;
  private final Dialect dialect;
  private final Provider provider;

  private AsyncFarSide(Peer peer, Dialect dialect, Provider provider) {
    this.peer = peer;
    this.dialect = dialect;
    this.provider = provider;
    peer.plays(work -> play(peer, work));
  }

  /** The profile at a peer; the peer is closed with it. */
  static AsyncFarSide replicate(Peer peer) {
    Provider provider = Adapters.of(Adapters.replicate(peer.uri()));
    return new AsyncFarSide(peer, new ReplicateDialect(), provider);
  }

  /** The profile at a peer; the peer is closed with it. */
  static AsyncFarSide fal(Peer peer) {
    return new AsyncFarSide(peer, new FalDialect(), Adapters.of(Adapters.fal(peer.uri())));
  }

  private static Submit play(Peer peer, Work work) {
    Fate fate = Fate.valueOf(work.body.findValue("fate").asString());
    switch (fate) {
      case SERVE, LOSE_ANSWER -> peer.succeed(work, RESULT);
      case ACCEPT -> work.unheard.set(() -> peer.succeed(work, RESULT));
      case FAIL_UNHEARD -> work.unheard.set(() -> peer.end(work, State.FAILED, "out of memory"));
      case HOLD, LOSE_REQUEST -> work.state = State.QUEUED;
    }
    return fate == Fate.LOSE_ANSWER ? new Submit.Cut() : new Submit.Take(0);
  }

  @Override
  public Provider provider() {
    return provider;
  }

  @Override
  public Optional<byte[]> input(Fate fate) {
    return fate == Fate.LOSE_REQUEST
        ? Optional.empty()
        : Optional.of(("{\"fate\":\"" + fate + "\"}").getBytes(UTF_8));
  }

  @Override
  public Duration timeout() {
    return Duration.ofSeconds(1);
  }

  @Override
  public Tally tally() {
    int effects = (int) peer.works().stream().filter(it -> it.state == State.SUCCEEDED).count();
    return new Tally(peer.submits(), peer.looks(), peer.cancels().size(), effects);
  }

  @Override
  public void release() {
    peer.works().stream().filter(it -> !it.isOver()).forEach(it -> peer.succeed(it, RESULT));
  }

  @Override
  public List<URI> callbacks() {
    return peer.works().stream().flatMap(it -> dialect.callbackAddress(it).stream()).toList();
  }

  @Override
  public void close() {
    peer.close();
  }
}
