package dev.onejob.server.ui.playground;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.onejob.server.access.Role;
import dev.onejob.server.testing.UiClient;
import dev.onejob.server.testing.UiNode;
import dev.onejob.server.testing.UiPage;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.RegisterExtension;

class PlaygroundStopTest {
  /** Stopped within the test. */
  private static final UiNode NODE = new UiNode(PlaygroundConfig.OPEN);

  @RegisterExtension static final Started STARTED = new Started();

  /** Starts the node, and keeps what it takes to stop it. */
  private static final class Started implements BeforeAllCallback {
    private ExtensionContext context;

    @Override
    public void beforeAll(ExtensionContext given) {
      context = given;
      NODE.beforeAll(given);
    }
  }

  @Test
  void a_node_that_stops_takes_its_second_node_along() {
    UiClient person = NODE.person(Role.CLIENT, "shop");
    UiPage page = person.get("/ui/playground?preset=node-dies");
    UiPage begun =
        person.press(
            page,
            "form.play",
            Map.of("delay_a", "10000", "outcome_a", "succeed", "outcome_b", "succeed"));
    assertThat(begun.status()).isEqualTo(303);
    await().atMost(Duration.ofSeconds(60)).until(() -> !secondNodes().isEmpty());

    NODE.afterAll(STARTED.context);

    assertThat(secondNodes()).isEmpty();
  }

  private static List<ProcessHandle> secondNodes() {
    return ProcessHandle.current()
        .descendants()
        .filter(each -> each.info().command().orElse("").endsWith("/java"))
        .toList();
  }
}
