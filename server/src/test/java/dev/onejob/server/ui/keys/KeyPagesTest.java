package dev.onejob.server.ui.keys;

import static org.assertj.core.api.Assertions.assertThat;

import dev.onejob.domain.Owner;
import dev.onejob.server.access.NewKey;
import dev.onejob.server.access.Role;
import dev.onejob.server.testing.ApiClient;
import dev.onejob.server.testing.UiClient;
import dev.onejob.server.testing.UiNode;
import dev.onejob.server.testing.UiPage;
import java.util.Map;
import org.jsoup.nodes.Element;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class KeyPagesTest {
  @RegisterExtension static final UiNode NODE = new UiNode();

  @Test
  void keys_are_shown_with_role_and_owner_and_never_with_a_secret() {
    NewKey made = NODE.keys().create("till", Role.WORKER, new Owner("shop"));
    UiPage page = NODE.person(Role.OPERATOR, "house").get("/ui/keys");

    assertThat(row(page, made).text()).startsWith("till worker shop ").contains("in use");
    assertThat(page.body()).doesNotContain("ojk_", made.secret());
  }

  @Test
  void a_key_that_is_withdrawn_opens_nothing_and_is_kept_in_the_list() {
    NewKey made = NODE.keys().create("old", Role.CLIENT, new Owner("shop"));
    UiClient operator = NODE.person(Role.OPERATOR, "house");
    UiPage page = operator.get("/ui/keys");
    String form = "form[action=/ui/keys/" + made.key().id() + "/withdraw]";
    assertThat(page.text(form)).contains("for good", "Withdraw old");

    UiPage done = operator.press(page, form, Map.of());

    assertThat(done.header("Location")).isEqualTo("/ui/keys");
    assertThat(row(operator.get("/ui/keys"), made).text()).contains("withdrawn 20");
    assertThat(new ApiClient(NODE.uri(), made.secret()).get("/v1/jobs").status()).isEqualTo(401);
  }

  @Test
  void the_key_of_the_session_cannot_withdraw_itself() {
    NewKey own = NODE.keys().create("own", Role.OPERATOR, new Owner("house"));
    UiClient operator = new UiClient(NODE.uri());
    operator.logIn(own.secret());
    UiPage page = operator.get("/ui/keys");

    assertThat(row(page, own).text()).contains("by you");
    UiPage refused =
        operator.send(
            "/ui/keys/" + own.key().id() + "/withdraw",
            Map.of("Referer", NODE.uri() + "/ui/keys?from=50"),
            Map.of("csrf", page.document().select("input[name=csrf]").attr("value")));
    assertThat(refused.status()).isEqualTo(409);
    assertThat(refused.document().body().attr("data-here")).isEqualTo("/ui/keys?from=50");
    assertThat(refused.document().select("main a[href='/ui/keys?from=50']")).hasSize(1);
    assertThat(refused.text("[role=alert]")).contains("use another");
    assertThat(operator.get("/ui/keys").status()).isEqualTo(200);
  }

  @Test
  void only_operators_see_keys_or_withdraw_them() {
    NewKey made = NODE.keys().create("theirs", Role.CLIENT, new Owner("other"));
    UiClient client = NODE.person(Role.CLIENT, "shop");
    String csrf = client.get("/ui").document().select("input[name=csrf]").attr("value");
    String withdraw = "/ui/keys/" + made.key().id() + "/withdraw";

    assertThat(client.get("/ui/keys").status()).isEqualTo(403);
    assertThat(client.send(withdraw, Map.of(), Map.of("csrf", csrf)).status()).isEqualTo(403);
    UiClient operator = NODE.person(Role.OPERATOR, "house");
    assertThat(operator.send(withdraw, Map.of(), Map.of("csrf", csrf)).status()).isEqualTo(403);
    assertThat(NODE.keys().find(made.secret())).isPresent();
  }

  @Test
  void a_long_list_comes_in_pages_each_key_once() {
    for (int i = 0; i < 60; i++) {
      NODE.keys().create("many-" + i, Role.CLIENT, new Owner("many"));
    }
    UiClient operator = NODE.person(Role.OPERATOR, "house");
    UiPage first = operator.get("/ui/keys");
    UiPage second = operator.get("/ui/keys" + first.document().select(".pager a").attr("href"));

    assertThat(first.document().select("tbody tr")).hasSize(50);
    assertThat(second.document().select("tbody td.id").eachText())
        .isNotEmpty()
        .doesNotContainAnyElementsOf(first.document().select("tbody td.id").eachText());
    assertThat(operator.get("/ui/keys?from=-1").status()).isEqualTo(400);
    assertThat(operator.get("/ui/keys?from=9999").status()).isEqualTo(200);
  }

  private static Element row(UiPage page, NewKey key) {
    return page.document().select("tbody tr").stream()
        .filter(row -> row.text().contains(key.key().id().toString()))
        .findFirst()
        .orElseThrow();
  }
}
