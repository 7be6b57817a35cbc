package dev.onejob.server.webhooks;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/** Signatures by the published vector, and the pauses between tries. */
class SignatureTest {
  /** From the tests of the libraries of Standard Webhooks. */
  @Test
  void the_published_vector_is_signed_as_published() {
    byte[] secret = Base64.getDecoder().decode("MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw");
    String signature =
        Signature.of(
            "msg_p5jXN8AQM9LWM0D4loKWxJek",
            Instant.ofEpochSecond(1_614_265_330),
            "{\"test\": 2432232314}".getBytes(StandardCharsets.UTF_8),
            List.of(secret));
    assertThat(signature).isEqualTo("v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
    assertThat(Signature.text(secret)).isEqualTo("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw");
  }

  @Test
  void the_tries_of_a_delivery_spread_over_about_three_days_and_end() {
    RandomGenerator random = RandomGenerator.of("L64X128MixRandom");
    for (int round = 0; round < 100; round++) {
      Duration all = Duration.ZERO;
      Duration last = Duration.ZERO;
      for (int tries = 1; tries <= 10; tries++) {
        last = Schedule.pauseAfter(tries, random).orElseThrow();
        all = all.plus(last);
      }
      assertThat(Schedule.pauseAfter(1, random).orElseThrow()).isLessThan(Duration.ofSeconds(7));
      assertThat(all).isBetween(Duration.ofHours(60), Duration.ofHours(91));
      assertThat(last).isLessThan(Duration.ofHours(30));
      assertThat(Schedule.pauseAfter(11, random)).isEmpty();
    }
  }
}
