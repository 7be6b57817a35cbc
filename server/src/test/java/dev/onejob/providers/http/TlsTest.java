package dev.onejob.providers.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.onejob.testkit.RecordingWatch;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/** Real certificates, made by the JDK's own keytool. */
@Isolated
final class TlsTest {
  private static final char[] PASSWORD = "password".toCharArray();

  @TempDir Path folder;

  private SSLContext before;

  @BeforeEach
  void remember() throws GeneralSecurityException {
    before = SSLContext.getDefault();
  }

  @AfterEach
  void restore() {
    SSLContext.setDefault(before);
  }

  @Test
  void a_request_goes_over_tls_to_a_server_with_the_right_name() throws Exception {
    try (RawServer server = server("dns:localhost")) {
      assertThat(send(server)).isInstanceOf(Reply.Answer.class);
      assertThat(server.requests()).hasSize(1);
    }
  }

  @Test
  void nothing_is_sent_to_a_server_with_another_name() throws Exception {
    try (RawServer server = server("dns:elsewhere.example")) {
      assertThat(send(server)).isInstanceOf(Reply.NotSent.class);
      assertThat(server.requests()).isEmpty();
    }
  }

  @Test
  void nothing_is_sent_to_a_server_that_nobody_vouches_for() throws Exception {
    try (RawServer server = server("dns:localhost")) {
      SSLContext.setDefault(before);
      assertThat(send(server)).isInstanceOf(Reply.NotSent.class);
      assertThat(server.requests()).isEmpty();
    }
  }

  /** The name is looked up by nobody: there is no such host. */
  @Test
  void a_judged_address_is_connected_to_and_still_has_to_prove_the_name() throws Exception {
    try (RawServer server = server("dns:receiver.invalid")) {
      assertThat(sendTo(server, "receiver.invalid")).isInstanceOf(Reply.Answer.class);
      assertThat(sendTo(server, "other.invalid")).isInstanceOf(Reply.NotSent.class);
      assertThat(server.requests()).hasSize(1);
    }
  }

  private static Reply sendTo(RawServer server, String name) throws IOException {
    URI target = URI.create("https://" + name + ":" + server.uri().getPort() + "/");
    return PostTo.send(
        new Post(target, Map.of(), new byte[0]),
        List.of(InetAddress.getByName("localhost")),
        Duration.ofSeconds(20));
  }

  private static Reply send(RawServer server) throws InterruptedException {
    URI target = URI.create("https://localhost:" + server.uri().getPort() + "/");
    return OnePost.send(
        new Post(target, Map.of(), new byte[0]),
        Duration.ofSeconds(20),
        new RecordingWatch(),
        head -> {});
  }

  private RawServer server(String name) throws Exception {
    SSLContext context = context(store(name));
    SSLContext.setDefault(context);
    InetAddress localhost = InetAddress.getByName("localhost");
    ServerSocket socket = context.getServerSocketFactory().createServerSocket(0, 50, localhost);
    return RawServer.start(
        socket,
        connection -> RawServer.write(connection, RawServer.whole(200, "{}"), RawServer.End.CLOSE));
  }

  private Path store(String name) throws IOException, InterruptedException {
    Path file = folder.resolve("keys.p12");
    Path keytool = Path.of(System.getProperty("java.home"), "bin", "keytool");
    int exit =
        new ProcessBuilder(
                keytool.toString(),
                "-genkeypair",
                "-alias",
                "server",
                "-keyalg",
                "EC",
                "-dname",
                "CN=test",
                "-ext",
                "san=" + name,
                "-keystore",
                file.toString(),
                "-storepass",
                new String(PASSWORD))
            .inheritIO()
            .start()
            .waitFor();
    assertThat(exit).isZero();
    return file;
  }

  private static SSLContext context(Path file) throws Exception {
    KeyStore keys = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(file)) {
      keys.load(in, PASSWORD);
    }
    KeyManagerFactory own = KeyManagerFactory.getInstance("PKIX");
    own.init(keys, PASSWORD);
    TrustManagerFactory trusted = TrustManagerFactory.getInstance("PKIX");
    trusted.init(trusting(keys));
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(own.getKeyManagers(), trusted.getTrustManagers(), null);
    return context;
  }

  private static KeyStore trusting(KeyStore keys) throws Exception {
    KeyStore trust = KeyStore.getInstance("PKCS12");
    trust.load(null, PASSWORD);
    trust.setCertificateEntry("server", keys.getCertificate("server"));
    return trust;
  }
}
