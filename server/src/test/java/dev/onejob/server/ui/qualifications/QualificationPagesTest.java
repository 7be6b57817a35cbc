package dev.onejob.server.ui.qualifications;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.onejob.server.access.Role;
import dev.onejob.server.testing.Browser;
import dev.onejob.server.testing.UiClient;
import dev.onejob.server.testing.UiNode;
import dev.onejob.server.testing.UiPage;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jsoup.nodes.Element;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.openqa.selenium.By;

/** Qualifications over HTTP and in a real browser; two providers, of which one keeps a contract. */
class QualificationPagesTest {
  private static final String CONTRACT =
      """
      contract: parcel
      version: 1
      answer: json
      output: {"type":"object","required":["provider"],"properties":{"provider":{"type":"string"},
        "job":{"type":"string"},"attempt":{"type":"string"},"request":{"type":"integer"}}}
      rules:
        - name: who
          rule: output.provider == 'sandbox-a'
          message: "<img src=x onerror=alert(1)> only a may"
          path: /provider
      samples:
        - name: small
          input: {"text": "<script>alert(1)</script>", "n": 1234567890123456789,
            "f": 0.30000000000000004}
      """;

  @RegisterExtension static final UiNode NODE = new UiNode(config());
  @RegisterExtension static final Browser BROWSER = new Browser();

  private static String config() {
    try {
      Path contract = Files.createTempFile("parcel", ".yaml");
      Files.writeString(contract, CONTRACT);
      return """
          kinds:
            parcel: {effect: exclusive, route: [sandbox-a, sandbox-b], contract: %s}
            bare: {effect: exclusive, route: [sandbox-a]}
          providers:
            sandbox-a: {type: sandbox}
            sandbox-b: {type: sandbox}
          """
          .formatted(contract);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static final String OF = "/ui/qualifications/of?kind=parcel&provider=";

  /** The address of the run of a provider, once it has ended. */
  private static String ended(UiClient person, String provider) {
    UiPage cell = person.get(OF + provider);
    assertThat(cell.text("#estimate")).contains("A run would ask", "questions");
    UiPage started = person.press(cell, "main form", Map.of());
    assertThat(started.status()).isEqualTo(303);
    String run = started.header("Location");
    await()
        .atMost(Duration.ofSeconds(90))
        .until(() -> person.part(run).text("#run-state"), state -> !state.matches("(running).*"));
    return run;
  }

  private static String cell(UiPage matrix, String provider) {
    Element link = matrix.document().selectFirst("#cell-parcel-" + provider);
    return link == null || link.parent() == null ? "" : link.parent().text();
  }

  @Test
  void a_run_is_started_with_its_cost_in_sight_and_its_evidence_stands_side_by_side() {
    UiClient person = NODE.person(Role.OPERATOR, "house");
    UiPage before = person.get("/ui/qualifications");
    assertThat(cell(before, "sandbox-b")).startsWith("never qualified");
    assertThat(before.text("main")).contains("nothing can be proved: bare");
    UiPage stale = person.get(OF + "sandbox-a");

    ended(person, "sandbox-a");
    UiPage refused = person.press(stale, "main form", Map.of());
    assertThat(refused.status()).isEqualTo(409);
    assertThat(refused.text(".problem")).contains("qualification-changed", "Nothing was started");
    assertThat(refused.document().body().attr("data-here")).startsWith("/ui/qualifications/of?");
    assertThat(person.part(OF + "sandbox-a").document().select("#as-of input").attr("value"))
        .isEqualTo(refused.document().select("#as-of input").attr("value"))
        .startsWith("run_");
    String run = ended(person, "sandbox-b");

    UiPage shown = person.get(run);
    assertThat(shown.text("#run-state")).startsWith("failed");
    assertThat(shown.text(".facts")).contains("In the way Q17", "Q19 ", "failed, 0 of 5");
    assertThat(shown.text("table")).contains("Q19", "failed", "<img src=x onerror=alert(1)>");
    assertThat(shown.document().select("main img, main script")).isEmpty();
    assertThat(shown.body().length()).isLessThan(100_000);
    assertThat(cell(person.get("/ui/qualifications"), "sandbox-b")).contains("last run failed");

    UiPage question = person.get(shown.document().select("details a").attr("href"));
    assertThat(question.status()).isEqualTo(200);
    assertThat(question.text("main"))
        .contains("<script>alert(1)</script>", "1234567890123456789", "0.30000000000000004")
        .contains("Came from sandbox-b", "\"provider\":\"sandbox-b\"", "Q19: ");
    assertThat(question.document().select("main img, main script")).isEmpty();
    Element beside = question.document().select("a:contains(beside sandbox-a)").first();
    assertThat(beside).isNotNull();
    UiPage both = person.get(beside.attr("href"));
    assertThat(both.text("main")).contains("Came from sandbox-a", "Came from sandbox-b");
    assertThat(both.document().select(".sides > section")).hasSize(3);

    assertThat(cell(person.get("/ui/qualifications"), "sandbox-a"))
        .contains("qualified", "until 2", "last run passed");
    NODE.client(Role.OPERATOR, "house")
        .post(
            "/v1/qualifications/withdraw",
            "{\"kind\":\"parcel\",\"provider\":\"sandbox-a\",\"reason\":\"<b>wrong totals\"}");
    assertThat(cell(person.get("/ui/qualifications"), "sandbox-a"))
        .contains("withdrawn", "by operator-", "<b>wrong totals");

    for (String each : List.of("/ui/qualifications", OF + "sandbox-b", run)) {
      assertThat(person.part(each).focusableIds("body"))
          .isNotEmpty()
          .doesNotContain("")
          .doesNotHaveDuplicates();
    }
    looksSound(List.of("/ui/qualifications", OF + "sandbox-b", run, beside.attr("href")));
  }

  private static void looksSound(List<String> paths) {
    BROWSER.logIn(NODE.uri(), "/ui/qualifications", NODE.secret(Role.OPERATOR, "house"));
    for (String path : paths) {
      BROWSER.driver().get(NODE.uri() + path);
      BROWSER.find(By.tagName("h1"));
      BROWSER.assertAccessible();
      for (int width : new int[] {360, 1280, 2560}) {
        BROWSER.width(width);
        BROWSER.assertFits();
      }
    }
    assertThat(BROWSER.complaints()).isEmpty();
  }

  @Test
  void only_operators_see_it_and_only_their_own_forms_start_anything() {
    UiClient client = NODE.person(Role.CLIENT, "shop");
    assertThat(client.get("/ui/qualifications").status()).isEqualTo(403);
    assertThat(client.get(OF + "sandbox-a").status()).isEqualTo(403);
    UiClient person = NODE.person(Role.OPERATOR, "house");
    String runs = person.get(OF + "sandbox-a").text("#cell");
    Map<String, String> forged =
        Map.of("kind", "parcel", "provider", "sandbox-a", "csrf", "another");

    assertThat(person.send("/ui/qualifications/of", Map.of(), forged).status()).isEqualTo(403);

    assertThat(person.get(OF + "sandbox-a").text("#cell")).isEqualTo(runs);
  }

  @Test
  void what_is_not_there_is_not_found_and_what_cannot_be_asked_says_why() {
    UiClient person = NODE.person(Role.OPERATOR, "house");

    for (String path :
        List.of(
            OF + "nobody",
            "/ui/qualifications/of?kind=%3Cb%3E&provider=sandbox-a",
            "/ui/qualifications/of",
            "/ui/qualifications/runs/run_x",
            "/ui/qualifications/runs/run_01KB8XJ4N1F6W8T3VAXZ4S7Y2A",
            "/ui/qualifications/runs/run_01KB8XJ4N1F6W8T3VAXZ4S7Y2A/question?ask=x")) {
      assertThat(person.get(path).status()).as(path).isEqualTo(404);
    }
    UiPage bare = person.get("/ui/qualifications/of?kind=bare&provider=sandbox-a");
    assertThat(bare.text("main")).contains("the kind bare has no contract");
    assertThat(bare.document().select("main form")).isEmpty();
    UiPage refused =
        person.send(
            "/ui/qualifications/of",
            Map.of(),
            Map.of(
                "kind", "bare",
                "provider", "sandbox-a",
                "csrf", bare.document().select("input[name=csrf]").attr("value")));
    assertThat(refused.status()).isEqualTo(400);
    assertThat(refused.text(".problem")).contains("Nothing was started", "field-invalid");
  }
}
