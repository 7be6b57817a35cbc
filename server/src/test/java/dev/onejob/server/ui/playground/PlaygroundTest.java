package dev.onejob.server.ui.playground;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.onejob.server.access.Role;
import dev.onejob.server.testing.UiClient;
import dev.onejob.server.testing.UiNode;
import dev.onejob.server.testing.UiPage;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class PlaygroundTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final String FORM = "form.play";

  @RegisterExtension static final UiNode NODE = new UiNode(PlaygroundConfig.OPEN);
  @RegisterExtension static final UiNode CLOSED = new UiNode();

  private static UiPage begin(UiClient person, Map<String, String> fields) {
    UiPage page = person.get("/ui/playground");
    Map<String, String> all = new HashMap<>();
    all.put("outcome_a", "succeed");
    all.put("outcome_b", "succeed");
    all.putAll(fields);
    return person.press(page, FORM, all);
  }

  private static UiPage over(UiClient person, String run) {
    return await()
        .atMost(PATIENCE)
        .until(() -> person.part(run), page -> !page.text("#verdict").isEmpty());
  }

  @Test
  void a_run_is_shown_to_the_key_that_began_it_and_is_no_page_to_anybody_else() {
    UiClient person = NODE.person(Role.CLIENT, "shop");
    UiPage begun = begin(person, Map.of("delay_a", "0"));
    assertThat(begun.status()).isEqualTo(303);
    String run = begun.header("Location");
    assertThat(run).startsWith("/ui/playground/runs/");

    UiPage over = over(person, run);
    assertThat(over.text("#verdict"))
        .startsWith("Onejob: 1 effect, 1 result. The usual way: 2 effects, 2 results.");
    UiClient neighbour = NODE.person(Role.CLIENT, "shop");
    UiClient other = NODE.person(Role.CLIENT, "other");
    UiClient operator = NODE.person(Role.OPERATOR, "house");
    for (UiClient each : List.of(neighbour, other, operator)) {
      assertThat(each.get(run).status()).isEqualTo(404);
      assertThat(each.get(run).text("main"))
          .isEqualTo(each.get("/ui/playground/runs/none").text("main"));
    }
  }

  @Test
  void a_job_of_a_run_is_the_persons_own_and_its_lines_name_no_secret() {
    UiClient person = NODE.person(Role.CLIENT, "lines");
    String run = begin(person, Map.of("delay_a", "0")).header("Location");
    UiPage over = over(person, run);

    String job = over.text("#onejob-title ~ p a.id");
    assertThat(NODE.client(Role.CLIENT, "lines").get("/v1/jobs/" + job).status()).isEqualTo(200);
    assertThat(NODE.client(Role.CLIENT, "other").get("/v1/jobs/" + job).status()).isEqualTo(404);
    List<String> lines = over.document().select("#onejob-title ~ ol pre").eachText();
    assertThat(lines)
        .hasSize(2)
        .allSatisfy(
            line ->
                assertThat(line)
                    .startsWith("curl -X POST '" + NODE.uri() + "/v1/jobs'")
                    .contains("Bearer $ONEJOB_KEY"));
    assertThat(over.body()).doesNotContain("ojk_");
  }

  @Test
  void nothing_begins_without_the_token_of_the_session_or_from_another_site() {
    UiClient person = NODE.person(Role.CLIENT, "token");
    Map<String, String> fields =
        Map.of(
            "preset", "click-twice",
            "delay_a", "0",
            "outcome_a", "succeed",
            "delay_b", "0",
            "outcome_b", "succeed");

    assertThat(person.send("/ui/playground", Map.of(), fields).status()).isEqualTo(403);
    UiPage page = person.get("/ui/playground");
    Map<String, String> whole = new HashMap<>(fields);
    whole.put("csrf", page.document().select(FORM + " input[name=csrf]").attr("value"));
    assertThat(
            person
                .send("/ui/playground", Map.of("Origin", "http://elsewhere.example"), whole)
                .status())
        .isEqualTo(403);
    assertThat(jobsOf("token")).isZero();
    UiPage begun = person.send("/ui/playground", Map.of(), whole);
    assertThat(begun.status()).isEqualTo(303);
    over(person, begun.header("Location"));
  }

  @Test
  void what_the_form_cannot_have_sent_is_refused_by_name() {
    UiClient person = NODE.person(Role.CLIENT, "strange");
    for (Map<String, String> each :
        List.of(
            Map.of("delay_a", "10001"),
            Map.of("delay_b", "-1"),
            Map.of("delay_a", "1e3"),
            Map.of("outcome_a", "explode"),
            Map.of("outcome_b", "SUCCEED"),
            Map.of("preset", "nothing"))) {
      UiPage refused = begin(person, each);
      String field = each.keySet().iterator().next();
      assertThat(refused.status()).as("%s", each).isEqualTo(400);
      assertThat(refused.text("main")).containsAnyOf(field, "no such");
    }
    assertThat(person.get("/ui/playground?preset=nothing").status()).isEqualTo(404);
    assertThat(jobsOf("strange")).isZero();
  }

  @Test
  void a_node_that_dies_has_a_call_with_a_middle() {
    UiClient person = NODE.person(Role.CLIENT, "strange");

    UiPage refused = begin(person, Map.of("preset", "node-dies", "delay_a", "999"));

    assertThat(refused.status()).isEqualTo(400);
    assertThat(refused.text("main")).contains("delay_a is", "from 1000 to 10000");
    UiPage page = person.get("/ui/playground?preset=node-dies");
    assertThat(page.document().select("#delay-a").attr("min")).isEqualTo("1000");
    assertThat(page.document().select("#delay-b").attr("min")).isEqualTo("0");
  }

  @Test
  void a_line_that_was_cut_is_told_as_cut_and_what_is_known_is_not_told_as_unknown() {
    UiClient person = NODE.person(Role.CLIENT, "cut");
    Map<String, String> stall = Map.of("preset", "stall", "delay_a", "0");
    Map<String, String> cut = new HashMap<>(stall);
    cut.put("outcome_a", "cut");
    String known = begin(person, stall).header("Location");
    String unknown = begin(person, cut).header("Location");

    UiPage of = over(person, known);
    assertThat(of.text("#onejob-title ~ .steps")).contains("job-ended").doesNotContain("unknown");
    of = over(person, unknown);
    assertThat(of.text("#onejob-title ~ .steps"))
        .contains("Attempt 1 is unknown: the connection was lost")
        .doesNotContain("listened to", "No answer", "no answer");
    assertThat(of.text("#usual-title ~ .steps"))
        .contains("The line was cut: it is sent again")
        .doesNotContain("No answer in");
  }

  @Test
  void a_key_has_two_runs_at_once_and_more_begin_when_one_is_over() {
    UiClient person = NODE.person(Role.CLIENT, "eager");
    String first = begin(person, Map.of("delay_a", "1500")).header("Location");
    String second = begin(person, Map.of("delay_a", "1500")).header("Location");

    UiPage third = begin(person, Map.of("delay_a", "0"));

    assertThat(third.status()).isEqualTo(503);
    assertThat(third.header("Retry-After")).isNotEmpty();
    assertThat(third.text("main")).contains("2 runs under way");
    assertThat(jobsOf("eager")).isLessThanOrEqualTo(2);
    over(person, first);
    over(person, second);
    over(person, begin(person, Map.of("delay_a", "0")).header("Location"));
  }

  @Test
  void a_node_plays_eight_runs_at_once_and_leaves_no_doubt_of_theirs_on_the_desk() {
    Map<String, String> silent = Map.of("delay_a", "0", "outcome_a", "silent");
    List<UiClient> people = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      people.add(NODE.person(Role.CLIENT, "crowd"));
    }
    List<String> runs = new ArrayList<>();
    List<Integer> answers = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      UiPage begun = begin(people.get(i / 2), silent);
      answers.add(begun.status());
      if (begun.status() == 303) {
        runs.add(begun.header("Location"));
      }
    }
    assertThat(answers).startsWith(303, 303, 303, 303, 303, 303, 303, 303).endsWith(503, 503);

    for (int i = 0; i < runs.size(); i++) {
      UiPage over = over(people.get(i / 2), runs.get(i));
      assertThat(over.text("#onejob-title ~ .steps")).contains("Attempt 1 is abandoned: done.");
      assertThat(over.text("#onejob-effects")).isEqualTo("1");
      assertThat(over.text("#onejob-results")).isEqualTo("0");
      assertThat(over.text("#usual-effects")).isEqualTo("4");
      String job = over.text("#onejob-title ~ p a.id");
      assertThat(NODE.client(Role.CLIENT, "crowd").get("/v1/jobs/" + job).at("/state"))
          .isEqualTo("cancelled");
    }
  }

  @Test
  void a_node_without_a_playground_says_how_to_open_one() {
    UiPage page = CLOSED.person(Role.CLIENT, "shop").get("/ui/playground");

    assertThat(page.status()).isEqualTo(200);
    assertThat(page.text("main")).contains("no playground", "playground: true");
    assertThat(page.document().select(FORM)).isEmpty();
    assertThat(CLOSED.client(Role.CLIENT, "shop").submit("k", "playground", "{}").code())
        .isEqualTo("kind-unknown");
  }

  private static int jobsOf(String owner) {
    try (Connection connection = NODE.dataSource().getConnection();
        PreparedStatement count =
            connection.prepareStatement("SELECT count(*) FROM onejob.job WHERE owner = ?")) {
      count.setString(1, owner);
      try (ResultSet rows = count.executeQuery()) {
        rows.next();
        return rows.getInt(1);
      }
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }
}
