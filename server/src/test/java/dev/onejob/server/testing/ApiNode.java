package dev.onejob.server.testing;

import static org.awaitility.Awaitility.await;

import dev.onejob.domain.Kind;
import dev.onejob.domain.Owner;
import dev.onejob.engine.EngineConfig;
import dev.onejob.engine.JobEngine;
import dev.onejob.server.access.ApiKeys;
import dev.onejob.server.access.Role;
import dev.onejob.server.access.ServerMigrations;
import dev.onejob.server.http.ApiServer;
import dev.onejob.server.http.ApiSettings;
import dev.onejob.server.http.operation.CallbackRoute;
import dev.onejob.server.http.operation.Watching;
import dev.onejob.server.observation.Metrics;
import dev.onejob.testkit.Engines;
import dev.onejob.testkit.ScriptedProvider;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import javax.sql.DataSource;
import tools.jackson.databind.node.JsonNodeFactory;

/**
 * One node with its API on a free port of the loopback, the kinds {@code plain} and {@code race}
 * with two providers in the hands of the test, and the kinds of {@link PulledWork}.
 */
public final class ApiNode implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(20);
  private static final Kind PLAIN = Engines.exclusive("plain", "a", "b");
  private static final Kind RACE = Engines.racing("race", "a", "b");

  public final ScriptedProvider a = new ScriptedProvider();
  public final ScriptedProvider b = new ScriptedProvider();
  private final Metrics metrics = new Metrics(List.of(PLAIN, RACE), List.of("a", "b"));
  private final JobEngine engine;
  private final ApiKeys keys;
  private final ApiServer server;

  /** Starts a node over the database of a test. */
  public ApiNode(DataSource database) {
    ServerMigrations.migrate(database);
    keys = new ApiKeys(database);
    engine = JobEngine.start(database, database, config(), metrics);
    metrics.watchBacklog(engine::backlog);
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
                new Watching(metrics::text, Watching.Readers.OPERATORS, UnaryOperator.identity())));
  }

  private EngineConfig config() {
    List<Kind> kinds = new ArrayList<>(PulledWork.KINDS);
    kinds.addAll(List.of(PLAIN, RACE));
    EngineConfig called = Engines.config(List.of(PLAIN, RACE), Map.of("a", a, "b", b));
    Map<String, EngineConfig.ProviderSlot> providers = new HashMap<>(PulledWork.PROVIDERS);
    providers.putAll(called.providers());
    EngineConfig config =
        new EngineConfig(
            called.node(),
            kinds,
            providers,
            called.slots(),
            called.pollInterval(),
            called.sweepInterval());
    return config.with(new CallbackRoute(URI.create("http://this-node")));
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
    engine.close();
    metrics.close();
  }
}
