package dev.onejob.server.qualification;

import static org.assertj.core.api.Assertions.assertThat;

import dev.onejob.domain.Owner;
import dev.onejob.server.access.ApiKeys;
import dev.onejob.server.access.Role;
import dev.onejob.server.access.ServerMigrations;
import dev.onejob.server.cli.Commands;
import dev.onejob.server.http.ApiServer;
import dev.onejob.server.http.ApiSettings;
import dev.onejob.server.http.operation.Watching;
import dev.onejob.server.testing.ApiAnswer;
import dev.onejob.server.testing.ApiClient;
import dev.onejob.testkit.PostgresExtension;
import java.net.URI;
import java.nio.file.Path;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.node.JsonNodeFactory;

/** Runs over the API and from the command line, as an operator has them. */
final class QualificationRunsTest {
  private static final String RUNS = "/v1/qualification-runs";

  @RegisterExtension final PostgresExtension postgres = new PostgresExtension();

  @TempDir Path folder;

  private FaultyPeer peer;
  private Bench bench;
  private ApiServer server;
  private String key;

  @BeforeEach
  void open() throws Exception {
    peer = FaultyPeer.start(null);
    bench =
        Bench.over(postgres.dataSource(), Bench.promise(folder), Map.of("backup", peer.baseUrl()));
    ServerMigrations.migrate(postgres.dataSource());
    ApiKeys keys = new ApiKeys(postgres.dataSource());
    key = keys.create("ada", Role.OPERATOR, new Owner("house")).secret();
    server =
        ApiServer.start(
            bench.engine(),
            keys,
            job -> JsonNodeFactory.instance.objectNode(),
            new ApiSettings(
                "127.0.0.1",
                0,
                new Watching(() -> "", Watching.Readers.OPERATORS, UnaryOperator.identity())),
            bench.qualifier());
  }

  @AfterEach
  void close() {
    server.close();
    bench.close();
    peer.close();
  }

  private String url() {
    return "http://127.0.0.1:" + server.port();
  }

  private ApiClient operator() {
    return new ApiClient(URI.create(url()), key);
  }

  private String run(String... words) {
    String[] all = new String[words.length + 4];
    System.arraycopy(words, 0, all, 0, words.length);
    System.arraycopy(new String[] {"--url", url(), "--api-key", key}, 0, all, words.length, 4);
    return Commands.run(folder, all);
  }

  @Test
  void qualify_follows_a_run_and_prints_what_each_check_says() {
    bench.qualifier().start();
    assertThat(run("qualify", "invoice", "backup"))
        .contains("passed")
        .contains("Q4   passed         gate   no key that the schema does not declare  20 of 20")
        .containsPattern("prompt tokens, \\d+ completion tokens, \\d+\\.\\d+ EUR");
  }

  @Test
  void qualify_ends_with_a_code_of_its_own_if_a_run_fails() {
    peer.turn(Fault.EXTRA_TOP_LEVEL_KEY);
    bench.qualifier().start();
    assertThat(run("qualify", "invoice")).startsWith("5: ");
    String id = operator().get(RUNS + "?kind=invoice").at("/runs/0/id");
    assertThat(run("qualification", "show", id))
        .contains("Q4   failed")
        .contains("sample/short/1: extra keys at the top level: confidence (and 4 more alike)")
        .contains("came   {\"id\":\"INV-1\"");
    assertThat(run("qualification", "list")).contains(id + "  failed    invoice at backup");
    assertThat(operator().get(RUNS + "/" + id).at("/report/passed")).isEqualTo("false");
  }

  @Test
  void a_dry_run_says_what_it_would_take_and_what_cannot_be_asked() {
    assertThat(run("qualify", "invoice", "backup", "nobody", "--dry-run"))
        .containsPattern(
            "backup: \\d+ questions, about \\d+ prompt tokens, .* tokens, \\d+(\\.\\d+)? EUR")
        .contains("nobody: the provider nobody is not configured");
    assertThat(peer.completions()).isZero();
  }

  @Test
  void nobody_submits_to_the_kind_of_the_questions_whatever_their_key() {
    ApiAnswer refused =
        operator()
            .submit(
                "k",
                Probes.KIND,
                "{\"kind\":\"invoice\",\"provider\":\"backup\",\"input\":\"{}\",\"twist\":{}}");
    assertThat(refused.code()).isEqualTo("kind-unknown");
    assertThat(refused.at("/pointer")).isEqualTo("/kind");
  }

  @Test
  void a_run_is_stopped_and_nothing_is_started_of_what_cannot_be_asked() {
    ApiAnswer started = operator().post(RUNS, "{\"kind\":\"invoice\",\"providers\":[\"backup\"]}");
    assertThat(started.status()).isEqualTo(201);
    String id = started.at("/runs/0/id");
    assertThat(started.at("/runs/0/requested_by")).isEqualTo("ada");
    assertThat(run("qualification", "stop", id)).contains("stopped");
    ApiAnswer refused =
        operator().post(RUNS, "{\"kind\":\"invoice\",\"providers\":[\"backup\",\"nobody\"]}");
    assertThat(refused.status()).isEqualTo(400);
    assertThat(refused.text()).contains("Nothing was started");
    assertThat(operator().get(RUNS + "/run_x").status()).isEqualTo(404);
  }
}
