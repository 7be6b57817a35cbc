package dev.onejob.server.ui.desk;

import static org.assertj.core.api.Assertions.assertThat;

import dev.onejob.server.access.Role;
import dev.onejob.server.testing.ApiClient;
import dev.onejob.server.testing.Browser;
import dev.onejob.server.testing.UiNode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.openqa.selenium.By;

class DeskInChromiumTest {
  private static final String HANGS = "{\"script\":{\"sandbox-a\":{\"outcome\":\"hang\"}}}";

  private static final String HANGS_ONCE =
      "{\"script\":{\"sandbox-a\":[{\"outcome\":\"hang\"},{\"value\":7}]}}";

  @RegisterExtension static final UiNode NODE = new UiNode();
  @RegisterExtension static final Browser BROWSER = new Browser();

  @Test
  void a_doubt_comes_to_the_desk_is_resolved_there_and_the_job_goes_on() {
    BROWSER.logIn(NODE.uri(), "/ui/desk?owner=shop", NODE.secret(Role.OPERATOR, "house"));
    BROWSER.untilLive();
    BROWSER.untilText(By.className("empty"), "Nothing waits here");
    ApiClient client = NODE.client(Role.CLIENT, "shop");

    client.submit("stalled", "demo", HANGS_ONCE);

    BROWSER.untilText(By.cssSelector(".waits > li"), "in doubt");
    assertSound();
    BROWSER.click(By.cssSelector(".waits a.button"));
    assertThat(BROWSER.text(By.id("does-abandon-retry")))
        .contains("The attempt becomes cancelled", "goes on by itself at sandbox-a");
    assertSound();

    BROWSER.click(By.id("choice-abandon-retry"));
    BROWSER.type(By.id("reason"), "the provider has lost it");
    BROWSER.click(By.cssSelector("form.decide button"));

    BROWSER.untilText(By.id("attempt-state"), "cancelled");
    BROWSER.untilText(By.id("job-state"), "succeeded");
    BROWSER.driver().get(NODE.uri() + "/ui/desk?owner=shop");
    BROWSER.untilText(By.className("empty"), "Nothing waits here");
    assertThat(BROWSER.complaints()).isEmpty();
  }

  @Test
  void an_open_form_says_by_itself_that_the_doubt_has_ended_and_keeps_what_was_typed() {
    ApiClient client = NODE.client(Role.CLIENT, "late");
    String job =
        client
            .submit("late", "demo", "{\"script\":{\"sandbox-a\":{\"outcome\":\"hang\"}}}")
            .at("/id");
    BROWSER.logIn(NODE.uri(), "/ui/desk?owner=late", NODE.secret(Role.OPERATOR, "house"));
    BROWSER.click(By.cssSelector(".waits a.button"));
    BROWSER.untilLive();
    BROWSER.type(By.id("reason"), "half a sentence");
    String attempt = client.get("/v1/jobs/" + job).at("/attempts/0/id");

    NODE.client(Role.OPERATOR, "house")
        .post(
            "/v1/attempts/" + attempt + "/resolution",
            "{\"verdict\":\"abandon\",\"reason\":\"faster\"}");

    BROWSER.untilText(By.id("over"), "not in doubt any more");
    assertThat(BROWSER.value(By.id("reason"))).isEqualTo("half a sentence");
    BROWSER.assertAccessible();
  }

  @Test
  void several_are_decided_together() {
    ApiClient client = NODE.client(Role.CLIENT, "two");
    client.submit("one", "demo", HANGS);
    client.submit("two", "demo", HANGS);
    BROWSER.logIn(NODE.uri(), "/ui/desk?owner=two", NODE.secret(Role.OPERATOR, "house"));
    BROWSER.find(By.cssSelector(".waits > li:nth-child(2)"));
    BROWSER.click(By.id("several-demo-sandbox-a"));
    assertSound();
    BROWSER.click(By.id("choice-abandon-wait"));
    BROWSER.type(By.id("reason"), "down since noon");
    BROWSER.click(By.cssSelector("form.decide button"));
    BROWSER.untilText(By.cssSelector("form.decide button"), "all 2");
    assertSound();
    BROWSER.click(By.cssSelector("form.decide button"));
    BROWSER.untilText(By.cssSelector("[role=status]"), "done for 2 of 2");
    assertSound();
    assertThat(BROWSER.complaints()).isEmpty();
  }

  private static void assertSound() {
    BROWSER.assertAccessible();
    for (int width : new int[] {360, 1280, 2560}) {
      BROWSER.width(width);
      BROWSER.assertFits();
    }
    BROWSER.width(1280);
  }
}
