package dev.onejob.server.ui.playground;

import dev.onejob.domain.IntentKey;
import dev.onejob.domain.Owner;
import dev.onejob.engine.EngineConfig;
import dev.onejob.engine.EngineConfig.ProviderSlot;
import dev.onejob.engine.JobEngine;
import dev.onejob.providers.ProviderContext;
import dev.onejob.providers.ProviderType;
import dev.onejob.providers.ProviderTypes;
import dev.onejob.providers.sandbox.SandboxLedger;
import dev.onejob.providers.sandbox.SandboxServer;
import dev.onejob.server.access.Credential;
import dev.onejob.server.access.Role;
import dev.onejob.server.access.ServerMigrations;
import dev.onejob.server.config.DatabaseSettings;
import dev.onejob.server.config.PlaygroundKinds;
import dev.onejob.server.config.ProviderSettings;
import dev.onejob.server.ui.page.Means.Grounds;
import dev.onejob.store.JobQueries;
import dev.onejob.testkit.PostgresExtension;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.BooleanSupplier;
import javax.sql.DataSource;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Lends a class the parts of a run: an engine and a sandbox over a database of its own. */
final class PlayedGround implements BeforeAllCallback, AfterAllCallback {
  static final Credential WHO =
      new Credential(new UUID(0, 1), "key-of-shop", Role.CLIENT, new Owner("shop"));

  private static final Duration OFTEN = Duration.ofMillis(200);

  private final PostgresExtension postgres = new PostgresExtension();
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final HttpClient http =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private SandboxServer sandbox;
  private JobEngine engine;

  @Override
  public void beforeAll(ExtensionContext context) {
    postgres.beforeAll(context);
    ServerMigrations.migrate(postgres.dataSource());
    try {
      sandbox = SandboxServer.start(new SandboxLedger(postgres.dataSource()), 0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    engine = JobEngine.start(postgres.dataSource(), config());
  }

  private EngineConfig config() {
    ProviderContext context = new ProviderContext(name -> null, Path.of(""), () -> sandbox.uri());
    ProviderType type = ProviderTypes.named("sandbox").orElseThrow();
    Map<String, ProviderSlot> slots = new LinkedHashMap<>();
    for (ProviderSettings each : PlaygroundKinds.providers()) {
      slots.put(
          each.name(),
          new ProviderSlot(
              type.create(each.name(), each.own(), context),
              each.inFlightMax(),
              each.probes(),
              each.circuit()));
    }
    return new EngineConfig("played", PlaygroundKinds.kinds(), slots, 4, OFTEN, OFTEN);
  }

  @Override
  public void afterAll(ExtensionContext context) {
    http.shutdownNow();
    engine.close();
    sandbox.close();
    threads.close();
    postgres.afterAll(context);
  }

  JobEngine engine() {
    return engine;
  }

  DataSource dataSource() {
    return postgres.dataSource();
  }

  ExecutorService threads() {
    return threads;
  }

  /** Jobs that have not ended. */
  int unended() throws SQLException {
    try (Connection connection = dataSource().getConnection();
        Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery("SELECT count(*) FROM onejob.job WHERE ended_at IS NULL")) {
      row.next();
      return row.getInt(1);
    }
  }

  /** Whose connections are the engine's too. */
  Ground ground() {
    return ground(dataSource(), () -> false);
  }

  Ground ground(DataSource reading, BooleanSupplier closing) {
    return new Ground(
        http,
        threads,
        new JobQueries(reading),
        new SandboxLedger(reading),
        sandbox.uri(),
        new Curl(URI.create("http://localhost:8080"), sandbox.uri()),
        InstantSource.system(),
        closing);
  }

  Grounds grounds() {
    return new Grounds(sandbox.uri(), DatabaseSettings.of(postgres.url()));
  }

  OnejobSide onejob(Ground ground, Choice choice, Journal journal) {
    IntentKey key = new IntentKey("playground-" + UUID.randomUUID());
    return new OnejobSide(engine, WHO, ground, choice, journal, key);
  }

  UsualSide usual(Ground ground, Choice choice, Journal journal) {
    return new UsualSide(ground, choice, journal, PlaygroundKinds.TIMEOUT);
  }

  /** A choice whose first provider does this. */
  static Choice choice(Preset preset, long delayMillis, Play.Outcome outcome) {
    return new Choice(preset, new Play(delayMillis, outcome), preset.second());
  }
}
