package dev.onejob.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.onejob.domain.AttemptId;
import dev.onejob.store.CallbackKey;
import java.util.Arrays;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

class CallbackSecretsTest {
  private static final byte[] KEY = new byte[CallbackKey.BYTES];

  private final CallbackSecrets secrets = new CallbackSecrets(KEY);
  private final AttemptId attempt = attempt();

  private static AttemptId attempt() {
    return AttemptId.next(1_700_000_000_000L, RandomGenerator.getDefault());
  }

  @Test
  void a_secret_opens_its_own_attempt_on_every_node_of_the_deployment() {
    assertThat(secrets.matches(attempt, new CallbackSecrets(KEY).of(attempt))).isTrue();
  }

  @Test
  void a_secret_opens_no_other_attempt_and_no_attempt_of_another_deployment() {
    byte[] otherKey = KEY.clone();
    Arrays.fill(otherKey, (byte) 1);

    assertThat(secrets.matches(attempt(), secrets.of(attempt))).isFalse();
    assertThat(secrets.matches(attempt, new CallbackSecrets(otherKey).of(attempt))).isFalse();
  }

  @Test
  void one_letter_more_less_or_other_is_another_secret() {
    String secret = secrets.of(attempt);
    String other = (secret.startsWith("A") ? "B" : "A") + secret.substring(1);

    assertThat(secrets.matches(attempt, secret + "A")).isFalse();
    assertThat(secrets.matches(attempt, secret.substring(1))).isFalse();
    assertThat(secrets.matches(attempt, other)).isFalse();
    assertThat(secrets.matches(attempt, "")).isFalse();
  }

  @Test
  void a_secret_needs_no_escape_in_a_path() {
    assertThat(secrets.of(attempt)).matches("[A-Za-z0-9_-]{43}");
  }
}
