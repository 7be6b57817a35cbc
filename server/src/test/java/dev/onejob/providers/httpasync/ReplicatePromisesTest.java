package dev.onejob.providers.httpasync;

import dev.onejob.provider.Provider;
import dev.onejob.testkit.FarSide;
import dev.onejob.testkit.PromiseContract;
import java.io.IOException;
import java.util.Optional;

/** The profile of Replicate keeps what it declares. */
final class ReplicatePromisesTest implements PromiseContract {
  @Override
  public Provider any() throws IOException {
    try (FarSide far = AsyncFarSide.replicate(Peer.replicate())) {
      return far.provider();
    }
  }

  @Override
  public Optional<FarSide> farSide() throws IOException {
    return Optional.of(AsyncFarSide.replicate(Peer.replicate()));
  }
}
