package dev.onejob.server.testing;

import static org.awaitility.Awaitility.await;

import dev.onejob.contract.Contract;
import dev.onejob.contract.Contracts;
import dev.onejob.domain.Binding;
import dev.onejob.domain.Demand;
import dev.onejob.domain.Kind;
import dev.onejob.domain.Owner;
import dev.onejob.domain.WhenPressed;
import dev.onejob.engine.EngineConfig;
import dev.onejob.engine.JobEngine;
import dev.onejob.server.access.ApiKeys;
import dev.onejob.server.access.Role;
import dev.onejob.server.access.ServerMigrations;
import dev.onejob.server.config.Validity;
import dev.onejob.server.http.ApiServer;
import dev.onejob.server.http.ApiSettings;
import dev.onejob.server.http.door.Door;
import dev.onejob.server.http.operation.CallbackRoute;
import dev.onejob.server.http.operation.Watching;
import dev.onejob.server.observation.Metrics;
import dev.onejob.server.qualification.KeptPasses;
import dev.onejob.server.qualification.Qualifier;
import dev.onejob.server.qualification.Scope;
import dev.onejob.server.webhooks.Destinations;
import dev.onejob.server.webhooks.Network;
import dev.onejob.server.webhooks.Resolver;
import dev.onejob.server.webhooks.Sender;
import dev.onejob.server.webhooks.WebhookOffice;
import dev.onejob.server.webhooks.WebhookSettings;
import dev.onejob.store.Deliveries;
import dev.onejob.store.QualificationRuns;
import dev.onejob.testkit.Engines;
import dev.onejob.testkit.ScriptedProvider;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.function.UnaryOperator;
import javax.sql.DataSource;
import tools.jackson.databind.node.JsonNodeFactory;

/**
 * One node with its API on a free port of the loopback, the kinds {@code plain} and {@code race}
 * with two providers in the hands of the test, {@code receipt} with a contract and {@code proved},
 * which demands proofs, at the same, and the kinds of {@link PulledWork}.
 */
public final class ApiNode implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  /** What the kind {@code receipt} and its like promise. */
  static final Contract RECEIPTS =
      Contracts.read(Path.of("src", "test", "resources", "contracts", "receipt.yaml"));

  private static final Kind PLAIN = Engines.exclusive("plain", "a", "b");
  private static final Kind PATIENT = Engines.patient(Engines.exclusive("patient", "a", "b"));
  private static final Kind RACE = Engines.patient(Engines.racing("race", "a", "b"));
  private static final Kind RECEIPT = Engines.exclusive("receipt", "a", "b").with(RECEIPTS);
  private static final Kind PROVED = Engines.exclusive("proved", "a", "b");

  /** What a pass of {@code a} or {@code b} for the kind {@code proved} is bound to. */
  public static final Binding BINDING = new Binding("contract", "settings", "1", "model");

  private static final Map<String, Demand> DEMANDS =
      Map.of(PROVED.name(), new Demand(Map.of("a", BINDING, "b", BINDING), WhenPressed.REFUSE, 3));

  public final ScriptedProvider a = new ScriptedProvider();
  public final ScriptedProvider b = new ScriptedProvider();
  private final Metrics metrics = new Metrics(List.of(PLAIN, RACE, RECEIPT), List.of("a", "b"));
  private final JobEngine engine;
  private final ApiKeys keys;
  private final Qualifier qualifier;
  private final Sender sender;
  private final ApiServer server;

  /** Webhooks reach this machine's loopback, without TLS, besides what is public. */
  private static final WebhookSettings WEBHOOKS =
      WebhookSettings.USUAL.reaching(
          List.of(Network.of("127.0.0.1")), WebhookSettings.Scheme.HTTP_TOO);

  /** Starts a node over the database of a test. */
  public ApiNode(DataSource database) {
    ServerMigrations.migrate(database);
    keys = new ApiKeys(database);
    engine = JobEngine.start(database, database, config(), metrics);
    metrics.watchBacklog(engine::backlog);
    qualifier = qualifier(database);
    sender =
        new Sender(
            new Deliveries(database), WEBHOOKS, Resolver.SYSTEM, "test", metrics::webhookTried);
    sender.start();
    server =
        ApiServer.start(
            engine,
            keys,
            job ->
                JsonNodeFactory.instance
                    .objectNode()
                    .put("job", job.toString())
                    .put("requests", 0)
                    .put("effects", 0)
                    .set("by_provider", JsonNodeFactory.instance.objectNode()),
            new ApiSettings(
                "127.0.0.1",
                0,
                new Watching(metrics::text, Watching.Readers.OPERATORS, UnaryOperator.identity()),
                door()),
            qualifier,
            new WebhookOffice(
                database, new Destinations(WEBHOOKS, Resolver.SYSTEM), InstantSource.system()));
  }

  /** One model at either endpoint. */
  private static Door door() {
    SequencedMap<String, String> models = new LinkedHashMap<>(Map.of("gpt-x", "plain"));
    Duration patience = Duration.ofSeconds(60);
    return new Door(models, models, patience, patience, patience, null);
  }

  /** Of a node whose kinds have no contract that could be proved. */
  private Qualifier qualifier(DataSource database) {
    Scope scope = new Scope(Map.of(PLAIN.name(), PLAIN), Map.of(), Map.of(), Map.of());
    QualificationRuns runs = new QualificationRuns(database);
    InstantSource clock = InstantSource.system();
    KeptPasses passes = new KeptPasses(engine.proofs(), runs, scope, kind -> Validity.USUAL, clock);
    return new Qualifier(scope, engine, runs, passes, clock);
  }

  private EngineConfig config() {
    List<Kind> kinds = new ArrayList<>(PulledWork.KINDS);
    kinds.addAll(List.of(PLAIN, PATIENT, RACE, RECEIPT, PROVED));
    EngineConfig called = Engines.config(List.of(PLAIN, RACE), Map.of("a", a, "b", b));
    Map<String, EngineConfig.ProviderSlot> providers = new HashMap<>(PulledWork.PROVIDERS);
    providers.putAll(called.providers());
    return new EngineConfig(
            called.node(),
            kinds,
            providers,
            called.slots(),
            called.pollInterval(),
            called.sweepInterval())
        .with(DEMANDS)
        .with(new CallbackRoute(URI.create("http://this-node")));
  }

  /** Its address. */
  public URI uri() {
    return URI.create("http://127.0.0.1:" + server.port());
  }

  /** A client with a new key. */
  public ApiClient client(Role role, String owner) {
    return new ApiClient(uri(), secret(role, owner));
  }

  /** The secret of a new key. */
  public String secret(Role role, String owner) {
    return keys.create(role.word() + "-of-" + owner, role, new Owner(owner)).secret();
  }

  /** Reads the job until the member at that pointer has that value. */
  public static ApiAnswer awaitJob(ApiClient client, String job, String pointer, String value) {
    return await()
        .atMost(PATIENCE)
        .pollInterval(Duration.ofMillis(20))
        .until(() -> client.get("/v1/jobs/" + job), answer -> answer.at(pointer).equals(value));
  }

  /** The engine beneath. */
  public JobEngine engine() {
    return engine;
  }

  @Override
  public void close() {
    server.close();
    qualifier.close();
    sender.close();
    engine.close();
    metrics.close();
  }
}
