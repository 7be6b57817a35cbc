package dev.onejob.store;

import static dev.onejob.store.StoreFixture.OWNER;
import static dev.onejob.store.StoreFixture.PLAIN;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.onejob.domain.Answer;
import dev.onejob.domain.AttemptId;
import dev.onejob.domain.Delivery;
import dev.onejob.domain.Delivery.State;
import dev.onejob.domain.JobEvent;
import dev.onejob.domain.JobId;
import dev.onejob.domain.JobState;
import dev.onejob.domain.Owner;
import dev.onejob.domain.Then;
import dev.onejob.domain.Verdict;
import dev.onejob.domain.Webhook;
import dev.onejob.domain.Webhook.Event;
import dev.onejob.domain.Webhook.Jobs;
import dev.onejob.domain.WebhookId;
import dev.onejob.testkit.PostgresExtension;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What webhooks are to hear is written in the transaction of the move that it tells of. */
@Tag("race")
class OutboxTest {
  static final List<Event> ALL_EVENTS = List.of(Event.ENDED, Event.IN_DOUBT);

  @RegisterExtension final PostgresExtension postgres = new PostgresExtension();

  private StoreFixture store;
  private Webhooks webhooks;
  private DeliveryLog log;

  @BeforeEach
  void open() {
    store = new StoreFixture(postgres.dataSource());
    webhooks = new Webhooks(postgres.dataSource());
    log = new DeliveryLog(postgres.dataSource());
  }

  static WebhookId register(Webhooks webhooks, Owner owner, String name, Jobs jobs) {
    Webhooks.Registered registered =
        webhooks.register(
            new Webhooks.NewWebhook(
                WebhookId.next(System.nanoTime() >>> 20, RandomGenerator.getDefault()),
                owner,
                name,
                "https://example.com/" + name,
                ALL_EVENTS,
                jobs,
                new byte[32]));
    return ((Webhooks.Registered.Made) registered).webhook().id();
  }

  private WebhookId register(String name, Jobs jobs) {
    return register(webhooks, OWNER, name, jobs);
  }

  private List<Delivery> told(WebhookId webhook) {
    return log.list(webhook, null, null, 100);
  }

  @Test
  void a_result_by_the_short_way_is_told_to_every_webhook_of_its_owner_and_to_no_other() {
    WebhookId first = register("first", Jobs.ALL);
    WebhookId second = register("second", Jobs.ALL);
    WebhookId foreign = register(webhooks, new Owner("another"), "first", Jobs.ALL);
    JobId job = store.admit("k", PLAIN);
    AttemptId attempt = store.started(job);
    long version = store.job(job).standing().version();
    assertThat(store.claimSlots(List.of(StoreFixture.finish(job, attempt, version))).getFirst())
        .containsInstanceOf(Answer.Moved.class);
    for (WebhookId each : List.of(first, second)) {
      assertThat(told(each)).hasSize(1);
      Delivery.News news = told(each).getFirst().news();
      assertThat(news.event()).isEqualTo(Event.ENDED);
      assertThat(news.job()).isEqualTo(job);
      assertThat(news.key().value()).isEqualTo("k");
      assertThat(news.jobState()).isEqualTo(JobState.SUCCEEDED);
      assertThat(news.occurredAt()).isEqualTo(store.job(job).endedAt());
    }
    assertThat(told(foreign)).isEmpty();
    assertThat(first).isNotEqualTo(second);
  }

  @Test
  void a_repeat_of_a_settle_tells_nothing_again() {
    WebhookId webhook = register("w", Jobs.ALL);
    JobId job = store.admit("k", PLAIN);
    AttemptId attempt = store.started(job);
    MoveRequest finish = StoreFixture.finish(job, attempt, store.job(job).standing().version());
    store.claimSlots(List.of(finish));
    store.claimSlots(List.of(finish));
    store.moves.move(finish);
    assertThat(told(webhook)).hasSize(1);
  }

  @Test
  void doubt_its_end_and_every_other_end_are_told_by_the_long_way() {
    WebhookId webhook = register("w", Jobs.ALL);
    JobId job = store.admit("k", PLAIN);
    AttemptId attempt = store.started(job);
    store.moves.move(StoreFixture.doubt(job, attempt));
    store.moves.move(StoreFixture.finish(job, attempt, store.job(job).standing().version()));
    JobId cancelled = store.admit("c", PLAIN);
    store.moves.move(MoveRequest.of(cancelled, new JobEvent.CancelRequest()));
    JobId waits = store.admit("d", PLAIN);
    AttemptId abandoned = store.started(waits);
    store.moves.move(StoreFixture.doubt(waits, abandoned));
    store.moves.move(
        StoreFixture.decision(
            waits,
            new JobEvent.Resolve(abandoned, Verdict.ABANDON, Then.WAIT),
            "abandon",
            Then.WAIT));

    assertThat(told(webhook).reversed())
        .extracting(d -> d.news().event() + " " + d.news().jobState() + " " + d.news().key())
        .containsExactly(
            "IN_DOUBT UNKNOWN k", "ENDED SUCCEEDED k", "ENDED CANCELLED c", "IN_DOUBT UNKNOWN d");
  }

  @Test
  void one_that_hears_of_named_jobs_hears_of_no_other() {
    WebhookId webhook = register("mine", Jobs.NAMED);
    NewJob plain = StoreFixture.newJob("plain", PLAIN);
    NewJob named =
        new NewJob(
            StoreFixture.jobId(),
            OWNER,
            StoreFixture.newJob("named", PLAIN).key(),
            plain.kind(),
            plain.effect(),
            plain.fingerprint(),
            plain.input(),
            plain.route(),
            null,
            null,
            0,
            List.of(),
            plain.rules(),
            "mine",
            /* contracted= */ false);
    store.admissions.admit(List.of(plain, named));
    for (NewJob each : List.of(plain, named)) {
      AttemptId attempt = store.started(each.id());
      long version = store.job(each.id()).standing().version();
      store.claimSlots(List.of(StoreFixture.finish(each.id(), attempt, version)));
    }
    assertThat(told(webhook)).extracting(d -> d.news().job()).containsExactly(named.id());
  }

  @Test
  void a_move_and_what_is_told_of_it_are_written_both_or_neither() throws SQLException {
    WebhookId webhook = register("w", Jobs.ALL);
    JobId job = store.admit("k", PLAIN);
    AttemptId attempt = store.started(job);
    MoveRequest finish = StoreFixture.finish(job, attempt, store.job(job).standing().version());
    sql("ALTER TABLE onejob.webhook_delivery ADD CONSTRAINT no CHECK (job_key <> 'k')");
    assertThatThrownBy(() -> store.claimSlots(List.of(finish))).isInstanceOf(StoreException.class);
    assertThatThrownBy(() -> store.moves.move(finish)).isInstanceOf(StoreException.class);
    assertThat(store.job(job).standing().state()).isEqualTo(JobState.RUNNING);
    assertThat(told(webhook)).isEmpty();
    sql("ALTER TABLE onejob.webhook_delivery DROP CONSTRAINT no");
    store.moves.move(finish);
    assertThat(told(webhook)).hasSize(1);
  }

  private void sql(String text) throws SQLException {
    try (Connection connection = postgres.dataSource().getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(text);
    }
  }

  @Test
  void a_settle_waits_for_nobody_who_removes_a_webhook_or_makes_it_a_new_secret() throws Exception {
    WebhookId webhook = register("w", Jobs.ALL);
    JobId job = store.admit("k", PLAIN);
    AttemptId attempt = store.started(job);
    long version = store.job(job).standing().version();
    try (TwoSessions other = new TwoSessions(postgres.dataSource())) {
      other.hold("DELETE FROM onejob.webhook WHERE id = ?::uuid", webhook.uuid().toString());
      assertThat(store.claimSlots(List.of(StoreFixture.finish(job, attempt, version))).getFirst())
          .containsInstanceOf(Answer.Moved.class);
      other.commit();
    }
    assertThat(told(webhook)).hasSize(1);
    Deliveries deliveries = new Deliveries(postgres.dataSource());
    assertThat(DeliveriesTest.take(deliveries, "n")).isEmpty();
    assertThat(deliveries.giveUp(Duration.ofDays(7), 10)).isEqualTo(1);
    assertThat(told(webhook)).extracting(Delivery::state).containsExactly(State.FAILED);
  }

  @Test
  void an_owner_has_so_many_webhooks_and_no_more_and_a_name_once() {
    for (int i = 0; i < Webhook.OWNED_MAX; i++) {
      register("w" + i, Jobs.ALL);
    }
    assertThat(register(webhooks, new Owner("other"), "w", Jobs.ALL)).isNotNull();
    assertThat(attempt("another")).isInstanceOf(Webhooks.Registered.Full.class);
    assertThat(attempt("w3")).isInstanceOf(Webhooks.Registered.NameTaken.class);
    webhooks.remove(webhooks.list(OWNER, null, 100).get(5).id());
    assertThat(attempt("another")).isInstanceOf(Webhooks.Registered.Made.class);
  }

  private Webhooks.Registered attempt(String name) {
    return webhooks.register(
        new Webhooks.NewWebhook(
            WebhookId.next(System.nanoTime() >>> 20, RandomGenerator.getDefault()),
            OWNER,
            name,
            "https://example.com",
            ALL_EVENTS,
            Jobs.ALL,
            new byte[24]));
  }
}
