package dev.onejob.providers;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.onejob.domain.Failure;
import dev.onejob.domain.Retryability;
import dev.onejob.provider.Outcome;
import dev.onejob.provider.Provider;
import dev.onejob.providers.http.OnePost;
import dev.onejob.providers.http.RawServer;
import dev.onejob.testkit.ProviderCall;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

/**
 * The part of {@link FailureTableContract} about connections: what ends before a byte of the
 * request has left is a refusal for now, and what ends later is doubt.
 */
public interface ConnectingContract {
  /** Ample for any answer that is meant to come. */
  Duration PATIENT = Duration.ofSeconds(90);

  /** The type of the adapter. */
  ProviderType type();

  /** Settings of a provider at that address, of which nothing is read but the answer. */
  ObjectNode settings(URI address);

  /** The job's input. */
  default byte[] input() {
    return "{\"q\":\"why?\"}".getBytes(UTF_8);
  }

  /** A provider at that address, with further settings. */
  default Provider provider(URI address, Map<String, String> more) {
    ObjectNode settings = settings(address);
    more.forEach(settings::put);
    return type()
        .create(
            "tested",
            settings,
            new ProviderContext(name -> null, Path.of("."), () -> URI.create("http://unused")));
  }

  /** Makes one call with further settings. */
  default Outcome call(URI address, Duration patience, Map<String, String> settings)
      throws Exception {
    return call(provider(address, settings), patience);
  }

  /** Makes one call. */
  default Outcome call(Provider provider, Duration patience) throws Exception {
    return ProviderCall.start(provider, ProviderCall.request(input(), patience, Duration.ZERO))
        .outcome();
  }

  /** The reason of a doubt. */
  static Failure doubt(Outcome outcome) {
    assertThat(outcome).isInstanceOf(Outcome.InDoubt.class);
    return ((Outcome.InDoubt) outcome).reason();
  }

  private static void isNotSent(Outcome outcome) {
    Outcome.Refused refused = (Outcome.Refused) outcome;
    assertThat(refused.failure().code()).isEqualTo(OnePost.CONNECT_FAILED);
    assertThat(refused.retryability()).isEqualTo(Retryability.RETRYABLE);
  }

  @Test
  default void a_refused_connection_sent_nothing() throws Exception {
    URI closed;
    try (ServerSocket socket = new ServerSocket(0)) {
      closed = URI.create("http://127.0.0.1:" + socket.getLocalPort());
    }
    isNotSent(call(closed, PATIENT, Map.of()));
  }

  @Test
  default void a_name_that_is_not_found_sent_nothing() throws Exception {
    isNotSent(call(URI.create("http://no-such-host.invalid"), PATIENT, Map.of()));
  }

  @Test
  default void a_failed_handshake_sent_nothing() throws Exception {
    try (RawServer plain = RawServer.answering(400, "")) {
      URI tls = URI.create(plain.uri().toString().replace("http:", "https:"));
      isNotSent(call(tls, PATIENT, Map.of("connect_timeout", "500ms")));
      assertThat(plain.requests()).isEmpty();
    }
  }

  @Test
  default void a_connection_that_is_not_answered_in_time_sent_nothing() throws Exception {
    List<Socket> waiting = new ArrayList<>();
    try (ServerSocket full = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      fill(full, waiting);
      URI uri = URI.create("http://127.0.0.1:" + full.getLocalPort());
      isNotSent(call(uri, PATIENT, Map.of("connect_timeout", "300ms")));
    } finally {
      for (Socket socket : waiting) {
        socket.close();
      }
    }
  }

  /** Nobody accepts, and once the queue is full the machine answers no more connections. */
  private static void fill(ServerSocket full, List<Socket> waiting) throws IOException {
    for (int i = 0; i < 100; i++) {
      Socket socket = new Socket();
      waiting.add(socket);
      try {
        socket.connect(new InetSocketAddress("127.0.0.1", full.getLocalPort()), 200);
      } catch (SocketTimeoutException e) {
        return;
      }
    }
    throw new AssertionError("the queue of a socket never fills up");
  }

  @Test
  default void a_connection_that_is_reset_once_a_byte_has_left_is_doubt() throws Exception {
    try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      Thread.ofVirtual().start(() -> resetAfter(server, 1));
      URI uri = URI.create("http://127.0.0.1:" + server.getLocalPort());
      assertThat(doubt(call(uri, PATIENT, Map.of())).code()).isEqualTo(OnePost.CONNECTION_LOST);
    }
  }

  /** It depends on who is faster whether a byte may have left; both are told truly. */
  @Test
  default void a_connection_that_is_reset_at_once_was_not_made_or_is_doubt() throws Exception {
    try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      Thread.ofVirtual().start(() -> resetAfter(server, 0));
      URI uri = URI.create("http://127.0.0.1:" + server.getLocalPort());
      Outcome outcome = call(uri, PATIENT, Map.of());
      if (outcome instanceof Outcome.Refused) {
        isNotSent(outcome);
      } else {
        assertThat(doubt(outcome).code()).isEqualTo(OnePost.CONNECTION_LOST);
      }
    }
  }

  private static void resetAfter(ServerSocket server, int bytes) {
    try {
      Socket connection = server.accept();
      connection.getInputStream().readNBytes(bytes);
      RawServer.reset(connection);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }
}
