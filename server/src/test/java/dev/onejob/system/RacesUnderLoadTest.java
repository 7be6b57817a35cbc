package dev.onejob.system;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.onejob.providers.http.OnePost;
import dev.onejob.server.testing.ApiAnswer;
import dev.onejob.server.testing.ApiClient;
import dev.onejob.testkit.PostgresExtension;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/**
 * Five hundred races on three nodes, between a fast and a slow provider, while two of them are
 * killed.
 */
@Tag("process")
class RacesUnderLoadTest {
  private static final int RACES = 500;
  private static final int CLIENTS = 30;

  /** After how many submissions which node is killed. */
  private static final Map<Integer, Integer> KILLS = Map.of(RACES / 5, 1, 3 * RACES / 5, 2);

  /** Whose first provider is slow, so that the second wins, and the other way round. */
  private static final String SLOW_FIRST = script(1_500, 100);

  private static final String FAST_FIRST = script(500, 1_500);

  /** What has no result yet, or an attempt that is not over though its node lives, whole. */
  private static final String UNFINISHED =
      """
      SELECT to_jsonb(j)::text || (
        SELECT string_agg(to_jsonb(a)::text, chr(10) ORDER BY a.number)
        FROM onejob.attempt AS a
        WHERE a.job_id = j.id)
      FROM onejob.job AS j
      WHERE j.state <> 'succeeded' OR EXISTS (
        SELECT
        FROM onejob.attempt AS a
        WHERE a.job_id = j.id AND (
          a.state IN ('starting', 'running')
          OR (a.state = 'unknown' AND a.node NOT IN ('n2', 'n3'))))
      """;

  private static final Map<String, BigDecimal> PRICES =
      Map.of("left", new BigDecimal("0.0021"), "right", new BigDecimal("0.002"));

  @RegisterExtension final PostgresExtension postgres = new PostgresExtension();

  @TempDir Path folder;

  private final List<NodeProcess> nodes = new ArrayList<>();
  private String key = "";
  private String operatorKey = "";

  private static String script(int left, int right) {
    return "{\"script\":{\"left\":{\"answer_after_ms\":%d,\"usage\":{\"input_tokens\":110}},"
            .formatted(left)
        + "\"right\":{\"answer_after_ms\":%d}}}".formatted(right);
  }

  private List<String> arguments() throws IOException {
    Path file =
        Files.writeString(
            folder.resolve("races.yaml"),
            """
            server:
              lease: 3s
              heartbeat: 300ms
              poll_interval: 200ms
              sweep_interval: 200ms
              slots: 2000
              stop_grace: 5s
            kinds:
              sprint:
                effect: harmless
                route: [left, right]
                attempt_timeout: 20s
                attempts: 8
                # One that loses its node twice is no poison here: two nodes are killed.
                park_after_crashes: 8
                race: {after: 200ms}
                unknown: {after: 200ms, verdict: abandon, then: retry}
                in_flight: 2000
            providers:
              left:
                type: sandbox
                in_flight: 2000
                price: {currency: EUR, per_call: 0.001, input_per_million: 10}
              right:
                type: sandbox
                in_flight: 2000
                price: {currency: EUR, per_call: 0.002}
            """);
    return List.of("--config", file.toString());
  }

  @BeforeEach
  void start() throws Exception {
    List<String> arguments = arguments();
    nodes.add(NodeProcess.start(postgres.url(), folder, "n1", arguments));
    List<Callable<NodeProcess>> others = new ArrayList<>();
    for (String name : List.of("n2", "n3")) {
      others.add(() -> NodeProcess.start(postgres.url(), folder, name, arguments));
    }
    nodes.addAll(TwoNodes.atOnce(others));
    key = nodes.getFirst().firstKey("client");
    operatorKey = nodes.getFirst().firstKey("operator");
  }

  @AfterEach
  void stop() {
    nodes.forEach(NodeProcess::close);
  }

  @Test
  void have_one_result_each_and_never_start_beside_an_attempt_that_is_starting_or_in_doubt()
      throws Exception {
    List<String> jobs = raceAll();
    awaitResults();
    resolveTheLosersOfTheDead();

    assertThat(jobs).doesNotHaveDuplicates().hasSize(RACES);
    everyJobHasOneResultAndItsOtherAttemptsAreOver();
    bothSidesHaveWon();
    noRaceBeganBesideSilence();
    theCostsAddUp(jobs);
  }

  /** Submits them from many clients; gives the ids, for each key one. */
  private List<String> raceAll() throws Exception {
    AtomicInteger next = new AtomicInteger();
    Map<Integer, String> ids = new ConcurrentHashMap<>();
    List<Callable<Void>> clients =
        Collections.nCopies(
            CLIENTS,
            () -> {
              for (int n = next.getAndIncrement(); n < RACES; n = next.getAndIncrement()) {
                ids.put(n, submitted(n));
                if (KILLS.containsKey(n)) {
                  nodes.get(KILLS.get(n)).kill();
                }
              }
              return null;
            });
    TwoNodes.atOnce(clients);
    return new ArrayList<>(ids.values());
  }

  /** As a client that gets no answer does: the same key again, at another node. */
  private String submitted(int n) {
    for (int i = 0; ; i++) {
      NodeProcess node = nodes.get((n + i) % nodes.size());
      try {
        ApiAnswer answer =
            node.client(key)
                .send(
                    "POST",
                    "/v1/jobs",
                    "{\"kind\":\"sprint\",\"input\":"
                        + (n % 2 == 0 ? SLOW_FIRST : FAST_FIRST)
                        + "}",
                    Map.of("Idempotency-Key", "race-" + n, "Prefer", "wait=20"));
        assertThat(answer.status()).as(answer.text()).isIn(200, 201);
        return answer.at("/id");
      } catch (AssertionError e) {
        if (i > 20 || !String.valueOf(e.getMessage()).endsWith("got no answer")) {
          throw e;
        }
      }
    }
  }

  private void awaitResults() {
    await()
        .atMost(Duration.ofSeconds(60))
        .pollInterval(Duration.ofMillis(200))
        .untilAsserted(
            () -> {
              assertThat(texts(UNFINISHED)).isEmpty();
              assertThat(count("SELECT count(*) FROM onejob.job WHERE state = 'succeeded'"))
                  .isEqualTo(RACES);
            });
  }

  /** Of a loser whose node died nobody will ever hear: an operator says so. */
  private void resolveTheLosersOfTheDead() throws SQLException {
    ApiClient operator = nodes.getFirst().client(operatorKey);
    String doubtful = "/v1/attempts?state=unknown&limit=200";
    JsonNode items = operator.get(doubtful).json().path("items");
    for (JsonNode item : items) {
      assertThat(item.at("/attempt/node").asString()).isIn("n2", "n3");
      ApiAnswer resolved =
          operator.post(
              "/v1/attempts/" + item.at("/attempt/id").asString() + "/resolution",
              "{\"verdict\":\"abandon\",\"reason\":\"its node was killed\"}");
      assertThat(resolved.at("/state")).isEqualTo("succeeded");
    }
    assertThat(count("SELECT count(*) FROM onejob.attempt WHERE state = 'unknown'")).isZero();
  }

  private void everyJobHasOneResultAndItsOtherAttemptsAreOver() throws SQLException {
    assertThat(
            count(
                """
                SELECT count(*)
                FROM onejob.job AS j
                JOIN onejob.attempt AS a ON a.id = j.completed_by AND a.state = 'succeeded'
                WHERE j.live = 0
                """))
        .isEqualTo(RACES);
    // A node that is short of breath may not get a request out at all: that one lost no race.
    String others =
        """
        SELECT DISTINCT
          CASE WHEN a.state = 'failed' THEN a.failure_code ELSE a.state END
        FROM onejob.attempt AS a
        JOIN onejob.job AS j ON j.id = a.job_id
        WHERE a.id <> j.completed_by
        """;
    assertThat(texts(others))
        .contains("lost")
        .isSubsetOf("lost", "cancelled", OnePost.CONNECT_FAILED, OnePost.NOT_SENT);
  }

  private void bothSidesHaveWon() throws SQLException {
    String races =
        """
        SELECT count(*)
        FROM onejob.job AS j
        JOIN onejob.attempt AS w ON w.id = j.completed_by
        JOIN onejob.attempt AS l ON l.job_id = j.id AND l.state = 'lost' AND l.lost_to = w.id
        WHERE w.cause = ? AND l.cause = ?
        """;
    assertThat(count(races, "race", "dispatch")).as("the second won").isGreaterThan(RACES / 20);
    assertThat(count(races, "dispatch", "race")).as("the first won").isGreaterThan(RACES / 20);
  }

  /** By the times in the record: those of one job are taken under its lock. */
  private void noRaceBeganBesideSilence() throws SQLException {
    String others =
        """
        SELECT count(*)
        FROM onejob.attempt AS r
        WHERE r.cause = 'race' AND (
          SELECT count(*)
          FROM onejob.attempt AS o
          WHERE o.job_id = r.job_id
            AND o.number < r.number
            AND (o.ended_at IS NULL OR o.ended_at > r.started_at)) <> 1
        """;
    String silent =
        """
        SELECT count(*)
        FROM onejob.attempt AS r
        JOIN onejob.attempt AS o ON o.job_id = r.job_id AND o.number < r.number
        WHERE r.cause = 'race'
          AND (o.ended_at IS NULL OR o.ended_at > r.started_at)
          AND (coalesce(o.accepted_at > r.started_at, true) OR o.unknown_at <= r.started_at)
        """;
    String early =
        """
        SELECT count(*)
        FROM onejob.attempt AS r
        JOIN onejob.attempt AS o ON o.job_id = r.job_id AND o.number < r.number
        WHERE r.cause = 'race'
          AND (o.ended_at IS NULL OR o.ended_at > r.started_at)
          AND r.started_at < o.started_at + interval '200 milliseconds'
        """;
    assertThat(count(others)).as("races with other than one rival").isZero();
    assertThat(count(silent)).as("races beside a silent attempt").isZero();
    assertThat(count(early)).as("races before their time").isZero();
    assertThat(count("SELECT count(*) FROM onejob.attempt WHERE cause = 'race'"))
        .isGreaterThan(RACES / 2);
    assertThat(count("SELECT count(*) FROM onejob.attempt WHERE unknown_at IS NOT NULL"))
        .as("attempts that the kills have put in doubt")
        .isPositive();
  }

  private void theCostsAddUp(List<String> jobs) {
    ApiClient client = nodes.getFirst().client(key);
    for (String id : jobs) {
      JsonNode job = client.get("/v1/jobs/" + id).json();
      BigDecimal paid = BigDecimal.ZERO;
      BigDecimal lost = BigDecimal.ZERO;
      int unpriced = 0;
      for (JsonNode attempt : job.path("attempts")) {
        String state = attempt.path("state").asString();
        BigDecimal price = PRICES.get(attempt.path("provider").asString());
        boolean answered = state.equals("succeeded") || state.equals("lost");
        String told = attempt.at("/price/amount").asString("");
        boolean neverSent = state.equals("failed");
        assertThat(told).as(id).isEqualTo(answered ? price.toPlainString() : neverSent ? "0" : "");
        paid = answered ? paid.add(price) : paid;
        lost = state.equals("lost") ? lost.add(price) : lost;
        unpriced += answered || neverSent ? 0 : 1;
      }
      assertThat(new BigDecimal(job.at("/cost/paid/0/amount").asString()))
          .isEqualByComparingTo(paid);
      assertThat(new BigDecimal(job.at("/cost/paid_for_lost/0/amount").asString("0")))
          .isEqualByComparingTo(lost);
      assertThat(job.at("/cost/unpriced_attempts").asInt()).isEqualTo(unpriced);
    }
  }

  private List<String> texts(String text) throws SQLException {
    try (Connection connection = postgres.dataSource().getConnection();
        PreparedStatement statement = connection.prepareStatement(text);
        ResultSet rows = statement.executeQuery()) {
      List<String> texts = new ArrayList<>();
      while (rows.next()) {
        texts.add(rows.getString(1));
      }
      return texts;
    }
  }

  private long count(String text, String... values) throws SQLException {
    try (Connection connection = postgres.dataSource().getConnection();
        PreparedStatement statement = connection.prepareStatement(text)) {
      for (int i = 0; i < values.length; i++) {
        statement.setString(i + 1, values[i]);
      }
      try (ResultSet rows = statement.executeQuery()) {
        rows.next();
        return rows.getLong(1);
      }
    }
  }
}
