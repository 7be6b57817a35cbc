package dev.onejob.server.http;

import dev.onejob.domain.Limits;
import dev.onejob.engine.JobEngine;
import dev.onejob.server.access.ApiKeys;
import dev.onejob.server.http.door.Door;
import dev.onejob.server.http.operation.Routes;
import dev.onejob.server.http.operation.SandboxEffects;
import dev.onejob.server.qualification.Qualifier;
import dev.onejob.server.webhooks.WebhookOffice;
import io.javalin.Javalin;
import io.javalin.compression.CompressionStrategy;
import io.javalin.config.JavalinConfig;
import io.javalin.config.RoutesConfig;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.component.LifeCycle;
import org.jspecify.annotations.Nullable;

/** The HTTP API of one node. */
public final class ApiServer implements AutoCloseable {
  /**
   * Longest header, in bytes: so that even an absurd key gets an answer that says what is wrong.
   */
  private static final int HEADER_BYTES_MAX = 128 << 10;

  /** A connection is kept for this long beyond the longest wait. */
  private static final Duration IDLE_MARGIN = Duration.ofSeconds(30);

  /**
   * Connections that wait to be taken. One that finds no place is tried again only a second later
   * by the caller's system, so a burst of callers must fit.
   */
  private static final int BACKLOG = 1_024;

  private final Javalin javalin;

  private ApiServer(Javalin javalin) {
    this.javalin = javalin;
  }

  /** Opens the door of a node that qualifies nobody. */
  public static ApiServer start(
      JobEngine engine, ApiKeys keys, SandboxEffects sandbox, ApiSettings settings) {
    return start(engine, keys, sandbox, settings, null, null);
  }

  /** Opens the door of a node that has no webhooks. */
  public static ApiServer start(
      JobEngine engine,
      ApiKeys keys,
      SandboxEffects sandbox,
      ApiSettings settings,
      @Nullable Qualifier qualifier) {
    return start(engine, keys, sandbox, settings, qualifier, null);
  }

  /** Opens the door of a node without a dashboard. */
  public static ApiServer start(
      JobEngine engine,
      ApiKeys keys,
      SandboxEffects sandbox,
      ApiSettings settings,
      @Nullable Qualifier qualifier,
      @Nullable WebhookOffice webhooks) {
    return start(engine, keys, sandbox, settings, qualifier, webhooks, List.of());
  }

  /**
   * Opens the door. Everything that it is given stays the caller's to close.
   *
   * @param qualifier null: the operations about qualifications are not there
   * @param webhooks null: the operations about webhooks are not there
   * @param others register what else is served at this door
   */
  public static ApiServer start(
      JobEngine engine,
      ApiKeys keys,
      SandboxEffects sandbox,
      ApiSettings settings,
      @Nullable Qualifier qualifier,
      @Nullable WebhookOffice webhooks,
      List<Consumer<RoutesConfig>> others) {
    Javalin javalin =
        Javalin.create(
            config -> {
              lean(config);
              config.jetty.modifyHttpConfiguration(ApiServer::bounded);
              config.jetty.modifyServer(ApiServer::prepare);
              config.jetty.modifyServletContextHandler(
                  context -> context.setErrorHandler(new ServerFaults()));
              Routes.register(config.routes, engine, keys, sandbox, settings.watching());
              Door door = settings.door();
              if (door != null) {
                Routes.register(config.routes, keys, settings.watching(), engine, door);
              }
              if (qualifier != null) {
                Routes.register(config.routes, keys, settings.watching(), qualifier);
              }
              if (webhooks != null) {
                Routes.register(config.routes, keys, settings.watching(), webhooks);
              }
              others.forEach(each -> each.accept(config.routes));
            });
    return new ApiServer(javalin.start(settings.host(), settings.port()));
  }

  private static void lean(JavalinConfig config) {
    config.concurrency.useVirtualThreads = true;
    config.startup.showJavalinBanner = false;
    config.startup.showOldJavalinVersionWarning = false;
    config.startup.startupWatcherEnabled = false;
    config.http.compressionStrategy = CompressionStrategy.NONE;
    config.http.prefer405over404 = true;
    config.router.ignoreTrailingSlashes = false;
  }

  /** Its connector is there only when it starts. */
  private static void prepare(Server server) {
    server.setErrorHandler(new ServerFaults());
    server.addEventListener(
        new LifeCycle.Listener() {
          @Override
          public void lifeCycleStarting(LifeCycle starting) {
            for (ServerConnector each : server.getBeans(ServerConnector.class)) {
              each.setAcceptQueueSize(BACKLOG);
            }
          }
        });
  }

  private static void bounded(HttpConfiguration http) {
    http.setRequestHeaderSize(HEADER_BYTES_MAX);
    http.setIdleTimeout(Limits.WAIT_MAX.plus(IDLE_MARGIN).toMillis());
    http.setSendServerVersion(false);
  }

  /** The port that it listens on. */
  public int port() {
    return javalin.port();
  }

  /** Closes the door; calls under way are cut off. */
  @Override
  public void close() {
    javalin.stop();
  }
}
