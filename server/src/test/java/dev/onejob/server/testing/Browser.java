package dev.onejob.server.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.openqa.selenium.By;
import org.openqa.selenium.Dimension;
import org.openqa.selenium.NoSuchElementException;
import org.openqa.selenium.OutputType;
import org.openqa.selenium.StaleElementReferenceException;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.support.ui.ExpectedCondition;
import org.openqa.selenium.support.ui.ExpectedConditions;
import org.openqa.selenium.support.ui.WebDriverWait;

/**
 * A real Chromium for a class of tests, without a window. Belongs into a static field. Where there
 * is none, and this is not CI, the class says so and is passed over. Tests wait for what the page
 * shows, never for a while.
 */
public final class Browser implements BeforeAllCallback, AfterAllCallback {
  private static final Path CHROMIUM = Path.of("/usr/bin/chromium");
  private static final Path DRIVER = Path.of("/usr/bin/chromedriver");
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final String AXE = axe();

  /** Looks which colours a person has asked for. */
  public enum Colours {
    LIGHT,
    DARK
  }

  private ChromeDriver driver;

  @Override
  public void beforeAll(ExtensionContext context) {
    boolean there = Files.isExecutable(CHROMIUM) && Files.isExecutable(DRIVER);
    if (System.getenv("CI") != null) {
      assertThat(there).as("Debian's chromium and chromium-driver are installed").isTrue();
    }
    assumeTrue(there, "needs Debian's packages chromium and chromium-driver");
    ChromeOptions options = new ChromeOptions();
    options.setBinary(CHROMIUM.toFile());
    options.addArguments(
        "--headless=new",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-dev-shm-usage",
        "--disable-background-networking",
        "--no-first-run",
        "--window-size=1280,900");
    File executable = DRIVER.toFile();
    driver =
        new ChromeDriver(
            new ChromeDriverService.Builder()
                .usingDriverExecutable(executable)
                .usingAnyFreePort()
                .build(),
            options);
    driver.manage().timeouts().pageLoadTimeout(PATIENCE).scriptTimeout(PATIENCE);
  }

  @Override
  public void afterAll(ExtensionContext context) {
    if (driver != null) {
      driver.quit();
    }
  }

  /** The browser. */
  public ChromeDriver driver() {
    return Objects.requireNonNull(driver, "only inside a test");
  }

  /** Forgets every cookie and complaint, opens the page, and logs in there. */
  public void logIn(URI service, String path, String secret) {
    // From no page: one that is live would ask once more, without its session, and complain.
    driver().get("about:blank");
    driver().executeCdpCommand("Network.clearBrowserCookies", Map.of());
    complaints();
    driver().get(service + path);
    type(By.id("key"), secret);
    click(By.cssSelector("main form button"));
    find(By.cssSelector("form.who"));
  }

  /** The first element of that sort, as soon as it can be seen. */
  public WebElement find(By by) {
    return until(ExpectedConditions.visibilityOfElementLocated(by));
  }

  /** Fills in a field; once more if the page has just renewed itself. */
  public void type(By by, String text) {
    until(
        page -> {
          page.findElement(by).sendKeys(text);
          return true;
        });
  }

  /** Presses what can be pressed; once more if the page has just renewed itself. */
  public void click(By by) {
    until(
        page -> {
          WebElement found = page.findElement(by);
          if (!found.isDisplayed()) {
            return false;
          }
          found.click();
          return true;
        });
  }

  /** Waits until the page shows it. */
  public <T> T until(ExpectedCondition<T> condition) {
    return new WebDriverWait(driver(), PATIENCE, Duration.ofMillis(50))
        .ignoring(StaleElementReferenceException.class)
        .ignoring(NoSuchElementException.class)
        .until(condition);
  }

  /** Waits until an element of that sort shows the text. */
  public void untilText(By by, String text) {
    until(ExpectedConditions.textToBePresentInElementLocated(by, text));
  }

  /** Waits until the page says that it is live: by then it has looked once. */
  public void untilLive() {
    until(page -> page.findElement(By.id("live")).getText().equals("live"));
  }

  /** The text of the first element of that sort; once more if the page has just renewed itself. */
  public String text(By by) {
    return until(
        page -> {
          WebElement found = page.findElement(by);
          return found.isDisplayed() ? found.getText() : null;
        });
  }

  /** What stands in the field; once more if the page has just renewed itself. */
  public String value(By by) {
    return until(page -> page.findElement(by).getDomProperty("value"));
  }

  /** Asks for other colours, as a system's setting would. */
  public void prefer(Colours colours) {
    driver()
        .executeCdpCommand(
            "Emulation.setEmulatedMedia",
            Map.of(
                "features",
                List.of(
                    Map.of(
                        "name",
                        "prefers-color-scheme",
                        "value",
                        colours == Colours.DARK ? "dark" : "light"))));
  }

  /** Makes the window as wide as that. */
  public void width(int pixels) {
    driver()
        .executeCdpCommand(
            "Emulation.setDeviceMetricsOverride",
            Map.of("width", pixels, "height", 900, "deviceScaleFactor", 1, "mobile", false));
    driver().manage().window().setSize(new Dimension(Math.max(pixels, 500), 900));
  }

  /** A picture of the window. */
  public byte[] picture() {
    return driver().getScreenshotAs(OutputType.BYTES);
  }

  /** No finding of axe-core that is serious or critical, in light and in dark. */
  public void assertAccessible() {
    for (Colours each : Colours.values()) {
      prefer(each);
      assertThat(seriousFindings(each))
          .as("in " + each + " at " + driver().getCurrentUrl())
          .isEmpty();
    }
    prefer(Colours.LIGHT);
  }

  /** In the dark only what colours decide: nothing else of a page changes with them. */
  private List<?> seriousFindings(Colours colours) {
    if (!Boolean.TRUE.equals(driver().executeScript("return 'axe' in window"))) {
      driver().executeScript(AXE);
    }
    Object findings =
        driver()
            .executeAsyncScript(
                """
                const done = arguments[arguments.length - 1];
                const wanted = arguments[0]
                  ? { type: 'rule', values: ['color-contrast', 'link-in-text-block'] }
                  : { type: 'tag', values:
                    ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] };
                const told = (node) => node.html + ' ' + node.failureSummary;
                axe.run(document, { runOnly: wanted }).then(
                  (result) => done(result.violations
                    .filter((each) => ['serious', 'critical'].includes(each.impact))
                    .map((each) => each.id + ': ' + each.nodes.map(told).join('; '))),
                  (error) => done(['axe failed: ' + error]));
                """,
                colours == Colours.DARK);
    return (List<?>) Objects.requireNonNull(findings);
  }

  /** No page is wider than its window: nothing has to be scrolled sideways but tables. */
  public void assertFits() {
    Object over =
        driver()
            .executeScript(
                "const all = document.documentElement; return all.scrollWidth - all.clientWidth");
    assertThat(((Number) Objects.requireNonNull(over)).intValue())
        .as("pixels beyond the window at " + driver().getCurrentUrl())
        .isLessThanOrEqualTo(0);
  }

  /** What the browser has complained of since it was last asked, such as broken policies. */
  public List<String> complaints() {
    return driver().manage().logs().get("browser").getAll().stream()
        .map(entry -> entry.getLevel() + " " + entry.getMessage())
        .toList();
  }

  private static String axe() {
    try (InputStream stream = Browser.class.getResourceAsStream("/axe.min.js")) {
      return new String(
          Objects.requireNonNull(stream, "axe-core").readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
