package dev.onejob.system;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.onejob.server.testing.ApiAnswer;
import dev.onejob.server.testing.ApiClient;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/** Two nodes over one database, and a client and an operator at each. */
final class TwoNodes implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  final NodeProcess first;
  final NodeProcess second;
  final ApiClient client1;
  final ApiClient client2;
  final ApiClient operator1;
  final ApiClient operator2;

  TwoNodes(String database, Path folder) {
    this(database, folder, List.of());
  }

  TwoNodes(String database, Path folder, List<String> arguments) {
    this(database, database, folder, arguments);
  }

  TwoNodes(String database1, String database2, Path folder, List<String> arguments) {
    first = NodeProcess.start(database1, folder, "n1", arguments);
    second = NodeProcess.start(database2, folder, "n2", arguments);
    client1 = first.client(first.firstKey("client"));
    client2 = second.client(first.firstKey("client"));
    operator1 = first.client(first.firstKey("operator"));
    operator2 = second.client(first.firstKey("operator"));
  }

  /** Runs all at the same moment and gives what they gave, in their order. */
  static <T> List<T> atOnce(List<Callable<T>> calls) throws Exception {
    CountDownLatch go = new CountDownLatch(1);
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<T>> futures = new ArrayList<>();
      for (Callable<T> call : calls) {
        futures.add(
            threads.submit(
                () -> {
                  go.await();
                  return call.call();
                }));
      }
      go.countDown();
      List<T> results = new ArrayList<>();
      for (Future<T> future : futures) {
        results.add(future.get(120, TimeUnit.SECONDS));
      }
      return results;
    }
  }

  /** Reads the job until the member at that pointer has that value. */
  static ApiAnswer awaitJob(ApiClient client, String job, String pointer, String value) {
    return await()
        .atMost(PATIENCE)
        .pollInterval(Duration.ofMillis(50))
        .until(() -> client.get("/v1/jobs/" + job), answer -> answer.at(pointer).equals(value));
  }

  /** How often a member of the sandbox's ledger counts for a job. */
  static int effects(ApiClient client, String job) {
    return client.get("/sandbox/effects?job=" + job).json().at("/effects").asInt();
  }

  static int requests(ApiClient client, String job) {
    return client.get("/sandbox/effects?job=" + job).json().at("/requests").asInt();
  }

  static String created(ApiAnswer answer) {
    assertThat(answer.status()).as(answer.text()).isEqualTo(201);
    return answer.at("/id");
  }

  @Override
  public void close() {
    first.close();
    second.close();
  }
}
