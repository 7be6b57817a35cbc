package dev.onejob.server.ui;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.onejob.server.access.Role;
import dev.onejob.server.testing.UiClient;
import dev.onejob.server.testing.UiNode;
import dev.onejob.server.testing.UiPage;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jsoup.nodes.Element;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class PagesTest {
  @RegisterExtension static final UiNode NODE = new UiNode();

  @Test
  void a_page_is_kept_by_nobody_framed_by_nobody_and_loads_from_here_alone() {
    UiPage page = NODE.person(Role.OPERATOR, "house").get("/ui");

    assertThat(page.status()).isEqualTo(200);
    assertThat(page.header("Content-Security-Policy"))
        .startsWith("default-src 'self'; ")
        .contains("frame-ancestors 'none'", "form-action 'self'", "base-uri 'none'")
        .doesNotContain("unsafe");
    assertThat(page.header("Cache-Control")).isEqualTo("no-store");
    assertThat(page.header("X-Content-Type-Options")).isEqualTo("nosniff");
    assertThat(page.header("Referrer-Policy")).isEqualTo("same-origin");
    assertThat(page.document().select("[style], style, script:not([src]), [onclick]")).isEmpty();
  }

  @Test
  void a_first_view_is_below_150_kilobytes_with_everything_that_it_loads() {
    UiClient person = NODE.person(Role.OPERATOR, "house");
    UiPage page = person.get("/ui");
    int bytes = page.body().length();
    for (Element each : page.document().select("link[href], script[src]")) {
      String path = each.hasAttr("src") ? each.attr("src") : each.attr("href");
      UiPage asset = person.get(path);
      assertThat(path).matches("/ui/assets/\\w+\\.[0-9a-f]{16}\\.(css|js|svg)");
      assertThat(asset.status()).isEqualTo(200);
      assertThat(asset.header("Cache-Control")).contains("immutable", "max-age=31536000");
      bytes += asset.body().length();
    }
    assertThat(bytes).isBetween(50_000, 150_000);
  }

  @Test
  void a_page_of_another_version_gets_the_files_of_this_one_and_keeps_none() {
    UiPage other = NODE.person(Role.CLIENT, "old").get("/ui/assets/onejob.0123456789abcdef.css");

    assertThat(other.status()).isEqualTo(200);
    assertThat(other.header("Content-Type")).startsWith("text/css");
    assertThat(other.header("Cache-Control")).isEqualTo("no-store");
  }

  @Test
  void what_is_not_there_is_a_page_that_says_so() {
    UiClient person = NODE.person(Role.OPERATOR, "house");

    for (String path : List.of("/ui/nothing", "/ui/assets/onejob.css", "/ui/assets/x.y.css")) {
      assertThat(person.get(path).status()).isEqualTo(404);
    }
    assertThat(person.get("/ui/nothing").text("main")).contains("There is nothing here");
  }

  @Test
  void a_database_that_does_not_answer_in_time_is_a_page_that_says_so() throws SQLException {
    UiClient person = NODE.person(Role.OPERATOR, "house");
    try (Connection connection = NODE.dataSource().getConnection();
        Statement statement = connection.createStatement()) {
      connection.setAutoCommit(false);
      statement.execute("LOCK TABLE onejob_server.ui_session IN ACCESS EXCLUSIVE MODE");

      UiPage page = person.get("/ui");
      assertThat(page.status()).isEqualTo(503);
      assertThat(page.text("main")).contains("does not answer", "Try again");
      assertThat(page.header("Cache-Control")).isEqualTo("no-store");
      connection.rollback();
    }
    assertThat(person.get("/ui").status()).isEqualTo(200);
  }

  @Test
  void jobs_that_cannot_be_read_in_time_leave_the_way_to_other_pages() throws SQLException {
    UiClient person = NODE.person(Role.OPERATOR, "house");
    try (Connection connection = NODE.dataSource().getConnection();
        Statement statement = connection.createStatement()) {
      connection.setAutoCommit(false);
      statement.execute("LOCK TABLE onejob.job IN ACCESS EXCLUSIVE MODE");

      UiPage page = person.get("/ui/jobs");
      assertThat(page.status()).isEqualTo(503);
      assertThat(page.text("main")).contains("database-unavailable", "not touched by this");
      assertThat(page.document().select("nav a[aria-current=page]").text()).isEqualTo("Jobs");
      assertThat(person.part("/ui/jobs").text("[role=alert]")).contains("database-unavailable");
      connection.rollback();
    }
    assertThat(person.get("/ui/jobs").status()).isEqualTo(200);
  }

  @Test
  void a_key_that_asks_for_many_slow_pages_leaves_others_room_and_a_connection() throws Exception {
    UiClient operator = NODE.person(Role.OPERATOR, "house");
    UiClient greedy = NODE.person(Role.CLIENT, "greedy");
    AtomicBoolean over = new AtomicBoolean();
    AtomicInteger refused = new AtomicInteger();
    List<Thread> asking = new ArrayList<>();
    try (Connection connection = NODE.dataSource().getConnection();
        Statement statement = connection.createStatement()) {
      connection.setAutoCommit(false);
      statement.execute("LOCK TABLE onejob.job IN ACCESS EXCLUSIVE MODE");
      for (int i = 0; i < 60; i++) {
        asking.add(Thread.startVirtualThread(() -> askUntil(over, greedy, refused)));
      }
      await().atMost(Duration.ofSeconds(60)).until(() -> refused.get() >= 10);

      for (int i = 0; i < 10; i++) {
        assertThat(operator.get("/ui/configuration").status()).isEqualTo(200);
      }
      connection.rollback();
    } finally {
      over.set(true);
      for (Thread each : asking) {
        each.join();
      }
    }
    assertThat(greedy.get("/ui/jobs").status()).isEqualTo(200);
  }

  private static void askUntil(AtomicBoolean over, UiClient person, AtomicInteger refused) {
    while (!over.get()) {
      if (person.get("/ui/jobs").status() == 503) {
        refused.incrementAndGet();
      }
    }
  }

  @Test
  void made_up_cookies_open_nothing() {
    UiClient stranger = new UiClient(NODE.uri());
    for (String each : List.of("a".repeat(43), "a".repeat(42), "")) {
      assertThat(stranger.get("/ui", Map.of("Cookie", "onejob=" + each)).status()).isEqualTo(303);
    }
  }
}
