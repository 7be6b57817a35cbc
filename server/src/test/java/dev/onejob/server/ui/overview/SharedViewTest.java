package dev.onejob.server.ui.overview;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class SharedViewTest {
  private static final String SEEN = "seen";

  private final AtomicLong nanos = new AtomicLong();
  private final AtomicInteger readings = new AtomicInteger();

  @Test
  void a_failure_is_shared_and_kept_for_a_moment_like_a_success() throws SQLException {
    SharedView<String> view =
        view(
            () -> {
              if (readings.incrementAndGet() == 1) {
                throw new SQLException("too slow", "57014");
              }
              return SEEN;
            });

    for (int i = 0; i < 5; i++) {
      assertThatThrownBy(view::now).isInstanceOf(SQLException.class);
    }
    assertThat(readings).hasValue(1);
    nanos.addAndGet(Duration.ofSeconds(3).toNanos());
    assertThat(view.now()).isSameAs(SEEN);
    assertThat(view.now()).isSameAs(SEEN);
    assertThat(readings).hasValue(2);
  }

  @Test
  void whoever_comes_while_one_reads_takes_what_that_one_gets() throws Exception {
    CountDownLatch mayEnd = new CountDownLatch(1);
    SharedView<String> view =
        view(
            () -> {
              readings.incrementAndGet();
              mayEnd.await();
              throw new SQLException("too slow", "57014");
            });
    try (ExecutorService people = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<?>> all = new ArrayList<>();
      for (int i = 0; i < 20; i++) {
        all.add(
            people.submit(() -> assertThatThrownBy(view::now).isInstanceOf(SQLException.class)));
      }
      await().until(() -> readings.get() == 1);
      mayEnd.countDown();
      for (Future<?> each : all) {
        each.get();
      }
    }

    assertThat(readings).hasValue(1);
  }

  private SharedView<String> view(Callable<String> reading) {
    return new SharedView<>(reading, Duration.ofSeconds(2), nanos::get);
  }
}
