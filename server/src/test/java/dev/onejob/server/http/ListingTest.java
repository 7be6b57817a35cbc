package dev.onejob.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.onejob.server.access.Role;
import dev.onejob.server.testing.ApiAnswer;
import dev.onejob.server.testing.ApiExtension;
import dev.onejob.server.testing.ApiNode;
import dev.onejob.server.testing.RawHttp;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** Lists of jobs. */
final class ListingTest {
  @RegisterExtension static final ApiExtension api = new ApiExtension();

  @Test
  void pages_follow_each_other_newest_first_without_gap_or_repeat() {
    List<String> submitted =
        IntStream.range(0, 7)
            .mapToObj(n -> api.client().submit("k" + n, "plain", "{}").at("/id"))
            .toList();
    List<String> listed = new ArrayList<>();
    String query = "/v1/jobs?limit=3";
    int pages = 0;
    while (query != null) {
      ApiAnswer page = api.client().get(query);
      listed.addAll(ids(page));
      JsonNode next = page.json().path("next_cursor");
      query = next.isNull() ? null : "/v1/jobs?limit=3&cursor=" + next.stringValue();
      pages++;
    }
    assertThat(pages).isEqualTo(3);
    assertThat(listed).containsExactlyInAnyOrderElementsOf(submitted);
    assertThat(listed).isSortedAccordingTo(Comparator.reverseOrder());
  }

  @Test
  void a_page_that_is_just_full_has_no_next() {
    api.client().submit("k1", "plain", "{}");
    api.client().submit("k2", "plain", "{}");
    ApiAnswer page = api.client().get("/v1/jobs?limit=2");
    assertThat(page.json().path("jobs").size()).isEqualTo(2);
    assertThat(page.json().path("next_cursor").isNull()).isTrue();
  }

  @Test
  void lists_are_filtered_by_state_kind_and_tag_together() {
    String proved =
        api.client()
            .submit("k1", "{\"kind\":\"proved\",\"input\":1,\"tags\":[\"x\",\"y\"]}")
            .at("/id");
    String plain =
        api.client().submit("k2", "{\"kind\":\"plain\",\"input\":1,\"tags\":[\"x\"]}").at("/id");
    ApiNode.awaitJob(api.client(), proved, "/state", "unknown");
    ApiNode.awaitJob(api.client(), plain, "/state", "unknown");
    assertThat(ids(api.client().get("/v1/jobs?kind=proved"))).containsExactly(proved);
    assertThat(ids(api.client().get("/v1/jobs?tag=x"))).containsExactly(plain, proved);
    assertThat(ids(api.client().get("/v1/jobs?tag=y&state=unknown&kind=proved")))
        .containsExactly(proved);
    assertThat(ids(api.client().get("/v1/jobs?state=succeeded"))).isEmpty();
    assertThat(ids(api.client().get("/v1/jobs?kind=never-seen"))).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "state=dead | state",
        "state=RUNNING | state",
        "state= | state",
        "limit=0 | limit",
        "limit=201 | limit",
        "limit=ten | limit",
        "limit=99999999999 | limit",
        "cursor=xyz | cursor",
        "cursor=%C3%A4 | cursor",
        "kind= | kind",
        "tag=%00 | tag",
        "tag=%ff | tag",
        "kind=%ED%A0%80 | kind",
        "colour=red | colour",
        "limit=1&limit=2 | limit"
      })
  void a_parameter_that_cannot_be_used_is_named(String query, String parameter) {
    ApiAnswer answer = api.client().get("/v1/jobs?" + query);
    assertThat(answer.status()).isEqualTo(400);
    assertThat(answer.code()).isEqualTo("parameter-invalid");
    assertThat(answer.at("/parameter")).isEqualTo(parameter);
  }

  @ParameterizedTest
  @ValueSource(strings = {"kind=%zz", "state=unknown&kind=%", "kind=%4", "kind=\u00e4"})
  void a_filter_that_cannot_be_decoded_is_refused_and_not_passed_over(String query) {
    String request =
        "GET /v1/jobs?%s HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer %s\r\n\r\n"
            .formatted(query, api.node().secret(Role.CLIENT, "shop"));
    ApiAnswer answer = RawHttp.send(api.uri(), request, "GET /v1/jobs");
    assertThat(answer.code()).isEqualTo("parameter-invalid");
    assertThat(answer.at("/parameter")).isEqualTo("kind");
  }

  private static List<String> ids(ApiAnswer page) {
    return page.json().path("jobs").values().stream().map(j -> j.path("id").asString()).toList();
  }
}
