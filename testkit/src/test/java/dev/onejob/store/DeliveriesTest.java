package dev.onejob.store;

import static dev.onejob.store.StoreFixture.OWNER;
import static dev.onejob.store.StoreFixture.PLAIN;
import static dev.onejob.store.TwoSessions.meanwhile;
import static org.assertj.core.api.Assertions.assertThat;

import dev.onejob.domain.AttemptId;
import dev.onejob.domain.Delivery;
import dev.onejob.domain.Delivery.Outcome;
import dev.onejob.domain.Delivery.State;
import dev.onejob.domain.DeliveryId;
import dev.onejob.domain.JobId;
import dev.onejob.domain.Webhook.Jobs;
import dev.onejob.domain.WebhookId;
import dev.onejob.store.Deliveries.Came;
import dev.onejob.store.Deliveries.Resent;
import dev.onejob.store.Deliveries.Standing;
import dev.onejob.store.Deliveries.Take;
import dev.onejob.store.Deliveries.Taken;
import dev.onejob.store.Deliveries.TryEnd;
import dev.onejob.store.Webhooks.Rotated;
import dev.onejob.testkit.PostgresExtension;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Deliveries are taken by one node at a time, and their ends are written down. */
@Tag("race")
class DeliveriesTest {
  private static final Duration LONG = Duration.ofMinutes(10);
  private static final TryEnd TOLD = new TryEnd(Outcome.DELIVERED, 204, null, null);
  private static final TryEnd REFUSED =
      new TryEnd(Outcome.REFUSED, 500, "answered with status 500", Duration.ZERO);

  @RegisterExtension final PostgresExtension postgres = new PostgresExtension();

  private StoreFixture store;
  private Webhooks webhooks;
  private Deliveries deliveries;
  private DeliveryLog log;
  private WebhookId webhook;

  @BeforeEach
  void open() {
    store = new StoreFixture(postgres.dataSource());
    webhooks = new Webhooks(postgres.dataSource());
    deliveries = new Deliveries(postgres.dataSource());
    log = new DeliveryLog(postgres.dataSource());
    webhook = OutboxTest.register(webhooks, OWNER, "w", Jobs.ALL);
  }

  static List<Taken> take(Deliveries deliveries, String node) {
    return deliveries.take(new Take(node, 100, 100, 100, Map.of(), LONG));
  }

  private List<Taken> take(int limit, int limitEach, List<WebhookId> busy) {
    return deliveries.take(
        new Take(
            "n",
            limit,
            limitEach,
            100,
            busy.stream().collect(Collectors.toMap(b -> b, b -> 1)),
            LONG));
  }

  private void end(String key) {
    JobId job = store.admit(key, PLAIN);
    AttemptId attempt = store.started(job);
    long version = store.job(job).standing().version();
    store.claimSlots(List.of(StoreFixture.finish(job, attempt, version)));
  }

  private Delivery only() {
    return log.list(webhook, null, null, 10).getFirst();
  }

  private void sql(String text) throws SQLException {
    try (Connection connection = postgres.dataSource().getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(text);
    }
  }

  @Test
  void two_nodes_that_look_at_once_take_different_deliveries() throws Exception {
    for (int i = 0; i < 40; i++) {
      end("k" + i);
    }
    List<Future<List<Taken>>> nodes = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      String node = "n" + i;
      nodes.add(meanwhile(() -> take(deliveries, node)));
    }
    List<DeliveryId> all = new ArrayList<>();
    for (Future<List<Taken>> node : nodes) {
      node.get(60, TimeUnit.SECONDS).forEach(taken -> all.add(taken.id()));
    }
    take(deliveries, "last").forEach(taken -> all.add(taken.id())); // those that were skipped
    assertThat(all).hasSize(40);
    assertThat(new HashSet<>(all)).hasSize(40);
  }

  @Test
  void an_owner_has_a_bound_over_all_its_webhooks_and_owners_take_turns() throws SQLException {
    WebhookId second = OutboxTest.register(webhooks, OWNER, "w2", Jobs.ALL);
    for (int i = 0; i < 4; i++) {
      end("k" + i);
    }
    sql(
        "UPDATE onejob.webhook SET owner = 'another', place = 2 WHERE id = '%s'"
            .formatted(second.uuid()));
    WebhookId third = OutboxTest.register(webhooks, OWNER, "w3", Jobs.ALL);
    end("k5");
    sql("UPDATE onejob.webhook_delivery SET next_at = now() - interval '1 hour'");
    sql(
        "UPDATE onejob.webhook_delivery SET next_at = now() - interval '1 minute'"
            + " WHERE webhook_id = '%s'".formatted(second.uuid()));

    List<Taken> turns = deliveries.take(new Take("n", 2, 8, 3, Map.of(), LONG));
    List<Taken> more = deliveries.take(new Take("n", 100, 8, 3, Map.of(webhook, 2), LONG));

    assertThat(turns).extracting(Taken::webhook).containsOnlyOnce(second);
    assertThat(more.stream().filter(taken -> !taken.webhook().equals(second)).toList())
        .extracting(Taken::webhook)
        .containsExactly(third);
    assertThat(more.stream().filter(taken -> taken.webhook().equals(second)).toList()).hasSize(3);
  }

  @Test
  void what_a_dead_node_had_taken_is_tried_by_another_under_the_same_id() throws SQLException {
    end("k");
    Taken first = take(deliveries, "dead").getFirst();
    assertThat(take(deliveries, "other")).isEmpty();
    sql("UPDATE onejob.webhook_delivery SET next_at = now() - interval '1 second'");
    Taken second = take(deliveries, "other").getFirst();
    assertThat(second.id()).isEqualTo(first.id());
    assertThat(second.number()).isEqualTo(2);
    assertThat(deliveries.end(first, REFUSED)).isEqualTo(Came.OVERTAKEN);
    assertThat(only().state()).isEqualTo(State.WAITING);
    assertThat(deliveries.end(second, TOLD)).isEqualTo(Came.DELIVERED);
    assertThat(only().tries())
        .extracting(t -> t.number() + " " + t.node() + " " + t.outcome())
        .containsExactly("1 dead REFUSED", "2 other DELIVERED");
  }

  @Test
  void a_late_word_that_it_was_delivered_holds_and_stops_further_tries() throws SQLException {
    end("k");
    Taken first = take(deliveries, "slow").getFirst();
    sql("UPDATE onejob.webhook_delivery SET next_at = now() - interval '1 second'");
    Taken second = take(deliveries, "other").getFirst();
    assertThat(deliveries.end(first, TOLD)).isEqualTo(Came.DELIVERED);
    assertThat(deliveries.end(second, REFUSED)).isEqualTo(Came.OVERTAKEN);
    assertThat(only().state()).isEqualTo(State.DELIVERED);
    assertThat(take(deliveries, "n")).isEmpty();
  }

  @Test
  void a_webhook_that_answers_badly_is_tried_with_one_delivery_at_a_time() {
    for (int i = 0; i < 5; i++) {
      end("k" + i);
    }
    List<Taken> first = take(10, 3, List.of());
    assertThat(first).hasSize(3);
    first.forEach(taken -> deliveries.end(taken, REFUSED));
    assertThat(take(10, 3, List.of(webhook))).isEmpty();
    List<Taken> next = take(10, 3, List.of());
    assertThat(next).hasSize(1);
    deliveries.end(next.getFirst(), TOLD);
    assertThat(take(10, 3, List.of())).hasSize(3);
  }

  @Test
  void one_webhook_with_a_flood_leaves_room_for_the_others() {
    for (int i = 0; i < 20; i++) {
      end("k" + i);
    }
    WebhookId other = OutboxTest.register(webhooks, OWNER, "late", Jobs.ALL);
    end("last");
    assertThat(take(8, 4, List.of())).extracting(Taken::webhook).contains(other).hasSize(5);
  }

  @Test
  void what_failed_stays_visible_and_can_be_sent_again_under_its_id() {
    end("k");
    Taken taken = take(deliveries, "n").getFirst();
    assertThat(deliveries.resend(taken.id())).isEqualTo(Resent.UNDER_WAY);
    TryEnd last = new TryEnd(Outcome.UNANSWERED, null, "no answer", null);
    assertThat(deliveries.end(taken, last)).isEqualTo(Came.FAILED);
    assertThat(take(deliveries, "n")).isEmpty();
    assertThat(log.list(webhook, State.FAILED, null, 10)).hasSize(1);
    assertThat(deliveries.resend(taken.id())).isEqualTo(Resent.DONE);
    Taken again = take(deliveries, "n").getFirst();
    assertThat(again.id()).isEqualTo(taken.id());
    assertThat(again.number()).isEqualTo(2);
    assertThat(again.roundTries()).isEqualTo(1);
    deliveries.end(again, TOLD);
    assertThat(deliveries.resend(again.id())).isEqualTo(Resent.DONE);
  }

  @Test
  void a_wish_to_send_again_what_was_seen_holds_once_and_not_for_what_has_changed_since() {
    end("k");
    Taken taken = take(deliveries, "n").getFirst();
    Standing shown = standing();
    assertThat(deliveries.resend(taken.id(), shown)).isEqualTo(Resent.UNDER_WAY);
    deliveries.end(taken, TOLD);
    assertThat(deliveries.resend(taken.id(), shown)).isEqualTo(Resent.CHANGED);
    Standing delivered = standing();
    assertThat(delivered).isEqualTo(new Standing(State.DELIVERED, 1));
    assertThat(deliveries.resend(taken.id(), delivered)).isEqualTo(Resent.DONE);
    assertThat(deliveries.resend(taken.id(), delivered)).isEqualTo(Resent.CHANGED);
    deliveries.end(take(deliveries, "n").getFirst(), TOLD);
    assertThat(deliveries.resend(taken.id(), delivered)).isEqualTo(Resent.CHANGED);
    assertThat(take(deliveries, "n")).isEmpty();
    assertThat(standing()).isEqualTo(new Standing(State.DELIVERED, 2));
  }

  private Standing standing() {
    return new Standing(only().state(), only().triesInAll());
  }

  @Test
  void a_receiver_that_is_gone_hears_no_more() {
    end("first");
    end("second");
    Taken taken = take(10, 1, List.of()).getFirst();
    assertThat(deliveries.end(taken, new TryEnd(Outcome.GONE, 410, null, null)))
        .isEqualTo(Came.FAILED);
    assertThat(webhooks.webhook(webhook).orElseThrow().disabledAt()).isNotNull();
    assertThat(take(deliveries, "n")).isEmpty();
    end("third");
    assertThat(log.list(webhook, null, null, 10)).hasSize(2);
    assertThat(deliveries.giveUp(Duration.ofDays(7), 10)).isEqualTo(1);
    assertThat(log.list(webhook, State.FAILED, null, 10)).hasSize(2);
    assertThat(deliveries.resend(taken.id())).isEqualTo(Resent.NOT_IN_USE);
  }

  @Test
  void a_try_is_seen_to_have_ended_only_together_with_what_became_of_its_delivery()
      throws Exception {
    end("k");
    Taken taken = take(deliveries, "n").getFirst();
    Delivery seen;
    try (TwoSessions two = new TwoSessions(postgres.dataSource())) {
      two.hold("LOCK TABLE onejob.webhook_try IN ACCESS EXCLUSIVE MODE");
      Future<Delivery> reading = meanwhile(this::only); // cannot get at the tries
      two.awaitBlocked(1);
      two.hold(
          """
          UPDATE onejob.webhook_try SET
            outcome = 'gone', status = 410, message = 'no more', ended_at = clock_timestamp()
          WHERE delivery_id = ?
          """,
          taken.id().uuid());
      two.hold(
          """
          UPDATE onejob.webhook_delivery SET
            state = 'failed', next_at = NULL, ended_at = clock_timestamp()
          WHERE id = ?
          """,
          taken.id().uuid());
      two.commit();
      seen = reading.get(60, TimeUnit.SECONDS);
    }

    assertThat(seen.tries().getFirst().outcome() != null).isEqualTo(seen.state() == State.FAILED);
  }

  @Test
  void both_secrets_sign_during_the_overlap_and_a_leaked_one_at_no_time_more() throws SQLException {
    byte[] second = "2".repeat(32).getBytes(StandardCharsets.UTF_8);
    byte[] third = "3".repeat(32).getBytes(StandardCharsets.UTF_8);
    assertThat(webhooks.rotate(webhook, second, Duration.ofHours(1))).isEqualTo(Rotated.DONE);
    end("k");
    assertThat(take(deliveries, "n").getFirst().secrets()).containsExactly(second, new byte[32]);
    assertThat(webhooks.rotate(webhook, third, Duration.ZERO)).isEqualTo(Rotated.DONE);
    end("l");
    assertThat(take(deliveries, "n").getFirst().secrets()).containsExactly(third);
    webhooks.rotate(webhook, second, Duration.ofHours(1));
    sql("UPDATE onejob.webhook_secret SET valid_until = now() WHERE valid_until IS NOT NULL");
    end("m");
    assertThat(take(deliveries, "n").getFirst().secrets()).containsExactly(second);
    for (int i = 1; i < Webhooks.SECRETS_MAX; i++) {
      assertThat(webhooks.rotate(webhook, third, Duration.ofHours(1))).isEqualTo(Rotated.DONE);
    }
    assertThat(webhooks.rotate(webhook, third, LONG)).isEqualTo(Rotated.TOO_MANY);
    assertThat(webhooks.rotate(webhook, third, Duration.ZERO)).isEqualTo(Rotated.DONE);
  }

  @Test
  void what_ended_long_ago_is_forgotten_and_what_waits_is_not() throws SQLException {
    end("old");
    end("waits");
    Taken old = take(1, 1, List.of()).getFirst();
    deliveries.end(old, TOLD);
    assertThat(deliveries.forget(LONG, 10)).isZero();
    sql("UPDATE onejob.webhook_delivery SET ended_at = ended_at - interval '31 days'");
    assertThat(deliveries.forget(Duration.ofDays(30), 10)).isEqualTo(1);
    assertThat(log.delivery(old.id())).isEmpty();
    assertThat(log.list(webhook, null, null, 10)).hasSize(1);
    sql("UPDATE onejob.webhook_delivery SET round_since = now() - interval '8 days'");
    assertThat(deliveries.giveUp(Duration.ofDays(7), 10)).isEqualTo(1);
    assertThat(only().state()).isEqualTo(State.FAILED);
  }
}
