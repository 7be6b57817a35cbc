package dev.onejob.server.ui;

import static org.assertj.core.api.Assertions.assertThat;

import dev.onejob.server.access.Role;
import dev.onejob.server.testing.Browser;
import dev.onejob.server.testing.UiNode;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.openqa.selenium.By;
import org.openqa.selenium.Keys;

class FirstPagesInChromiumTest {
  @RegisterExtension static final UiNode NODE = new UiNode();
  @RegisterExtension static final Browser BROWSER = new Browser();

  @Test
  void a_person_logs_in_sees_the_overview_live_and_logs_out() {
    BROWSER.logIn(NODE.uri(), "/ui", NODE.secret(Role.OPERATOR, "house"));
    assertThat(BROWSER.text(By.tagName("h1"))).isEqualTo("Overview");
    BROWSER.untilLive();
    BROWSER.assertAccessible();
    for (int width : new int[] {360, 1280, 2560}) {
      BROWSER.width(width);
      BROWSER.assertFits();
    }

    BROWSER.click(By.cssSelector("form.who button"));

    BROWSER.find(By.id("key"));
    BROWSER.assertAccessible();
    BROWSER.driver().get(NODE.uri() + "/ui");
    BROWSER.find(By.id("key"));
    assertThat(BROWSER.complaints()).isEmpty();
  }

  @Test
  void the_way_back_after_a_log_out_shows_nothing_of_the_pages_before() {
    BROWSER.logIn(NODE.uri(), "/ui/keys", NODE.secret(Role.OPERATOR, "house"));
    assertThat(BROWSER.text(By.tagName("h1"))).isEqualTo("Keys");
    BROWSER.click(By.cssSelector("form.who button"));
    BROWSER.find(By.id("key"));

    BROWSER.driver().navigate().back();

    BROWSER.find(By.id("key"));
    assertThat(BROWSER.driver().findElements(By.cssSelector("form.who, table"))).isEmpty();
  }

  @Test
  void the_overview_says_by_itself_that_a_job_has_come_into_doubt() {
    BROWSER.logIn(NODE.uri(), "/ui", NODE.secret(Role.OPERATOR, "house"));
    BROWSER.untilText(By.cssSelector(".card .figure"), "0");

    NODE.client(Role.CLIENT, "shop")
        .submit("stalled", "demo", "{\"script\":{\"sandbox-a\":{\"outcome\":\"hang\"}}}");

    BROWSER.untilText(By.cssSelector(".card .figure"), "1");
    BROWSER.assertAccessible();
  }

  @Test
  void a_live_page_that_could_not_be_read_stays_and_is_renewed_when_it_can_be()
      throws SQLException {
    BROWSER.logIn(NODE.uri(), "/ui", NODE.secret(Role.OPERATOR, "house"));
    BROWSER.untilLive();
    mark();
    try (Connection connection = NODE.dataSource().getConnection();
        Statement statement = connection.createStatement()) {
      connection.setAutoCommit(false);
      statement.execute("LOCK TABLE onejob.job IN ACCESS EXCLUSIVE MODE");
      BROWSER.untilText(By.id("live"), "not live");
      assertThat(BROWSER.driver().findElements(By.cssSelector("main .problem"))).isEmpty();
      assertThat(BROWSER.driver().findElements(By.cssSelector("ul.cards"))).hasSize(1);
      connection.rollback();
    }

    BROWSER.until(page -> page.findElements(By.cssSelector(".marked")).isEmpty());
    BROWSER.untilLive();
    assertThat(BROWSER.complaints()).allMatch(each -> each.contains("503")); // none is left behind
  }

  @Test
  void what_is_selected_is_left_alone_and_what_has_the_focus_keeps_it() {
    BROWSER.logIn(NODE.uri(), "/ui", NODE.secret(Role.OPERATOR, "house"));
    BROWSER.untilLive();
    BROWSER
        .driver()
        .executeScript(
            """
            window.told = 0;
            document.body.addEventListener("onejob-changed", () => { window.told++; });
            getSelection().selectAllChildren(document.querySelector("ul.cards"));
            """);
    mark();

    BROWSER.until(
        page -> Boolean.TRUE.equals(BROWSER.driver().executeScript("return window.told >= 2")));
    assertThat(BROWSER.driver().findElements(By.cssSelector(".marked"))).hasSize(1);

    BROWSER
        .driver()
        .executeScript(
            "getSelection().removeAllRanges(); document.getElementById('to-running').focus();");
    BROWSER.until(page -> page.findElements(By.cssSelector(".marked")).isEmpty());
    BROWSER.until(
        page -> "to-running".equals(page.switchTo().activeElement().getDomAttribute("id")));
  }

  /** The next renewal takes the mark away. */
  private static void mark() {
    BROWSER.driver().executeScript("document.querySelector('ul.cards').classList.add('marked')");
  }

  @Test
  void the_keyboard_reaches_the_content_at_once() {
    BROWSER.logIn(NODE.uri(), "/ui", NODE.secret(Role.CLIENT, "shop"));

    BROWSER.driver().switchTo().activeElement().sendKeys(Keys.TAB);
    assertThat(BROWSER.driver().switchTo().activeElement().getText()).isEqualTo("Skip to content");
    BROWSER.driver().switchTo().activeElement().sendKeys(Keys.ENTER);
    assertThat(BROWSER.driver().switchTo().activeElement().getTagName()).isEqualTo("main");
  }
}
