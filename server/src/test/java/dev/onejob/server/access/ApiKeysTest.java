package dev.onejob.server.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.onejob.domain.Owner;
import dev.onejob.server.access.ApiKeys.Withdrawal;
import dev.onejob.testkit.PostgresExtension;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** API keys on PostgreSQL. */
final class ApiKeysTest {
  private static final Owner SHOP = new Owner("shop");
  private static final int NODES = 8;

  @RegisterExtension final PostgresExtension postgres = new PostgresExtension();

  private final AtomicLong nanos = new AtomicLong();

  @BeforeEach
  void migrate() {
    ServerMigrations.migrate(postgres.dataSource());
  }

  private ApiKeys node() {
    return new ApiKeys(postgres.dataSource(), nanos::get);
  }

  @Test
  void a_key_is_found_by_its_secret_alone() {
    NewKey made = node().create("checkout", Role.CLIENT, SHOP);
    assertThat(made.secret()).matches("ojk_[A-Za-z0-9_-]{43}");
    assertThat(node().find(made.secret()))
        .contains(new Credential(made.key().id(), "checkout", Role.CLIENT, SHOP));
    assertThat(node().find(made.secret() + "x")).isEmpty();
    assertThat(node().find("")).isEmpty();
  }

  @Test
  void no_secret_is_kept_and_none_is_printed() throws Exception {
    NewKey made = node().create("checkout", Role.CLIENT, SHOP);
    assertThat(made.toString()).doesNotContain(made.secret());
    try (Connection connection = postgres.dataSource().getConnection();
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("SELECT k::text FROM onejob_server.api_key AS k")) {
      rows.next();
      assertThat(rows.getString(1)).doesNotContain(made.secret().substring(4));
    }
  }

  @Test
  void no_key_acts_for_the_service_itself_not_even_one_from_before_that_rule() throws Exception {
    Owner service = new Owner("onejob:qualification");
    assertThatThrownBy(() -> node().create("thief", Role.CLIENT, service))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("an owner does not begin with onejob:");
    NewKey made = node().create("checkout", Role.CLIENT, SHOP);
    try (Connection connection = postgres.dataSource().getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute("UPDATE onejob_server.api_key SET owner = 'onejob:qualification'");
    }
    assertThat(node().find(made.secret())).isEmpty();
  }

  @Test
  void a_withdrawn_key_opens_nothing_here_at_once_and_elsewhere_after_the_stated_time() {
    ApiKeys here = node();
    ApiKeys elsewhere = node();
    NewKey made = here.create("checkout", Role.CLIENT, SHOP);
    assertThat(here.find(made.secret())).isPresent();
    assertThat(elsewhere.find(made.secret())).isPresent();
    UUID by = here.create("house", Role.OPERATOR, SHOP).key().id();
    assertThat(here.withdraw(made.key().id(), by)).isEqualTo(Withdrawal.DONE);
    assertThat(here.find(made.secret())).isEmpty();
    nanos.addAndGet(ApiKeys.WITHDRAWAL_LAG_MAX.toNanos() - 1);
    assertThat(elsewhere.find(made.secret())).isPresent();
    nanos.addAndGet(1);
    assertThat(elsewhere.find(made.secret())).isEmpty();
  }

  @Test
  void a_key_is_looked_up_once_for_many_calls_in_a_short_time() throws Exception {
    ApiKeys keys = node();
    NewKey made = keys.create("checkout", Role.CLIENT, SHOP);
    keys.find(made.secret());
    try (Connection connection = postgres.dataSource().getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute("ALTER TABLE onejob_server.api_key RENAME TO gone");
    }
    assertThat(keys.find(made.secret())).isPresent();
    nanos.addAndGet(ApiKeys.WITHDRAWAL_LAG_MAX.toNanos());
    assertThatThrownBy(() -> keys.find(made.secret())).isInstanceOf(KeysUnavailable.class);
  }

  @Test
  void the_list_has_keys_in_use_first_and_keeps_withdrawn_ones() {
    ApiKeys keys = node();
    NewKey first = keys.create("first", Role.CLIENT, SHOP);
    NewKey second = keys.create("second", Role.WORKER, SHOP);
    NewKey third = keys.create("third", Role.OPERATOR, SHOP);
    keys.withdraw(third.key().id(), first.key().id());
    assertThat(keys.list())
        .extracting(ApiKey::id)
        .containsExactly(second.key().id(), first.key().id(), third.key().id());
    assertThat(keys.list().getLast().withdrawnAt()).isNotNull();
  }

  @Test
  void many_callers_of_one_key_ask_the_database_once() throws Exception {
    ApiKeys keys = node();
    String secret = keys.create("busy", Role.CLIENT, SHOP).secret();
    List<CompletableFuture<Optional<Credential>>> callers;
    try (Connection slow = postgres.dataSource().getConnection();
        Statement statement = slow.createStatement()) {
      slow.setAutoCommit(false);
      statement.execute("LOCK TABLE onejob_server.api_key IN ACCESS EXCLUSIVE MODE");
      callers = Stream.generate(() -> inItsOwnThread(() -> keys.find(secret))).limit(100).toList();
      await().until(() -> postgres.activeConnections() == 2);
      await()
          .during(Duration.ofMillis(300))
          .untilAsserted(() -> assertThat(postgres.activeConnections()).isEqualTo(2));
      slow.rollback();
    }
    assertThat(callers)
        .allSatisfy(caller -> assertThat(caller.get(60, TimeUnit.SECONDS)).isPresent());
  }

  private static <T> CompletableFuture<T> inItsOwnThread(Supplier<T> call) {
    return CompletableFuture.supplyAsync(call, task -> Thread.ofVirtual().start(task));
  }

  @Test
  void withdrawing_again_changes_nothing() {
    ApiKeys keys = node();
    NewKey made = keys.create("checkout", Role.CLIENT, SHOP);
    UUID by = keys.create("house", Role.OPERATOR, SHOP).key().id();
    assertThat(keys.withdraw(made.key().id(), by)).isEqualTo(Withdrawal.DONE);
    List<ApiKey> once = keys.list();
    assertThat(keys.withdraw(made.key().id(), by)).isEqualTo(Withdrawal.DONE);
    assertThat(keys.list()).isEqualTo(once);
    assertThat(keys.withdraw(UUID.randomUUID(), by)).isEqualTo(Withdrawal.NO_KEY);
    assertThatThrownBy(() -> keys.withdraw(by, by)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void of_two_keys_that_withdraw_each_other_at_once_one_stays() throws Exception {
    UUID one = node().create("one", Role.OPERATOR, SHOP).key().id();
    UUID other = node().create("other", Role.OPERATOR, SHOP).key().id();
    CompletableFuture<Withdrawal> first;
    CompletableFuture<Withdrawal> second;
    try (Connection slow = postgres.dataSource().getConnection();
        Statement statement = slow.createStatement()) {
      slow.setAutoCommit(false);
      statement.execute("SELECT id FROM onejob_server.api_key FOR UPDATE");
      first = inItsOwnThread(() -> node().withdraw(other, one));
      second = inItsOwnThread(() -> node().withdraw(one, other));
      await().until(() -> postgres.activeConnections() == 3);
      slow.rollback();
    }

    assertThat(List.of(first.get(60, TimeUnit.SECONDS), second.get(60, TimeUnit.SECONDS)))
        .containsExactlyInAnyOrder(Withdrawal.DONE, Withdrawal.BY_NO_KEY);
    assertThat(node().list()).filteredOn(key -> key.withdrawnAt() == null).hasSize(1);
  }

  @Test
  void of_many_nodes_that_start_at_once_one_gets_the_first_keys() throws Exception {
    CountDownLatch together = new CountDownLatch(NODES);
    Callable<Optional<FirstKeys>> start =
        () -> {
          together.countDown();
          together.await();
          return node().createFirst(SHOP, kept -> {});
        };
    List<Future<Optional<FirstKeys>>> starts;
    try (ExecutorService nodes = Executors.newFixedThreadPool(NODES)) {
      starts = nodes.invokeAll(Stream.generate(() -> start).limit(NODES).toList());
    }
    List<FirstKeys> made =
        starts.stream().map(Future::resultNow).flatMap(Optional::stream).toList();
    assertThat(made).hasSize(1);
    assertThat(node().list()).hasSize(2);
    assertThat(node().find(made.getFirst().operator()).orElseThrow().role())
        .isEqualTo(Role.OPERATOR);
    assertThat(node().find(made.getFirst().client()).orElseThrow())
        .extracting(Credential::role, Credential::owner)
        .containsExactly(Role.CLIENT, SHOP);
  }

  @Test
  void a_database_that_ever_had_a_key_gets_no_first_keys() {
    ApiKeys keys = node();
    UUID by = keys.create("older", Role.OPERATOR, SHOP).key().id();
    keys.withdraw(keys.create("old", Role.CLIENT, SHOP).key().id(), by);
    assertThat(keys.createFirst(SHOP, kept -> {})).isEmpty();
  }

  @Test
  void a_key_without_a_proper_name_is_not_made() {
    assertThatThrownBy(() -> node().create("", Role.CLIENT, SHOP))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("1 to 64");
    assertThatThrownBy(() -> node().create("x".repeat(65), Role.CLIENT, SHOP))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
