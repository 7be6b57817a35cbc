package dev.onejob.server.qualification;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.onejob.providers.ProviderTypes;
import dev.onejob.server.Service;
import dev.onejob.server.cli.Commands;
import dev.onejob.server.config.Overrides;
import dev.onejob.server.config.SettingsLoader;
import dev.onejob.server.testing.ApiAnswer;
import dev.onejob.server.testing.ApiClient;
import dev.onejob.testkit.PostgresExtension;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.dataformat.yaml.YAMLMapper;

/** The example of examples/chat with a peer for each of its servers. */
final class ChatExampleTest {
  private static final Path EXAMPLE = Path.of("../examples/chat").toAbsolutePath().normalize();
  private static final String CONTRACT = "summary.contract.yaml";
  private static final Duration PATIENCE = Duration.ofMinutes(6);

  @RegisterExtension final PostgresExtension postgres = new PostgresExtension();

  @TempDir Path folder;

  private FaultyPeer paid;
  private FaultyPeer local;
  private Service service;

  @BeforeEach
  void start() throws Exception {
    paid = FaultyPeer.start(null);
    local = FaultyPeer.start(Fault.SUMS_WRONG);
    Files.copy(EXAMPLE.resolve(CONTRACT), folder.resolve(CONTRACT));
    ObjectNode all = (ObjectNode) new YAMLMapper().readTree(EXAMPLE.resolve("onejob.yaml"));
    pointTo(all.at("/providers/paid"), paid);
    pointTo(all.at("/providers/local"), local);
    Path file =
        Files.writeString(
            folder.resolve("onejob.yaml"), JsonMapper.shared().writeValueAsString(all));
    service =
        Service.start(
            new SettingsLoader(ProviderTypes.ALL, ChatExampleTest::variable, folder)
                .load(file)
                .with(new Overrides(postgres.url(), null, 0, folder, "chat")),
            ProviderTypes.ALL,
            ChatExampleTest::variable);
  }

  @AfterEach
  void stop() {
    service.close();
    local.close();
    paid.close();
  }

  private static String variable(String name) {
    return name.equals("CHAT_KEY") ? "peer-key" : "";
  }

  private static void pointTo(JsonNode provider, FaultyPeer peer) {
    ((ObjectNode) provider).put("base_url", peer.baseUrl()).put("model", "peer");
  }

  private ApiClient operator() {
    return new ApiClient(service.uri(), service.firstKeys().orElseThrow().keys().operator());
  }

  private ApiAnswer ended(String run) {
    return await()
        .atMost(PATIENCE)
        .until(
            () -> operator().get("/v1/qualification-runs/" + run),
            now -> !now.at("/state").equals("running"));
  }

  @Test
  void the_paid_server_passes_and_ones_own_that_cannot_add_fails_at_the_rule_about_the_total() {
    String key = service.firstKeys().orElseThrow().keys().operator();
    String dryRun =
        Commands.run(
            folder,
            "qualify",
            "invoice.summary",
            "--dry-run",
            "--url",
            service.uri().toString(),
            "--api-key",
            key);
    assertThat(dryRun)
        .containsPattern("paid: \\d+ questions, about \\d+ prompt tokens, at most about \\d+")
        .containsPattern("local: \\d+ questions");
    assertThat(paid.completions() + local.completions()).isZero();

    ApiAnswer runs = operator().post("/v1/qualification-runs", "{\"kind\":\"invoice.summary\"}");
    ApiAnswer first = ended(runs.at("/runs/0/id"));
    ApiAnswer second = ended(runs.at("/runs/1/id"));

    assertThat(first.at("/provider")).isEqualTo("paid");
    assertThat(first.at("/state")).as(first.json().path("report").toString()).isEqualTo("passed");
    assertThat(second.at("/provider")).isEqualTo("local");
    assertThat(second.at("/state")).isEqualTo("failed");
    assertThat(second.json().at("/report/checks").toString())
        .contains("the total is the sum of the lines")
        .contains("/total: expected 350, 360 came");
  }
}
