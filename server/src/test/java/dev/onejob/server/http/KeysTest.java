package dev.onejob.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.onejob.server.testing.ApiAnswer;
import dev.onejob.server.testing.ApiClient;
import dev.onejob.server.testing.ApiExtension;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** API keys over HTTP. */
final class KeysTest {
  @RegisterExtension static final ApiExtension api = new ApiExtension();

  @Test
  void a_new_key_opens_its_owners_door_and_no_more_once_it_is_withdrawn() {
    ApiAnswer made =
        api.operator()
            .post("/v1/keys", "{\"name\":\"checkout\",\"role\":\"client\",\"owner\":\"till\"}");
    assertThat(made.status()).isEqualTo(201);
    ApiClient till = new ApiClient(api.uri(), made.at("/secret"));
    assertThat(till.submit("k", "plain", "{}").at("/owner")).isEqualTo("till");
    assertThat(api.operator().delete("/v1/keys/" + made.at("/id")).status()).isEqualTo(204);
    assertThat(till.get("/v1/jobs").status()).isEqualTo(401);
    assertThat(api.operator().delete("/v1/keys/" + made.at("/id")).status()).isEqualTo(204);
  }

  @Test
  void the_list_shows_every_key_without_its_secret() {
    ApiAnswer made = api.operator().post("/v1/keys", "{\"name\":\"w\",\"role\":\"worker\"}");
    ApiAnswer list = api.operator().get("/v1/keys");
    assertThat(list.text()).contains(made.at("/id")).doesNotContain("secret", "ojk_");
    JsonNode newest = list.json().at("/keys/0");
    assertThat(newest.path("owner").asString()).isEqualTo("house");
    assertThat(newest.path("withdrawn_at").isNull()).isTrue();
  }

  @Test
  void a_key_does_not_withdraw_itself() {
    ApiAnswer made = api.operator().post("/v1/keys", "{\"name\":\"me\",\"role\":\"operator\"}");
    ApiClient me = new ApiClient(api.uri(), made.at("/secret"));
    ApiAnswer answer = me.delete("/v1/keys/" + made.at("/id"));
    assertThat(answer.code()).isEqualTo("key-in-use");
    assertThat(me.get("/v1/keys").status()).isEqualTo(200);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{\"name\":\"\",\"role\":\"client\"} | /name",
        "{\"role\":\"client\"} | /name",
        "{\"name\":\"rule:pay\",\"role\":\"operator\"} | /name",
        "{\"name\":\"x\",\"role\":\"king\"} | /role",
        "{\"name\":\"x\"} | /role",
        "{\"name\":\"x\",\"role\":\"client\",\"owner\":\"a b\"} | /owner",
        "{\"name\":\"x\",\"role\":\"client\",\"owner\":\"onejob:qualification\"} | /owner"
      })
  void a_key_that_cannot_be_made_is_refused_where_it_is_wrong(String body, String pointer) {
    ApiAnswer answer = api.operator().post("/v1/keys", body);
    assertThat(answer.code()).isEqualTo("field-invalid");
    assertThat(answer.at("/pointer")).isEqualTo(pointer);
  }
}
