package dev.onejob.server.ui;

import static org.assertj.core.api.Assertions.assertThat;

import dev.onejob.server.access.Role;
import dev.onejob.server.testing.Browser;
import dev.onejob.server.testing.UiNode;
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
    assertThat(BROWSER.find(By.tagName("h1")).getText()).isEqualTo("Overview");
    BROWSER.untilText(By.id("live"), "live");
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
  void the_overview_says_by_itself_that_a_job_has_come_into_doubt() {
    BROWSER.logIn(NODE.uri(), "/ui", NODE.secret(Role.OPERATOR, "house"));
    BROWSER.untilText(By.cssSelector(".card .figure"), "0");

    NODE.client(Role.CLIENT, "shop")
        .submit("stalled", "demo", "{\"script\":{\"sandbox-a\":{\"outcome\":\"hang\"}}}");

    BROWSER.untilText(By.cssSelector(".card .figure"), "1");
    BROWSER.assertAccessible();
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
