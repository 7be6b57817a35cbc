package dev.onejob.store;

import static dev.onejob.store.StoreFixture.PLAIN;
import static dev.onejob.store.TwoSessions.meanwhile;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.onejob.domain.Answer;
import dev.onejob.domain.AttemptId;
import dev.onejob.domain.AttemptState;
import dev.onejob.domain.Failure;
import dev.onejob.domain.JobEvent;
import dev.onejob.domain.JobId;
import dev.onejob.domain.StartCause;
import dev.onejob.store.Leases.Held;
import dev.onejob.store.Leases.Renewal;
import dev.onejob.testkit.PostgresExtension;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Who may extend a lease, and what the sweep makes of one. */
class LeasesTest {
  private static final Duration LEASE = Duration.ofMinutes(1);
  private static final Duration LONG = Duration.ofHours(1);
  private static final String LOCK_ATTEMPT =
      "SELECT 1 FROM onejob.attempt WHERE id = ? FOR NO KEY UPDATE";

  @RegisterExtension final PostgresExtension postgres = new PostgresExtension();

  private StoreFixture store;
  private Leases leases;

  @BeforeEach
  void open() {
    store = new StoreFixture(postgres.dataSource());
    leases = new Leases(postgres.dataSource());
  }

  private record Begun(JobId job, AttemptId attempt, UUID token) {
    Held held() {
      return new Held(attempt, token);
    }
  }

  private Begun begun(String key, Duration lease) {
    JobId job = store.admit(key, PLAIN);
    AttemptId attempt = StoreFixture.attemptId();
    UUID token = UUID.randomUUID();
    store.starts(
        List.of(
            new MoveRequest(
                job,
                new JobEvent.Start(attempt, StoreFixture.PRIMARY, StartCause.DISPATCH),
                new MoveRequest.Departure("node", token, lease.toMillis()))));
    return new Begun(job, attempt, token);
  }

  private Renewal renew(Held held) {
    return leases.renew(List.of(held), LONG).get(held.attempt());
  }

  private Instant leaseUntil(Begun begun) {
    return store.job(begun.job()).attempts().getFirst().leaseUntil();
  }

  private AttemptState state(Begun begun) {
    return store.life(begun.job()).attempts().getFirst().state();
  }

  private Optional<Answer> sweep(Begun begun) {
    return store.moves.move(
        new MoveRequest(
            begun.job(),
            new JobEvent.Doubt(begun.attempt()),
            new MoveRequest.LapsedLease(begun.token(), new Failure("lease-lapsed", "late"))));
  }

  @Test
  void its_holder_extends_it_to_its_whole_length_from_now() {
    Begun starting = begun("starting", LEASE);
    Begun running = begun("running", LEASE);
    store.moves.move(StoreFixture.accepted(running.job(), running.attempt()));

    Map<AttemptId, Renewal> renewals = leases.renew(List.of(starting.held(), running.held()), LONG);

    assertThat(renewals)
        .isEqualTo(Map.of(starting.attempt(), Renewal.RENEWED, running.attempt(), Renewal.RENEWED));
    assertThat(leaseUntil(starting)).isAfter(Instant.now().plus(LONG).minus(LEASE));
    assertThat(leaseUntil(running)).isAfter(Instant.now().plus(LONG).minus(LEASE));
  }

  @Test
  void another_token_extends_nothing() {
    Begun begun = begun("k", LEASE);

    assertThat(renew(new Held(begun.attempt(), UUID.randomUUID()))).isEqualTo(Renewal.REFUSED);
    assertThat(leaseUntil(begun)).isBefore(Instant.now().plus(LEASE).plusSeconds(30));
  }

  @Test
  void a_lapsed_lease_is_not_extended_even_before_the_sweep_has_found_it() {
    Begun begun = begun("k", Duration.ZERO);

    assertThat(renew(begun.held())).isEqualTo(Renewal.REFUSED);
    sweep(begun);
    assertThat(state(begun)).isEqualTo(AttemptState.UNKNOWN);
  }

  @Test
  void the_token_of_an_attempt_in_doubt_or_ended_or_unheard_of_extends_nothing() {
    Begun doubted = begun("doubted", LEASE);
    store.moves.move(StoreFixture.doubt(doubted.job(), doubted.attempt()));
    Begun ended = begun("ended", LEASE);
    store.claimSlots(List.of(StoreFixture.finish(ended.job(), ended.attempt(), 0)));
    Held unheardOf = new Held(StoreFixture.attemptId(), UUID.randomUUID());

    assertThat(leases.renew(List.of(doubted.held(), ended.held(), unheardOf), LONG))
        .hasSize(3)
        .values()
        .containsOnly(Renewal.REFUSED);
    assertThat(leaseUntil(doubted)).isNull();
    assertThat(leaseUntil(ended)).isNull();
  }

  @Test
  void an_attempt_in_the_hands_of_a_move_is_passed_over_and_keeps_no_other_waiting()
      throws Exception {
    Begun stuck = begun("stuck", LEASE);
    Begun free = begun("free", LEASE);
    try (TwoSessions two = new TwoSessions(postgres.dataSource())) {
      two.hold(LOCK_ATTEMPT, stuck.attempt().uuid());

      assertThat(leases.renew(List.of(stuck.held(), free.held()), LONG))
          .isEqualTo(Map.of(stuck.attempt(), Renewal.BUSY, free.attempt(), Renewal.RENEWED));
    }
    assertThat(renew(stuck.held())).isEqualTo(Renewal.RENEWED);
  }

  @Test
  void a_sweep_sees_the_leases_that_had_lapsed_at_its_moment_and_no_later_ones() {
    Instant before = store.sweeps.now();
    begun("k", Duration.ofMillis(1));

    await().until(() -> !lapsed(store.sweeps.now()).isEmpty());
    assertThat(lapsed(before)).isEmpty();
  }

  private List<Sweeps.Lapsed> lapsed(Instant asOf) {
    return store.sweeps.lapsed(asOf, new Sweeps.Look(List.of(), 10));
  }

  @Test
  void a_sweep_that_meets_a_renewal_under_way_waits_for_it_and_then_leaves_the_attempt_alone()
      throws Exception {
    Begun begun = begun("k", Duration.ZERO);
    try (TwoSessions two = new TwoSessions(postgres.dataSource())) {
      // As a renewal that found the lease still good, and commits only after it had lapsed.
      two.hold(
          "UPDATE onejob.attempt SET lease_until = clock_timestamp() + interval '1 min'"
              + " WHERE id = ?",
          begun.attempt().uuid());
      assertThat(store.sweeps.lapsed(store.sweeps.now(), new Sweeps.Look(List.of(), 10)))
          .hasSize(1);
      Future<Optional<Answer>> sweep = meanwhile(() -> sweep(begun));
      two.awaitBlocked(1);
      two.commit();

      assertThat(sweep.get(60, TimeUnit.SECONDS)).contains(new Answer.Repeated());
    }
    assertThat(state(begun)).isEqualTo(AttemptState.STARTING);
    assertThat(renew(begun.held())).isEqualTo(Renewal.RENEWED);
  }

  @Test
  void a_renewal_that_meets_a_sweep_under_way_extends_nothing() throws Exception {
    Begun begun = begun("k", LEASE);
    try (TwoSessions two = new TwoSessions(postgres.dataSource())) {
      two.hold(LOCK_ATTEMPT, begun.attempt().uuid());
      two.hold(
          """
          UPDATE onejob.attempt SET
            state = 'unknown', unknown_at = now(), lease_token = NULL, lease_until = NULL
          WHERE id = ?
          """,
          begun.attempt().uuid());
      assertThat(renew(begun.held())).isEqualTo(Renewal.BUSY);
      two.hold(
          "UPDATE onejob.job SET state = 'unknown', starting = 0, in_doubt = 1 WHERE id = ?",
          begun.job().uuid());
      two.commit();
    }
    assertThat(renew(begun.held())).isEqualTo(Renewal.REFUSED);
    assertThat(state(begun)).isEqualTo(AttemptState.UNKNOWN);
  }

  @Test
  void a_line_of_its_own_renews_and_says_when_it_is_broken() throws SQLException {
    Begun begun = begun("k", LEASE);
    try (Leases.Line line = leases.open(Duration.ofSeconds(5))) {
      assertThat(line.renew(List.of(begun.held()), LONG))
          .isEqualTo(Map.of(begun.attempt(), Renewal.RENEWED));
      cutEveryOther();
      assertThatThrownBy(() -> line.renew(List.of(begun.held()), LONG))
          .isInstanceOf(StoreException.class);
    }
  }

  private void cutEveryOther() throws SQLException {
    try (Connection connection = postgres.dataSource().getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(
          """
          SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity
          WHERE datname = current_database() AND pid <> pg_backend_pid()
          """);
    }
  }

  @Test
  void no_index_knows_the_end_of_a_lease_so_that_a_renewal_touches_none() throws SQLException {
    try (Connection connection = postgres.dataSource().getConnection();
        PreparedStatement statement =
            connection.prepareStatement(
                """
                SELECT count(*) AS indexes,
                       count(*) FILTER (WHERE indexdef LIKE '%lease_until%') AS knowing
                FROM pg_indexes WHERE schemaname = 'onejob' AND tablename = 'attempt'
                """);
        ResultSet rows = statement.executeQuery()) {
      rows.next();
      assertThat(rows.getInt("indexes")).isGreaterThanOrEqualTo(4);
      assertThat(rows.getInt("knowing")).isZero();
    }
  }
}
