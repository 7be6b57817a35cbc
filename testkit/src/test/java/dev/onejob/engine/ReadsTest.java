package dev.onejob.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.onejob.domain.JobId;
import dev.onejob.testkit.Engines;
import dev.onejob.testkit.PostgresExtension;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Jobs that are read at the same time. */
class ReadsTest {
  private static final int AT_ONCE = 64;

  @RegisterExtension final PostgresExtension postgres = new PostgresExtension();

  private EngineFixture fixture;
  private JobEngine node;

  @BeforeEach
  void open() {
    fixture = new EngineFixture(postgres.dataSource());
    node = fixture.node(fixture.config(EngineFixture.PATIENT));
    node.drain(); // what is submitted stays as it is
  }

  @AfterEach
  void close() {
    fixture.close();
  }

  private JobId submit(String key) {
    return ((Admitted.Created) node.submit(Engines.submission(key, "plain", "{}"))).id();
  }

  /** As a row that a newer version has written, in words that this one does not know. */
  private void makeUnreadable(JobId job) throws SQLException {
    try (Connection connection = postgres.dataSource().getConnection();
        PreparedStatement update =
            connection.prepareStatement(
                """
                UPDATE onejob.job SET not_before = 'unheard of' WHERE id = ?
                """)) {
      update.setObject(1, job.uuid());
      assertThat(update.executeUpdate()).isOne();
    }
  }

  private Future<String> keyOf(ExecutorService threads, JobId job) {
    return threads.submit(() -> node.job(Access.ALL, job).orElseThrow().key().value());
  }

  @Test
  void whoever_asks_at_the_same_time_gets_the_job_asked_for() throws Exception {
    List<JobId> jobs = List.of(submit("k0"), submit("k1"), submit("k2"));
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<String>> keys = new ArrayList<>();
      for (int i = 0; i < AT_ONCE; i++) {
        keys.add(keyOf(threads, jobs.get(i % jobs.size())));
      }
      for (int i = 0; i < AT_ONCE; i++) {
        assertThat(keys.get(i).get()).isEqualTo("k" + i % jobs.size());
      }
    }
  }

  @Test
  void a_job_that_cannot_be_read_harms_nobody_who_asks_for_another() throws Exception {
    JobId sound = submit("sound");
    JobId broken = submit("broken");
    makeUnreadable(broken);
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<String>> good = new ArrayList<>();
      List<Future<String>> bad = new ArrayList<>();
      for (int i = 0; i < AT_ONCE; i++) {
        bad.add(keyOf(threads, broken));
        good.add(keyOf(threads, sound));
      }
      for (Future<String> one : good) {
        assertThat(one.get()).isEqualTo("sound");
      }
      for (Future<String> one : bad) {
        assertThatThrownBy(one::get).hasRootCauseInstanceOf(RuntimeException.class);
      }
    }
  }
}
