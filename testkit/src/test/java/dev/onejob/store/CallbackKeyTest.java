package dev.onejob.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.onejob.testkit.PostgresExtension;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class CallbackKeyTest {
  @RegisterExtension final PostgresExtension postgres = new PostgresExtension();

  @BeforeEach
  void migrate() {
    Migrations.migrate(postgres.dataSource());
  }

  private static byte[] bytes(int value) {
    byte[] bytes = new byte[CallbackKey.BYTES];
    Arrays.fill(bytes, (byte) value);
    return bytes;
  }

  @Test
  void the_key_is_made_once_and_stays() {
    CallbackKey key = new CallbackKey(postgres.dataSource());

    assertThat(key.orElse(bytes(1))).isEqualTo(bytes(1));
    assertThat(key.orElse(bytes(2))).isEqualTo(bytes(1));
  }

  @Test
  void nodes_that_start_at_the_same_moment_agree_on_one() throws Exception {
    List<Callable<String>> nodes = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      byte[] own = bytes(i);
      CallbackKey key = new CallbackKey(postgres.dataSource());
      nodes.add(() -> HexFormat.of().formatHex(key.orElse(own)));
    }
    List<String> found = new ArrayList<>();
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (Future<String> each : threads.invokeAll(nodes)) {
        found.add(each.get());
      }
    }

    assertThat(found).hasSize(8);
    assertThat(Set.copyOf(found)).hasSize(1);
  }
}
