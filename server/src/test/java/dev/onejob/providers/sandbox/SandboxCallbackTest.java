package dev.onejob.providers.sandbox;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.onejob.provider.Outcome;
import dev.onejob.provider.Provider;
import dev.onejob.provider.ProviderRequest;
import dev.onejob.providers.ProviderContext;
import dev.onejob.server.access.ServerMigrations;
import dev.onejob.testkit.PostgresExtension;
import dev.onejob.testkit.ProviderCall;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.node.JsonNodeFactory;

/** A sandbox that calls back. */
final class SandboxCallbackTest {
  private static final Duration AMPLE = Duration.ofSeconds(90);

  @RegisterExtension final PostgresExtension postgres = new PostgresExtension();

  private final List<String> heard = new CopyOnWriteArrayList<>();
  private volatile int status = 200;
  private SandboxServer sandbox;
  private HttpServer called;

  @BeforeEach
  void start() throws IOException {
    ServerMigrations.migrate(postgres.dataSource());
    sandbox = SandboxServer.start(new SandboxLedger(postgres.dataSource()), 0);
    called = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 50);
    called.createContext("/there", this::hear);
    called.start();
  }

  @AfterEach
  void close() {
    sandbox.close();
    called.stop(0);
  }

  private void hear(HttpExchange exchange) throws IOException {
    try (exchange) {
      heard.add(new String(exchange.getRequestBody().readAllBytes(), UTF_8));
      exchange.sendResponseHeaders(status, -1);
    }
  }

  private URI there() {
    return URI.create("http://127.0.0.1:" + called.getAddress().getPort() + "/there");
  }

  private Outcome call(String step, @Nullable URI callback) throws Exception {
    ProviderContext context = new ProviderContext(name -> null, Path.of("."), sandbox::uri);
    Provider provider =
        new SandboxType().create("s", JsonNodeFactory.instance.objectNode(), context);
    byte[] input = ("{\"script\":{\"s\":" + step + "}}").getBytes(UTF_8);
    ProviderRequest bare = ProviderCall.request(input, AMPLE, Duration.ZERO);
    ProviderRequest request =
        new ProviderRequest(
            bare.jobId(),
            bare.attemptId(),
            bare.number(),
            bare.owner(),
            bare.kind(),
            bare.providerKey(),
            input,
            bare.timeout(),
            bare.lateAnswerLimit(),
            callback);
    return ProviderCall.start(provider, request).outcome();
  }

  private void awaitHeard(int times) {
    await().atMost(AMPLE).until(() -> heard.size() == times);
  }

  @Test
  void it_calls_before_it_answers_if_the_script_says_so() throws Exception {
    call("{\"answer_after_ms\":1000,\"value\":7,\"callback\":{\"after_ms\":100}}", there());

    assertThat(heard).containsExactly("{\"outcome\":\"succeeded\",\"result\":7}");
  }

  @Test
  void it_calls_after_it_has_cut_the_connection_as_often_as_the_script_says() throws Exception {
    call("{\"outcome\":\"drop_after\",\"callback\":{\"after_ms\":1000,\"times\":2}}", there());
    int before = heard.size();
    awaitHeard(2);

    assertThat(before).isZero();
    assertThat(heard.getFirst()).contains("\"outcome\":\"succeeded\"", "\"provider\":\"s\"");
    assertThat(heard.getLast()).isEqualTo(heard.getFirst());
  }

  @Test
  void it_says_one_thing_after_the_other() throws Exception {
    call(
        """
        {"callback":[{"says":"failed","retryable":true,"retry_after_ms":1500},
                     {"says":"stopped","after_ms":300}]}
        """,
        there());
    awaitHeard(2);

    assertThat(heard)
        .containsExactly(
            "{\"outcome\":\"failed\",\"code\":\"sandbox-failed\","
                + "\"message\":\"failed, as the script says\",\"retryable\":true,"
                + "\"retry_after\":1.5}",
            "{\"outcome\":\"stopped\"}");
  }

  @Test
  void what_is_answered_with_503_is_sent_again_until_it_is_taken() throws Exception {
    status = 503;
    call("{\"callback\":{}}", there());
    await().atMost(AMPLE).until(() -> heard.size() >= 2);
    status = 200;
    int refused = heard.size();
    await().atMost(AMPLE).until(() -> heard.size() > refused);

    assertThat(heard).containsOnly(heard.getFirst());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {"callback":7}                      | script.s.callback: expected an object
          {"callback":{"afterwards":1}}       | script.s.callback.afterwards: unknown
          {"callback":[{"says":"perhaps"}]}   | script.s.callback[0].says: expected succeeded
          """)
  void a_mistake_in_the_script_is_refused_with_its_place(String step, String says)
      throws Exception {
    assertThat(call(step, there()))
        .isInstanceOfSatisfying(
            Outcome.Refused.class,
            refused -> assertThat(refused.failure().message()).contains(says));
    assertThat(heard).isEmpty();
  }

  @Test
  void without_an_address_a_script_that_calls_back_is_refused() throws Exception {
    assertThat(call("{\"callback\":{}}", null))
        .isInstanceOfSatisfying(
            Outcome.Refused.class,
            refused -> assertThat(refused.failure().message()).contains("server.public_url"));
  }
}
