package dev.onejob.server.ui;

import static org.assertj.core.api.Assertions.assertThat;

import dev.onejob.server.access.Role;
import dev.onejob.server.testing.ApiClient;
import dev.onejob.server.testing.Browser;
import dev.onejob.server.testing.UiNode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.openqa.selenium.By;

class JobsInChromiumTest {
  @RegisterExtension static final UiNode NODE = new UiNode();
  @RegisterExtension static final Browser BROWSER = new Browser();

  private static final String HANG =
      "{\"script\":{\"sandbox-a\":{\"outcome\":\"hang\"}},\"n\":1234567890123456789}";

  @Test
  void a_stalled_job_is_found_explained_resolved_and_seen_to_end_without_a_reload() {
    ApiClient client = NODE.client(Role.CLIENT, "shop");
    BROWSER.logIn(NODE.uri(), "/ui/jobs", NODE.secret(Role.OPERATOR, "house"));
    BROWSER.untilLive();
    BROWSER.assertAccessible();
    String job = client.submit("stalled", "demo", HANG).at("/id");
    BROWSER.untilText(By.id("list"), "unknown");
    BROWSER.assertAccessible();
    widths();

    BROWSER.click(By.linkText(job));
    BROWSER.find(By.cssSelector(".timeline .bar-unknown"));
    assertThat(BROWSER.text(By.cssSelector("pre.text"))).isEqualTo(HANG);
    BROWSER.assertAccessible();
    widths();

    BROWSER.click(By.cssSelector("#fallback button"));
    BROWSER.untilText(By.cssSelector(".problem"), "attempt-blocked");
    BROWSER.assertAccessible();
    BROWSER.click(By.cssSelector(".problem a"));
    BROWSER.find(By.cssSelector(".attempt.named"));

    BROWSER.click(By.id("not_done-1"));
    BROWSER.type(By.id("why-1"), "the provider says that it never came");
    BROWSER.click(By.cssSelector("#resolve-1 button"));

    BROWSER.untilText(By.id("now"), "the provider says that it never came");
    BROWSER.untilText(By.id("now"), "2 of 3");
    BROWSER.assertAccessible();
    assertThat(BROWSER.complaints()).allMatch(each -> each.contains("409"));
  }

  @Test
  void what_somebody_fills_in_is_left_alone_while_the_page_renews_itself() {
    ApiClient client = NODE.client(Role.CLIENT, "typing");
    String job = client.submit("typing", "demo", HANG).at("/id");
    BROWSER.logIn(NODE.uri(), "/ui/jobs/" + job, NODE.secret(Role.OPERATOR, "house"));
    BROWSER.untilLive();
    BROWSER.type(By.id("why-1"), "half a rea");

    BROWSER.untilText(By.cssSelector(".headline .state"), "unknown");

    assertThat(BROWSER.value(By.id("why-1"))).isEqualTo("half a rea");
  }

  @Test
  void a_refused_press_keeps_what_was_typed_and_is_not_pressed_again_by_loading_the_page_again() {
    ApiClient client = NODE.client(Role.CLIENT, "again");
    String job = client.submit("again", "demo", HANG).at("/id");
    BROWSER.logIn(NODE.uri(), "/ui/jobs/" + job, NODE.secret(Role.OPERATOR, "house"));
    BROWSER.untilText(By.cssSelector(".headline .state"), "unknown");
    BROWSER.click(By.id("done-1"));
    BROWSER.type(By.id("why-1"), "it was seen there");
    BROWSER.type(By.id("result-1"), "{\"n\": 1");
    BROWSER.click(By.cssSelector("#resolve-1 button"));

    BROWSER.untilText(By.cssSelector(".problem"), "400");
    BROWSER.untilLive(); // has looked once by then, and left the form alone
    assertThat(BROWSER.value(By.id("why-1"))).isEqualTo("it was seen there");
    assertThat(BROWSER.value(By.id("result-1"))).isEqualTo("{\"n\": 1");
    assertThat(BROWSER.find(By.id("done-1")).isSelected()).isTrue();

    BROWSER.driver().navigate().refresh();

    BROWSER.find(By.id("fallback"));
    assertThat(BROWSER.driver().findElements(By.cssSelector(".problem"))).isEmpty();
    assertThat(BROWSER.driver().getCurrentUrl()).endsWith("/ui/jobs/" + job);
  }

  @Test
  void a_button_is_shut_once_it_was_pressed() {
    ApiClient client = NODE.client(Role.CLIENT, "shut");
    String job = client.submit("shut", "demo", HANG).at("/id");
    BROWSER.logIn(NODE.uri(), "/ui/jobs/" + job, NODE.secret(Role.OPERATOR, "house"));
    BROWSER.find(By.id("cancel"));

    Object shut =
        BROWSER
            .driver()
            .executeAsyncScript(
                """
                const done = arguments[0];
                let sent = 0;
                window.addEventListener("submit", (event) => {
                  if (!event.defaultPrevented) sent++;
                  event.preventDefault(); // the page stays, to be looked at
                });
                const button = document.querySelector("#cancel button");
                button.click();
                button.click();
                setTimeout(() => done(sent + " " + button.disabled), 200);
                """);

    assertThat(shut).isEqualTo("1 true");
  }

  private static void widths() {
    for (int width : new int[] {360, 2560, 1280}) {
      BROWSER.width(width);
      BROWSER.assertFits();
    }
  }
}
