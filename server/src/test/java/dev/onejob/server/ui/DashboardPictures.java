package dev.onejob.server.ui;

import static org.assertj.core.api.Assertions.assertThat;

import dev.onejob.domain.Owner;
import dev.onejob.server.access.Role;
import dev.onejob.server.testing.Browser;
import dev.onejob.server.testing.SiteMap;
import dev.onejob.server.testing.UiClient;
import dev.onejob.server.testing.UiNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.LinkedHashMap;
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
  private static final int HEIGHT_MAX = 1_400;

  /** Of the run of the playground that the README shows: it is read beside text. */
  private static final int README_WIDTH = 1_000;

  private static final int README_HEIGHT = 660;

  /** So many minutes are in the chart of the overview: a round takes five seconds. */
  private static final int ROUNDS = 30;

  private static final Relay RELAY = new Relay();

  @RegisterExtension static final UiNode NODE = new UiNode(WorkingDay.config(RELAY.uri()));
  @RegisterExtension static final Browser BROWSER = new Browser();

  @Test
  void of_every_page_at_two_widths() throws IOException {
    RELAY.to(NODE.uri());
    String secret = NODE.keys().create("Ada", Role.OPERATOR, new Owner("house")).secret();
    try (WorkingDay day = WorkingDay.on(NODE, ROUNDS)) {
      UiClient person = new UiClient(NODE.uri());
      person.logIn(secret);
      BROWSER.logIn(NODE.uri(), "/ui", secret);
      BROWSER.driver().executeCdpCommand("Emulation.setScrollbarsHidden", Map.of("hidden", true));
      Map<String, String> pages = stories(day);
      pages.put("playground-run", play("stall"));
      addOthers(pages, SiteMap.of(person, List.of()), person);
      for (Map.Entry<String, String> each : pages.entrySet()) {
        for (int width : WIDTHS) {
          open(each.getValue(), width);
          take(each.getKey() + "-" + width, width, HEIGHT_MAX);
        }
      }
      forReadme(pages);
      refused(day);
      BROWSER.driver().executeCdpCommand("Network.clearBrowserCookies", Map.of());
      for (int width : WIDTHS) {
        open("/ui/login", width);
        take("login-" + width, width, HEIGHT_MAX);
      }
    } finally {
      RELAY.close();
    }
  }

  /** Pages of which there are many, each by what it shows. */
  private static Map<String, String> stories(WorkingDay day) {
    Map<String, String> pages = new LinkedHashMap<>();
    for (String each : List.of("fallback", "race", "asked", "callback", "contested", "failed")) {
      pages.put("job-" + each, "/ui/jobs/" + day.job(each));
    }
    pages.put("job-in-doubt", "/ui/jobs/" + day.job("doubt"));
    pages.put("desk-attempt", "/ui/desk/attempts/" + day.attempt("doubt", 1));
    pages.put("desk-job", "/ui/desk/jobs/" + day.job("contested"));
    pages.put("qualifications-of", "/ui/qualifications/of?kind=invoice&provider=reader-c");
    pages.put("qualifications-run", day.job("reader-c"));
    pages.put("qualifications-question", day.beside("reader-c", "reader-b"));
    pages.put("not-found", "/ui/jobs/job_01K00000000000000000000000");
    return pages;
  }

  /** Every other page that a person finds, the fullest of its form. */
  private static void addOthers(
      Map<String, String> pages, List<SiteMap.Stop> stops, UiClient person) {
    for (String form : SiteMap.pages(stops).keySet()) {
      String pattern = form.replaceAll("\\{[^}]*}", "[^/?]+") + "(\\?.*)?";
      if (pages.values().stream().noneMatch(path -> path.matches(pattern))) {
        SiteMap.Stop fullest =
            stops.stream()
                .filter(stop -> !stop.part() && !stop.leadsOn() && stop.form().equals(form))
                .max(Comparator.comparing(stop -> person.get(stop.path()).body().length()))
                .orElseThrow();
        pages.put(name(form), fullest.path());
      }
    }
  }

  /** Presses the big button of the playground; the address of the run, once it is over. */
  private static String play(String preset) {
    BROWSER.driver().get(NODE.uri() + "/ui/playground?preset=" + preset);
    BROWSER.click(By.id("go"));
    BROWSER.find(By.id("verdict"));
    String address = Objects.requireNonNull(BROWSER.driver().getCurrentUrl());
    return address.substring(NODE.uri().toString().length()).replaceFirst("#.*", "");
  }

  /** What a press is answered that is refused. */
  private static void refused(WorkingDay day) throws IOException {
    for (int width : WIDTHS) {
      open("/ui/jobs/" + day.job("doubt"), width);
      BROWSER.click(By.cssSelector("#fallback button"));
      BROWSER.find(By.className("problem"));
      take("refused-" + width, width, HEIGHT_MAX / 2);
    }
  }

  /** A run without what is above it; the script cuts the README's other pictures itself. */
  private static void forReadme(Map<String, String> pages) throws IOException {
    open(Objects.requireNonNull(pages.get("playground-run")), README_WIDTH);
    window(README_WIDTH, README_HEIGHT);
    BROWSER.driver().executeScript("document.getElementById('run').scrollIntoView()");
    Files.write(FOLDER.resolve("readme-playground-run.png"), BROWSER.picture());
  }

  private static void open(String path, int width) {
    window(width, 900);
    BROWSER.until(
        driver -> {
          driver.get(NODE.uri() + path);
          // A machine that is busy with other things may be too slow for the pool of pages.
          return driver.findElements(By.tagName("h1")).size() == 1
              && !driver.findElement(By.tagName("main")).getText().contains("database-unavailable");
        });
    if (!BROWSER.driver().findElements(By.id("live")).isEmpty()) {
      BROWSER.untilLive();
    }
  }

  private static void take(String name, int width, int heightMax) throws IOException {
    Object height = BROWSER.driver().executeScript("return document.documentElement.scrollHeight");
    window(width, Math.min(((Number) Objects.requireNonNull(height)).intValue(), heightMax));
    byte[] picture = BROWSER.picture();
    assertThat(picture).isNotEmpty();
    Files.write(Files.createDirectories(FOLDER).resolve(name + ".png"), picture);
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
