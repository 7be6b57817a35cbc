package dev.onejob.server.ui.playground;

import static org.assertj.core.api.Assertions.assertThat;

import dev.onejob.server.access.Role;
import dev.onejob.server.testing.Browser;
import dev.onejob.server.testing.UiNode;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.openqa.selenium.By;
import org.openqa.selenium.Keys;

class PlaygroundInChromiumTest {
  @RegisterExtension static final UiNode NODE = new UiNode(PlaygroundConfig.OPEN);
  @RegisterExtension static final Browser BROWSER = new Browser();

  /** What the page of a run says in the end, by side: effects and results. */
  private record Counts(Preset preset, int effects, int results, int usual, int usualResults) {}

  /**
   * One effect and one result wherever no person decides otherwise; two effects where a race is
   * allowed, or a person has abandoned what then acted all the same, and even then one result.
   */
  private static final List<List<Counts>> RUNS =
      List.of(
          List.of(new Counts(Preset.CLICK_TWICE, 1, 1, 2, 2), new Counts(Preset.STALL, 1, 1, 3, 3)),
          List.of(
              new Counts(Preset.OTHER_INPUT, 1, 1, 2, 2), new Counts(Preset.ABANDON, 2, 1, 3, 3)),
          List.of(
              new Counts(Preset.REVERSED_FINISH, 2, 1, 2, 2),
              new Counts(Preset.NODE_DIES, 1, 1, 2, 1)));

  @Test
  void every_preset_ends_with_one_result_on_the_left_and_with_more_on_the_right() {
    List<String> secrets = new ArrayList<>();
    List<List<String>> pages = new ArrayList<>();
    for (List<Counts> ofOneKey : RUNS) {
      String secret = NODE.secret(Role.CLIENT, "shop");
      secrets.add(secret);
      BROWSER.logIn(NODE.uri(), "/ui/playground", secret);
      pages.add(ofOneKey.stream().map(each -> begin(each.preset())).toList());
    }
    for (int i = 0; i < RUNS.size(); i++) {
      BROWSER.logIn(NODE.uri(), "/ui/playground", secrets.get(i));
      for (int j = 0; j < RUNS.get(i).size(); j++) {
        BROWSER.driver().get(pages.get(i).get(j));
        assertEnds(RUNS.get(i).get(j));
      }
    }
    assertThat(BROWSER.complaints()).isEmpty();
    assertThat(ProcessHandle.current().descendants())
        .as("second nodes that live on")
        .noneMatch(each -> each.info().command().orElse("").endsWith("/java"));
  }

  /** Presses the big button; the address of the run. */
  private static String begin(Preset preset) {
    BROWSER.driver().get(NODE.uri() + "/ui/playground?preset=" + preset.word());
    BROWSER.click(By.id("go"));
    BROWSER.find(By.id("run"));
    return BROWSER.driver().getCurrentUrl();
  }

  private static void assertEnds(Counts wanted) {
    String verdict = BROWSER.text(By.id("verdict"));
    String shown = BROWSER.text(By.id("run"));
    assertThat(
            new Counts(
                wanted.preset(),
                number("onejob-effects"),
                number("onejob-results"),
                number("usual-effects"),
                number("usual-results")))
        .as(shown)
        .isEqualTo(wanted);
    assertThat(verdict).startsWith("Onejob: " + wanted.effects() + " effect");
  }

  private static int number(String id) {
    return Integer.parseInt(BROWSER.text(By.id(id)));
  }

  @Test
  void a_run_is_accessible_fits_a_telephone_and_goes_by_keyboard_while_it_is_under_way() {
    BROWSER.logIn(NODE.uri(), "/ui/playground", NODE.secret(Role.CLIENT, "shop"));
    BROWSER.assertAccessible();

    BROWSER.find(By.id("delay-a")).sendKeys(Keys.HOME, Keys.ARROW_RIGHT, Keys.ARROW_RIGHT);
    BROWSER.untilText(By.id("shown-a"), "0.2 s");
    BROWSER.find(By.id("go")).sendKeys(Keys.ENTER);

    BROWSER.untilText(By.id("verdict"), "Onejob: 1 effect, 1 result.");
    assertThat(BROWSER.find(By.id("delay-a")).getAttribute("value")).isEqualTo("200");
    BROWSER.find(By.id("onejob-0-name")).sendKeys(Keys.ENTER);
    assertThat(BROWSER.text(By.id("onejob-0-line")))
        .startsWith("curl -X POST '" + NODE.uri() + "/v1/jobs'")
        .contains("Bearer $ONEJOB_KEY");
    BROWSER.find(By.id("onejob-0-copy")).sendKeys(Keys.ENTER);
    BROWSER.untilText(By.id("onejob-0-copy"), "op");
    BROWSER.assertAccessible();
    for (int width : new int[] {360, 1280, 2560}) {
      BROWSER.width(width);
      BROWSER.assertFits();
    }
    BROWSER.width(1280);
    assertThat(BROWSER.complaints()).isEmpty();
  }
}
