package dev.onejob.server.ui;

import static org.assertj.core.api.Assertions.assertThat;

import dev.onejob.server.access.Role;
import dev.onejob.server.testing.UiClient;
import dev.onejob.server.testing.UiNode;
import dev.onejob.server.testing.UiPage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class NoDashboardTest {
  @RegisterExtension
  static final UiNode NODE =
      new UiNode(
          """
          ui: {enabled: false}
          kinds:
            demo: {route: [sandbox-a]}
          providers:
            sandbox-a: {type: sandbox}
          """);

  @Test
  void a_node_without_a_dashboard_has_no_page_and_serves_the_api() {
    UiPage page = new UiClient(NODE.uri()).get("/ui/login");

    assertThat(page.status()).isEqualTo(404);
    assertThat(page.header("Content-Type")).startsWith("application/problem+json");
    assertThat(NODE.client(Role.CLIENT, "shop").submit("k", "demo", "{}").status()).isEqualTo(201);
  }
}
