package dev.onejob.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.onejob.domain.JobId;
import dev.onejob.domain.Owner;
import dev.onejob.store.DueJobs.Due;
import dev.onejob.store.DueJobs.Lane;
import dev.onejob.store.DueJobs.Look;
import dev.onejob.store.DueJobs.Turn;
import dev.onejob.testkit.PostgresExtension;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** In which order the due jobs of many owners are shown. */
class DueJobsTest {
  private static final Lane NORMAL = new Lane("test", "primary", 0);

  @RegisterExtension final PostgresExtension postgres = new PostgresExtension();

  private DueJobs dueJobs;

  @BeforeEach
  void open() {
    new StoreFixture(postgres.dataSource());
    Migrations.migrate(postgres.dataSource());
    dueJobs = new DueJobs(postgres.dataSource());
  }

  private static final String ADMIT =
      """
      INSERT INTO onejob.job (
        id, owner, key, kind, effect, fingerprint_version, fingerprint, input, route, priority,
        tags, state, version, live, starting, in_doubt, attempts_started, attempts_allowed, run_at,
        contested, when_unqualified)
      SELECT
        gen_random_uuid(), ?, n || '-' || ?, ?, 'exclusive', 1, sha256('x'), '{}',
        ARRAY['primary', 'fallback'], ?, '{}', 'queued', 0, 0, 0, 0, 0, 3,
        clock_timestamp() + ? * interval '1 s' + n * interval '1 microsecond', false, 'wait'
      FROM generate_series(1, ?) AS n
      """;

  private void admit(String owner, String kind, int priority, int dueInSeconds, int jobs) {
    try (Connection connection = postgres.dataSource().getConnection();
        PreparedStatement insert = connection.prepareStatement(ADMIT)) {
      insert.setString(1, owner);
      insert.setString(2, kind + priority + dueInSeconds);
      insert.setString(3, kind);
      insert.setInt(4, priority);
      insert.setInt(5, dueInSeconds);
      insert.setInt(6, jobs);
      insert.executeUpdate();
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private void due(String owner, int priority, int jobs) {
    admit(owner, "test", priority, -60, jobs);
  }

  private List<Due> look(int limit, Turn... turns) {
    return look(limit, List.of(), turns);
  }

  private List<Due> look(int limit, List<JobId> leftOut, Turn... turns) {
    return dueJobs.find(
        new Look(List.of("test"), List.of("primary"), Arrays.asList(turns), leftOut, limit));
  }

  private static List<String> owners(List<Due> due) {
    return due.stream().map(each -> each.owner().value()).toList();
  }

  private static Turn after(String owner) {
    return new Turn(NORMAL, new Owner(owner));
  }

  @Test
  void each_owner_gets_a_place_before_any_gets_a_second_one() {
    due("flood", 0, 50);
    due("quiet", 0, 1);
    due("third", 0, 2);

    assertThat(owners(look(6))).containsExactly("flood", "quiet", "third", "flood", "third");
    assertThat(owners(look(2))).containsExactly("flood", "quiet");
  }

  @Test
  void an_owner_alone_gets_every_place() {
    due("flood", 0, 50);

    assertThat(look(20)).hasSize(20);
  }

  @Test
  void a_higher_priority_goes_first_whoever_it_belongs_to() {
    due("flood", 0, 5);
    due("urgent", 9, 2);
    due("idle", -5, 1);

    assertThat(owners(look(10)))
        .containsExactly("urgent", "urgent", "flood", "flood", "flood", "flood", "flood", "idle");
  }

  @Test
  void turns_go_on_after_the_owner_who_was_served_last_and_go_round() {
    due("a", 0, 9);
    due("b", 0, 9);
    due("c", 0, 9);

    assertThat(owners(look(1, after("a")))).containsExactly("b");
    assertThat(owners(look(1, after("b")))).containsExactly("c");
    assertThat(owners(look(1, after("c")))).containsExactly("a");
    assertThat(owners(look(3, after("b")))).containsExactly("c", "a", "b");
    assertThat(owners(look(1, after("aa")))).containsExactly("b");
  }

  @Test
  void one_place_at_a_time_serves_a_hundred_owners_alike() {
    for (int i = 0; i < 100; i++) {
      due("owner-" + i, 0, 3);
    }
    List<String> served = new ArrayList<>();
    Turn turn = after("nobody-yet");
    List<JobId> gone = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      Due next = look(1, gone, turn).getFirst();
      served.add(next.owner().value());
      gone.add(next.id());
      turn = after(next.owner().value());
    }

    assertThat(served.stream().distinct()).hasSize(100);
    assertThat(served).allMatch(owner -> Collections.frequency(served, owner) == 2);
  }

  @Test
  void what_is_not_due_what_is_on_its_way_and_what_has_no_room_hides_nothing() {
    admit("later", "test", 0, 3600, 30);
    admit("crowd", "without-room", 50, -60, 30);
    due("b", 0, 3);
    List<JobId> onTheirWay = look(2).stream().map(Due::id).toList();

    assertThat(owners(look(5, onTheirWay))).containsExactly("b");
  }

  @Test
  void an_owner_whose_only_job_is_on_its_way_takes_no_place() {
    due("a", 0, 1);
    due("b", 0, 1);
    List<JobId> onItsWay = look(1).stream().map(Due::id).toList();

    assertThat(owners(look(1, onItsWay))).containsExactly("b");
  }

  @Test
  void the_one_job_of_an_owner_is_found_at_once_behind_a_hundred_thousand_of_another() {
    due("a-flood", 0, 100_000);
    due("z-quiet", 0, 1);

    List<Due> shown = look(10);
    Duration took = Duration.ofDays(1);
    for (int i = 0; i < 5; i++) { // the quickest: something else may have held up the others
      long from = System.nanoTime();
      look(10);
      Duration once = Duration.ofNanos(System.nanoTime() - from);
      took = once.compareTo(took) < 0 ? once : took;
    }

    assertThat(owners(shown).subList(0, 2)).containsExactly("a-flood", "z-quiet");
    assertThat(took).isLessThan(Duration.ofMillis(500));
  }
}
