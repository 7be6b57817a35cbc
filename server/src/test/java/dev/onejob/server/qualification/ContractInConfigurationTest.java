package dev.onejob.server.qualification;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.onejob.providers.ProviderTypes;
import dev.onejob.server.Service;
import dev.onejob.server.config.Overrides;
import dev.onejob.server.config.Settings;
import dev.onejob.server.config.SettingsLoader;
import dev.onejob.server.testing.ApiAnswer;
import dev.onejob.server.testing.ApiClient;
import dev.onejob.testkit.PostgresExtension;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** From a file to a failover: a contract, its proof by a fallback, and jobs that rely on it. */
final class ContractInConfigurationTest {
  private static final Duration PATIENCE = Duration.ofMinutes(5);
  private static final String INVOICE =
      "{\"id\":\"INV-7\",\"lines\":[{\"item\":\"paper\",\"amount\":350}]}";

  @RegisterExtension final PostgresExtension postgres = new PostgresExtension();

  @TempDir Path folder;

  private FaultyPeer cloud;
  private FaultyPeer backup;
  private Service service;

  @BeforeEach
  void start() throws IOException {
    cloud = FaultyPeer.start(null);
    backup = FaultyPeer.start(null);
    InvoiceContract.write(folder);
    service =
        Service.start(
            settings(), ProviderTypes.ALL, name -> name.equals("PEER_KEY") ? "peer-key" : null);
  }

  @AfterEach
  void stop() {
    service.close();
    backup.close();
    cloud.close();
  }

  private Settings settings() throws IOException {
    Path file =
        Files.writeString(
            folder.resolve("onejob.yaml"),
            """
            server: {sweep_interval: 200ms, poll_interval: 100ms}
            kinds:
              invoice:
                effect: harmless
                route: [cloud, backup]
                contract: invoice.yaml
                attempts: 100
                attempt_timeout: 20s
                backoff: {first: 50ms, max: 100ms}
            providers:
              cloud: %s
              backup: %s
            """
                .formatted(provider(cloud), provider(backup)));
    return new SettingsLoader(ProviderTypes.ALL, name -> null, folder)
        .load(file)
        .with(new Overrides(postgres.url(), null, 0, folder, "test"));
  }

  private static String provider(FaultyPeer peer) {
    return """
        {type: openai-chat, base_url: "%s", model: peer, api_key_env: PEER_KEY, result: json,
            system: You read invoices., prompt: "Invoice: {{}}",
            parameters: {temperature: 0.7}, circuit: {failures: 1, pause: 5s, pause_max: 5s}}\
        """
        .formatted(peer.baseUrl());
  }

  private ApiClient operator() {
    return new ApiClient(service.uri(), service.firstKeys().orElseThrow().keys().operator());
  }

  private ApiClient client() {
    return new ApiClient(service.uri(), service.firstKeys().orElseThrow().keys().client());
  }

  private ApiAnswer eventually(ApiClient client, String path, Predicate<ApiAnswer> holds) {
    return await().atMost(PATIENCE).until(() -> client.get(path), holds);
  }

  @Test
  void a_fallback_takes_over_the_jobs_that_waited_once_it_has_proved_the_contract() {
    cloud.close();
    String waiting = client().submit("before", "invoice", INVOICE).at("/id");
    eventually(
        client(),
        "/v1/jobs/" + waiting,
        job -> job.at("/skipped/0/provider").equals("backup") && job.at("/state").equals("queued"));
    assertThat(backup.completions()).isZero();

    ApiAnswer run =
        operator()
            .post("/v1/qualification-runs", "{\"kind\":\"invoice\",\"providers\":[\"backup\"]}");
    ApiAnswer ended =
        eventually(
            operator(),
            "/v1/qualification-runs/" + run.at("/runs/0/id"),
            answer -> !answer.at("/state").equals("running"));
    ApiAnswer done =
        eventually(client(), "/v1/jobs/" + waiting, job -> job.at("/state").equals("succeeded"));

    assertThat(ended.at("/state")).isEqualTo("passed");
    assertThat(done.at("/result/id")).isEqualTo("INV-7");
    String last = "/attempts/" + (done.json().path("attempts").size() - 1);
    assertThat(done.at(last + "/provider")).isEqualTo("backup");
    assertThat(done.at(last + "/cause")).isEqualTo("dispatch");
    assertThat(operator().get("/v1/qualifications?kind=invoice").at("/qualifications/0/run"))
        .isEqualTo(ended.at("/id"));
  }
}
