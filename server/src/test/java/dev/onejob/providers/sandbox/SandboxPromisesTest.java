package dev.onejob.providers.sandbox;

import dev.onejob.provider.Provider;
import dev.onejob.testkit.FarSide;
import dev.onejob.testkit.PostgresExtension;
import dev.onejob.testkit.PromiseContract;
import java.io.IOException;
import java.util.Optional;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Sandboxes keep what they are told to promise, each means by itself. */
final class SandboxPromisesTest {
  @RegisterExtension final PostgresExtension postgres = new PostgresExtension();

  private Optional<FarSide> start(String settings) throws IOException {
    return Optional.of(SandboxFarSide.start(postgres.dataSource(), settings));
  }

  private abstract class Promises implements PromiseContract {
    private final String settings;

    Promises(String settings) {
      this.settings = settings;
    }

    @Override
    public Provider any() throws IOException {
      try (SandboxFarSide far = SandboxFarSide.start(postgres.dataSource(), settings)) {
        return far.provider();
      }
    }

    @Override
    public Optional<FarSide> farSide() throws IOException {
      return start(settings);
    }
  }

  @Nested
  final class Asked_by_its_own_id extends Promises {
    Asked_by_its_own_id() {
      super(
          """
          {"status":"by-id","evidence_for":"10m"}
          """);
    }
  }

  @Nested
  final class Promising_little extends Promises {
    Promising_little() {
      super(
          """
          {"status":"by-reference","ended":"may-change","evidence_for":"10m"}
          """);
    }
  }
}
