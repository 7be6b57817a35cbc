package dev.onejob.server.ui;

import static org.assertj.core.api.Assertions.assertThat;

import dev.onejob.domain.Owner;
import dev.onejob.server.access.NewKey;
import dev.onejob.server.access.Role;
import dev.onejob.server.testing.Exhibit;
import dev.onejob.server.testing.SiteMap;
import dev.onejob.server.testing.UiClient;
import dev.onejob.server.testing.UiNode;
import dev.onejob.server.testing.UiPage;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jsoup.nodes.Attribute;
import org.jsoup.nodes.Element;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What holds for every page, whoever has added it. */
class EveryPageTest {
  private static final String HOSTILE = "\"><img src=x onerror=alert(1)>";

  /** Keys of jobs have no spaces; the slash does the same to a browser. */
  private static final String HOSTILE_KEY = "=1+1<img/src=x/onerror=alert(1)>\"";

  private static final String ID = "(job|att|wh|evt|run|qr)_[0-9A-Z]{26}";
  private static final String NO_ID = "$1_01K00000000000000000000000";
  private static final int FIRST_VIEW_BYTES_MAX = 150_000;

  @RegisterExtension static final UiNode NODE = new UiNode(Exhibit.config());

  private static Exhibit exhibit;
  private static UiClient operator;
  private static List<SiteMap.Stop> stops;

  @BeforeAll
  static void fill() {
    exhibit = Exhibit.on(NODE, HOSTILE_KEY, HOSTILE);
    operator = person(Role.OPERATOR, "house");
    stops = SiteMap.of(operator, exhibit.addresses(operator));
  }

  @AfterAll
  static void close() {
    exhibit.close();
  }

  /** Somebody whose key has a hostile name, which stands on each page. */
  private static UiClient person(Role role, String owner) {
    NewKey key = NODE.keys().create(HOSTILE, role, new Owner(owner));
    UiClient person = new UiClient(NODE.uri());
    person.logIn(key.secret());
    return person;
  }

  static Stream<SiteMap.Stop> everything() {
    return stops.stream();
  }

  static Stream<SiteMap.Stop> pages() {
    return SiteMap.pages(stops).values().stream();
  }

  /** One address of each form, those included that only lead on. */
  static Stream<SiteMap.Stop> addresses() {
    Set<String> met = new HashSet<>();
    return stops.stream().filter(stop -> !stop.part() && met.add(stop.form()));
  }

  @Test
  void every_page_that_a_section_opens_is_met_by_following_links() {
    Set<String> met = stops.stream().map(SiteMap.Stop::form).collect(Collectors.toSet());
    assertThat(met).containsAll(SiteMap.routes());
    assertThat(SiteMap.routes())
        .contains("/ui", "/ui/webhooks/deliveries/{id}", "/ui/playground/runs/{run}");
  }

  @ParameterizedTest
  @MethodSource("everything")
  void what_came_from_outside_is_text(SiteMap.Stop stop) {
    UiPage page = stop.part() ? operator.part(stop.path()) : operator.get(stop.path());

    assertThat(page.status()).as(page.body()).isEqualTo(stop.leadsOn() ? 303 : 200);
    assertThat(page.header("Location")).matches("(/ui[/?].*)?");
    assertThat(page.header("Content-Security-Policy"))
        .contains("default-src 'self'")
        .doesNotContain("unsafe");
    if (!page.header("Content-Type").startsWith("text/html")) {
      assertNoFormula(page);
      return;
    }
    assertThat(page.body()).doesNotContain("<img");
    assertThat(page.document().select("iframe, object, embed, base, style, [style]")).isEmpty();
    assertThat(page.document().select("script:not([src])")).isEmpty();
    for (Element each : page.document().select("*")) {
      for (Attribute attribute : each.attributes()) {
        assertThat(attribute.getKey()).as(each.outerHtml()).doesNotStartWithIgnoringCase("on");
        assertThat(attribute.getValue().strip()).doesNotStartWithIgnoringCase("javascript:");
      }
    }
    if (!stop.part()) {
      assertThat(page.text("form.who")).contains(HOSTILE);
    }
  }

  /** What has no id cannot be given the focus back, and holds its part as it is for as long. */
  @ParameterizedTest
  @MethodSource("everything")
  void what_can_have_the_focus_in_a_part_that_renews_itself_has_an_id(SiteMap.Stop stop) {
    UiPage page = stop.part() ? operator.part(stop.path()) : operator.get(stop.path());
    if (!page.header("Content-Type").startsWith("text/html")) {
      return;
    }
    assertThat(page.focusableIds(stop.part() ? "body" : "[hx-get]"))
        .doesNotContain("")
        .doesNotHaveDuplicates();
  }

  /** A spreadsheet takes what begins with one of these for a formula. */
  private static void assertNoFormula(UiPage page) {
    assertThat(page.header("X-Content-Type-Options")).isEqualTo("nosniff");
    if (page.header("Content-Type").startsWith("text/csv")) {
      for (String cell : cells(page.body())) {
        assertThat(cell).doesNotMatch(Pattern.compile("(?s)[=+@\\t\\r-].*"));
      }
    }
  }

  private static List<String> cells(String csv) {
    return Pattern.compile("\"((?:[^\"]|\"\")*)\"|([^,\r\n]+)")
        .matcher(csv)
        .results()
        .map(cell -> cell.group(1) == null ? cell.group(2) : cell.group(1).replace("\"\"", "\""))
        .toList();
  }

  @Test
  void hostile_texts_are_shown_where_they_belong_to_the_letter() {
    assertThat(operator.get("/ui/keys").document().select("tbody th").eachText())
        .filteredOn(HOSTILE::equals)
        .hasSizeGreaterThanOrEqualTo(3);
    List<String> bodies = new ArrayList<>();
    for (SiteMap.Stop each : stops) {
      if (each.form().equals("/ui/webhooks/deliveries/{id}") && !each.part()) {
        UiPage page = operator.get(each.path());
        bodies.add(page.document().select("pre.text").text());
        assertThat(page.document().select("dd code").eachText())
            .anyMatch(text -> text.startsWith(HOSTILE_KEY));
      }
    }
    assertThat(bodies)
        .isNotEmpty()
        .allMatch(body -> body.contains(HOSTILE_KEY.replace("\"", "\\\"")));
  }

  @Test
  void hostile_texts_are_no_formula_in_the_export_to_which_the_jobs_lead() {
    SiteMap.Stop export =
        stops.stream().filter(stop -> stop.form().equals("/ui/jobs.csv")).findFirst().orElseThrow();
    UiPage page = operator.get(export.path());

    assertThat(page.header("Content-Type")).startsWith("text/csv");
    assertThat(page.body())
        .contains(",\"'" + HOSTILE_KEY.replace("\"", "\"\"") + "1\",", ",\"'=1+1 number-1\",");
    UiPage theirs = person(Role.CLIENT, "stranger").get(export.path());
    assertThat(theirs.status()).isEqualTo(200);
    assertThat(theirs.body()).startsWith("id,owner,key,").hasLineCount(1);
  }

  @ParameterizedTest
  @MethodSource("addresses")
  void what_is_another_owners_is_the_same_page_as_what_is_not(SiteMap.Stop stop) {
    UiClient stranger = person(Role.CLIENT, "stranger");
    String absent = stop.path().replaceAll(ID, NO_ID);
    UiPage theirs = stranger.get(stop.path());
    UiPage none = stranger.get(absent);

    if (!absent.equals(stop.path())) {
      assertThat(theirs.status()).isIn(403, 404);
    }
    assertThat(theirs.status()).isEqualTo(none.status());
    assertThat(page(theirs)).isEqualTo(page(none));
    assertThat(theirs.text("main")).doesNotContain(HOSTILE_KEY);
  }

  private static String page(UiPage page) {
    return page.body().replaceAll("\\b\\d+ (ms|s|m|h|d)\\b", "");
  }

  @ParameterizedTest
  @MethodSource("pages")
  void a_first_view_is_below_150_kilobytes_with_everything_that_it_loads(SiteMap.Stop stop) {
    UiPage page = operator.get(stop.path());
    int bytes = page.body().getBytes(StandardCharsets.UTF_8).length;
    for (Element each : page.document().select("link[href], [src]")) {
      String path = each.hasAttr("src") ? each.attr("src") : each.attr("href");
      assertThat(path).startsWith("/ui/assets/");
      bytes += operator.get(path).body().length();
    }
    assertThat(bytes).isLessThan(FIRST_VIEW_BYTES_MAX);
  }

  /** The pages of jobs show input and result; they are here as soon as there are such pages. */
  @ParameterizedTest
  @MethodSource("pages")
  void numbers_are_shown_digit_by_digit(SiteMap.Stop stop) {
    UiPage page = operator.get(stop.path());
    String text = page.document().text();

    assertThat(text)
        .doesNotContain("1234567890123456800", "1234567890123456770", "1.2345678901234568e")
        .doesNotContainPattern("0\\.30*(?![0-9]| s)");
    if (stop.form().equals("/ui/jobs/{id}")) {
      assertThat(text).contains(Exhibit.LONG, Exhibit.FRACTION);
    }
  }
}
