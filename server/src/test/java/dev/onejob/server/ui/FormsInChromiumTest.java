package dev.onejob.server.ui;

import static org.assertj.core.api.Assertions.assertThat;

import dev.onejob.server.access.Role;
import dev.onejob.server.testing.ApiClient;
import dev.onejob.server.testing.ApiNode;
import dev.onejob.server.testing.Browser;
import dev.onejob.server.testing.UiNode;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.openqa.selenium.By;
import org.openqa.selenium.WindowType;

/** What becomes of a form in somebody's hands while its page renews itself. */
class FormsInChromiumTest {
  @RegisterExtension
  static final UiNode NODE =
      new UiNode(
          """
          kinds:
            charge: {effect: exclusive, route: [sandbox-a, sandbox-b], attempt_timeout: 400ms}
          providers:
            sandbox-a: {type: sandbox}
            sandbox-b: {type: sandbox}
          """);

  @RegisterExtension static final Browser BROWSER = new Browser();

  private static final String HANGS = "{\"script\":{\"sandbox-a\":{\"outcome\":\"hang\"}}}";
  private static final By WHY = By.id("why-1");
  private static final By MORE = By.id("newer");

  private static String inDoubt(String owner) {
    ApiClient client = NODE.client(Role.CLIENT, owner);
    String job = client.submit("k", "charge", HANGS).at("/id");
    ApiNode.awaitJob(client, job, "/state", "unknown");
    return job;
  }

  private static String attempt(String job) {
    return NODE.client(Role.OPERATOR, "house").get("/v1/jobs/" + job).at("/attempts/0/id");
  }

  /** A colleague says something; an attempt that is still running stays in doubt. */
  private static void say(String job, String verdict, String reason) {
    NODE.client(Role.OPERATOR, "house")
        .post(
            "/v1/attempts/" + attempt(job) + "/resolution",
            "{\"verdict\":\"" + verdict + "\",\"reason\":\"" + reason + "\"}");
  }

  private static String logInAt(String path) {
    String secret = NODE.secret(Role.OPERATOR, "house");
    BROWSER.logIn(NODE.uri(), path, secret);
    BROWSER.untilLive();
    return secret;
  }

  private static Object script(String script) {
    return BROWSER.driver().executeScript(script);
  }

  /** As what the first form shows the job. */
  private static Object mark() {
    return script("return document.querySelector('main [name=as_of]').value");
  }

  private static String focused() {
    return String.valueOf(script("return document.activeElement.id"));
  }

  @Test
  void text_and_buttons_are_renewed_together_or_the_person_is_told_that_the_form_is_older() {
    String job = inDoubt("together");
    logInAt("/ui/jobs/" + job);
    Object first = mark();
    script(
        """
        window.told = 0;
        document.body.addEventListener("onejob-changed", () => { window.told++; });
        getSelection().selectAllChildren(document.querySelector("#now .headline"));
        """);
    say(job, "still_running", "said before");
    BROWSER.until(page -> Boolean.TRUE.equals(script("return window.told >= 1")));
    assertThat(BROWSER.text(By.id("now"))).doesNotContain("said before");
    assertThat(mark()).isEqualTo(first);
    script("getSelection().removeAllRanges()");
    BROWSER.untilText(By.id("now"), "said before");
    BROWSER.until(page -> !mark().equals(first));
    Object second = mark();

    BROWSER.type(WHY, "half a rea");
    say(job, "still_running", "said after");

    BROWSER.untilText(MORE, "More has become known");
    BROWSER.untilText(By.id("now"), "said after");
    assertThat(mark()).isEqualTo(second);
    assertThat(BROWSER.value(WHY)).isEqualTo("half a rea");
    BROWSER.assertAccessible();

    BROWSER.find(WHY).clear();
    script("document.activeElement.blur()");
    BROWSER.until(page -> !mark().equals(second));
    BROWSER.until(page -> page.findElement(MORE).getText().isEmpty());
  }

  @Test
  void a_decision_is_refused_that_was_begun_before_more_was_known_and_what_was_typed_stays() {
    String job = inDoubt("desk");
    logInAt("/ui/desk/attempts/" + attempt(job));
    BROWSER.type(By.id("reason"), "as it looked");

    say(job, "still_running", "the provider says so");

    BROWSER.untilText(MORE, "More has become known");
    BROWSER.untilText(By.id("known"), "the provider says so");
    BROWSER.click(By.id("choice-abandon-wait"));
    BROWSER.click(By.id("decide-now"));
    BROWSER.untilText(By.cssSelector(".problem"), "job-changed");
    assertThat(BROWSER.value(By.id("reason"))).isEqualTo("as it looked");
    BROWSER.click(By.id("decide-now"));
    BROWSER.untilText(By.id("attempt-state"), "cancelled");
  }

  @Test
  void who_stands_on_a_button_keeps_it_and_is_led_on_when_it_is_shut() {
    String job = inDoubt("focus");
    logInAt("/ui/desk/attempts/" + attempt(job));
    script("document.getElementById('decide-now').focus()");

    say(job, "still_running", "a first word");
    BROWSER.untilText(By.id("known"), "a first word");
    assertThat(focused()).isEqualTo("decide-now");
    assertThat(script("return document.getElementById('decide-now').disabled")).isEqualTo(false);

    say(job, "abandon", "a last word");
    BROWSER.untilText(By.id("over"), "not in doubt any more");
    BROWSER.until(page -> focused().equals("over"));
  }

  @Test
  void a_button_that_was_pressed_stays_shut_while_the_page_renews_itself() {
    String job = inDoubt("sent");
    logInAt("/ui/jobs/" + job);
    script(
        """
        window.addEventListener("submit", (event) => event.preventDefault()); // the page stays
        document.querySelector("#cancel button").click();
        """);

    say(job, "still_running", "while it was sent");

    BROWSER.untilText(By.id("now"), "while it was sent");
    assertThat(script("return document.querySelector('#cancel button').disabled")).isEqualTo(true);
    script("window.dispatchEvent(new PageTransitionEvent('pageshow'))");
    assertThat(script("return document.querySelector('#cancel button').disabled")).isEqualTo(false);
  }

  @Test
  void who_is_logged_out_keeps_what_was_typed_and_goes_on_after_a_log_in_in_another_tab()
      throws SQLException {
    String job = inDoubt("expired");
    String secret = logInAt("/ui/jobs/" + job);
    BROWSER.click(By.id("abandon-1"));
    BROWSER.type(WHY, "typed before the session ended");
    try (Connection connection = NODE.dataSource().getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute("UPDATE onejob_server.ui_session SET ends_at = clock_timestamp()");
    }
    script("document.body.dispatchEvent(new CustomEvent('onejob-changed'))");

    BROWSER.find(By.id("gone"));
    assertThat(BROWSER.value(WHY)).isEqualTo("typed before the session ended");
    BROWSER.assertAccessible();

    String tab = BROWSER.driver().getWindowHandle();
    BROWSER.driver().switchTo().newWindow(WindowType.TAB);
    BROWSER.driver().get(NODE.uri() + "/ui/login");
    BROWSER.type(By.id("key"), secret);
    BROWSER.click(By.cssSelector("main form button"));
    BROWSER.find(By.cssSelector("form.who"));
    BROWSER.driver().close();
    BROWSER.driver().switchTo().window(tab);
    script("document.body.dispatchEvent(new CustomEvent('onejob-changed'))");
    BROWSER.until(page -> !page.findElement(By.id("gone")).isDisplayed());

    BROWSER.click(By.cssSelector("#resolve-1 button"));
    BROWSER.untilText(By.id("now"), "typed before the session ended");
    BROWSER.untilText(By.cssSelector("#now .attempt"), "cancelled");
  }
}
