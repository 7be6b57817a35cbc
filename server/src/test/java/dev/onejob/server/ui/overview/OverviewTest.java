package dev.onejob.server.ui.overview;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.onejob.server.access.Role;
import dev.onejob.server.testing.ApiClient;
import dev.onejob.server.testing.UiClient;
import dev.onejob.server.testing.UiNode;
import dev.onejob.server.testing.UiPage;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class OverviewTest {
  @RegisterExtension
  static final UiNode NODE =
      new UiNode(
          """
          kinds:
            demo:
              effect: exclusive
              route: [sandbox-a, sandbox-b]
              attempt_timeout: 2s
          providers:
            sandbox-a: {type: sandbox, price: {currency: EUR, per_call: 0.04}}
            sandbox-b: {type: sandbox}
          """);

  @Test
  void it_counts_what_all_nodes_have_done_and_what_it_cost() {
    ApiClient client = NODE.client(Role.CLIENT, "shop");
    client.submit("one", "demo", "{}");
    client.submit("one", "demo", "{}");
    client.submit("one", "demo", "{\"other\":1}");
    UiClient operator = NODE.person(Role.OPERATOR, "house");

    await()
        .atMost(Duration.ofSeconds(60))
        .untilAsserted(
            () -> {
              String table = operator.get("/ui").text("table");
              assertThat(table)
                  .contains("Repeats absorbed 1 1", "Mismatches refused 1 1")
                  .contains("Money spent – 0.04 EUR", "Money saved by repeats – 0.04 EUR");
            });
    UiPage page = operator.get("/ui");
    assertThat(page.text("section[aria-labelledby=nodes]")).contains("ui-node");
    assertThat(page.text("section[aria-labelledby=providers]"))
        .contains("sandbox-a sandbox closed no kind", "sandbox-b");
    assertThat(page.text("#chart-says")).contains("1 attempts succeeded, 0 failed");
  }

  @Test
  void an_owner_sees_their_own_doubts_and_nothing_of_others() {
    ApiClient client = NODE.client(Role.CLIENT, "stalled");
    client.submit("k", "demo", "{\"script\":{\"sandbox-a\":{\"outcome\":\"hang\"}}}");
    UiClient theirs = NODE.person(Role.CLIENT, "stalled");

    await()
        .atMost(Duration.ofSeconds(60))
        .until(() -> theirs.get("/ui").text("#doubt-card .figure").equals("1"));
    UiPage other = NODE.person(Role.CLIENT, "calm").get("/ui");
    assertThat(other.text("#doubt-card .figure")).isEqualTo("0");
    assertThat(other.document().select("table, figure")).isEmpty();
  }
}
