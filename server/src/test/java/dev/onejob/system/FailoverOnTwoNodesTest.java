package dev.onejob.system;

import static dev.onejob.system.TwoNodes.awaitJob;
import static dev.onejob.system.TwoNodes.created;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.onejob.server.qualification.Fault;
import dev.onejob.server.qualification.FaultyPeer;
import dev.onejob.server.qualification.InvoiceContract;
import dev.onejob.server.testing.ApiAnswer;
import dev.onejob.testkit.PostgresExtension;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/**
 * Two real nodes and a route of three peers: the first refuses, the second has proved nothing, the
 * third has passed a whole qualification. Each test has a kind of its own, whose pass it takes away
 * in its own way.
 */
@Tag("process")
class FailoverOnTwoNodesTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private static final String INVOICE =
      "{\"id\":\"INV-7\",\"lines\":[{\"item\":\"ink\",\"amount\":1200}]}";

  private static final List<String> KINDS =
      List.of("proved", "doubted", "expired", "swapped", "withdrawn", "awaited", "changed");

  @RegisterExtension static final PostgresExtension postgres = new PostgresExtension();

  @TempDir static Path folder;

  private static ScriptedPeer first;
  private static FaultyPeer second;
  private static FaultyPeer third;
  private static TwoNodes nodes;

  @BeforeAll
  static void start() throws IOException, SQLException {
    first = new ScriptedPeer();
    second = FaultyPeer.start(null);
    third = FaultyPeer.start(null);
    Path contract = InvoiceContract.write(folder);
    Files.copy(contract, folder.resolve("changed.yaml"));
    nodes = new TwoNodes(postgres.url(), folder, List.of("--config", config().toString()));
    qualifyTheThird();
  }

  @AfterAll
  static void stop() {
    nodes.close();
    third.close();
    second.close();
    first.close();
  }

  private static Path config() throws IOException {
    StringBuilder config = new StringBuilder("server:\n  poll_interval: 200ms\nkinds:\n");
    for (String kind : KINDS) {
      config.append(
          """
            %s:
              contract: %s.yaml
              route: [first, second, third]
              attempt_timeout: 5s
              attempts: 6
              backoff: {first: 50ms, max: 100ms}
          """
              .formatted(kind, kind.equals("changed") ? "changed" : "invoice"));
    }
    config.append("providers:\n");
    Map<String, String> peers =
        Map.of("first", first.baseUrl(), "second", second.baseUrl(), "third", third.baseUrl());
    new TreeMap<>(peers)
        .forEach(
            (name, address) ->
                config.append(
                    """
                      %s:
                        type: openai-chat
                        base_url: %s
                        model: peer
                        result: json
                        system: You read invoices.
                        prompt: "Invoice: {{}}"
                        parameters:
                          temperature: 0.7
                          stop: [END]
                          response_format: {type: json_schema, json_schema: {schema: %s}}
                    """
                        .formatted(name, address, InvoiceContract.SCHEMA)));
    return Files.writeString(folder.resolve("failover.yaml"), config);
  }

  /** By a whole run for the first kind. What it proves has nothing of the name of the kind. */
  private static void qualifyTheThird() throws SQLException {
    ApiAnswer opened =
        nodes.operator1.post(
            "/v1/qualification-runs",
            "{\"kind\":\"%s\",\"providers\":[\"third\"]}".formatted(KINDS.getFirst()));
    assertThat(opened.status()).as(opened.text()).isEqualTo(201);
    await()
        .atMost(PATIENCE)
        .until(() -> pass(KINDS.getFirst()).at("/qualifications/0/answering_model").equals("peer"));
    String copy =
        """
        INSERT INTO onejob.qualification (
          kind, provider, binding, contract_hash, settings_hash, adapter_version,
          requested_model, answering_model, run, passed_at, valid_until)
        SELECT
          ?, q.provider, q.binding, q.contract_hash, q.settings_hash, q.adapter_version,
          q.requested_model, q.answering_model, q.run, q.passed_at, q.valid_until
        FROM onejob.qualification AS q
        WHERE q.kind = 'proved'
        """;
    for (String kind : KINDS.subList(1, KINDS.size())) {
      execute(copy, kind);
    }
  }

  private static ApiAnswer pass(String kind) {
    return nodes.operator2.get("/v1/qualifications?kind=" + kind + "&provider=third&limit=1");
  }

  /** Submits one job to each node. */
  private static List<String> submitted(String kind) {
    return List.of(
        created(nodes.client1.submit(kind + "-n1", kind, INVOICE)),
        created(nodes.client2.submit(kind + "-n2", kind, INVOICE)));
  }

  private static List<String> providers(ApiAnswer job) {
    List<String> providers = new ArrayList<>();
    job.json().path("attempts").forEach(each -> providers.add(each.path("provider").asString()));
    return providers;
  }

  private static Map<String, String> skipped(ApiAnswer job) {
    Map<String, String> skipped = new TreeMap<>();
    for (JsonNode skip : job.json().path("skipped")) {
      skipped.put(skip.path("provider").asString(), skip.path("reason").asString());
    }
    return skipped;
  }

  /** The jobs wait, and say why the third is not asked, which was not. */
  private static void stopped(List<String> jobs, String reason, int completionsBefore) {
    for (String job : jobs) {
      ApiAnswer waiting = awaitWaiting(job);
      assertThat(providers(waiting)).as(waiting.text()).containsOnly("first");
      assertThat(skipped(waiting))
          .containsEntry("second", "never_qualified")
          .containsEntry("third", reason);
    }
    assertThat(third.completions()).isEqualTo(completionsBefore);
    assertThat(second.completions()).isZero();
  }

  private static ApiAnswer awaitWaiting(String job) {
    return awaitJob(nodes.client1, job, "/waiting_for", "qualification");
  }

  /** Case C48: the schema that the job demands is not lost on the way to the third. */
  @Test
  void the_first_refuses_the_second_is_skipped_with_a_reason_and_the_qualified_third_answers() {
    for (String job : submitted("proved")) {
      ApiAnswer ended = awaitJob(nodes.client2, job, "/state", "succeeded");

      assertThat(providers(ended)).as(ended.text()).containsExactly("first", "third");
      assertThat(ended.at("/attempts/0/failure/code")).isEqualTo("status-403");
      assertThat(skipped(ended)).containsEntry("second", "never_qualified");
      assertThat(ended.json().at("/result/total").asInt()).isEqualTo(1200);
    }
    assertThat(second.completions()).isZero();
    assertThat(third.lastAsked().path("response_format"))
        .as("the schema goes to the third as it went to the first")
        .isEqualTo(first.lastAsked().path("response_format"));
    assertThat(third.lastAsked().at("/response_format/json_schema/schema/required/0").asString())
        .isEqualTo("id");
  }

  @Test
  void an_expired_pass_stops_failover_on_both_nodes() throws SQLException {
    int before = third.completions();
    // As thirty days that go by; only the database's clock is asked.
    execute(
        """
        UPDATE onejob.qualification SET
          passed_at = passed_at - interval '31 days', valid_until = valid_until - interval '31 days'
        WHERE kind = 'expired'
        """);

    stopped(submitted("expired"), "expired", before);
  }

  @Test
  void a_model_swapped_behind_the_same_name_stops_failover_on_both_nodes() {
    third.turn(Fault.OTHER_MODEL);
    String job = created(nodes.client1.submit("swap", "swapped", INVOICE));
    ApiAnswer ended = awaitJob(nodes.client2, job, "/state", "succeeded");
    third.turn(null);
    assertThat(providers(ended)).as(ended.text()).containsExactly("first", "third");
    int before = third.completions();

    stopped(submitted("swapped"), "withdrawn", before);

    ApiAnswer pass = pass("swapped");
    assertThat(pass.at("/qualifications/0/withdrawal/by")).isEqualTo("rule:model");
    assertThat(pass.at("/qualifications/0/withdrawal/reason")).contains("peer-mini");
  }

  @Test
  void starts_that_wait_for_the_locks_of_a_withdrawal_do_not_go_there_once_it_has_committed()
      throws SQLException {
    int before = third.completions();
    List<String> jobs;
    try (Connection withdrawing = postgres.dataSource().getConnection();
        Statement statement = withdrawing.createStatement()) {
      withdrawing.setAutoCommit(false);
      statement.execute(
          """
          UPDATE onejob.qualification SET
            withdrawn_at = clock_timestamp(), withdrawn_by = 'test', withdrawn_reason = 'it lies'
          WHERE kind = 'withdrawn'
          """);
      jobs = submitted("withdrawn");
      awaitBlocked(2);
      withdrawing.commit();
    }

    stopped(jobs, "withdrawn", before);
  }

  @Test
  void a_start_that_waited_for_its_job_while_the_pass_was_withdrawn_does_not_go_there()
      throws SQLException {
    third.busy(2);
    List<String> jobs = submitted("awaited");
    jobs.forEach(job -> awaitJob(nodes.client1, job, "/attempts/1/state", "failed"));
    third.busy(0);
    int before = third.completions();
    try (Connection holding = postgres.dataSource().getConnection();
        Statement statement = holding.createStatement()) {
      holding.setAutoCommit(false);
      statement.execute(
          "SELECT j.id FROM onejob.job AS j WHERE j.kind = 'awaited' FOR NO KEY UPDATE");
      awaitBlocked(1);
      ApiAnswer withdrawn =
          nodes.operator2.post(
              "/v1/qualifications/withdraw",
              "{\"kind\":\"awaited\",\"provider\":\"third\",\"reason\":\"it lies\"}");
      assertThat(withdrawn.status()).as(withdrawn.text()).isEqualTo(200);
      holding.rollback();
    }

    for (String job : jobs) {
      ApiAnswer waiting = awaitWaiting(job);
      assertThat(providers(waiting)).as(waiting.text()).containsExactly("first", "third");
      assertThat(skipped(waiting)).containsEntry("third", "withdrawn");
    }
    assertThat(third.completions()).isEqualTo(before);
  }

  @Test
  void while_the_first_is_in_doubt_nothing_fails_over_and_after_not_done_it_does() {
    int before = third.completions();
    first.silent(true);
    List<String> jobs = submitted("doubted");
    jobs.forEach(job -> awaitJob(nodes.client1, job, "/state", "unknown"));
    first.silent(false);

    // Many looks of every pass of both nodes.
    await()
        .during(Duration.ofSeconds(3))
        .atMost(PATIENCE)
        .until(() -> jobs.stream().allMatch(FailoverOnTwoNodesTest::isInDoubt));
    assertThat(third.completions()).isEqualTo(before);
    for (String job : jobs) {
      String attempt = nodes.client2.get("/v1/jobs/" + job).at("/attempts/0/id");
      ApiAnswer resolved =
          nodes.operator2.post(
              "/v1/attempts/" + attempt + "/resolution",
              "{\"verdict\":\"not_done\",\"then\":\"retry\",\"reason\":\"asked them\"}");
      assertThat(resolved.status()).as(resolved.text()).isEqualTo(200);
      ApiAnswer ended = awaitJob(nodes.client1, job, "/state", "succeeded");

      assertThat(providers(ended)).as(ended.text()).containsExactly("first", "first", "third");
      assertThat(ended.at("/attempts/0/state")).isEqualTo("failed");
      assertThat(ended.json().at("/contested").asBoolean()).isFalse();
    }
  }

  private static boolean isInDoubt(String job) {
    ApiAnswer now = nodes.client2.get("/v1/jobs/" + job);
    return now.at("/state").equals("unknown") && now.json().path("attempts").size() == 1;
  }

  @Test
  void a_contract_changed_by_one_character_stops_failover_on_both_nodes() throws IOException {
    Path contract = folder.resolve("changed.yaml");
    String text = Files.readString(contract);
    Files.writeString(contract, text.replace("the id is copied", "the id is copieD"));
    int before = third.completions();
    List<String> arguments = List.of("--config", folder.resolve("failover.yaml").toString());
    nodes.close();
    nodes = new TwoNodes(postgres.url(), folder, arguments);

    stopped(submitted("changed"), "contract_changed", before);
    assertThat(pass("changed").json().at("/qualifications/0/withdrawal").isNull()).isTrue();
  }

  private static void execute(String sql, String... values) throws SQLException {
    try (Connection connection = postgres.dataSource().getConnection();
        PreparedStatement statement = connection.prepareStatement(sql)) {
      for (int i = 0; i < values.length; i++) {
        statement.setString(i + 1, values[i]);
      }
      statement.execute();
    }
  }

  /** Until that many sessions of the nodes wait for a lock. */
  private static void awaitBlocked(int sessions) {
    await().atMost(PATIENCE).pollInterval(Duration.ofMillis(5)).until(() -> blocked() >= sessions);
  }

  private static int blocked() throws SQLException {
    try (Connection connection = postgres.dataSource().getConnection();
        Statement statement = connection.createStatement();
        ResultSet rows =
            statement.executeQuery(
                """
                SELECT count(*) FROM pg_stat_activity
                WHERE datname = current_database() AND wait_event_type = 'Lock'
                """)) {
      rows.next();
      return rows.getInt(1);
    }
  }
}
