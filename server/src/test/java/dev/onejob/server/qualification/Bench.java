package dev.onejob.server.qualification;

import static org.awaitility.Awaitility.await;

import dev.onejob.domain.Effect;
import dev.onejob.domain.Kind;
import dev.onejob.domain.Prices;
import dev.onejob.domain.QualificationRun;
import dev.onejob.domain.QualificationRun.State;
import dev.onejob.domain.RetryPolicy;
import dev.onejob.domain.RunId;
import dev.onejob.domain.WhenUnqualified;
import dev.onejob.engine.EngineConfig;
import dev.onejob.engine.EngineConfig.ProviderSlot;
import dev.onejob.engine.JobEngine;
import dev.onejob.provider.Provider;
import dev.onejob.providers.ProviderContext;
import dev.onejob.providers.ProviderType;
import dev.onejob.providers.ProviderTypes;
import dev.onejob.qualification.ContractPromise;
import dev.onejob.qualification.Promise;
import dev.onejob.server.config.Validity;
import dev.onejob.store.QualificationRuns;
import java.math.BigDecimal;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import javax.sql.DataSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** An engine whose kind {@code invoice} has a contract, and peers as its providers. */
final class Bench implements AutoCloseable {
  /** A cent for each question, a hundredth for each token of output. */
  private static final Prices PRICES =
      new Prices(
          "EUR",
          new Prices.Rate(new BigDecimal("0.01"), null, BigDecimal.valueOf(10_000)),
          Map.of());

  private static final Duration PATIENCE = Duration.ofMinutes(8);

  private final JobEngine engine;
  private final QualificationRuns runs;
  private final Qualifier qualifier;
  private final AtomicReference<Validity> validity = new AtomicReference<>(Validity.USUAL);
  private final AtomicReference<Duration> ahead = new AtomicReference<>(Duration.ZERO);

  private Bench(DataSource database, Promise promise, Map<String, String> addresses) {
    Map<String, Probed> probed = new LinkedHashMap<>();
    addresses.forEach((name, address) -> probed.put(name, probed(name, address)));
    Kind kind = kind(List.of(addresses.keySet().iterator().next()));
    Scope scope =
        new Scope(Map.of(kind.name(), kind), Map.of(kind.name(), promise), probed, Map.of());
    Map<String, ProviderSlot> slots = new LinkedHashMap<>();
    probed.forEach((name, each) -> slots.put(name, new ProviderSlot(each.production(), 8)));
    EngineConfig config =
        new EngineConfig(
            "bench", List.of(kind), slots, 64, Duration.ofMillis(200), Duration.ofSeconds(1));
    engine = JobEngine.start(database, scope.over(config));
    runs = new QualificationRuns(database);
    InstantSource clock = () -> Instant.now().plus(ahead.get());
    KeptPasses passes = new KeptPasses(engine.proofs(), runs, scope, any -> validity.get(), clock);
    qualifier = new Qualifier(scope, engine, runs, passes, clock);
  }

  static Bench over(DataSource database, Promise promise, Map<String, String> addresses) {
    return new Bench(database, promise, addresses);
  }

  static Promise promise(Path folder) throws Exception {
    return ContractPromise.of(InvoiceContract.in(folder)).orElseThrow();
  }

  private static Kind kind(List<String> route) {
    return new Kind(
        "invoice",
        Effect.HARMLESS,
        route,
        Duration.ofSeconds(20),
        Duration.ZERO,
        3,
        new RetryPolicy(Duration.ofMillis(50), Duration.ofMillis(100)),
        null,
        null,
        WhenUnqualified.WAIT,
        8);
  }

  private static Probed probed(String name, String address) {
    ProviderType type = ProviderTypes.named("openai-chat").orElseThrow();
    JsonNode settings =
        new JsonMapper()
            .readTree(
                """
                {"base_url": "%s", "model": "peer", "api_key_env": "PEER_KEY", "result": "json",
                 "system": "You read invoices.", "prompt": "Invoice: {{}}",
                 "parameters": {"temperature": 0.7, "stop": ["END"]}}
                """
                    .formatted(address));
    ProviderContext context =
        new ProviderContext(
            variable -> variable.equals("PEER_KEY") ? "peer-key" : null,
            Path.of("."),
            () -> URI.create("http://unused"));
    Provider production = type.create(name, settings, context);
    return new Probed(
        name,
        type,
        production,
        settings,
        context,
        Map.of("invoice", Duration.ofSeconds(20)),
        Digest.ofSettings(type, settings),
        PRICES);
  }

  /** Passes from here on hold for so long; and from now on the clock shows later. */
  void settle(Validity other, Duration later) {
    validity.set(other);
    ahead.set(later);
  }

  Qualifier qualifier() {
    return qualifier;
  }

  QualificationRuns runs() {
    return runs;
  }

  JobEngine engine() {
    return engine;
  }

  RunId open(String provider) {
    return qualifier.open("invoice", provider, "tester");
  }

  /** Carries runs on until this one has ended. */
  QualificationRun ended(RunId id) {
    return await()
        .atMost(PATIENCE)
        .pollInterval(Duration.ofMillis(100))
        .until(
            () -> {
              qualifier.advanceOnce();
              return runs.run(id).orElseThrow();
            },
            run -> run.state() != State.RUNNING);
  }

  @Override
  public void close() {
    qualifier.close();
    engine.close();
  }
}
