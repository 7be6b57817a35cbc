package dev.onejob.system;

import static dev.onejob.system.LeaseConfig.answerAfter;
import static dev.onejob.system.TwoNodes.awaitJob;
import static dev.onejob.system.TwoNodes.created;
import static dev.onejob.system.TwoNodes.effects;
import static dev.onejob.system.TwoNodes.requests;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.onejob.server.testing.ApiAnswer;
import dev.onejob.server.testing.ApiClient;
import dev.onejob.testkit.PostgresExtension;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Case C44: nodes whose clocks are wrong, and change. */
@Tag("process")
@EnabledIf(value = "isInstalled", disabledReason = "libfaketime is not installed")
class WrongClocksTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final Duration AWAY = Duration.ofSeconds(20);

  @RegisterExtension final PostgresExtension postgres = new PostgresExtension();

  @TempDir Path folder;

  private NodeProcess first;
  private NodeProcess second;
  private ApiClient client1;
  private ApiClient client2;

  static boolean isInstalled() {
    return library().isPresent();
  }

  private static Optional<Path> library() {
    try (Stream<Path> machines = Files.list(Path.of("/usr/lib"))) {
      return machines
          .map(machine -> machine.resolve("faketime/libfaketimeMT.so.1"))
          .filter(Files::exists)
          .findFirst();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @BeforeEach
  void startNodes() throws IOException {
    Path config =
        Files.writeString(
            folder.resolve("onejob.yaml"),
            """
            server: {lease: 3s, heartbeat: 500ms, stop_grace: 1s}
            kinds:
              slow: {route: [sandbox-a], attempt_timeout: 2m}
              again: {route: [sandbox-a], backoff: {first: 100ms, max: 500ms}}
            providers:
              sandbox-a: {type: sandbox}
            """);
    first = node("n1", "+0", config);
    second = node("n2", "+600", config);
    client1 = first.client(first.firstKey("client"));
    client2 = second.client(first.firstKey("client"));
  }

  @AfterEach
  void stopNodes() {
    first.close();
    second.close();
  }

  /** Only the time of day is wrong: no machine's monotonic clock is ever set. */
  private NodeProcess node(String name, String offset, Path config) {
    clock(name, offset);
    return NodeProcess.start(
        postgres.url(),
        folder,
        name,
        List.of("--config", config.toString()),
        Map.of(
            "LD_PRELOAD", library().orElseThrow().toString(),
            "FAKETIME_TIMESTAMP_FILE", file(name).toString(),
            "FAKETIME_CACHE_DURATION", "1",
            "FAKETIME_DONT_FAKE_MONOTONIC", "1",
            // Otherwise every timed wait of the machine's threads ends at once, and they spin.
            "FAKETIME_FORCE_MONOTONIC_FIX", "0",
            "DONT_FAKE_MONOTONIC", "1",
            "JAVA_TOOL_OPTIONS", "-XX:TieredStopAtLevel=1"));
  }

  private Path file(String name) {
    return folder.resolve(name + ".clock");
  }

  /** Sets the clock of a node so many seconds off. */
  private void clock(String name, String offset) {
    try {
      Files.writeString(file(name), offset + "\n");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<String> submitted(ApiClient client, String name, int millis) {
    List<String> jobs = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      jobs.add(created(client.submit(name + i, "slow", answerAfter(millis))));
    }
    return jobs;
  }

  private void assertRanOnce(String job) {
    ApiAnswer ended = awaitJob(client2, job, "/state", "succeeded");
    assertThat(ended.json().at("/attempts").size()).isEqualTo(1);
    assertThat(effects(client2, job)).isEqualTo(1);
    assertThat(requests(client2, job)).isEqualTo(1);
  }

  @Test
  void c44_a_wrong_clock_that_changes_costs_no_lease_runs_nothing_twice_and_delays_nothing() {
    Instant from = Instant.now();
    List<String> jobs = new ArrayList<>(submitted(client1, "a", 9_000));
    jobs.addAll(submitted(client2, "b", 9_000));
    jobs.forEach(job -> await().atMost(PATIENCE).until(() -> requests(client2, job) == 1));
    clock("n2", "-600");
    clock("n1", "-3600");
    String retried = "{\"script\":{\"sandbox-a\":{\"outcome\":\"refuse\",\"retryable\":true}}}";
    List<String> again =
        List.of(
            created(client1.submit("again1", "again", retried)),
            created(client2.submit("again2", "again", retried)));

    again.forEach(job -> awaitJob(client2, job, "/failure/code", "attempts-used-up"));
    jobs.forEach(this::assertRanOnce);

    assertThat(Duration.between(from, Instant.now())).isLessThan(Duration.ofMinutes(2));
    jobs.forEach(
        job ->
            assertThat(client2.get("/v1/jobs/" + job).json().at("/attempts/0/unknown_at").isNull())
                .isTrue());
    assertThat(first.output() + second.output()).doesNotContain("lost its lease");
    assertThat(first.client("").get("/readyz").status()).isEqualTo(200);
    assertThat(second.client("").get("/readyz").status()).isEqualTo(200);
  }

  @Test
  void c44_a_node_that_stood_still_for_twenty_seconds_joins_again_by_itself() {
    clock("n1", "-3600");
    first.freeze();
    Instant until = Instant.now().plus(AWAY);
    List<String> meanwhile = submitted(client2, "m", 100);
    meanwhile.forEach(this::assertRanOnce);
    await().atMost(AWAY.plusSeconds(5)).until(() -> Instant.now().isAfter(until));
    first.thaw();

    await().atMost(PATIENCE).until(() -> first.client("").get("/readyz").status() == 200);
    submitted(client1, "later", 100).forEach(this::assertRanOnce);
  }
}
