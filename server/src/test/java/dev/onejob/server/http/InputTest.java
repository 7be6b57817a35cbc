package dev.onejob.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.onejob.server.testing.ApiAnswer;
import dev.onejob.server.testing.ApiExtension;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is the same input, what is another, and what is none. */
final class InputTest {
  @RegisterExtension static final ApiExtension api = new ApiExtension();

  /** C24. */
  @Test
  void order_space_and_spelling_do_not_make_another_intent() {
    ApiAnswer first =
        api.client().submit("k", "plain", "{\"a\":1,\"b\":{\"c\":\"/\",\"d\":[1,2]}}");
    for (String same :
        List.of(
            "{\"b\":{\"d\":[1,2],\"c\":\"/\"},\"a\":1}",
            "{ \"a\" : 1 ,\r\n\t\"b\" : { \"c\" : \"/\" , \"d\" : [ 1 , 2 ] } }",
            "{\"\\u0061\":1,\"b\":{\"c\":\"\\/\",\"d\":[1.0,2e0]}}")) {
      ApiAnswer again = api.client().submit("k", "plain", same);
      assertThat(again.status()).as(same).isEqualTo(200);
      assertThat(again.at("/id")).isEqualTo(first.at("/id"));
    }
  }

  /** C24. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"a\":1,\"b\":{\"c\":\"/\",\"d\":[2,1]}}",
        "{\"a\":1,\"b\":{\"c\":\"/\"}}",
        "{\"a\":1,\"b\":{\"c\":\"/\",\"d\":null}}",
        "{\"A\":1,\"b\":{\"c\":\"/\",\"d\":[1,2]}}"
      })
  void another_array_an_absent_member_and_null_make_another_intent(String other) {
    api.client().submit("k", "plain", "{\"a\":1,\"b\":{\"c\":\"/\",\"d\":[1,2]}}");
    assertThat(api.client().submit("k", "plain", other).code()).isEqualTo("intent-mismatch");
  }

  /** C27 (a). */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{\"qty\":1,\"qty\":-1} | /input/qty",
        "{\"o\":[0,{\"qty\":1,\"qty\":1}]} | /input/o/1/qty",
        "{\"qty\":1,\"\\u0071ty\":-1} | /input/qty"
      })
  void a_member_twice_is_refused_where_it_is(String input, String pointer) {
    ApiAnswer answer = api.client().submit("k", "plain", input);
    assertThat(answer.status()).isEqualTo(400);
    assertThat(answer.code()).isEqualTo("body-invalid");
    assertThat(answer.at("/pointer")).isEqualTo(pointer);
    assertThat(answer.at("/reason")).isEqualTo("duplicate_member");
    assertNothingStored();
  }

  @Test
  void a_member_of_the_body_twice_is_refused() {
    ApiAnswer answer =
        api.client().submit("k", "{\"kind\":\"plain\",\"kind\":\"race\",\"input\":{}}");
    assertThat(answer.code()).isEqualTo("body-invalid");
    assertThat(answer.at("/pointer")).isEqualTo("/kind");
    assertNothingStored();
  }

  /** C28. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {"{\"t\":\"a\\u0000b\"} | /input/t", "{\"a\\u0000b\":1} | /input"})
  void a_nul_is_refused_where_it_is(String input, String pointer) {
    ApiAnswer answer = api.client().submit("k", "plain", input);
    assertThat(answer.status()).isEqualTo(400);
    assertThat(answer.at("/pointer")).startsWith(pointer);
    assertThat(answer.at("/reason")).isEqualTo("nul_character");
    assertNothingStored();
  }

  /** C28. */
  @Test
  void an_escaped_backslash_before_u0000_is_text_like_any_other() {
    String input = "{\"t\":\"a\\\\u0000b\"}";
    ApiAnswer answer = api.client().submit("k", "plain", input);
    assertThat(answer.status()).isEqualTo(201);
    assertThat(answer.text()).contains("\"input\":" + input);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "[] | body-invalid | ''",
        "{\"kind\":\"plain\",\"input\":{} | body-invalid | /input",
        "{\"kind\":\"plain\"} | field-invalid | /input",
        "{\"input\":1} | field-invalid | /kind",
        "{\"kind\":7,\"input\":1} | field-invalid | /kind",
        "{\"kind\":\"plain\",\"input\":1,\"owner\":\"x\"} | body-invalid | /owner",
        "{\"kind\":\"plain\",\"input\":1,\"a/b~\":0} | body-invalid | /a~1b~0",
        "{\"kind\":\"nobody\",\"input\":1} | kind-unknown | /kind",
        "{\"kind\":\"plain\",\"input\":1,\"route\":[\"a\",\"z\"]} | provider-unknown | /route/1",
        "{\"kind\":\"plain\",\"input\":1,\"route\":[]} | field-invalid | /route",
        "{\"kind\":\"plain\",\"input\":1,\"route\":[\"a\",\"a\"]} | field-invalid | /route",
        "{\"kind\":\"plain\",\"input\":1,\"route\":[\"a\",1]} | field-invalid | /route/1",
        "{\"kind\":\"plain\",\"input\":1,\"route\":\"a\"} | field-invalid | /route",
        "{\"kind\":\"plain\",\"input\":1,\"priority\":101} | field-invalid | /priority",
        "{\"kind\":\"plain\",\"input\":1,\"priority\":0.5} | field-invalid | /priority",
        "{\"kind\":\"plain\",\"input\":1,\"priority\":1e999999999} | field-invalid | /priority",
        "{\"kind\":\"plain\",\"input\":1,\"priority\":1e99999999999} | field-invalid | /priority",
        "{\"kind\":\"plain\",\"input\":1,\"priority\":\"1\"} | field-invalid | /priority",
        "{\"kind\":\"plain\",\"input\":1,\"tags\":[\"a b\"]} | field-invalid | /tags/0",
        "{\"kind\":\"plain\",\"input\":1,\"deadline\":0} | field-invalid | /deadline",
        "{\"kind\":\"plain\",\"input\":1,\"deadline\":1e30} | field-invalid | /deadline",
        "{\"kind\":\"plain\",\"input\":1,\"deadline\":\"soon\"} | field-invalid | /deadline",
        "{\"kind\":\"plain\",\"input\":1,\"deadline\":true} | field-invalid | /deadline"
      })
  void a_body_that_cannot_be_used_is_refused_where_it_is_wrong(
      String body, String code, String pointer) {
    ApiAnswer answer = api.client().submit("k", body);
    assertThat(answer.status()).as(answer.text()).isEqualTo(400);
    assertThat(answer.code()).isEqualTo(code);
    assertThat(answer.at("/pointer")).isEqualTo(pointer);
    assertNothingStored();
  }

  @Test
  void a_missing_body_is_refused() {
    assertThat(api.client().submit("k", "").code()).isEqualTo("body-invalid");
  }

  @ParameterizedTest
  @ValueSource(strings = {"text/plain", "application/json; charset=iso-8859-1", "application/xml"})
  void another_media_type_is_refused(String mediaType) {
    ApiAnswer answer =
        api.client()
            .send(
                "POST",
                "/v1/jobs",
                "{\"kind\":\"plain\",\"input\":1}",
                Map.of("Idempotency-Key", "k", "Content-Type", mediaType));
    assertThat(answer.code()).isEqualTo("media-type-unsupported");
    assertNothingStored();
  }

  @Test
  void a_deadline_that_has_passed_is_taken_so_that_a_repeat_finds_its_job() {
    String body = "{\"kind\":\"plain\",\"input\":1,\"deadline\":\"2020-01-31T12:00:00+01:00\"}";
    ApiAnswer first = api.client().submit("k", body);
    assertThat(first.status()).isEqualTo(201);
    assertThat(first.at("/deadline")).isEqualTo("2020-01-31T11:00:00Z");
    assertThat(api.client().submit("k", body).status()).isEqualTo(200);
  }

  private void assertNothingStored() {
    assertThat(api.client().get("/v1/jobs").json().path("jobs").size()).isZero();
  }
}
