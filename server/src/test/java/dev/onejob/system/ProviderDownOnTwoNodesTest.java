package dev.onejob.system;

import static dev.onejob.system.TwoNodes.awaitJob;
import static dev.onejob.system.TwoNodes.created;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.onejob.server.testing.ApiAnswer;
import dev.onejob.server.testing.ApiClient;
import dev.onejob.testkit.PostgresExtension;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Two nodes find out together that a provider is down, and leave it alone together. */
@Tag("process")
class ProviderDownOnTwoNodesTest {
  private static final int JOBS = 20;

  @RegisterExtension final PostgresExtension postgres = new PostgresExtension();

  @TempDir Path folder;

  /** Turns everything away until it is well again; counts what it was asked. */
  private static final class Ailing implements AutoCloseable {
    private static final byte[] COMPLETION =
        """
        {"model":"m","choices":[{"finish_reason":"stop","message":{"content":"well again"}}]}
        """
            .getBytes(UTF_8);

    private final AtomicInteger asked = new AtomicInteger();
    private final HttpServer server;
    private volatile boolean well;

    Ailing() throws IOException {
      server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 50);
      server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
      server.createContext("/", this::answer);
      server.start();
    }

    private void answer(HttpExchange exchange) throws IOException {
      try (exchange) {
        asked.incrementAndGet();
        exchange.getRequestBody().readAllBytes();
        exchange.sendResponseHeaders(well ? 200 : 503, COMPLETION.length);
        exchange.getResponseBody().write(COMPLETION);
      }
    }

    @Override
    public void close() {
      server.stop(0);
    }
  }

  private Path config(Ailing provider) throws IOException {
    return Files.writeString(
        folder.resolve("onejob.yaml"),
        """
        kinds:
          ask: {route: [ailing], attempt_timeout: 30s, attempts: 100,
                backoff: {first: 50ms, max: 100ms}}
        providers:
          ailing:
            type: openai-chat
            base_url: http://127.0.0.1:%d/v1
            model: m
            prompt: why?
            result: text
            refused_statuses: [503]
            circuit: {failures: 4, pause: 1s, pause_max: 2s}
        """
            .formatted(provider.server.getAddress().getPort()));
  }

  @Test
  void and_ask_it_again_one_attempt_at_a_time_until_it_is_well() throws Exception {
    try (Ailing provider = new Ailing()) {
      List<String> arguments = List.of("--config", config(provider).toString());
      try (TwoNodes nodes = new TwoNodes(postgres.url(), folder, arguments)) {
        List<String> jobs = new ArrayList<>();
        for (int i = 0; i < JOBS; i++) {
          ApiClient client = i % 2 == 0 ? nodes.client1 : nodes.client2;
          jobs.add(created(client.submit("k" + i, "ask", "{}")));
        }
        awaitLeftAlone(nodes.operator1);
        Instant until = openUntil(awaitLeftAlone(nodes.operator2));
        int asked = provider.asked.get();
        awaitLeftAloneAfter(nodes.operator1, until);

        // Each of the jobs would have asked ten times in a second.
        assertThat(provider.asked.get() - asked).isLessThan(JOBS);
        provider.well = true;
        jobs.forEach(job -> awaitJob(nodes.client1, job, "/state", "succeeded"));
        assertThat(circuit(nodes.operator1)).isEqualTo("closed");
        assertThat(circuit(nodes.operator2)).isEqualTo("closed");
      }
    }
  }

  private static String circuit(ApiClient operator) {
    return operator.get("/v1/providers").at("/providers/0/circuit");
  }

  private static ApiAnswer awaitLeftAlone(ApiClient operator) {
    return await()
        .atMost(Duration.ofSeconds(60))
        .until(
            () -> operator.get("/v1/providers"),
            answer -> answer.at("/providers/0/circuit").equals("open"));
  }

  /** Until a trial has failed, and it is left alone for longer than before. */
  private static void awaitLeftAloneAfter(ApiClient operator, Instant until) {
    await()
        .atMost(Duration.ofSeconds(60))
        .until(() -> openUntil(operator.get("/v1/providers")), next -> next.isAfter(until));
  }

  private static Instant openUntil(ApiAnswer providers) {
    return Instant.parse(providers.at("/providers/0/open_until"));
  }
}
