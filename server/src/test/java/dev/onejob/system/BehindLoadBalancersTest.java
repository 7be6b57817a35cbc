package dev.onejob.system;

import static dev.onejob.system.TwoNodes.atOnce;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.onejob.domain.JobId;
import dev.onejob.domain.Limits;
import dev.onejob.server.testing.ApiAnswer;
import dev.onejob.server.testing.ApiClient;
import dev.onejob.testkit.PostgresExtension;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Two nodes behind the shipped configurations of nginx and HAProxy, with retry of POSTs on. */
@Tag("process")
@EnabledIf(value = "areInstalled", disabledReason = "nginx and haproxy are not both installed")
class BehindLoadBalancersTest {
  private static final int KEYS = 500;
  private static final int CLIENTS = 24;
  private static final int ANSWERED_BEFORE_THE_KILL = 120;

  /** Half a second each, so that whenever a node is killed requests wait inside it. */
  private static final String SLOW =
      "{\"script\":{\"sandbox-a\":{\"answer_after_ms\":500}},\"n\":%d}";

  @RegisterExtension final PostgresExtension postgres = new PostgresExtension();

  @TempDir Path folder;

  static boolean areInstalled() {
    return LoadBalancer.areInstalled();
  }

  enum Balancer {
    NGINX,
    HAPROXY;

    LoadBalancer before(Path folder, URI... nodes) throws IOException {
      return switch (this) {
        case NGINX -> LoadBalancer.nginx(folder, nodes);
        case HAPROXY -> LoadBalancer.haproxy(folder, nodes);
      };
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_node_killed_mid_request_costs_no_key_its_job_and_no_client_its_answer(Balancer balancer)
      throws Exception {
    try (TwoNodes nodes = new TwoNodes(postgres.url(), folder);
        LoadBalancer entrance = balancer.before(folder, nodes.first.uri(), nodes.second.uri())) {
      ApiClient client = new ApiClient(entrance.uri(), nodes.first.firstKey("client"));
      Semaphore room = new Semaphore(CLIENTS);
      AtomicInteger answered = new AtomicInteger();
      List<Callable<ApiAnswer>> submits = new ArrayList<>();
      for (int i = 0; i < KEYS; i++) {
        int n = i;
        submits.add(
            () -> {
              room.acquire();
              try {
                return waiting(client, "key-" + n, SLOW.formatted(n), 2);
              } finally {
                answered.incrementAndGet();
                room.release();
              }
            });
      }
      CompletableFuture<Void> killed =
          CompletableFuture.runAsync(
              () -> {
                await()
                    .atMost(Duration.ofSeconds(60))
                    .pollInterval(Duration.ofMillis(5))
                    .until(() -> answered.get() >= ANSWERED_BEFORE_THE_KILL);
                nodes.first.kill();
              });

      List<ApiAnswer> answers = atOnce(submits);

      killed.join();
      assertThat(answers)
          .allSatisfy(answer -> assertThat(answer.status()).as(answer.text()).isIn(200, 201));
      Map<String, String> told = new HashMap<>();
      answers.forEach(answer -> told.put(answer.at("/key"), answer.at("/id")));
      assertThat(told).isEqualTo(jobs()).hasSize(KEYS);
      // Some had reached their job before the node died: their second request found it.
      assertThat(answers).anyMatch(answer -> answer.header("Idempotency-Replayed").isPresent());
    }
  }

  @ParameterizedTest
  @EnumSource
  void all_requests_of_a_key_meet_the_same_node_and_keys_are_spread(Balancer balancer)
      throws Exception {
    try (NamedNode first = new NamedNode("first");
        NamedNode second = new NamedNode("second");
        LoadBalancer entrance = balancer.before(folder, first.uri(), second.uri())) {
      Set<String> met =
          IntStream.range(0, 40)
              .mapToObj(i -> NamedNode.met(entrance.uri(), "key-" + i / 4) + " key-" + i / 4)
              .collect(Collectors.toSet());

      assertThat(met).hasSize(10); // four requests of each of ten keys, and never a second node
      assertThat(met).anyMatch(each -> each.startsWith("first"));
      assertThat(met).anyMatch(each -> each.startsWith("second"));
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_post_without_a_key_is_not_sent_to_a_second_node(Balancer balancer) throws Exception {
    try (NamedNode first = new NamedNode("first");
        NamedNode second = new NamedNode("second");
        LoadBalancer entrance = balancer.before(folder, first.uri(), second.uri())) {
      first.dropsPosts();
      second.dropsPosts();

      NamedNode.post(entrance.uri().resolve("/v1/keys"));

      assertThat(first.posts() + second.posts()).isEqualTo(1);
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_submit_is(Balancer balancer) throws Exception {
    try (NamedNode first = new NamedNode("first");
        NamedNode second = new NamedNode("second");
        LoadBalancer entrance = balancer.before(folder, first.uri(), second.uri())) {
      first.dropsPosts();
      second.dropsPosts();

      NamedNode.post(entrance.uri().resolve("/v1/jobs"));

      assertThat(first.posts()).isPositive();
      assertThat(second.posts()).isPositive();
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_stream_comes_out_as_it_is_written(Balancer balancer) throws Exception {
    try (NamedNode node = new NamedNode("first");
        NamedNode other = new NamedNode("second");
        LoadBalancer entrance = balancer.before(folder, node.uri(), other.uri())) {
      assertThat(NamedNode.firstLineOfAnEndlessStream(entrance.uri())).isEqualTo("data: 1");
    }
  }

  @ParameterizedTest
  @EnumSource
  void the_largest_body_passes_and_one_byte_more_is_refused(Balancer balancer) throws Exception {
    try (TwoNodes nodes = new TwoNodes(postgres.url(), folder);
        LoadBalancer entrance = balancer.before(folder, nodes.first.uri(), nodes.second.uri())) {
      ApiClient client = new ApiClient(entrance.uri(), nodes.first.firstKey("client"));
      String input = "x".repeat(Limits.INPUT_BYTES_MAX - 2);

      assertThat(client.submit("large", "demo", '"' + input + '"').status()).isEqualTo(201);
      // As large as a body may be, and only its input too large: it is the node that says so.
      String half = '"' + "x".repeat(Limits.BODY_BYTES_MAX / 2 - 100) + '"';
      String body = "{\"kind\":\"demo\",\"input\":[" + half + ',' + half + "]}";
      body = body + " ".repeat(Limits.BODY_BYTES_MAX - body.length());
      assertThat(client.submit("too-large-an-input", body).code()).isEqualTo("input-too-large");
      assertThat(NamedNode.statusOfPost(entrance.uri().resolve("/v1/jobs"), body + " "))
          .isEqualTo(413);
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_long_poll_holds_through_it(Balancer balancer) throws Exception {
    try (TwoNodes nodes = new TwoNodes(postgres.url(), folder);
        LoadBalancer entrance = balancer.before(folder, nodes.first.uri(), nodes.second.uri())) {
      ApiClient client = new ApiClient(entrance.uri(), nodes.first.firstKey("client"));
      String slow =
          "{\"script\":{\"sandbox-a\":{\"accept_after_ms\":100,\"answer_after_ms\":4500}}}";

      ApiAnswer answer = waiting(client, "k", slow, 60);

      assertThat(answer.at("/state")).isEqualTo("succeeded");
    }
  }

  @Test
  void both_are_more_patient_than_the_longest_wait() throws IOException {
    Path deploy = Path.of("../deploy");
    String nginx = Files.readString(deploy.resolve("nginx/onejob.conf"));
    String haproxy = Files.readString(deploy.resolve("haproxy/haproxy.cfg"));

    assertThat(number(nginx, "proxy_read_timeout (\\d+)s"))
        .isGreaterThan(Limits.WAIT_MAX.toSeconds());
    assertThat(number(haproxy, "timeout server (\\d+)s"))
        .isGreaterThan(Limits.WAIT_MAX.toSeconds());
    assertThat(number(haproxy, "timeout client (\\d+)s"))
        .isGreaterThan(Limits.WAIT_MAX.toSeconds());
    assertThat(number(nginx, "client_max_body_size (\\d+)k") * 1024)
        .isEqualTo(Limits.BODY_BYTES_MAX);
    assertThat(number(haproxy, "req.body_size gt (\\d+)")).isEqualTo(Limits.BODY_BYTES_MAX);
  }

  private static long number(String text, String pattern) {
    Matcher found = Pattern.compile(pattern).matcher(text);
    assertThat(found.find()).as(pattern).isTrue();
    return Long.parseLong(found.group(1));
  }

  private static ApiAnswer waiting(ApiClient client, String key, String input, int seconds) {
    return client.send(
        "POST",
        "/v1/jobs",
        "{\"kind\":\"demo\",\"input\":" + input + "}",
        Map.of("Idempotency-Key", key, "Prefer", "wait=" + seconds));
  }

  /** The jobs of the database: id by key. */
  private Map<String, String> jobs() throws Exception {
    Map<String, String> ids = new TreeMap<>();
    try (Connection connection = postgres.dataSource().getConnection();
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("SELECT key, id FROM onejob.job")) {
      while (rows.next()) {
        ids.put(rows.getString(1), new JobId(rows.getObject(2, UUID.class)).toString());
      }
    }
    return ids;
  }
}
