package dev.onejob.server.ui.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.onejob.server.access.Role;
import dev.onejob.server.testing.ApiClient;
import dev.onejob.server.testing.ApiNode;
import dev.onejob.server.testing.UiClient;
import dev.onejob.server.testing.UiNode;
import dev.onejob.server.testing.UiPage;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The forms of a job when something is in their way; each test has an owner of its own. */
@Timeout(120)
class JobFormsTest {
  @RegisterExtension static final UiNode NODE = new UiNode();

  private static final String HANG = "{\"script\":{\"sandbox-a\":{\"outcome\":\"hang\"}}}";
  private static final String HELD = "SELECT j.id FROM onejob.job AS j WHERE j.key = ? FOR UPDATE";

  private final UiClient operator = NODE.person(Role.OPERATOR, "house");

  private static String inDoubt(String name) {
    ApiClient client = NODE.client(Role.CLIENT, name);
    String job = client.submit(name, "demo", HANG).at("/id");
    ApiNode.awaitJob(client, job, "/state", "unknown");
    return job;
  }

  private static String now(String job, String pointer) {
    return NODE.client(Role.OPERATOR, "house").get("/v1/jobs/" + job).at(pointer);
  }

  @Test
  void what_is_known_and_what_can_be_done_come_in_one_answer_of_one_look() {
    String job = inDoubt("one-look");
    UiPage page = operator.get("/ui/jobs/" + job);
    assertThat(page.document().select("#buttons[hx-get]")).isEmpty();

    UiPage part = operator.part(page.document().select("#now").attr("hx-get"));

    assertThat(part.text(".headline")).contains("unknown");
    assertThat(part.document().select("#buttons[hx-swap-oob] #resolve-1 input[name=as_of]"))
        .hasSize(1);
    assertThat(part.document().select("input[name=as_of]").attr("value"))
        .isEqualTo(page.document().select("input[name=as_of]").attr("value"));
    assertThat(part.header("X-CSRF-Token"))
        .isEqualTo(page.document().select("input[name=csrf]").attr("value"));
    assertThat(part.header("X-Onejob-Who")).isEqualTo(page.document().body().attr("data-who"));
  }

  @Test
  void a_press_that_a_lock_was_in_the_way_of_did_nothing_says_so_and_keeps_what_was_typed()
      throws SQLException {
    String job = inDoubt("locked");
    UiPage page = operator.get("/ui/jobs/" + job);
    UiPage refused;
    try (Connection connection = NODE.dataSource().getConnection();
        PreparedStatement lock = connection.prepareStatement(HELD)) {
      connection.setAutoCommit(false);
      lock.setString(1, "locked");
      lock.executeQuery();
      refused =
          operator.press(
              page, "#resolve-1", Map.of("verdict", "not_done", "then", "", "reason", "<b>typed"));
      connection.rollback();
    }

    assertThat(refused.status()).isEqualTo(503);
    assertThat(refused.text(".problem")).contains("Nothing was done: somebody else holds the job");
    assertThat(refused.document().select("#why-1").text()).isEqualTo("<b>typed");
    assertThat(refused.document().select("#not_done-1[checked]")).hasSize(1);
    assertThat(refused.document().body().attr("data-here")).isEqualTo("/ui/jobs/" + job);
    assertThat(now(job, "/attempts/0/state")).isEqualTo("unknown");
    UiPage again =
        operator.press(
            refused, "#resolve-1", Map.of("verdict", "abandon", "then", "wait", "reason", "typed"));
    assertThat(again.status()).isEqualTo(303);
  }

  private static final String CUT =
      """
      SELECT pg_terminate_backend(a.pid) FROM pg_stat_activity AS a
       WHERE a.wait_event_type = 'Lock' AND a.datname = current_database()
      """;

  @Test
  void of_a_press_whose_line_was_cut_nobody_knows_and_it_can_be_pressed_again_as_of_before()
      throws Exception {
    String job = inDoubt("cut");
    UiPage page = operator.get("/ui/jobs/" + job);
    Map<String, String> typed =
        Map.of("verdict", "abandon", "then", "wait", "reason", "typed before the cut");
    UiPage cut;
    try (Connection connection = NODE.dataSource().getConnection();
        PreparedStatement lock = connection.prepareStatement(HELD);
        Statement statement = connection.createStatement()) {
      connection.setAutoCommit(false);
      lock.setString(1, "cut");
      lock.executeQuery();
      CompletableFuture<UiPage> pressed =
          CompletableFuture.supplyAsync(() -> operator.press(page, "#resolve-1", typed));
      await()
          .atMost(Duration.ofSeconds(60))
          .until(
              () -> {
                statement.executeQuery(CUT).close();
                return pressed.isDone();
              });
      cut = pressed.get();
      connection.rollback();
    }

    assertThat(cut.status()).isEqualTo(503);
    assertThat(cut.text(".problem")).contains("Whether this was done is not known");
    assertThat(cut.document().select("#why-1").text()).isEqualTo("typed before the cut");
    assertThat(cut.document().select("#resolve-1 [name=as_of]").attr("value"))
        .isEqualTo(page.document().select("#resolve-1 [name=as_of]").attr("value"));
    assertThat(operator.press(cut, "#resolve-1", typed).status()).isEqualTo(303);
    assertThat(operator.press(cut, "#resolve-1", typed).text(".problem")).contains("job-changed");
  }

  @Test
  void a_press_that_was_done_leads_on_though_its_page_cannot_be_read_then() throws SQLException {
    String job = inDoubt("unread");
    UiPage page = operator.get("/ui/jobs/" + job);
    try (Connection connection = NODE.dataSource().getConnection();
        Statement statement = connection.createStatement()) {
      connection.setAutoCommit(false);
      statement.execute("LOCK TABLE onejob.job_repeat IN ACCESS EXCLUSIVE MODE");

      UiPage unread =
          operator.press(
              page, "#resolve-1", Map.of("verdict", "done", "then", "", "reason", "<b>\n typed"));
      UiPage done =
          operator.press(
              page, "#resolve-1", Map.of("verdict", "abandon", "then", "wait", "reason", "gone"));

      assertThat(done.status()).isEqualTo(303);
      assertThat(unread.status()).isEqualTo(400);
      assertThat(unread.text("main")).contains("cannot be read", "What was filled in");
      assertThat(unread.document().select("pre[aria-label=reason]").first().wholeText())
          .isEqualTo("<b>\n typed");
      assertThat(unread.document().select("pre[aria-label=csrf], pre[aria-label=as_of]")).isEmpty();
      assertThat(unread.document().body().attr("data-here")).isEqualTo("/ui/jobs/" + job);
      connection.rollback();
    }
    assertThat(now(job, "/attempts/0/state")).isEqualTo("cancelled");
  }

  @Test
  void what_was_typed_into_a_form_that_is_gone_by_then_is_shown_to_be_copied() {
    String job = inDoubt("gone");
    UiPage page = operator.get("/ui/jobs/" + job);
    UiPage desk = operator.get("/ui/desk/attempts/" + now(job, "/attempts/0/id"));
    operator.press(
        page, "#resolve-1", Map.of("verdict", "abandon", "then", "wait", "reason", "faster"));

    UiPage late =
        operator.press(
            page, "#resolve-1", Map.of("verdict", "abandon", "then", "", "reason", "<b>slower"));
    UiPage lateAtDesk =
        operator.press(
            desk, "form.decide", Map.of("choice", "abandon-wait", "reason", "<b>slower"));

    for (UiPage each : List.of(late, lateAtDesk)) {
      assertThat(each.status()).isEqualTo(409);
      assertThat(each.document().select("#why-1, #reason")).isEmpty();
      assertThat(each.text("pre[aria-label=reason]")).isEqualTo("<b>slower");
    }
  }

  @Test
  void a_reason_with_breaks_of_lines_is_counted_and_kept_as_it_was_typed() {
    String job = inDoubt("lines");
    String reason = "a line\r\n".repeat(249) + "the end"; // 1,750 as they were typed
    String longer = "x\r\n".repeat(1_000); // 2,000, and 3,000 as they are sent
    UiPage page = operator.get("/ui/jobs/" + job);

    UiPage tooLong =
        operator.press(
            page, "#resolve-1", Map.of("verdict", "still_running", "then", "", "reason", longer));
    UiPage refused =
        operator.press(
            operator.get("/ui/jobs/" + job),
            "#resolve-1",
            Map.of("verdict", "done", "then", "", "result", "\r\n{", "reason", "\r\n\r\nkept"));
    UiPage done =
        operator.press(
            operator.get("/ui/jobs/" + job),
            "#resolve-1",
            Map.of("verdict", "abandon", "then", "wait", "reason", reason));

    assertThat(tooLong.status()).isEqualTo(303);
    assertThat(refused.body()).contains(">\n\n{</textarea>", ">\n\n\nkept</textarea>");
    assertThat(done.status()).isEqualTo(303);
    assertThat(now(job, "/attempts/0/resolutions/1/reason"))
        .isEqualTo(reason.replace("\r\n", "\n"));
  }
}
