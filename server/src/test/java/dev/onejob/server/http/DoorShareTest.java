package dev.onejob.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.onejob.server.access.ApiKeys;
import dev.onejob.server.access.Role;
import dev.onejob.server.http.door.Door;
import dev.onejob.server.http.operation.Watching;
import dev.onejob.server.testing.ApiAnswer;
import dev.onejob.server.testing.ApiClient;
import dev.onejob.server.testing.ApiExtension;
import dev.onejob.testkit.ScriptedProvider;
import java.net.URI;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import tools.jackson.databind.node.JsonNodeFactory;

/** How much room of the OpenAI door one owner can take. */
final class DoorShareTest {
  private static final int SHARE = 512;
  private static final String CHAT = "/openai/v1/chat/completions";
  private static final String ASK = "{\"model\":\"gpt-x\",\"messages\":[]}";
  private static final String COMPLETION = "{\"id\":\"chatcmpl-1\",\"choices\":[]}";
  private static final Duration LONG = Duration.ofMinutes(5);
  private static final Map<String, String> KEY = Map.of("Idempotency-Key", "k");

  @RegisterExtension final ApiExtension api = new ApiExtension();

  private final ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor();
  private ApiServer server;

  @BeforeEach
  void open() {
    SequencedMap<String, String> kinds = new LinkedHashMap<>(Map.of("gpt-x", "plain"));
    Door door = new Door(kinds, new LinkedHashMap<>(), LONG, LONG, LONG, null);
    server =
        ApiServer.start(
            api.node().engine(),
            new ApiKeys(api.dataSource()),
            job -> JsonNodeFactory.instance.objectNode(),
            new ApiSettings("127.0.0.1", 0, Watching.NOBODY, door));
  }

  @AfterEach
  void close() {
    server.close();
    callers.close();
  }

  private ApiClient client(String owner) {
    URI uri = URI.create("http://127.0.0.1:" + server.port());
    return new ApiClient(uri, api.node().secret(Role.CLIENT, owner));
  }

  private static ApiAnswer ask(ApiClient client) {
    return client.send("POST", CHAT, ASK, KEY);
  }

  /** As many requests of one owner as it may have and one more, all joined to one job. */
  @Test
  void an_owner_with_its_share_of_the_places_is_told_to_come_later_and_keeps_nobody_out() {
    ApiClient shop = client("shop");
    List<CompletableFuture<ApiAnswer>> all =
        Stream.generate(() -> CompletableFuture.supplyAsync(() -> ask(shop), callers))
            .limit(SHARE + 1)
            .toList();
    ScriptedProvider.Call call = api.node().a.next();
    CompletableFuture<ApiAnswer> first = new CompletableFuture<>();
    all.forEach(each -> each.thenAccept(first::complete));
    ApiAnswer late = first.join();
    assertThat(late.status()).isEqualTo(429);
    assertThat(late.at("/error/code")).isEqualTo("owner_share_used");
    assertThat(late.at("/error/type")).isEqualTo("rate_limit_error");
    assertThat(late.header("Retry-After")).contains("1");
    assertThat(late.header("x-should-retry")).isEmpty();

    api.node().a.always(ScriptedProvider.succeeded(COMPLETION));
    assertThat(ask(client("another")).status()).isEqualTo(200);
    call.succeed(COMPLETION);
    assertThat(all.stream().filter(each -> each.join().status() == 200)).hasSize(SHARE);
    assertThat(ask(shop).status()).isEqualTo(200);
  }
}
