package dev.onejob.server.http.operation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.onejob.domain.AttemptId;
import java.net.URI;
import org.junit.jupiter.api.Test;

final class CallbackRouteTest {
  private static final AttemptId ATTEMPT =
      AttemptId.parse("att_01ARZ3NDEKTSV4RRFFQ69G5FAV").orElseThrow();

  @Test
  void the_address_is_below_the_public_one() {
    CallbackRoute route = new CallbackRoute(URI.create("https://jobs.example.com/onejob"));

    assertThat(route.address(ATTEMPT, "s3cret"))
        .hasToString(
            "https://jobs.example.com/onejob/v1/callbacks/attempts/" + ATTEMPT + "/s3cret");
  }

  @Test
  void what_is_logged_of_its_path_names_the_attempt_and_not_the_secret() {
    URI address = new CallbackRoute(URI.create("http://x")).address(ATTEMPT, "s3cret");

    assertThat(CallbackRoute.withoutSecret(address.getPath()))
        .isEqualTo("/v1/callbacks/attempts/" + ATTEMPT + "/…");
    assertThat(CallbackRoute.withoutSecret("/v1/jobs/x/y")).isEqualTo("/v1/jobs/x/y");
  }
}
