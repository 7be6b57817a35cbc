package dev.onejob.providers.worker;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.onejob.provider.Provider;
import dev.onejob.providers.ProviderContext;
import dev.onejob.testkit.ProviderContract;
import java.net.URI;
import java.nio.file.Path;
import java.util.Optional;
import tools.jackson.databind.node.JsonNodeFactory;

/** Work that is fetched is never called: all that can be said of a call is that nothing left. */
final class WorkerContractTest implements ProviderContract {
  @Override
  public Provider any() {
    ProviderContext context =
        new ProviderContext(name -> null, Path.of("."), () -> URI.create("http://unused"));
    return new WorkerType().create("crew", JsonNodeFactory.instance.objectNode(), context);
  }

  @Override
  public Optional<Stage> set(Scene scene) {
    return scene == Scene.UNREACHABLE
        ? Optional.of(new Stage(any(), "{}".getBytes(UTF_8), () -> 0))
        : Optional.empty();
  }
}
