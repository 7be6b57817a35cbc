package dev.onejob.server.ui;

import static org.assertj.core.api.Assertions.assertThat;

import dev.onejob.domain.Owner;
import dev.onejob.server.access.Role;
import dev.onejob.server.testing.Browser;
import dev.onejob.server.testing.Exhibit;
import dev.onejob.server.testing.SiteMap;
import dev.onejob.server.testing.UiClient;
import dev.onejob.server.testing.UiNode;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.openqa.selenium.By;

/** What holds for every page in a real browser, with hostile texts wherever there can be any. */
class EveryPageInChromiumTest {
  private static final String HOSTILE = "\"><img src=x onerror=alert(1)>";

  @RegisterExtension static final UiNode NODE = new UiNode(Exhibit.config());
  @RegisterExtension static final Browser BROWSER = new Browser();

  private static Exhibit exhibit;
  private static List<SiteMap.Stop> stops;

  @BeforeAll
  static void fill() {
    exhibit = Exhibit.on(NODE, "<img/src=x/onerror=alert(1)>\"", HOSTILE);
    String secret = NODE.keys().create(HOSTILE, Role.OPERATOR, new Owner("house")).secret();
    UiClient operator = new UiClient(NODE.uri());
    operator.logIn(secret);
    stops = SiteMap.of(operator, exhibit.addresses(operator));
    BROWSER.logIn(NODE.uri(), "/ui", secret);
  }

  @AfterAll
  static void close() {
    exhibit.close();
  }

  static Stream<SiteMap.Stop> pages() {
    return SiteMap.pages(stops).values().stream();
  }

  @ParameterizedTest
  @MethodSource("pages")
  void a_page_is_accessible_fits_and_loads_from_here_alone(SiteMap.Stop stop) {
    BROWSER.width(1280);
    BROWSER.driver().get(NODE.uri() + stop.path());
    BROWSER.find(By.tagName("h1"));

    BROWSER.assertAccessible();
    BROWSER.width(360);
    BROWSER.assertAccessible();
    assertThat(loaded()).isNotEmpty().allMatch(each -> each.startsWith(NODE.uri() + "/ui"));
    for (int width : new int[] {360, 1280, 2560}) {
      BROWSER.width(width);
      BROWSER.assertFits();
    }
    assertThat(BROWSER.complaints()).isEmpty();
  }

  @Test
  void what_was_refused_is_accessible_and_fits() {
    BROWSER.width(1280);
    BROWSER.driver().get(NODE.uri() + "/ui/jobs/" + exhibit.inDoubt());
    BROWSER.click(By.cssSelector("#fallback button"));
    assertRefusalSound("attempt-blocked");

    BROWSER.width(1280);
    BROWSER.driver().get(NODE.uri() + "/ui/desk/attempts/" + exhibit.doubted());
    BROWSER.click(By.id("choice-abandon-wait"));
    BROWSER.type(By.id("reason"), " ");
    BROWSER.click(By.cssSelector("form.decide button"));
    assertRefusalSound("400");

    BROWSER.driver().get(NODE.uri() + "/ui/jobs/job_01K00000000000000000000000");
    assertRefusalSound("not-found");
    assertThat(BROWSER.complaints()).allMatch(each -> each.matches("(?s).*\\b(400|404|409)\\b.*"));
  }

  private static void assertRefusalSound(String says) {
    BROWSER.untilText(By.cssSelector(".problem"), says);
    for (int width : new int[] {1280, 360}) {
      BROWSER.width(width);
      BROWSER.assertAccessible();
      BROWSER.assertFits();
    }
  }

  /** Every address that the page has asked for, as the browser has counted. */
  private static List<String> loaded() {
    Object names =
        BROWSER
            .driver()
            .executeScript(
                """
                return [...performance.getEntriesByType('resource'),
                  ...performance.getEntriesByType('navigation')].map((each) => each.name)
                """);
    return ((List<?>) Objects.requireNonNull(names)).stream().map(String::valueOf).toList();
  }
}
