package dev.onejob.server;

import com.zaxxer.hikari.HikariDataSource;
import dev.onejob.domain.Owner;
import dev.onejob.engine.CallbackDoor;
import dev.onejob.engine.EngineConfig;
import dev.onejob.engine.JobEngine;
import dev.onejob.providers.ProviderContext;
import dev.onejob.providers.ProviderType;
import dev.onejob.providers.sandbox.SandboxLedger;
import dev.onejob.providers.sandbox.SandboxServer;
import dev.onejob.server.access.ApiKeys;
import dev.onejob.server.access.FirstKeys;
import dev.onejob.server.access.ServerMigrations;
import dev.onejob.server.config.ConfiguredProviders;
import dev.onejob.server.config.DoorSettings;
import dev.onejob.server.config.ServerSettings;
import dev.onejob.server.config.Settings;
import dev.onejob.server.config.UiSettings;
import dev.onejob.server.database.Database;
import dev.onejob.server.http.ApiServer;
import dev.onejob.server.http.ApiSettings;
import dev.onejob.server.http.door.Door;
import dev.onejob.server.http.operation.Acts;
import dev.onejob.server.http.operation.CallbackRoute;
import dev.onejob.server.observation.Observation;
import dev.onejob.server.observation.Tally;
import dev.onejob.server.observation.TallyWriter;
import dev.onejob.server.qualification.KeptPasses;
import dev.onejob.server.qualification.Qualifier;
import dev.onejob.server.qualification.Scope;
import dev.onejob.server.qualification.Scopes;
import dev.onejob.server.ui.Dashboard;
import dev.onejob.server.ui.page.Means;
import dev.onejob.server.webhooks.Destinations;
import dev.onejob.server.webhooks.PatientResolver;
import dev.onejob.server.webhooks.Sender;
import dev.onejob.server.webhooks.WebhookOffice;
import dev.onejob.store.Deliveries;
import dev.onejob.store.DerivedKeys;
import dev.onejob.store.QualificationRuns;
import io.javalin.config.RoutesConfig;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.channels.UnresolvedAddressException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One node: database, sandbox, providers, engine and door, opened in this order. */
public final class Service implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Service.class);
  private static final Owner FIRST_OWNER = new Owner("default");

  private final Opened opened;
  private final JobEngine engine;
  private final URI uri;
  private final @Nullable KeptKeys firstKeys;

  private Service(Opened opened, JobEngine engine, URI uri, @Nullable KeptKeys firstKeys) {
    this.opened = opened;
    this.engine = engine;
    this.uri = uri;
    this.firstKeys = firstKeys;
  }

  /**
   * The keys that the first start on an empty database has made.
   *
   * @param file where they are kept
   */
  public record KeptKeys(FirstKeys keys, Path file) {}

  /**
   * Starts a node. What was opened is closed again if anything fails.
   *
   * @param types of the providers that may be configured
   * @param environment an environment variable by its name; null if it is not set
   * @throws StartFailure if an address is taken or a file cannot be written
   */
  public static Service start(
      Settings settings, List<ProviderType> types, Function<String, @Nullable String> environment) {
    Opened opened = new Opened();
    try {
      return start(settings, types, environment, opened);
    } catch (RuntimeException e) {
      opened.close();
      throw e;
    }
  }

  private static Service start(
      Settings settings,
      List<ProviderType> types,
      Function<String, @Nullable String> environment,
      Opened opened) {
    Database server = opened.add(Database.open(settings.database(), settings.dataFolder()));
    DataSource database = server.dataSource();
    ServerMigrations.migrate(database);
    SandboxLedger ledger = new SandboxLedger(database);
    URI sandbox = ownSandbox(settings) ? opened.add(sandbox(ledger)).uri() : null;

    ProviderContext context =
        new ProviderContext(environment, settings.baseFolder(), () -> required(sandbox));
    ConfiguredProviders providers = opened.add(ConfiguredProviders.make(settings, types, context));
    Duration patience = settings.server().holding().heartbeat().dividedBy(2);
    Observation observation = opened.add(observation(settings, database));
    EngineConfig config = providers.engineConfig(settings);
    Scope scope = Scopes.of(settings, config, types, context);
    Tally tally = new Tally(observation.listener());
    JobEngine engine =
        opened.add(
            JobEngine.start(
                database,
                server.besideThePool(patience),
                observation.over(scope.over(config.with(callbackDoor(settings)))),
                tally));
    observation.started(engine);
    Qualifier qualifier = opened.add(qualifier(settings, scope, engine, database));
    WebhookOffice webhooks = webhooks(settings, database, observation, opened);

    ApiKeys keys = new ApiKeys(database);
    KeptKeys firstKeys = firstKeys(keys, settings.dataFolder()).orElse(null);
    List<Consumer<RoutesConfig>> pages =
        pages(server, new People(engine, keys, qualifier, webhooks, tally), settings, opened);
    ApiServer door =
        opened.add(
            door(
                () ->
                    ApiServer.start(
                        engine,
                        keys,
                        job -> ledger.effects(job).toJson(),
                        api(settings, observation, database),
                        qualifier,
                        webhooks,
                        pages),
                settings.server()));
    return new Service(opened, engine, uri(settings.server().host(), door.port()), firstKeys);
  }

  /** Where the API is found from this machine. */
  public URI uri() {
    return uri;
  }

  /** Present only after the first start on an empty database, and only on the node that won it. */
  public Optional<KeptKeys> firstKeys() {
    return Optional.ofNullable(firstKeys);
  }

  /**
   * Waits for the attempts under way, for at most the stop grace, with the door still open: reads
   * are answered and jobs admitted, but nothing starts here and the node is not ready. Then closes
   * the door first and the database last.
   */
  @Override
  public void close() {
    LOG.info("stopping");
    engine.drain();
    LOG.info("closing");
    opened.close();
  }

  private static boolean ownSandbox(Settings settings) {
    return settings.providers().stream()
        .anyMatch(each -> each.type().equals("sandbox") && !each.own().has("url"));
  }

  private static @Nullable CallbackDoor callbackDoor(Settings settings) {
    URI publicUrl = settings.server().publicUrl();
    return publicUrl == null ? null : new CallbackRoute(publicUrl);
  }

  private static URI required(@Nullable URI sandbox) {
    if (sandbox == null) {
      throw new IllegalStateException("this node runs no sandbox");
    }
    return sandbox;
  }

  private static SandboxServer sandbox(SandboxLedger ledger) {
    try {
      return SandboxServer.start(ledger, 0);
    } catch (IOException e) {
      throw new StartFailure("the sandbox cannot listen: " + e, e);
    }
  }

  private static Optional<KeptKeys> firstKeys(ApiKeys keys, Path dataFolder) {
    Path file = FirstKeysFile.in(dataFolder);
    return keys.createFirst(FIRST_OWNER, made -> FirstKeysFile.write(made, file))
        .map(made -> new KeptKeys(made, file));
  }

  private static Observation observation(Settings settings, DataSource database) {
    try {
      return Observation.start(settings, database);
    } catch (IllegalArgumentException e) {
      throw new StartFailure("traces cannot be sent there: " + e.getMessage(), e);
    }
  }

  private static ApiSettings api(Settings settings, Observation observation, DataSource database) {
    return new ApiSettings(
        settings.server().host(),
        settings.server().port(),
        observation.watching(),
        settings.door() == null ? null : openAiDoor(settings.door(), new DerivedKeys(database)));
  }

  private static Door openAiDoor(DoorSettings door, DerivedKeys keys) {
    Duration window = door.derivedKeysWindow();
    return new Door(
        door.chatCompletions(),
        door.responses(),
        door.patience(),
        door.doubtPatience(),
        door.keepAlive(),
        window == null ? null : (owner, digest) -> keys.of(owner, digest, Door.freshKey(), window));
  }

  private static Qualifier qualifier(
      Settings settings, Scope scope, JobEngine engine, DataSource database) {
    QualificationRuns runs = new QualificationRuns(database);
    InstantSource clock = InstantSource.system();
    KeptPasses passes = new KeptPasses(engine.proofs(), runs, scope, settings::validity, clock);
    Qualifier qualifier = new Qualifier(scope, engine, runs, passes, clock);
    qualifier.start();
    return qualifier;
  }

  private static WebhookOffice webhooks(
      Settings settings, DataSource database, Observation observation, Opened opened) {
    Sender sender =
        new Sender(
            new Deliveries(database),
            settings.webhooks(),
            opened.add(PatientResolver.forSending()),
            settings.server().node(),
            observation.tries());
    opened.add(sender).start();
    return new WebhookOffice(
        database,
        new Destinations(settings.webhooks(), opened.add(PatientResolver.forRegistering())),
        InstantSource.system());
  }

  /** What the dashboard is made over. */
  private record People(
      JobEngine engine, ApiKeys keys, Qualifier qualifier, WebhookOffice webhooks, Tally tally) {}

  /** The dashboard's; none where there is no dashboard. */
  private static List<Consumer<RoutesConfig>> pages(
      Database server, People people, Settings settings, Opened opened) {
    UiSettings ui = settings.ui();
    if (ui.presence() == UiSettings.Presence.OFF) {
      return List.of();
    }
    HikariDataSource reading = opened.add(server.forPages(ui.poolSize(), ui.statementTimeout()));
    opened.add(TallyWriter.start(people.tally(), reading, settings.server().node()));
    Means means =
        new Means(
            reading,
            people.engine(),
            new Acts(people.engine()),
            people.keys(),
            people.qualifier(),
            people.webhooks(),
            settings,
            InstantSource.system());
    return List.of(opened.add(Dashboard.start(means, ui))::register);
  }

  private static ApiServer door(Supplier<ApiServer> start, ServerSettings api) {
    try {
      return start.get();
    } catch (RuntimeException e) {
      if (causes(e).anyMatch(Service::aboutTheAddress)) {
        throw new StartFailure(
            "cannot listen on "
                + api.host()
                + ":"
                + api.port()
                + ", as it is in use or not of this machine; choose with --host and --port",
            e);
      }
      throw e;
    }
  }

  private static boolean aboutTheAddress(Throwable cause) {
    return cause instanceof BindException
        || cause instanceof UnresolvedAddressException
        || cause instanceof UnknownHostException;
  }

  private static Stream<Throwable> causes(Throwable thrown) {
    return Stream.iterate(thrown, each -> each != null, Throwable::getCause);
  }

  /** An address that means every interface is none to call; loopback is one of them. */
  private static URI uri(String host, int port) {
    String name = anyAddress(host) ? "127.0.0.1" : host;
    return URI.create("http://" + (name.contains(":") ? "[" + name + "]" : name) + ":" + port);
  }

  private static boolean anyAddress(String host) {
    try {
      return InetAddress.getByName(host).isAnyLocalAddress();
    } catch (UnknownHostException e) {
      return false; // listening has just worked; the name is good enough to show
    }
  }
}
