package dev.onejob.server.ui.jobs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.onejob.domain.JobId;
import dev.onejob.server.access.Role;
import dev.onejob.server.testing.ApiAnswer;
import dev.onejob.server.testing.ApiClient;
import dev.onejob.server.testing.UiClient;
import dev.onejob.server.testing.UiNode;
import dev.onejob.server.testing.UiPage;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JobsListTest {
  @RegisterExtension static final UiNode NODE = new UiNode();

  private static final String HANG = "{\"script\":{\"sandbox-a\":{\"outcome\":\"hang\"}}}";
  private static final String REFUSE = "{\"script\":{\"sandbox-a\":{\"outcome\":\"refuse\"}}}";

  @Test
  void an_owner_sees_their_own_jobs_and_an_operator_all() {
    String mine = submit("list-mine", "k", "{}");
    String theirs = submit("list-theirs", "k", "{}");

    assertThat(jobs(NODE.person(Role.CLIENT, "list-mine").get("/ui/jobs"))).containsExactly(mine);
    UiClient operator = NODE.person(Role.OPERATOR, "house");
    assertThat(jobs(operator.get("/ui/jobs"))).contains(mine, theirs);
    assertThat(jobs(operator.get("/ui/jobs?owner=list-theirs"))).containsExactly(theirs);
    assertThat(jobs(NODE.person(Role.CLIENT, "list-mine").get("/ui/jobs?owner=list-theirs")))
        .containsExactly(mine);
  }

  @Test
  void filters_narrow_the_list() {
    ApiClient client = NODE.client(Role.CLIENT, "filters");
    String doubtful = client.submit("hangs", "demo", HANG).at("/id");
    String tagged =
        client
            .submit("tagged", "{\"kind\":\"demo-race\",\"input\":{},\"tags\":[\"vip\"]}")
            .at("/id");
    String other = client.submit("refused", "demo", REFUSE).at("/id");
    awaitState(client, doubtful, "unknown");
    awaitState(client, tagged, "succeeded");
    UiClient person = NODE.person(Role.CLIENT, "filters");

    assertThat(jobs(person.get("/ui/jobs?state=unknown"))).containsExactly(doubtful);
    assertThat(jobs(person.get("/ui/jobs?state=succeeded"))).contains(tagged);
    assertThat(jobs(person.get("/ui/jobs?state=failed"))).doesNotContain(tagged, doubtful);
    assertThat(jobs(person.get("/ui/jobs?kind=demo-race"))).containsExactly(tagged);
    assertThat(jobs(person.get("/ui/jobs?tag=vip"))).containsExactly(tagged);
    assertThat(jobs(person.get("/ui/jobs?provider=sandbox-a")))
        .containsExactlyInAnyOrder(doubtful, tagged, other);
    assertThat(jobs(person.get("/ui/jobs?provider=nobody"))).isEmpty();
    assertThat(jobs(person.get("/ui/jobs?from=2020-01-01T00:00"))).hasSize(3);
    assertThat(jobs(person.get("/ui/jobs?to=2020-01-01T00:00"))).isEmpty();
    assertThat(jobs(person.get("/ui/jobs?from=2999-01-01T00:00"))).isEmpty();
    assertThat(person.get("/ui/jobs?kind=demo-race").text(".tag")).isEqualTo("vip");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "state=gone",
        "from=yesterday",
        "from=1969-12-31T23:59",
        "to=+10000-01-01T00:00:00Z",
        "before=x",
        "kind=%00"
      })
  void a_filter_that_cannot_be_used_is_named(String query) {
    UiPage page = NODE.person(Role.CLIENT, "wrong").get("/ui/jobs?" + query);

    assertThat(page.status()).isEqualTo(400);
    assertThat(page.text(".problem")).contains("parameter-invalid");
  }

  @Test
  void pages_follow_each_other_without_a_gap_and_without_a_job_twice() throws SQLException {
    List<JobId> made = fill("pages", 120);
    UiClient person = NODE.person(Role.CLIENT, "pages");

    UiPage first = person.get("/ui/jobs?state=succeeded");
    UiPage second = person.get(first.document().select(".pager a").attr("href"));
    UiPage third = person.get(second.document().select(".pager a").attr("href"));

    List<String> all = new ArrayList<>(jobs(first));
    all.addAll(jobs(second));
    all.addAll(jobs(third));
    assertThat(all)
        .containsExactlyElementsOf(made.reversed().stream().map(JobId::toString).toList());
    assertThat(third.document().select(".pager")).isEmpty();
  }

  @Test
  void what_is_rare_is_found_over_many_steps_without_a_gap_and_without_a_job_twice()
      throws SQLException {
    List<JobId> made = fill("steps", 4 * JobsReader.STEP);
    tagEvery(20, "steps");
    JobsReader reader = new JobsReader(NODE.dataSource(), () -> 0);

    JobsReader.Page first = reader.list("steps", tagged("rare"));
    JobsReader.Page second =
        reader.list("steps", tagged("rare").before(Objects.requireNonNull(first.goesOnBefore())));

    List<JobId> found = new ArrayList<>();
    Stream.of(first, second).forEach(page -> page.jobs().forEach(job -> found.add(job.id())));
    assertThat(first.jobs()).hasSize(JobsReader.PAGE);
    assertThat(found)
        .containsExactlyElementsOf(
            IntStream.range(0, made.size())
                .filter(i -> i % 20 == 0)
                .mapToObj(made::get)
                .toList()
                .reversed());
    assertThat(second.goesOnBefore()).isNull();
  }

  @Test
  void a_slow_database_ends_a_page_early_which_says_how_far_it_looked_and_goes_on_from_there()
      throws SQLException {
    List<JobId> made = fill("slow", 3 * JobsReader.STEP);
    tagEvery(made.size(), "slow");
    AtomicLong looks = new AtomicLong();
    Duration most = JobsReader.PAGE_LOOKS_MAX;
    JobsReader slow =
        new JobsReader(NODE.dataSource(), () -> looks.getAndIncrement() * most.toNanos() / 2);

    JobsReader.Page early = slow.list("slow", tagged("rare"));

    assertThat(early.jobs()).isEmpty();
    assertThat(early.lookedAt()).isEqualTo(2 * JobsReader.STEP);
    assertThat(early.goesOnBefore()).isEqualTo(made.get(JobsReader.STEP));
    JobsReader.Page rest = slow.list("slow", tagged("rare").before(made.get(JobsReader.STEP)));
    assertThat(rest.jobs()).extracting(JobRow::id).containsExactly(made.getFirst());
  }

  @Test
  void a_page_shows_one_moment_whatever_changes_between_its_steps() throws SQLException {
    List<JobId> made = fill("moment", 2 * JobsReader.STEP);
    tagEvery(made.size(), "moment");
    AtomicLong looks = new AtomicLong();
    JobsReader reader =
        new JobsReader(
            NODE.dataSource(),
            () -> {
              if (looks.getAndIncrement() == 1) { // after the first step
                tagEvery(100, "moment");
              }
              return 0;
            });

    JobsReader.Page page = reader.list("moment", tagged("rare"));

    assertThat(page.jobs()).extracting(JobRow::id).containsExactly(made.getFirst());
    assertThat(reader.list("moment", tagged("rare")).jobs()).hasSize(10);
  }

  @Test
  void no_page_looks_at_more_jobs_than_the_bound() throws SQLException {
    List<JobId> made = fill("bound", JobsReader.LOOKED_AT_MAX + 1);
    tagEvery(made.size(), "bound");

    JobsReader.Page page = new JobsReader(NODE.dataSource(), () -> 0).list("bound", tagged("rare"));

    assertThat(page.jobs()).isEmpty();
    assertThat(page.lookedAt()).isEqualTo(JobsReader.LOOKED_AT_MAX);
    assertThat(page.goesOnBefore()).isEqualTo(made.get(1));
    assertThat(NODE.person(Role.CLIENT, "bound").get("/ui/jobs?tag=none").text(".empty"))
        .startsWith("None among the ");
  }

  private static JobFilters tagged(String tag) {
    return new JobFilters(null, null, null, null, tag, null, null, null);
  }

  /** The oldest, and from there on every so many. */
  private static void tagEvery(int step, String owner) {
    String tag =
        """
        UPDATE onejob.job SET tags = '{rare}'
         WHERE owner = '%s' AND replace(key, 'filled-', '')::int %% %d = 0
        """;
    try {
      run(tag.formatted(owner, step));
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void a_search_by_id_attempt_key_or_providers_id_leads_to_the_job() throws SQLException {
    ApiClient client = NODE.client(Role.CLIENT, "seek");
    ApiAnswer made = client.submit("the-key-17", "demo", "{}");
    String job = made.at("/id");
    awaitState(client, job, "succeeded");
    String attempt = client.get("/v1/jobs/" + job).at("/attempts/0/id");
    run(
        """
        UPDATE onejob.attempt SET provider_ref = 'ref/17'
         WHERE job_id = (SELECT id FROM onejob.job WHERE owner = 'seek')
        """);
    UiClient person = NODE.person(Role.CLIENT, "seek");
    UiClient operator = NODE.person(Role.OPERATOR, "house");

    for (String text : List.of(job, attempt, "the-key-17", "%22the-key-17%22", "ref/17")) {
      for (UiClient each : List.of(person, operator)) {
        UiPage found = each.get("/ui/jobs?q=" + text);
        assertThat(found.status()).isEqualTo(303);
        assertThat(found.header("Location")).isEqualTo("/ui/jobs/" + job);
      }
      UiPage foreign = NODE.person(Role.CLIENT, "stranger").get("/ui/jobs?q=" + text);
      assertThat(foreign.status()).isEqualTo(200);
      assertThat(foreign.text(".empty")).contains("Nothing is called so");
    }
  }

  @Test
  void a_key_that_several_owners_have_is_a_list_for_the_operator() {
    String one = submit("twins-1", "twin-key", "{}");
    String two = submit("twins-2", "twin-key", "{}");

    assertThat(jobs(NODE.person(Role.OPERATOR, "house").get("/ui/jobs?q=twin-key")))
        .containsExactlyInAnyOrder(one, two);
  }

  @Test
  void a_state_that_no_job_has_is_answered_by_the_index_alone() throws SQLException {
    fill("calm", JobsReader.LOOKED_AT_MAX + 1);
    UiClient person = NODE.person(Role.CLIENT, "calm");

    UiPage page = person.get("/ui/jobs?state=unknown");

    assertThat(page.text(".empty")).isEqualTo("No jobs.");
    assertThat(page.document().select(".pager")).isEmpty();
  }

  @Test
  void a_search_says_that_not_all_owners_were_looked_at_and_looks_at_one_that_is_named()
      throws SQLException {
    run(
        """
        INSERT INTO onejob.job (id, owner, key, kind, effect, fingerprint_version, fingerprint,
          input, route, priority, tags, state, version, completed_by, live, starting, in_doubt,
          attempts_started, attempts_allowed, contested, when_unqualified, result_format, result,
          ended_at)
        SELECT gen_random_uuid(), 'zz-' || lpad(n::text, 4, '0'), 'crowd-' || n, 'demo',
               'exclusive', 1, decode(repeat('00', 32), 'hex'), '{}', '{sandbox-a}', 0, '{}',
               'succeeded', 1, gen_random_uuid(), 0, 0, 0, 1, 3, false, 'wait', 'json', '{}',
               clock_timestamp()
          FROM generate_series(1, 2100) AS n
        """);
    try {
      UiClient operator = NODE.person(Role.OPERATOR, "house");

      UiPage unseen = operator.get("/ui/jobs?q=crowd-2100");
      assertThat(unseen.text("#partly")).contains("2,000 owners", "Filter by the owner");
      UiPage seen = operator.get("/ui/jobs?q=crowd-1");
      assertThat(jobs(seen)).hasSize(1);
      assertThat(seen.text("#partly")).contains("Not everything");
      UiPage named = operator.get("/ui/jobs?owner=zz-2100&q=crowd-2100");
      assertThat(named.status()).isEqualTo(303);
      assertThat(
              operator
                  .get("/ui/jobs?owner=zz-2100")
                  .document()
                  .select("form[role=search] [name=owner]")
                  .attr("value"))
          .isEqualTo("zz-2100");
      assertThat(NODE.person(Role.CLIENT, "zz-1").get("/ui/jobs?q=crowd-2").text(".empty"))
          .contains("Nothing is called so");
    } finally {
      run("DELETE FROM onejob.job WHERE owner LIKE 'zz-%'");
    }
  }

  @Test
  void ids_of_a_moment_begin_with_its_milliseconds() {
    Instant moment = Instant.parse("2026-11-30T12:00:00.123Z");
    JobId then = JobId.next(moment.toEpochMilli(), new Random(1));

    assertThat(JobsReader.first(moment).toString()).isLessThan(then.uuid().toString());
    assertThat(JobsReader.first(moment.plusMillis(1)).toString())
        .isGreaterThan(then.uuid().toString());
  }

  private static final String FILL =
      """
      INSERT INTO onejob.job (id, owner, key, kind, effect, fingerprint_version, fingerprint, input,
        route, priority, tags, state, version, completed_by, live, starting, in_doubt,
        attempts_started, attempts_allowed, contested, when_unqualified, result_format, result,
        ended_at)
      VALUES (?, ?, ?, 'demo', 'exclusive', 1, decode(repeat('00', 32), 'hex'), '{}', '{sandbox-a}',
        0, '{}', 'succeeded', 1, ?, 0, 0, 0, 1, 3, false, 'wait', 'json', '{}', clock_timestamp())
      """;

  private static List<JobId> fill(String owner, int count) throws SQLException {
    List<JobId> made = new ArrayList<>();
    try (Connection connection = NODE.dataSource().getConnection();
        PreparedStatement insert = connection.prepareStatement(FILL)) {
      for (int i = 0; i < count; i++) {
        JobId id = JobId.next(1_700_000_000_000L + i, new Random(owner.hashCode() + (long) i));
        insert.setObject(1, id.uuid());
        insert.setString(2, owner);
        insert.setString(3, "filled-" + i);
        insert.setObject(4, UUID.randomUUID());
        insert.addBatch();
        made.add(id);
      }
      insert.executeBatch();
    }
    return made;
  }

  private static String submit(String owner, String key, String input) {
    return NODE.client(Role.CLIENT, owner).submit(key, "demo", input).at("/id");
  }

  private static List<String> jobs(UiPage page) {
    assertThat(page.status()).isEqualTo(200);
    return page.document().select("tbody a.id").eachText();
  }

  private static void awaitState(ApiClient client, String job, String state) {
    await()
        .atMost(Duration.ofSeconds(60))
        .until(() -> client.get("/v1/jobs/" + job).at("/state").equals(state));
  }

  private static void run(String sql) throws SQLException {
    try (Connection connection = NODE.dataSource().getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}
