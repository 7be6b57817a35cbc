package dev.onejob.server.ui.overview;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.onejob.server.access.Role;
import dev.onejob.server.testing.ApiClient;
import dev.onejob.server.testing.UiClient;
import dev.onejob.server.testing.UiNode;
import dev.onejob.server.testing.UiPage;
import dev.onejob.server.ui.page.Shown;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
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
  void what_is_in_doubt_is_shown_although_the_rest_cannot_be_read() throws SQLException {
    UiClient operator = NODE.person(Role.OPERATOR, "house");
    try (Connection connection = NODE.dataSource().getConnection();
        Statement statement = connection.createStatement()) {
      connection.setAutoCommit(false);
      statement.execute("LOCK TABLE onejob_server.tally IN ACCESS EXCLUSIVE MODE");

      await()
          .atMost(Duration.ofSeconds(60))
          .untilAsserted(
              () -> {
                UiPage page = operator.get("/ui");
                assertThat(page.status()).isEqualTo(200);
                assertThat(page.text("#now .problem")).contains("could not be read in time");
                assertThat(page.document().select("#doubt-card .figure")).hasSize(1);
              });
      connection.rollback();
    }
  }

  @Test
  void a_count_says_that_there_may_be_more_where_not_all_was_looked_at() {
    int most = Overview.Count.MAX;

    Overview.Count some = Overview.Count.of(most + 1L, 3);
    Overview.Count many = Overview.Count.of(most + 1L, most + 1L);
    Overview.Count all = Overview.Count.of(most, most);

    assertThat(Shown.atLeast(some.counted(), some.more())).isEqualTo("3+");
    assertThat(Shown.atLeast(many.counted(), many.more())).isEqualTo("10,000+");
    assertThat(Shown.atLeast(all.counted(), all.more())).isEqualTo("10,000");
    assertThat(some.plus(all)).isEqualTo(new Overview.Count(10_003, true));
  }

  @Test
  void an_owner_sees_their_own_doubts_and_nothing_of_others() {
    ApiClient client = NODE.client(Role.CLIENT, "stalled");
    client.submit("k", "demo", "{\"script\":{\"sandbox-a\":{\"outcome\":\"hang\"}}}");
    UiClient theirs = NODE.person(Role.CLIENT, "stalled");

    await()
        .atMost(Duration.ofSeconds(60))
        .until(() -> theirs.get("/ui").text("#doubt-card .figure").equals("1"));
    assertThat(theirs.get("/ui").document().select("#to-unknown")).hasSize(1);
    UiPage other = NODE.person(Role.CLIENT, "calm").get("/ui");
    assertThat(other.text("#doubt-card .figure")).isEqualTo("0");
    assertThat(other.document().select("table, figure")).isEmpty();
  }
}
