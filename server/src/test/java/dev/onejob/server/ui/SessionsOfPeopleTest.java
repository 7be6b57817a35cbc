package dev.onejob.server.ui;

import static org.assertj.core.api.Assertions.assertThat;

import dev.onejob.domain.Owner;
import dev.onejob.server.Service;
import dev.onejob.server.access.NewKey;
import dev.onejob.server.access.Role;
import dev.onejob.server.testing.UiClient;
import dev.onejob.server.testing.UiNode;
import dev.onejob.server.testing.UiPage;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SessionsOfPeopleTest {
  @RegisterExtension static final UiNode NODE = new UiNode();

  @Test
  void a_page_asks_for_a_key_first_and_leads_back_to_itself() {
    UiClient nobody = new UiClient(NODE.uri());

    UiPage asked = nobody.get("/ui?a=b");
    assertThat(asked.status()).isEqualTo(303);
    assertThat(asked.header("Location")).isEqualTo("/ui/login?next=%2Fui%3Fa%3Db");

    UiPage login = nobody.get(asked.header("Location"));
    UiPage in = nobody.press(login, "main form", Map.of("key", NODE.secret(Role.CLIENT, "shop")));
    assertThat(in.status()).isEqualTo(303);
    assertThat(in.header("Location")).isEqualTo("/ui?a=b");
    assertThat(nobody.get("/ui").status()).isEqualTo(200);
  }

  @Test
  void a_part_sends_the_whole_browser_to_the_login() {
    UiPage part = new UiClient(NODE.uri()).part("/ui");

    assertThat(part.status()).isEqualTo(401);
    assertThat(part.header("HX-Redirect")).isEqualTo("/ui/login?next=%2Fui");
    UiPage of =
        new UiClient(NODE.uri())
            .get(
                "/ui/jobs",
                Map.of("HX-Request", "true", "Referer", NODE.uri() + "/ui/jobs?state=queued"));
    assertThat(of.header("HX-Redirect")).isEqualTo("/ui/login?next=%2Fui%2Fjobs%3Fstate%3Dqueued");
  }

  @Test
  void a_form_that_comes_after_the_session_leads_back_to_its_page_and_says_that_nothing_was_done() {
    UiClient person = NODE.person(Role.OPERATOR, "house");
    UiPage keys = person.get("/ui/keys");
    String form = "/ui/keys/" + UUID.randomUUID() + "/withdraw";
    String csrf = keys.document().select("input[name=csrf]").attr("value");
    person.press(keys, "form.who", Map.of());

    UiPage late =
        person.send(form, Map.of("Referer", NODE.uri() + "/ui/keys?from=1"), Map.of("csrf", csrf));

    assertThat(late.status()).isEqualTo(303);
    assertThat(late.header("Location"))
        .isEqualTo("/ui/login?next=%2Fui%2Fkeys%3Ffrom%3D1&lost=form");
    UiPage login = person.get(late.header("Location"));
    assertThat(login.text("[role=alert]")).contains("Nothing was done", "not kept");
    UiPage in =
        person.press(login, "main form", Map.of("key", NODE.secret(Role.OPERATOR, "house")));
    assertThat(in.header("Location")).isEqualTo("/ui/keys?from=1");
  }

  @ParameterizedTest
  @ValueSource(strings = {"https://elsewhere.example/x", "/ui\\x", "not an address", "//ui"})
  void only_to_a_page_of_ours_it_leads_back(String from) {
    UiPage late =
        new UiClient(NODE.uri()).send("/ui/playground", Map.of("Referer", from), Map.of());

    assertThat(late.header("Location")).isEqualTo("/ui/login?next=%2Fui&lost=form");
  }

  @Test
  void the_cookie_is_for_this_host_and_for_no_script() {
    UiPage in =
        new UiClient(NODE.uri())
            .send("/ui/login", ours(), Map.of("key", NODE.secret(Role.OPERATOR, "house")));

    assertThat(in.header("Set-Cookie"))
        .matches("onejob=[\\w-]{43}; Path=/; HttpOnly; SameSite=Strict");
  }

  @ParameterizedTest
  @ValueSource(strings = {"X-Forwarded-Proto: https", "Origin: https://jobs.example.com"})
  void over_tls_the_cookie_is_secure_and_holds_over_tls_alone(String header) {
    UiClient person = new UiClient(NODE.uri());
    String[] parts = header.split(": ");
    UiPage in =
        person.send(
            "/ui/login",
            Map.of(
                parts[0],
                parts[1],
                "X-Forwarded-Host",
                "jobs.example.com",
                "Sec-Fetch-Site",
                "same-origin"),
            Map.of("key", NODE.secret(Role.OPERATOR, "house")));

    assertThat(in.header("Set-Cookie"))
        .matches("__Host-onejob=[\\w-]{43}; Path=/; HttpOnly; SameSite=Strict; Secure");
    assertThat(person.get("/ui").status()).isEqualTo(200);

    person.cookies().put("onejob", person.cookies().remove("__Host-onejob"));
    assertThat(person.get("/ui").status()).isEqualTo(303);
  }

  @Test
  void a_session_from_before_tls_is_none_over_tls() {
    UiClient person = NODE.person(Role.CLIENT, "shop");

    assertThat(person.get("/ui", Map.of("X-Forwarded-Proto", "https")).status()).isEqualTo(303);
    assertThat(person.get("/ui").status()).isEqualTo(200);
  }

  @Test
  void the_database_keeps_no_token() throws SQLException {
    UiClient person = NODE.person(Role.CLIENT, "shop");

    assertThat(
            count(
                "SELECT count(*) FROM onejob_server.ui_session AS s WHERE s::text LIKE '%"
                    + person.cookies().get("onejob")
                    + "%'"))
        .isZero();
    assertThat(count("SELECT count(*) FROM onejob_server.ui_session")).isPositive();
  }

  @Test
  void keys_that_are_none_and_keys_of_workers_get_the_same_page() {
    UiClient person = new UiClient(NODE.uri());
    String unknown = "ojk_" + "a".repeat(43);
    UiPage first = person.send("/ui/login", ours(), Map.of("key", unknown));
    assertThat(first.status()).isEqualTo(401);

    for (String key : new String[] {"", "x", NODE.secret(Role.WORKER, "shop")}) {
      UiPage again = person.send("/ui/login", ours(), Map.of("key", key));
      assertThat(again.status()).isEqualTo(401);
      assertThat(again.body()).isEqualTo(first.body());
    }
    assertThat(person.cookies()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "//evil.example",
        "https://evil.example",
        "/uix",
        "/ui\\..",
        "/ui/\r\nx",
        "/v1/jobs"
      })
  void nobody_is_led_elsewhere_after_the_login(String next) {
    UiPage in =
        new UiClient(NODE.uri())
            .send(
                "/ui/login", ours(), Map.of("key", NODE.secret(Role.CLIENT, "shop"), "next", next));

    assertThat(in.header("Location")).isEqualTo("/ui");
  }

  @Test
  void an_address_that_is_too_long_to_be_told_back_leads_to_the_overview() {
    UiClient stranger = new UiClient(NODE.uri());
    String path = "/ui/jobs?tag=" + "x".repeat(2_000);

    assertThat(stranger.get(path).header("Location")).isEqualTo("/ui/login?next=%2Fui");
    UiPage again = stranger.get(path, Map.of("Sec-Fetch-Site", "cross-site"));
    assertThat(again.document().select("main a").attr("href")).isEqualTo("/ui");
    assertThat(stranger.get("/ui/login?next=" + path).body()).doesNotContain("xxx");
  }

  @Test
  void log_out_ends_the_session_itself() {
    UiClient person = NODE.person(Role.CLIENT, "shop");
    String token = person.cookies().get("onejob");

    UiPage out = person.press(person.get("/ui"), "form.who", Map.of());

    assertThat(out.header("Location")).isEqualTo("/ui/login");
    assertThat(person.cookies()).isEmpty();
    person.cookies().put("onejob", token);
    assertThat(person.get("/ui").status()).isEqualTo(303);
  }

  @Test
  void every_node_knows_the_session_and_its_end() {
    UiClient person = NODE.person(Role.CLIENT, "two-nodes");
    try (Service other = NODE.another("other")) {
      UiClient there = person.at(other.uri());
      UiPage page = there.get("/ui");
      assertThat(page.status()).isEqualTo(200);

      there.press(page, "form.who", Map.of());

      assertThat(person.get("/ui").status()).isEqualTo(303);
    }
  }

  @Test
  void a_withdrawn_key_ends_its_sessions_with_the_next_request() {
    NewKey key = NODE.keys().create("short", Role.OPERATOR, new Owner("house"));
    UiClient person = new UiClient(NODE.uri());
    person.logIn(key.secret());
    assertThat(person.get("/ui").status()).isEqualTo(200);

    NODE.withdraw(key);

    assertThat(person.get("/ui").status()).isEqualTo(303);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SET ends_at = clock_timestamp()",
        "SET seen_at = clock_timestamp() - INTERVAL '2 hours'"
      })
  void a_session_ends_by_its_age_and_by_silence(String older) throws SQLException {
    NewKey key = NODE.keys().create("aging", Role.CLIENT, new Owner("aging"));
    UiClient person = new UiClient(NODE.uri());
    person.logIn(key.secret());
    assertThat(person.get("/ui").status()).isEqualTo(200);

    run(
        "UPDATE onejob_server.ui_session "
            + older
            + " WHERE api_key_id = '"
            + key.key().id()
            + "'");

    assertThat(person.get("/ui").status()).isEqualTo(303);
  }

  @Test
  void what_a_page_fetches_by_itself_keeps_no_session_alive() throws SQLException {
    NewKey key = NODE.keys().create("idle", Role.CLIENT, new Owner("idle"));
    UiClient person = new UiClient(NODE.uri());
    person.logIn(key.secret());
    String where = " WHERE api_key_id = '" + key.key().id() + "'";
    run(
        "UPDATE onejob_server.ui_session SET seen_at = clock_timestamp() - INTERVAL '1 hour'"
            + where);
    String old = where + " AND seen_at < clock_timestamp() - INTERVAL '50 minutes'";

    person.part("/ui");
    assertThat(count("SELECT count(*) FROM onejob_server.ui_session" + old)).isEqualTo(1);
    person.get("/ui");
    assertThat(count("SELECT count(*) FROM onejob_server.ui_session" + old)).isZero();
  }

  @Test
  void a_key_has_fifty_sessions_at_most() throws SQLException {
    NewKey key = NODE.keys().create("many", Role.CLIENT, new Owner("many"));
    for (int i = 0; i < 51; i++) {
      new UiClient(NODE.uri()).logIn(key.secret());
    }

    assertThat(
            count(
                "SELECT count(*) FROM onejob_server.ui_session WHERE api_key_id = '"
                    + key.key().id()
                    + "'"))
        .isEqualTo(50);
  }

  @Test
  void a_form_without_the_token_of_its_session_does_nothing() {
    UiClient person = NODE.person(Role.CLIENT, "shop");
    String other =
        NODE.person(Role.CLIENT, "shop")
            .get("/ui")
            .document()
            .select("input[name=csrf]")
            .attr("value");

    for (String token : new String[] {"", "x", other}) {
      UiPage refused = person.send("/ui/logout", Map.of(), Map.of("csrf", token));
      assertThat(refused.status()).isEqualTo(403);
    }
    assertThat(person.get("/ui").status()).isEqualTo(200);
  }

  @Test
  void a_form_from_another_site_does_nothing_even_with_the_token() {
    UiClient person = NODE.person(Role.CLIENT, "shop");
    String csrf = person.get("/ui").document().select("input[name=csrf]").attr("value");
    String key = NODE.secret(Role.CLIENT, "shop");

    for (Map<String, String> headers :
        List.of(
            Map.of("Origin", "https://evil.example"),
            Map.of("Origin", "null"),
            Map.of("Sec-Fetch-Site", "cross-site"),
            Map.of("Sec-Fetch-Site", "same-site", "Origin", NODE.uri().toString()))) {
      assertThat(person.send("/ui/logout", headers, Map.of("csrf", csrf)).status()).isEqualTo(403);
      assertThat(person.send("/ui/login", headers, Map.of("key", key)).status()).isEqualTo(403);
    }
    assertThat(person.get("/ui").status()).isEqualTo(200);
  }

  @Test
  void a_form_that_does_not_say_where_it_comes_from_needs_a_session_and_its_token() {
    UiClient person = NODE.person(Role.CLIENT, "silent");
    String csrf = person.get("/ui").document().select("input[name=csrf]").attr("value");
    String key = NODE.secret(Role.CLIENT, "silent");

    assertThat(person.send("/ui/login", Map.of(), Map.of("key", key)).status()).isEqualTo(403);
    UiPage nobodys = new UiClient(NODE.uri()).send("/ui/logout", Map.of(), Map.of());
    assertThat(nobodys.status()).isEqualTo(403);
    assertThat(nobodys.header("Set-Cookie")).isEmpty();
    assertThat(person.send("/ui/logout", Map.of(), Map.of()).status()).isEqualTo(403);
    assertThat(person.send("/ui/logout", Map.of(), Map.of("csrf", csrf)).status()).isEqualTo(303);
  }

  @Test
  void a_link_on_another_site_leads_to_the_page_all_the_same() {
    UiPage again =
        new UiClient(NODE.uri()).get("/ui?x=%3Cb", Map.of("Sec-Fetch-Site", "cross-site"));

    assertThat(again.status()).isEqualTo(200);
    assertThat(again.document().select("meta[http-equiv=refresh]").attr("content")).isEqualTo("0");
    assertThat(again.document().select("main a").attr("href")).isEqualTo("/ui?x=%3Cb");
  }

  private static Map<String, String> ours() {
    return Map.of("Origin", NODE.uri().toString());
  }

  private static long count(String sql) throws SQLException {
    try (Connection connection = NODE.dataSource().getConnection();
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      rows.next();
      return rows.getLong(1);
    }
  }

  private static void run(String sql) throws SQLException {
    try (Connection connection = NODE.dataSource().getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}
