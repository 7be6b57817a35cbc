package dev.onejob.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.onejob.server.access.Role;
import dev.onejob.server.testing.ApiAnswer;
import dev.onejob.server.testing.ApiExtension;
import dev.onejob.server.testing.Worker;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What workers may send. */
final class WorkerBodiesTest {
  private static final String NOBODY = "att_01KB8XJ4N1F6W8T3VAXZ4S7Y2A";
  private static final String TOKEN = "\"lease_token\":\"7d3b1a5e-6f0c-4e2a-9b1d-2c4f6a8e0b13\"";

  @RegisterExtension static final ApiExtension api = new ApiExtension();

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "'' | body-invalid | ",
        "[] | body-invalid | ",
        "{$k,$r,$w,\"x\":1} | body-invalid | /x",
        "{$r,$w} | field-invalid | /kinds",
        "{\"kinds\":[],$r,$w} | field-invalid | /kinds",
        "{\"kinds\":\"pulled\",$r,$w} | field-invalid | /kinds",
        "{\"kinds\":[\"pulled\",\"pulled\"],$r,$w} | field-invalid | /kinds",
        "{\"kinds\":[1],$r,$w} | field-invalid | /kinds/0",
        "{$k,$w} | field-invalid | /request_id",
        "{$k,\"request_id\":\"\",$w} | field-invalid | /request_id",
        "{$k,\"request_id\":\"a b\",$w} | field-invalid | /request_id",
        "{$k,$r,\"worker\":\"é\"} | field-invalid | /worker",
        "{$k,$r} | field-invalid | /worker",
        "{$k,$r,$w,\"count\":0} | field-invalid | /count",
        "{$k,$r,$w,\"count\":17} | field-invalid | /count",
        "{$k,$r,$w,\"count\":1.5} | field-invalid | /count",
        "{$k,$r,$w,\"count\":1e999999} | field-invalid | /count",
        "{$k,$r,$w,\"count\":1e-999999999} | field-invalid | /count",
        "{$k,$r,$w,\"wait\":1e-999999999} | field-invalid | /wait",
        "{$k,$r,$w,\"wait\":31} | field-invalid | /wait",
        "{$k,$r,$w,\"wait\":-1} | field-invalid | /wait"
      })
  void a_claim_that_makes_no_sense_is_refused_where_it_is_wrong(
      String body, String code, String pointer) {
    api.client().submit("k", "pulled", "{}");
    String sent =
        body.replace("$k", "\"kinds\":[\"pulled\"]")
            .replace("$r", "\"request_id\":\"r\"")
            .replace("$w", "\"worker\":\"w\"");
    ApiAnswer answer = api.operator().post("/v1/attempts/claim", sent);
    assertThat(answer.code()).isEqualTo(code);
    assertThat(answer.at("/pointer")).isEqualTo(pointer == null ? "" : pointer);
    assertThat(api.client().get("/v1/jobs?state=queued").json().path("jobs").size()).isEqualTo(1);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "heartbeat | '' | body-invalid | ''",
        "heartbeat | {} | field-invalid | /lease_token",
        "heartbeat | {\"lease_token\":7} | field-invalid | /lease_token",
        "heartbeat | {\"lease_token\":\"1-1-1-1-1\"} | field-invalid | /lease_token",
        "heartbeat | {\"lease_token\":\"' OR 1=1\"} | field-invalid | /lease_token",
        "heartbeat | {$t,\"provider_ref\":\"x\"} | body-invalid | /provider_ref",
        "accepted | {$t,\"provider_ref\":\"\"} | field-invalid | /provider_ref",
        "accepted | {$t,\"provider_ref\":\"a\\nb\"} | field-invalid | /provider_ref",
        "settle | {$t} | field-invalid | /outcome",
        "settle | {$t,\"outcome\":\"unknown\"} | field-invalid | /outcome",
        "settle | {\"outcome\":\"failed\"} | field-invalid | /lease_token",
        "settle | {$t,\"outcome\":\"succeeded\"} | field-invalid | /result",
        "settle | {$t,$s,\"result\":1,\"result_format\":\"text\"} | field-invalid | /result",
        "settle | {$t,$s,\"result\":{\"a\":1,\"a\":2}} | body-invalid | /result/a",
        "settle | {$t,$s,\"result\":1,\"code\":\"x\"} | field-invalid | /code",
        "settle | {$t,\"outcome\":\"failed\",\"result\":null} | field-invalid | /result",
        "settle | {$t,\"outcome\":\"failed\",\"code\":\"No Input\"} | field-invalid | /code",
        "settle | {$t,\"outcome\":\"failed\",\"retryable\":1} | field-invalid | /retryable",
        "settle | {$t,\"outcome\":\"failed\",\"retry_after\":-1} | field-invalid | /retry_after",
        "settle | {$t,\"outcome\":\"in_doubt\",\"retryable\":true} | field-invalid | /retryable",
        "settle | {$t,\"outcome\":\"refused\",\"input_tokens\":1} | field-invalid | /input_tokens",
        "settle | {$t,$s,\"result\":1,\"input_tokens\":-1} | field-invalid | /input_tokens",
        "settle | {$t,$s,\"result\":1,\"output_tokens\":0.5} | field-invalid | /output_tokens",
        "settle | {$t,$s,\"result\":1,\"output_tokens\":1e99999} | field-invalid | /output_tokens",
        "settle | {$t,\"outcome\":\"cancelled\",\"cost\":\"1\"} | field-invalid | /cost"
      })
  void a_word_that_makes_no_sense_is_refused_where_it_is_wrong(
      String word, String body, String code, String pointer) {
    ApiAnswer answer =
        api.operator()
            .post(
                "/v1/attempts/" + NOBODY + "/" + word,
                body.replace("$t", TOKEN).replace("$s", "\"outcome\":\"succeeded\""));
    assertThat(answer.code()).as(answer.text()).isEqualTo(code);
    assertThat(answer.at("/pointer")).isEqualTo(pointer);
  }

  @Test
  void a_result_beyond_the_limit_is_refused_and_the_attempt_goes_on() {
    Worker worker = new Worker(api.node().client(Role.WORKER, owner("big")), "w1");
    Worker.Held held = worker.take("pulled");
    String half = "\"" + "x".repeat(2 << 20) + "\"";
    String large = "[" + half + "," + half + "]";
    ApiAnswer refused = worker.settle(held, "\"outcome\":\"succeeded\",\"result\":" + large);
    assertThat(refused.code()).isEqualTo("result-too-large");
    assertThat(worker.heartbeat(held).status()).isEqualTo(200);
  }

  @Test
  void a_wish_to_come_again_may_be_any_number() {
    Worker worker = new Worker(api.node().client(Role.WORKER, owner("tiny")), "w1");
    for (String wish : List.of("1e-999999999", "0e999999999")) {
      Worker.Held held = worker.take("pulled");
      String report = "\"outcome\":\"failed\",\"retryable\":true,\"retry_after\":" + wish;
      assertThat(worker.settle(held, report).at("/state")).isEqualTo("failed");
    }
    Worker.Held third = worker.take("pulled");
    String never = "\"outcome\":\"failed\",\"retryable\":true,\"retry_after\":1e999999999";
    assertThat(worker.settle(third, never).at("/state")).isEqualTo("failed");
  }

  @Test
  void what_names_nothing_of_the_owner_is_not_found() {
    Worker mine = new Worker(api.node().client(Role.WORKER, owner("k")), "w1");
    Worker.Held held = mine.take("pulled");
    Worker stranger = new Worker(api.node().client(Role.WORKER, "bakery"), "w1");
    for (String word : List.of("heartbeat", "accepted", "settle")) {
      String body = word.equals("settle") ? "{$t,\"outcome\":\"cancelled\"}" : "{$t}";
      String sent = body.replace("$t", "\"lease_token\":\"" + held.token() + "\"");
      ApiAnswer theirs = stranger.say(held, word, sent);
      assertThat(theirs.status()).isEqualTo(404);
      ApiAnswer none = stranger.say(new Worker.Held(NOBODY, "", "", held.whole()), word, sent);
      assertThat(none.text()).isEqualTo(theirs.text());
      ApiAnswer noId = stranger.say(new Worker.Held("att_x", "", "", held.whole()), word, sent);
      assertThat(noId.text()).isEqualTo(theirs.text());
    }
    assertThat(mine.heartbeat(held).at("/state")).isEqualTo("starting");
  }

  private static String owner(String key) {
    return api.client().submit(key, "pulled", "{}").at("/owner");
  }
}
