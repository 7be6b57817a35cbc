package dev.onejob.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.onejob.domain.JobId;
import dev.onejob.server.access.Role;
import dev.onejob.server.testing.ApiAnswer;
import dev.onejob.server.testing.ApiClient;
import dev.onejob.server.testing.ApiExtension;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** What waits for a person. */
final class DeskTest {
  private static final String ABANDON =
      "{\"verdict\":\"abandon\",\"then\":\"wait\",\"reason\":\"gone\"}";

  @RegisterExtension final ApiExtension api = new ApiExtension();

  @Test
  void the_desk_shows_a_doubt_and_every_choice_it_names_can_be_asked_for() {
    ApiAnswer job = api.jobInDoubt("k");
    ApiAnswer desk = api.operator().get("/v1/desk");
    assertThat(desk.status()).isEqualTo(200);
    assertThat(desk.at("/items/0/because")).isEqualTo("in_doubt");
    assertThat(desk.at("/items/0/job/id")).isEqualTo(job.at("/id"));
    assertThat(desk.at("/items/0/effect")).isEqualTo("exclusive");
    assertThat(desk.at("/items/0/attempt/failure/code")).isEqualTo("timeout");
    JsonNode choice =
        choices(desk).stream()
            .filter(c -> c.path("act").asString().equals("abandon"))
            .findFirst()
            .orElseThrow();
    ApiAnswer after = api.operator().post(choice.path("url").asString(), ABANDON);
    assertThat(after.at("/state")).isEqualTo(choice.path("job_becomes").asString());
    assertThat(after.at("/waiting_for")).isEqualTo(choice.path("waiting_for").asString());
    ApiAnswer waiting = api.operator().get("/v1/desk");
    assertThat(waiting.at("/items/0/because")).isEqualTo("decision");
    assertThat(choices(waiting))
        .extracting(c -> c.path("act").asString())
        .containsExactly("start_attempt", "start_attempt", "cancel");
    assertThat(choices(waiting))
        .extracting(c -> c.path("provider").asString(""))
        .containsExactly("a", "b", "");
  }

  private static List<JsonNode> choices(ApiAnswer desk) {
    return desk.json().at("/items/0/choices").valueStream().toList();
  }

  @Test
  void a_decision_shows_with_the_attempt_what_was_known_when_it_was_made() {
    ApiAnswer job = api.jobInDoubt("k");
    String attempt = "/v1/attempts/" + job.at("/attempts/0/id");
    api.operator().post(attempt + "/resolution", ABANDON);
    ApiAnswer kept = api.client().get(attempt);
    assertThat(kept.at("/failure/code")).isEqualTo("abandon");
    assertThat(kept.at("/resolutions/0/basis/state")).isEqualTo("unknown");
    assertThat(kept.at("/resolutions/0/basis/since")).isEqualTo(job.at("/attempts/0/unknown_at"));
    assertThat(kept.at("/resolutions/0/basis/failure/code")).isEqualTo("timeout");
    assertThat(kept.json().at("/resolutions/0/basis/evidence").size()).isZero();
  }

  @Test
  void pages_of_attempts_in_doubt_follow_each_other_and_show_a_client_its_own() {
    List<String> jobs =
        IntStream.range(0, 3).mapToObj(n -> api.jobInDoubt("k" + n).at("/id")).toList();
    ApiClient other = api.node().client(Role.CLIENT, "another");
    List<String> listed = new ArrayList<>();
    String query = "/v1/attempts?state=unknown&limit=2&kind=plain&provider=a";
    String next = query;
    while (next != null) {
      ApiAnswer page = api.client().get(next);
      page.json().path("items").forEach(item -> listed.add(item.at("/job/id").asString()));
      JsonNode cursor = page.json().path("next_cursor");
      next = cursor.isNull() ? null : query + "&cursor=" + cursor.asString();
    }
    assertThat(listed).containsExactlyElementsOf(jobs);
    assertThat(other.get("/v1/attempts?state=unknown").json().path("items").size()).isZero();
    assertThat(
            api.operator().get("/v1/attempts?state=unknown&owner=shop").json().path("items").size())
        .isEqualTo(3);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "/v1/attempts | state",
        "/v1/attempts?state=running | state",
        "/v1/attempts?state=unknown&owner=shop | owner",
        "/v1/attempts?state=unknown&cursor=xyz | cursor",
        "/v1/attempts?state=unknown&cursor=ZDE6MjAyNi0xMS0yOVQyMDowMDowMFovMQ | cursor",
        "/v1/attempts?state=unknown&limit=0 | limit",
        "/v1/attempts?state=unknown&kind= | kind",
        "/v1/attempts?state=unknown&colour=red | colour"
      })
  void a_parameter_that_cannot_be_used_is_named(String path, String parameter) {
    ApiAnswer answer = api.client().get(path);
    assertThat(answer.code()).isEqualTo("parameter-invalid");
    assertThat(answer.at("/parameter")).isEqualTo(parameter);
  }

  @Test
  void only_an_operator_sees_the_desk_and_resolves() {
    ApiAnswer job = api.jobInDoubt("k");
    assertThat(api.client().get("/v1/desk").code()).isEqualTo("forbidden");
    assertThat(
            api.client()
                .post("/v1/attempts/" + job.at("/attempts/0/id") + "/resolution", ABANDON)
                .code())
        .isEqualTo("forbidden");
  }

  @Test
  void an_id_of_no_attempt_is_not_found_beside_the_list() {
    assertThat(api.client().get("/v1/attempts/" + JobId.parse("job_x").isPresent()).status())
        .isEqualTo(404);
  }
}
