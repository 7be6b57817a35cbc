package dev.onejob.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.onejob.domain.IntentKey;
import dev.onejob.domain.Owner;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The hint which keys are bound. */
class BoundKeysTest {
  private static final Owner OWNER = new Owner("tester");
  private static final Owner OTHER = new Owner("other");

  private final BoundKeys bound = new BoundKeys();

  private static List<IntentKey> keys(String prefix, int count) {
    return IntStream.range(0, count).mapToObj(i -> new IntentKey(prefix + i)).toList();
  }

  private boolean mayHold(IntentKey key) {
    return bound.mayHold(OWNER, key);
  }

  private void add(List<IntentKey> keys) {
    keys.forEach(key -> bound.add(OWNER, key));
  }

  @Test
  void a_thousand_keys_do_not_push_each_other_out() {
    List<IntentKey> keys = keys("order-", 1_000);

    add(keys);

    assertThat(keys).allMatch(this::mayHold);
  }

  @Test
  void a_key_is_one_of_its_owner() {
    IntentKey key = new IntentKey("order-1");

    bound.add(OWNER, key);

    assertThat(bound.mayHold(OTHER, key)).isFalse();
  }

  @Test
  void a_key_that_comes_again_pushes_no_other_out() {
    List<IntentKey> keys = keys("order-", 1_000);
    add(keys);

    for (int i = 0; i < 10; i++) {
      add(keys);
    }

    assertThat(keys).allMatch(this::mayHold);
  }

  @Test
  void keys_are_forgotten_in_time() {
    List<IntentKey> old = keys("old-", 1_000);
    add(old);

    add(keys("new-", 1_000_000));

    assertThat(old).noneMatch(this::mayHold);
  }
}
