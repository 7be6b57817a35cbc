package dev.onejob.server.ui.jobs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.onejob.server.access.Role;
import dev.onejob.server.testing.ApiAnswer;
import dev.onejob.server.testing.ApiClient;
import dev.onejob.server.testing.CsvText;
import dev.onejob.server.testing.UiClient;
import dev.onejob.server.testing.UiNode;
import dev.onejob.server.testing.UiPage;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

@Timeout(300)
class JobsExportTest {
  @RegisterExtension static final UiNode NODE = new UiNode();

  private static final String HANG = "{\"script\":{\"sandbox-a\":{\"outcome\":\"hang\"}}}";

  /** As in case C37; a key has no spaces. */
  private static final String HOSTILE = "=1+1\"><img/src=x/onerror=alert(1)>;=1+1";

  /** More than one file holds, and than a line takes in that nobody reads from. */
  private static final int LARGE = 7_500;

  @BeforeAll
  static void fillLarge() throws SQLException {
    Exported.fill(NODE, "large", LARGE, "\"".repeat(240));
  }

  @Test
  void hostile_texts_are_text_in_a_file_that_no_browser_shows() {
    ApiClient client = NODE.client(Role.CLIENT, "c37");
    String tagged = "{\"kind\":\"demo\",\"input\":{\"secret\":17},\"tags\":[\"=1+1\",\"@x\"]}";
    ApiAnswer made = client.submit(HOSTILE, tagged);
    assertThat(made.status()).as(made.text()).isIn(200, 201);
    client.submit("-2+3", "demo", "{}");

    UiPage page = NODE.person(Role.CLIENT, "c37").get("/ui/jobs.csv");

    assertThat(page.status()).isEqualTo(200);
    assertThat(page.header("Content-Type").replace(" ", ""))
        .isEqualToIgnoringCase("text/csv;charset=utf-8;header=present");
    assertThat(page.header("Content-Disposition"))
        .matches("attachment; filename=\"onejob-jobs-\\d{8}T\\d{6}Z\\.csv\"");
    assertThat(page.header("X-Content-Type-Options")).isEqualTo("nosniff");
    assertThat(page.header("Content-Security-Policy")).startsWith("default-src 'self'; ");
    assertThat(page.header("Cache-Control")).isEqualTo("no-store");
    assertThat(page.header("Link")).isEmpty();
    List<Map<String, String>> lines = CsvText.read(page.body());
    assertThat(lines)
        .extracting(line -> line.get("key"))
        .containsExactly("'-2+3", "'=1+1\"><img/src=x/onerror=alert(1)>;'=1+1");
    assertThat(lines.get(1))
        .containsEntry("id", made.at("/id"))
        .containsEntry("owner", "c37")
        .containsEntry("tags", "'=1+1 '@x");
    assertThat(page.body()).doesNotContain("secret");
  }

  @Test
  void owners_get_their_own_jobs_operators_those_of_all_and_filters_narrow_the_file() {
    ApiClient client = NODE.client(Role.CLIENT, "export-mine");
    String doubtful = client.submit("hangs", "demo", HANG).at("/id");
    String raced =
        client.submit("race", "{\"kind\":\"demo-race\",\"input\":{},\"tags\":[\"vip\"]}").at("/id");
    String theirs = NODE.client(Role.CLIENT, "export-theirs").submit("k", "demo", "{}").at("/id");
    awaitState(client, doubtful, "unknown");
    awaitState(client, raced, "succeeded");
    UiClient person = NODE.person(Role.CLIENT, "export-mine");
    UiClient operator = NODE.person(Role.OPERATOR, "house");

    assertThat(Exported.ids(person.get("/ui/jobs.csv"))).containsExactly(raced, doubtful);
    assertThat(Exported.ids(person.get("/ui/jobs.csv?owner=export-theirs")))
        .containsExactly(raced, doubtful);
    assertThat(Exported.ids(person.get("/ui/jobs.csv?before=" + raced))).containsExactly(doubtful);
    assertThat(Exported.ids(person.get("/ui/jobs.csv?before=" + theirs))).doesNotContain(theirs);
    assertThat(Exported.ids(person.get("/ui/jobs.csv?tag=vip"))).containsExactly(raced);
    assertThat(Exported.ids(person.get("/ui/jobs.csv?to=2020-01-01T00:00"))).isEmpty();
    assertThat(Exported.ids(operator.get("/ui/jobs.csv"))).contains(raced, doubtful, theirs);
    assertThat(Exported.ids(operator.get("/ui/jobs.csv?owner=export-theirs")))
        .containsExactly(theirs);
    Map<String, String> line =
        CsvText.read(person.get("/ui/jobs.csv?state=unknown").body()).getFirst();
    assertThat(line)
        .containsEntry("id", doubtful)
        .containsEntry("state", "unknown")
        .containsEntry("kind", "demo")
        .containsEntry("attempts_started", "1")
        .containsEntry("in_doubt", "1")
        .containsEntry("contested", "false")
        .containsEntry("provider", "sandbox-a")
        .containsEntry("ended_at", "")
        .containsEntry("created_at", client.get("/v1/jobs/" + doubtful).at("/created_at"));
  }

  @Test
  void the_page_leads_to_the_file_that_holds_what_its_filters_find() throws SQLException {
    Exported.fill(NODE, "led", 60, "key-");
    UiClient person = NODE.person(Role.CLIENT, "led");

    UiPage all = person.get("/ui/jobs");
    assertThat(all.document().select("#export").attr("href")).isEqualTo("/ui/jobs.csv");
    assertThat(all.text("main")).contains("Export (CSV)", "10,000 jobs at most");
    UiPage older = person.get(all.document().select("#older").attr("href"));
    assertThat(older.text("#export")).isEqualTo("Export from here on (CSV)");
    assertThat(Exported.ids(person.get(older.document().select("#export").attr("href"))))
        .isEqualTo(older.document().select("tbody a.id").eachText());
    UiPage none = person.get("/ui/jobs?state=failed&kind=%3D1");
    UiPage file = person.get(none.document().select("#export").attr("href"));
    assertThat(file.body()).isEqualTo(JobsCsv.HEAD);
    assertThat(person.get("/ui/jobs?q=nothing").document().select("#export")).isEmpty();
    assertThat(person.get("/ui/jobs.csv?q=nothing").status()).isEqualTo(400);
    assertThat(person.get("/ui/jobs.csv?state=gone").status()).isEqualTo(400);
  }

  @Test
  void whoever_has_not_logged_in_is_asked_to() {
    UiPage page = new UiClient(NODE.uri()).get("/ui/jobs.csv?tag=x");

    assertThat(page.status()).isEqualTo(303);
    assertThat(page.header("Location")).startsWith("/ui/login?next=%2Fui%2Fjobs.csv");
  }

  @Test
  void a_file_that_is_not_all_says_so_and_leads_on_and_no_job_is_missing_or_twice()
      throws SQLException {
    int count = JobsExport.JOBS_MAX + 5;
    Exported.fill(NODE, "many", count, "k");
    run(
        """
        UPDATE onejob.job SET tags = '{rare}'
         WHERE id = (SELECT id FROM onejob.job WHERE owner = 'many' ORDER BY id LIMIT 1)
        """);
    UiClient person = NODE.person(Role.CLIENT, "many");

    List<UiPage> files = files(person, "/ui/jobs.csv?kind=demo&from=2000-01-01T00%3A00");

    assertThat(files.size()).isEqualTo(2);
    assertThat(Exported.ids(files.getFirst()).size()).isEqualTo(JobsExport.JOBS_MAX);
    assertThat(files.getFirst().header("Content-Disposition")).endsWith("Z-part.csv\"");
    assertThat(files.getFirst().header("Link")).contains("kind=demo", "from=2000-01-01");
    assertThat(files.getLast().header("Content-Disposition")).endsWith("Z.csv\"");
    assertEachOnce(files, count);
    assertThat(Exported.ids(person.get("/ui/jobs.csv?tag=rare")))
        .containsExactly(Exported.ids(files.get(1)).get(4));
  }

  @Test
  void a_file_ends_before_it_is_too_large_and_leads_on() throws SQLException {
    UiClient person = NODE.person(Role.CLIENT, "large");

    List<UiPage> files = files(person, "/ui/jobs.csv");

    assertThat(files.size()).isGreaterThan(1);
    for (UiPage each : files) {
      assertThat(each.body().length()).isLessThanOrEqualTo(JobsExport.BYTES_MAX);
    }
    assertThat(files.getFirst().body().length()).isGreaterThan(JobsExport.BYTES_MAX - 1_000);
    assertEachOnce(files, LARGE);
  }

  @Test
  void who_takes_files_slowly_keeps_others_neither_from_files_nor_from_pages() throws Exception {
    UiClient slow = NODE.person(Role.CLIENT, "large");
    List<Socket> lines = new ArrayList<>();
    try {
      for (int i = 0; i < JobsExport.EXPORTS_OF_OWNER_MAX; i++) {
        lines.add(begin(slow));
      }
      UiPage refused = slow.get("/ui/jobs.csv");

      assertThat(refused.status()).isEqualTo(503);
      assertThat(refused.text("main")).contains("Too many answers are on their way");
      assertThat(refused.header("Content-Disposition")).isEmpty();
      assertThat(slow.get("/ui/jobs").status()).isEqualTo(200);
      assertThat(NODE.person(Role.CLIENT, "quick").get("/ui/jobs.csv").status()).isEqualTo(200);
    } finally {
      for (Socket each : lines) {
        each.setSoLinger(true, 0);
        each.close();
      }
    }
    await()
        .atMost(Duration.ofSeconds(60))
        .until(() -> slow.get("/ui/jobs.csv?state=failed").status() == 200);
  }

  /** Somebody who reads the first line of an answer and no more. */
  private static Socket begin(UiClient person) throws IOException {
    URI node = NODE.uri();
    Socket line = new Socket();
    line.setReceiveBufferSize(4 << 10);
    line.connect(new InetSocketAddress(node.getHost(), node.getPort()));
    String head =
        "GET /ui/jobs.csv HTTP/1.1\r\nHost: %s\r\nCookie: onejob=%s\r\n\r\n"
            .formatted(node.getAuthority(), person.cookies().get("onejob"));
    line.getOutputStream().write(head.getBytes(StandardCharsets.US_ASCII));
    line.getOutputStream().flush();
    String first = new String(line.getInputStream().readNBytes(15), StandardCharsets.US_ASCII);
    assertThat(first).isEqualTo("HTTP/1.1 200 OK");
    return line;
  }

  private static List<UiPage> files(UiClient person, String first) {
    List<UiPage> files = new ArrayList<>();
    String next = first;
    while (!next.isEmpty()) {
      UiPage file = person.get(next);
      assertThat(file.status()).isEqualTo(200);
      files.add(file);
      Matcher link = Pattern.compile("<(.+)>; rel=\"next\"").matcher(file.header("Link"));
      next = link.matches() ? link.group(1) : "";
    }
    return files;
  }

  private static void assertEachOnce(List<UiPage> files, int count) {
    List<String> ids = files.stream().flatMap(file -> Exported.ids(file).stream()).toList();
    assertThat(ids.size()).isEqualTo(count);
    assertThat(new HashSet<>(ids).size()).isEqualTo(count);
    assertThat(ids.equals(ids.stream().sorted(Comparator.reverseOrder()).toList())).isTrue();
  }

  private static void awaitState(ApiClient client, String job, String state) {
    await()
        .atMost(Duration.ofSeconds(60))
        .until(() -> client.get("/v1/jobs/" + job).at("/state").equals(state));
  }

  private static void run(String sql) throws SQLException {
    try (Connection connection = NODE.dataSource().getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}
