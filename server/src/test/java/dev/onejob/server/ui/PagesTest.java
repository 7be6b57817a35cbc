package dev.onejob.server.ui;

import static org.assertj.core.api.Assertions.assertThat;

import dev.onejob.server.access.Role;
import dev.onejob.server.testing.UiClient;
import dev.onejob.server.testing.UiNode;
import dev.onejob.server.testing.UiPage;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
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
}
