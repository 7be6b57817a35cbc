package dev.onejob.server.webhooks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Names whose servers are silent hold nobody up for long. */
class PatientResolverTest {
  private static final InetAddress LOOPBACK = InetAddress.getLoopbackAddress();

  private final CountDownLatch spoken = new CountDownLatch(1);
  private final AtomicInteger asked = new AtomicInteger();

  @AfterEach
  void letGo() {
    spoken.countDown();
  }

  private InetAddress[] silent(String host) {
    asked.incrementAndGet();
    try {
      spoken.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return new InetAddress[] {LOOPBACK};
  }

  @Test
  void what_is_found_is_given() throws UnknownHostException {
    spoken.countDown();
    try (PatientResolver names = new PatientResolver(this::silent, 2, Duration.ofMinutes(1))) {
      assertThat(names.resolve("a.test")).containsExactly(LOOPBACK);
    }
  }

  @Test
  void what_is_not_found_in_time_is_unknown_and_no_more_are_asked_than_may_be_at_once() {
    try (PatientResolver names = new PatientResolver(this::silent, 2, Duration.ofMillis(50))) {
      for (int i = 0; i < 5; i++) {
        assertThatThrownBy(() -> names.resolve("a.test"))
            .isInstanceOf(UnknownHostException.class)
            .hasMessageContaining("too slow");
      }
      assertThat(asked).hasValueLessThanOrEqualTo(2);
    }
  }

  @Test
  void a_name_that_nobody_knows_is_unknown() {
    Resolver nobody =
        host -> {
          throw new UnknownHostException(host);
        };
    try (PatientResolver names = new PatientResolver(nobody, 2, Duration.ofMinutes(1))) {
      assertThatThrownBy(() -> names.resolve("a.test")).isInstanceOf(UnknownHostException.class);
    }
  }
}
