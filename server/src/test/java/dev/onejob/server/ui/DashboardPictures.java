package dev.onejob.server.ui;

import static org.assertj.core.api.Assertions.assertThat;

import dev.onejob.domain.Owner;
import dev.onejob.server.access.Role;
import dev.onejob.server.testing.Browser;
import dev.onejob.server.testing.Exhibit;
import dev.onejob.server.testing.SiteMap;
import dev.onejob.server.testing.UiClient;
import dev.onejob.server.testing.UiNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.openqa.selenium.By;

/**
 * Makes the pictures of the dashboard from a running service: {@code docs/pictures/make} asks for
 * it by name, no other build does.
 */
class DashboardPictures {
  private static final Path FOLDER = Path.of("../docs/pictures");
  private static final int[] WIDTHS = {360, 1280};

  /** Taller pages are cut: a picture is to be looked at, not read. */
  private static final int HEIGHT_MAX = 1_600;

  @RegisterExtension static final UiNode NODE = new UiNode(Exhibit.CONFIG);
  @RegisterExtension static final Browser BROWSER = new Browser();

  @Test
  void of_every_page_at_two_widths() throws IOException {
    String secret = NODE.keys().create("Ada", Role.OPERATOR, new Owner("house")).secret();
    try (Exhibit exhibit = Exhibit.on(NODE, "order-", "Two blue mugs, gift wrapped")) {
      UiClient person = new UiClient(NODE.uri());
      person.logIn(secret);
      List<SiteMap.Stop> stops = SiteMap.of(person, exhibit.addresses());
      BROWSER.logIn(NODE.uri(), "/ui", secret);
      BROWSER.driver().executeCdpCommand("Emulation.setScrollbarsHidden", Map.of("hidden", true));
      for (Map.Entry<String, SiteMap.Stop> each : SiteMap.pages(stops).entrySet()) {
        SiteMap.Stop fullest =
            stops.stream()
                .filter(
                    stop -> !stop.part() && !stop.leadsOn() && stop.form().equals(each.getKey()))
                .max(Comparator.comparing(stop -> person.get(stop.path()).body().length()))
                .orElseThrow();
        for (int width : WIDTHS) {
          take(fullest.path(), name(each.getKey()) + "-" + width + ".png", width);
        }
      }
    }
  }

  private static void take(String path, String name, int width) throws IOException {
    window(width, 900);
    BROWSER.driver().get(NODE.uri() + path);
    BROWSER.find(By.tagName("h1"));
    if (!BROWSER.driver().findElements(By.id("live")).isEmpty()) {
      BROWSER.untilLive();
    }
    Object height = BROWSER.driver().executeScript("return document.documentElement.scrollHeight");
    window(width, Math.min(((Number) Objects.requireNonNull(height)).intValue(), HEIGHT_MAX));
    byte[] picture = BROWSER.picture();
    assertThat(picture).isNotEmpty();
    Files.write(Files.createDirectories(FOLDER).resolve(name), picture);
  }

  private static void window(int width, int height) {
    BROWSER
        .driver()
        .executeCdpCommand(
            "Emulation.setDeviceMetricsOverride",
            Map.of("width", width, "height", height, "deviceScaleFactor", 1, "mobile", false));
  }

  /** Such as {@code webhooks-id} for {@code /ui/webhooks/{id}}. */
  private static String name(String form) {
    String name = form.replaceFirst("^/ui/?", "").replaceAll("[^A-Za-z0-9]+", "-");
    return name.isEmpty() ? "overview" : name.replaceFirst("-$", "");
  }
}
