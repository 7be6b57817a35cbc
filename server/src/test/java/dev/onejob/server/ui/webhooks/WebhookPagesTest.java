package dev.onejob.server.ui.webhooks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.onejob.server.access.Role;
import dev.onejob.server.testing.ApiClient;
import dev.onejob.server.testing.UiClient;
import dev.onejob.server.testing.UiNode;
import dev.onejob.server.testing.UiPage;
import dev.onejob.server.webhooks.Receiver;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class WebhookPagesTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  @RegisterExtension
  static final UiNode NODE =
      new UiNode(
          """
          webhooks: {allowed_networks: [127.0.0.1], allow_http: true}
          kinds: {plain: {route: [a]}}
          providers: {a: {type: sandbox}}
          """);

  @Test
  void an_owner_sees_its_own_webhooks_and_an_operator_those_of_all() throws Exception {
    try (Receiver receiver = Receiver.answering(one -> 200)) {
      String till = webhook(NODE.client(Role.CLIENT, "shop"), "till", receiver);
      String ledger = webhook(NODE.client(Role.CLIENT, "bank"), "ledger", receiver);
      UiClient shop = NODE.person(Role.CLIENT, "shop");
      UiClient operator = NODE.person(Role.OPERATOR, "house");

      assertThat(shop.get("/ui/webhooks").text("tbody")).contains("till").doesNotContain("ledger");
      assertThat(operator.get("/ui/webhooks").text("tbody"))
          .contains("till", "shop", "ledger", "bank", "in use", "job.ended", "job.in_doubt");
      assertThat(shop.get("/ui/webhooks/" + till).status()).isEqualTo(200);
      assertThat(shop.get("/ui/webhooks/" + ledger).status()).isEqualTo(404);
      assertThat(shop.get("/ui/webhooks/nonsense").status()).isEqualTo(404);
    }
  }

  @Test
  void what_was_sent_and_what_came_is_shown_and_it_can_be_sent_again() throws Exception {
    try (Receiver receiver = Receiver.answering(one -> 200)) {
      ApiClient client = NODE.client(Role.CLIENT, "again");
      String webhook = webhook(client, "till", receiver);
      client.submit("order-7", "plain", "{}");
      UiClient person = NODE.person(Role.CLIENT, "again");
      UiPage page = awaitDelivery(person, webhook, "delivered");

      assertThat(page.text("dl")).contains("delivered", "till of again", "order-7", "job.ended");
      assertThat(page.document().select("pre.text").text())
          .isEqualTo(receiver.received().getFirst().body());
      assertThat(page.text("tbody")).startsWith("1 ").contains("ui-node", "delivered 200");

      UiPage sent = person.press(page, "main form", Map.of());

      assertThat(sent.status()).isEqualTo(303);
      await().atMost(PATIENCE).until(() -> receiver.received().size() == 2);
      assertThat(receiver.received().get(1).id()).isEqualTo(receiver.received().get(0).id());
      await()
          .atMost(PATIENCE)
          .until(() -> person.get(sent.header("Location")).text("tbody").contains(" 2 "));
    }
  }

  @Test
  void a_disabled_webhook_says_why_and_what_cannot_be_sent_says_so_beside_its_log()
      throws Exception {
    try (Receiver receiver = Receiver.answering(one -> 410)) {
      ApiClient client = NODE.client(Role.CLIENT, "gone");
      String webhook = webhook(client, "till", receiver);
      client.submit("order-8", "plain", "{}");
      UiClient person = NODE.person(Role.CLIENT, "gone");
      UiPage page = awaitDelivery(person, webhook, "failed");
      String delivery = page.document().select("dd.id").text();

      assertThat(person.get("/ui/webhooks").text("tbody")).contains("disabled");
      assertThat(page.text("tbody")).contains("gone 410");
      assertThat(page.document().select("main form")).isEmpty();
      UiPage refused =
          person.send(
              "/ui/webhooks/deliveries/" + delivery + "/resend",
              Map.of(),
              Map.of(
                  "csrf",
                  page.document().select("input[name=csrf]").attr("value"),
                  "state",
                  "failed",
                  "tries",
                  "1"));

      assertThat(refused.status()).isEqualTo(409);
      assertThat(refused.text("[role=alert]")).contains("disabled or removed");
      assertThat(refused.text("tbody")).contains("gone 410");
    }
  }

  @Test
  void a_press_that_is_doubled_or_comes_from_an_old_page_tells_the_receiver_nothing_twice()
      throws Exception {
    try (Receiver receiver = Receiver.answering(one -> 200)) {
      ApiClient client = NODE.client(Role.CLIENT, "twice");
      String webhook = webhook(client, "till", receiver);
      client.submit("order-10", "plain", "{}");
      UiClient person = NODE.person(Role.CLIENT, "twice");
      UiPage page = awaitDelivery(person, webhook, "delivered");

      assertThat(person.press(page, "main form", Map.of()).status()).isEqualTo(303);
      awaitDelivery(person, webhook, "delivered", 2);
      UiPage old = person.press(page, "main form", Map.of());

      assertThat(old.status()).isEqualTo(409);
      assertThat(old.text("[role=alert]")).contains("has changed meanwhile", "delivery-changed");
      assertThat(old.text("tbody")).contains("1 ", "2 ");
      assertThat(person.press(page, "main form", Map.of("tries", "x")).status()).isEqualTo(400);
      assertThat(person.press(page, "main form", Map.of("state", "lost")).status()).isEqualTo(400);
      client.submit("order-11", "plain", "{}");
      await().atMost(PATIENCE).until(() -> receiver.received().size() >= 3);
      assertThat(receiver.received().get(2).body()).contains("order-11");
      assertThat(person.press(old, "main form", Map.of()).status()).isEqualTo(303);
    }
  }

  @Test
  void of_the_address_of_a_webhook_no_page_shows_what_may_be_a_secret() throws Exception {
    try (Receiver receiver = Receiver.answering(one -> 200)) {
      ApiClient client = NODE.client(Role.CLIENT, "bearer");
      String url = receiver.url("/services/s3cr3t-path?token=s3cr3t-query");
      String body = "{\"name\":\"till\",\"url\":\"%s\"}".formatted(url);
      String webhook = client.post("/v1/webhooks", body).at("/id");
      client.submit("order-12", "plain", "{}");
      UiClient person = NODE.person(Role.CLIENT, "bearer");
      UiPage delivery = awaitDelivery(person, webhook, "delivered");
      String host = receiver.url("/…");

      for (UiPage page :
          List.of(
              person.get("/ui/webhooks"),
              person.get("/ui/webhooks/" + webhook),
              person.part("/ui/webhooks/" + webhook),
              delivery)) {
        assertThat(page.text("code")).contains(host);
        assertThat(page.body()).doesNotContain("s3cr3t");
      }
    }
  }

  @Test
  void another_owner_and_a_form_without_its_token_send_nothing_again() throws Exception {
    try (Receiver receiver = Receiver.answering(one -> 200)) {
      ApiClient client = NODE.client(Role.CLIENT, "mine");
      String webhook = webhook(client, "till", receiver);
      client.submit("order-9", "plain", "{}");
      UiClient person = NODE.person(Role.CLIENT, "mine");
      UiPage page = awaitDelivery(person, webhook, "delivered");
      String resend = page.document().select("main form").attr("action");
      UiClient stranger = NODE.person(Role.CLIENT, "stranger");
      String csrf = stranger.get("/ui").document().select("input[name=csrf]").attr("value");

      assertThat(stranger.send(resend, Map.of(), Map.of("csrf", csrf)).status()).isEqualTo(404);
      assertThat(person.send(resend, Map.of(), Map.of("csrf", csrf)).status()).isEqualTo(403);
      assertThat(stranger.get(resend.replace("/resend", "")).status()).isEqualTo(404);
      assertThat(client.get("/v1/webhooks/" + webhook + "/deliveries").at("/deliveries/0/state"))
          .isEqualTo("delivered");
      assertThat(receiver.received()).hasSize(1);
    }
  }

  @Test
  void a_change_of_the_secret_is_shown_without_any_secret() throws Exception {
    try (Receiver receiver = Receiver.answering(one -> 200)) {
      ApiClient client = NODE.client(Role.CLIENT, "turning");
      String webhook = webhook(client, "till", receiver);
      UiClient person = NODE.person(Role.CLIENT, "turning");
      String path = "/ui/webhooks/" + webhook;
      assertThat(person.get(path).text("dl")).contains("the present one alone");

      client.post("/v1/webhooks/" + webhook + "/rotate", "");

      UiPage page = person.get(path);
      assertThat(page.text("dl")).contains("2: the present one, an earlier one until");
      assertThat(page.body()).doesNotContain("whsec_");
    }
  }

  @Test
  void a_filter_that_is_none_is_refused_and_says_what_is_one() {
    UiClient person = NODE.person(Role.CLIENT, "asking");

    assertThat(person.get("/ui/webhooks?before=x").status()).isEqualTo(400);
    String webhook =
        NODE.client(Role.CLIENT, "asking")
            .post("/v1/webhooks", "{\"name\":\"w\",\"url\":\"http://127.0.0.1:9/\"}")
            .at("/id");
    UiPage refused = person.get("/ui/webhooks/" + webhook + "?state=lost");
    assertThat(refused.status()).isEqualTo(400);
    assertThat(refused.text("[role=alert]")).contains("waiting, delivered or failed");
    assertThat(person.get("/ui/webhooks/" + webhook + "?state=").text("main")).contains("Nothing");
  }

  private static String webhook(ApiClient client, String name, Receiver receiver) {
    String body = "{\"name\":\"%s\",\"url\":\"%s\"}".formatted(name, receiver.url("/hook"));
    return client.post("/v1/webhooks", body).at("/id");
  }

  /** The page of the first delivery, as soon as that one has come so far. */
  private static UiPage awaitDelivery(UiClient person, String webhook, String state) {
    return awaitDelivery(person, webhook, state, 1);
  }

  /** The same, after so many tries. */
  private static UiPage awaitDelivery(UiClient person, String webhook, String state, int tries) {
    String log = "/ui/webhooks/" + webhook + "?state=" + state;
    UiPage found =
        await()
            .atMost(PATIENCE)
            .until(() -> person.get(log), page -> page.text("tbody").contains("at try " + tries));
    return person.get(found.document().select("tbody a").attr("href"));
  }
}
