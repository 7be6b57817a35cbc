package dev.onejob.server.webhooks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.onejob.domain.Delivery;
import dev.onejob.domain.Delivery.Outcome;
import dev.onejob.domain.Delivery.State;
import dev.onejob.domain.JobId;
import dev.onejob.domain.JobState;
import dev.onejob.domain.Webhook.Event;
import dev.onejob.domain.Webhook.Jobs;
import dev.onejob.domain.WebhookId;
import dev.onejob.engine.Access;
import dev.onejob.engine.Admitted;
import dev.onejob.engine.JobEngine;
import dev.onejob.server.webhooks.WebhookSettings.Scheme;
import dev.onejob.store.Deliveries;
import dev.onejob.store.Webhooks.Registered;
import dev.onejob.testkit.Engines;
import dev.onejob.testkit.PostgresExtension;
import dev.onejob.testkit.ScriptedProvider;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Events on their way, over real sockets, to names that the test gives a meaning. */
class SendingTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final String HOST = "receiver.test";

  @RegisterExtension final PostgresExtension postgres = new PostgresExtension();

  private final ScriptedProvider provider =
      new ScriptedProvider().always(ScriptedProvider.succeeded("{\"secret\":\"result\"}"));
  private final Deque<InetAddress[]> answers = new ArrayDeque<>();
  private final List<Sender> senders = new ArrayList<>();
  private final WebhookSettings settings = settings(Duration.ofSeconds(30));
  private JobEngine engine;
  private WebhookOffice office;
  private String secret = "";

  @BeforeEach
  void open() {
    engine =
        JobEngine.start(
            postgres.dataSource(),
            Engines.config(List.of(Engines.exclusive("plain", "a")), Map.of("a", provider)));
    office =
        new WebhookOffice(
            postgres.dataSource(),
            new Destinations(settings, this::resolve),
            InstantSource.system());
  }

  private static WebhookSettings settings(Duration timeout) {
    return new WebhookSettings(
        new AddressPolicy(
            AddressPolicy.Reach.PUBLIC, List.of(Network.of("127.0.0.1"), Network.of("127.5.0.1"))),
        Scheme.HTTP_TOO,
        timeout,
        Duration.ofDays(30));
  }

  @AfterEach
  void close() {
    senders.forEach(Sender::close);
    engine.close();
  }

  /** What the test has queued for the name, the last of it for ever; else the loopback. */
  private synchronized InetAddress[] resolve(String host) throws UnknownHostException {
    if (!host.equals(HOST)) {
      return InetAddress.getAllByName(host);
    }
    if (answers.isEmpty()) {
      return new InetAddress[] {InetAddress.getByName("127.0.0.1")};
    }
    return answers.size() == 1 ? answers.getFirst() : answers.removeFirst();
  }

  private synchronized void answer(String... addresses) throws UnknownHostException {
    InetAddress[] all = new InetAddress[addresses.length];
    for (int i = 0; i < all.length; i++) {
      all[i] = InetAddress.getByName(addresses[i]);
    }
    answers.add(all);
  }

  private Sender sender(String node) {
    return sender(node, settings);
  }

  private Sender sender(String node, WebhookSettings its) {
    Sender sender =
        new Sender(
            new Deliveries(postgres.dataSource()), its, this::resolve, node, TryListener.SILENT);
    senders.add(sender);
    sender.start();
    return sender;
  }

  private WebhookId register(String url) throws WebhookOffice.UnusableWish {
    WebhookOffice.Answer answer =
        office.register(
            new WebhookOffice.Wish(Engines.OWNER, "till", url, List.of(Event.values()), Jobs.ALL));
    secret = answer.secret();
    return ((Registered.Made) answer.registered()).webhook().id();
  }

  private JobId endJob(String key) {
    Admitted.Created created =
        (Admitted.Created) engine.submit(Engines.submission(key, "plain", "{\"secret\":\"in\"}"));
    await().atMost(PATIENCE).until(() -> state(created.id()).terminal());
    return created.id();
  }

  private JobState state(JobId job) {
    return engine.job(Access.ALL, job).orElseThrow().standing().state();
  }

  private Delivery only(WebhookId webhook) {
    return office.log().list(webhook, null, null, 10).getFirst();
  }

  private Delivery awaitTries(WebhookId webhook, int tries) {
    return await()
        .atMost(PATIENCE)
        .until(
            () -> only(webhook),
            d -> d.tries().stream().filter(t -> t.outcome() != null).count() >= tries);
  }

  private void sql(String text) throws SQLException {
    try (Connection connection = postgres.dataSource().getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(text);
    }
  }

  /** What waits is due: the pauses are not waited for. */
  private void makeDue() throws SQLException {
    sql("UPDATE onejob.webhook_delivery SET next_at = now() WHERE state = 'waiting'");
  }

  /** Case C50, mirrored: whoever is told reads the job at once, and finds it as it was told. */
  @Test
  void the_receiver_always_sees_the_state_that_it_was_told() throws Exception {
    Map<String, JobState> seen = new ConcurrentHashMap<>();
    try (Receiver receiver =
        Receiver.answering(
            one -> {
              String job = one.body().replaceFirst("(?s).*\"id\":\"(job_[^\"]+)\".*", "$1");
              seen.put(job, state(JobId.parse(job).orElseThrow()));
              return 204;
            })) {
      register(receiver.url("/hook?to=till"));
      sender("n1");
      sender("n2");
      List<JobId> jobs = Stream.of("a", "b", "c", "d", "e").map(this::endJob).toList();
      await().atMost(PATIENCE).until(() -> receiver.received().size() >= jobs.size());
      jobs.forEach(job -> assertThat(seen).containsEntry(job.toString(), JobState.SUCCEEDED));
      Receiver.Received first = receiver.received().getFirst();
      assertThat(first.method()).isEqualTo("POST");
      assertThat(first.isVerifiedBy(secret)).isTrue();
      assertThat(first.body())
          .contains("\"type\":\"job.ended\"", "\"state\":\"succeeded\"", "\"kind\":\"plain\"")
          .doesNotContain("secret");
    }
  }

  /** Case C52. */
  @Test
  void every_try_is_signed_anew_under_the_same_id_and_by_both_secrets_during_a_change()
      throws Exception {
    try (Receiver receiver = Receiver.answering(one -> 500)) {
      WebhookId webhook = register(receiver.url("/"));
      String first = secret;
      sender("n");
      endJob("k");
      awaitTries(webhook, 1);
      // An hour goes by, seen from the first try: what was signed then is stale now.
      sql("UPDATE onejob.webhook_delivery SET occurred_at = occurred_at - interval '1 hour'");
      sql("UPDATE onejob.webhook_try SET started_at = started_at - interval '1 hour'");
      String second = office.rotate(webhook, Duration.ofHours(1)).secret();
      receiver.answers(204);
      makeDue();
      Delivery delivered = awaitTries(webhook, 2);
      assertThat(delivered.state()).isEqualTo(State.DELIVERED);
      Receiver.Received last = receiver.received().getLast();
      assertThat(receiver.received()).extracting(Receiver.Received::id).containsOnly(last.id());
      assertThat(last.id()).isEqualTo(delivered.id().toString());
      assertThat(last.isVerifiedBy(first)).isTrue();
      assertThat(last.isVerifiedBy(second)).isTrue();
      assertThat(last.header("webhook-signature").split(" ")).hasSize(2);
      assertThat(receiver.received().getFirst().isVerifiedBy(second)).isFalse();
    }
  }

  /** Case C34. */
  @Test
  void a_name_that_comes_to_mean_another_machine_is_connected_to_at_no_try() throws Exception {
    try (ServerSocket forbidden = new ServerSocket(0, 5, InetAddress.getByName("127.0.0.2"))) {
      answer("127.5.0.1"); // at registration
      answer("127.0.0.2");
      answer("169.254.169.254");
      answer("127.0.0.1", "127.0.0.2");
      WebhookId webhook = register("http://" + HOST + ":" + forbidden.getLocalPort() + "/");
      sender("n");
      endJob("k");
      for (int tries = 1; tries <= 3; tries++) {
        awaitTries(webhook, tries);
        makeDue();
      }
      Delivery delivery = awaitTries(webhook, 4);
      assertThat(delivery.tries()).allSatisfy(t -> assertThat(t.status()).isNull());
      assertThat(delivery.tries()).extracting(Delivery.Try::outcome).containsOnly(Outcome.BLOCKED);
      assertThat(delivery.tries().getFirst().message()).doesNotContain("127.", "169.");
      forbidden.setSoTimeout(1);
      assertThat(connected(forbidden)).isFalse();
    }
  }

  private static boolean connected(ServerSocket socket) throws IOException {
    try {
      socket.accept().close();
      return true;
    } catch (SocketTimeoutException e) {
      return false;
    }
  }

  @Test
  void the_address_that_was_judged_is_the_one_that_is_connected_to() throws Exception {
    try (Receiver receiver = Receiver.answering(one -> 204)) {
      answer("127.0.0.1"); // at registration
      answer("127.0.0.1"); // when it is sent
      answer("10.0.0.1"); // would be found by a second look-up
      WebhookId webhook = register("http://" + HOST + ":" + receiver.port() + "/");
      sender("n");
      endJob("k");
      assertThat(awaitTries(webhook, 1).state()).isEqualTo(State.DELIVERED);
      assertThat(receiver.received().getFirst().header("host"))
          .isEqualTo(HOST + ":" + receiver.port());
    }
  }

  @Test
  void redirects_are_failures_and_no_word_of_an_answer_is_kept() throws Exception {
    try (Receiver receiver = Receiver.answering(one -> 307)) {
      WebhookId webhook = register(receiver.url("/"));
      sender("n");
      endJob("k");
      Delivery delivery = awaitTries(webhook, 1);
      assertThat(delivery.tries().getFirst().outcome()).isEqualTo(Outcome.REFUSED);
      assertThat(delivery.tries().getFirst().status()).isEqualTo(307);
      assertThat(delivery.tries().getFirst().message()).doesNotContain("secret");
      assertThat(receiver.received()).hasSize(1);
      assertThat(delivery.nextAt()).isNotNull();
    }
  }

  @Test
  void a_receiver_that_answers_410_is_left_alone() throws Exception {
    try (Receiver receiver = Receiver.answering(one -> 410)) {
      WebhookId webhook = register(receiver.url("/"));
      sender("n");
      endJob("k");
      assertThat(awaitTries(webhook, 1).state()).isEqualTo(State.FAILED);
      assertThat(office.webhooks().webhook(webhook).orElseThrow().disabledAt()).isNotNull();
      endJob("l");
      assertThat(office.log().list(webhook, null, null, 10)).hasSize(1);
    }
  }

  @Test
  void a_receiver_that_says_nothing_is_given_up_after_the_timeout_and_tried_again()
      throws Exception {
    try (ServerSocket silent = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
      WebhookId webhook = register("http://127.0.0.1:" + silent.getLocalPort() + "/");
      sender("n", settings(Duration.ofSeconds(1)));
      endJob("k");
      Delivery delivery = awaitTries(webhook, 1);
      assertThat(delivery.tries().getFirst().outcome()).isEqualTo(Outcome.UNANSWERED);
      assertThat(delivery.state()).isEqualTo(State.WAITING);
    }
  }

  @Test
  void what_nobody_takes_stays_in_the_log_as_failed_and_is_delivered_when_it_is_sent_again()
      throws Exception {
    try (Receiver receiver = Receiver.answering(one -> 503)) {
      WebhookId webhook = register(receiver.url("/"));
      sender("n");
      endJob("k");
      awaitTries(webhook, 1);
      sql("UPDATE onejob.webhook_delivery SET tries = 10, round_tries = 10");
      makeDue();
      await().atMost(PATIENCE).until(() -> only(webhook).state() == State.FAILED);
      receiver.answers(200);
      assertThat(office.deliveries().resend(only(webhook).id())).isEqualTo(Deliveries.Resent.DONE);
      await().atMost(PATIENCE).until(() -> only(webhook).state() == State.DELIVERED);
      assertThat(receiver.received())
          .extracting(Receiver.Received::id)
          .containsOnly(only(webhook).id().toString());
    }
  }

  @Test
  void what_a_node_left_between_the_commit_and_the_request_is_sent_by_another() throws Exception {
    try (Receiver receiver = Receiver.answering(one -> 204)) {
      WebhookId webhook = register(receiver.url("/"));
      endJob("k");
      Deliveries deliveries = new Deliveries(postgres.dataSource());
      assertThat(
              deliveries.take(
                  new Deliveries.Take("dead", 10, 10, 10, Map.of(), Duration.ofSeconds(2))))
          .hasSize(1);
      sender("alive");
      await().atMost(PATIENCE).until(() -> only(webhook).state() == State.DELIVERED);
      assertThat(only(webhook).tries())
          .extracting(t -> t.node() + " " + t.outcome())
          .containsExactly("dead null", "alive DELIVERED");
      assertThat(receiver.received()).hasSize(1);
    }
  }

  @Test
  void several_nodes_send_each_event_once_where_the_receiver_answers() throws Exception {
    try (Receiver receiver = Receiver.answering(one -> 204)) {
      register(receiver.url("/"));
      for (int i = 0; i < 20; i++) {
        engine.submit(Engines.submission("k" + i, "plain", "{}"));
      }
      sender("n1");
      sender("n2");
      sender("n3");
      await()
          .atMost(PATIENCE)
          .until(
              () ->
                  receiver.received().stream().map(Receiver.Received::id).distinct().count() == 20);
      assertThat(receiver.received()).extracting(Receiver.Received::id).doesNotHaveDuplicates();
    }
  }
}
