package dev.onejob.system;

import static dev.onejob.system.TwoNodes.awaitJob;
import static dev.onejob.system.TwoNodes.created;
import static org.assertj.core.api.Assertions.assertThat;

import dev.onejob.server.testing.ApiAnswer;
import dev.onejob.server.testing.ApiClient;
import dev.onejob.testkit.PostgresExtension;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Cases C10 and C54 through the whole service: what a provider sees of one job. */
@Tag("process")
class SilentProvidersTest {
  @RegisterExtension final PostgresExtension postgres = new PostgresExtension();

  @TempDir Path folder;

  /** Reads a whole request, counts it, and then keeps silent or closes without a byte. */
  private static final class Listener implements AutoCloseable {
    private final ServerSocket socket;
    private final AtomicInteger requests = new AtomicInteger();
    private final boolean closes;

    /** A call that nothing refers to may be closed by the collector, which would be no silence. */
    private final Queue<Socket> calls = new ConcurrentLinkedQueue<>();

    Listener(boolean closes) throws IOException {
      this.socket = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
      this.closes = closes;
      Thread.ofVirtual().start(this::accept);
    }

    private void accept() {
      while (!socket.isClosed()) {
        try {
          Socket call = socket.accept();
          calls.add(call);
          call.getInputStream().read(new byte[1 << 16]);
          requests.incrementAndGet();
          if (closes) {
            call.close();
          }
        } catch (IOException e) {
          return; // closed
        }
      }
    }

    int port() {
      return socket.getLocalPort();
    }

    @Override
    public void close() throws IOException {
      socket.close();
      for (Socket call : calls) {
        call.close();
      }
    }
  }

  private Path config(Listener first, Listener second) throws IOException {
    return Files.writeString(
        folder.resolve("onejob.yaml"),
        """
        kinds:
          ask:
            effect: exclusive
            route: [first, second]
            attempt_timeout: 3s
            attempts: 3
        providers:
          first:
            type: openai-chat
            base_url: http://127.0.0.1:%d/v1
            model: m
            prompt: "{{/q}}"
          second:
            type: openai-chat
            base_url: http://127.0.0.1:%d/v1
            model: m
            prompt: "{{/q}}"
        """
            .formatted(first.port(), second.port()));
  }

  @Test
  void c10_a_provider_that_stays_silent_sees_one_request_and_the_next_sees_none() throws Exception {
    try (Listener first = new Listener(false);
        Listener second = new Listener(false)) {
      Duration doubt = untilDoubt(first, second);

      assertThat(doubt).isBetween(Duration.ofMillis(2_900), Duration.ofSeconds(20));
    }
  }

  @Test
  void c54_a_provider_that_reads_and_closes_sees_one_request_and_the_next_sees_none()
      throws Exception {
    try (Listener first = new Listener(true);
        Listener second = new Listener(true)) {
      untilDoubt(first, second);
    }
  }

  private Duration untilDoubt(Listener first, Listener second) throws IOException {
    List<String> arguments = List.of("--config", config(first, second).toString());
    try (NodeProcess node = NodeProcess.start(postgres.url(), folder, "n1", arguments)) {
      ApiClient client = node.client(node.firstKey("client"));
      Instant from = Instant.now();
      String id = created(client.submit("k", "ask", "{\"q\": \"why?\"}"));
      ApiAnswer job = awaitJob(client, id, "/state", "unknown");
      Duration doubt = Duration.between(from, Instant.now());

      assertThat(job.json().at("/attempts").size()).isEqualTo(1);
      assertThat(first.requests).hasValue(1);
      assertThat(second.requests).hasValue(0);
      assertThat(client.post("/v1/jobs/" + id + "/attempts", "").code())
          .isEqualTo("attempt-blocked");
      return doubt;
    }
  }
}
