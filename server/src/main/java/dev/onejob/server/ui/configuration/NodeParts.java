package dev.onejob.server.ui.configuration;

import dev.onejob.engine.EngineConfig.Holding;
import dev.onejob.engine.RetentionRules;
import dev.onejob.server.config.DatabaseSettings;
import dev.onejob.server.config.DoorSettings;
import dev.onejob.server.config.ObservationSettings;
import dev.onejob.server.config.ServerSettings;
import dev.onejob.server.config.Settings;
import dev.onejob.server.config.TracingSettings;
import dev.onejob.server.config.UiSettings;
import dev.onejob.server.webhooks.AddressPolicy.Reach;
import dev.onejob.server.webhooks.Network;
import dev.onejob.server.webhooks.WebhookSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The settings of the node itself. */
final class NodeParts {
  private NodeParts() {}

  static List<Part> of(Settings settings) {
    return List.of(
        server(settings.server()),
        database(settings.database()),
        retention(settings.retention()),
        webhooks(settings.webhooks()),
        ui(settings.ui()),
        Part.of("data", List.of(new Setting("data", Value.of(settings.dataFolder())))),
        observation(settings.observation()),
        tracing(settings.observation().tracing()),
        door(settings.door()));
  }

  private static Part server(ServerSettings server) {
    Holding holding = server.holding();
    return Part.of(
        "server",
        List.of(
            new Setting("host", Value.name(server.host())),
            new Setting("port", Value.of(server.port())),
            new Setting("node", Value.name(server.node())),
            new Setting("slots", Value.of(server.slots())),
            new Setting("poll_interval", Value.of(server.pollInterval())),
            new Setting("sweep_interval", Value.of(server.sweepInterval())),
            new Setting("lease", Value.of(holding.lease())),
            new Setting("heartbeat", Value.of(holding.heartbeat())),
            new Setting("stop_grace", Value.of(holding.stopGrace())),
            new Setting("late_answers", Value.of(holding.lateAnswersMax())),
            new Setting(
                "public_url",
                Value.address(server.publicUrl() == null ? null : server.publicUrl().toString()))));
  }

  private static Part database(DatabaseSettings database) {
    String url = database.url();
    if (url == null) {
      return new Part(
          "database",
          "The embedded PostgreSQL, in the data folder.",
          List.of(new Setting("pool_size", Value.of(database.poolSizeMax()))));
    }
    return Part.of(
        "database",
        List.of(
            new Setting("url", Value.database(url)),
            new Setting("user", Value.name(database.user())),
            new Setting("password", Value.hidden(database.password())),
            new Setting("pool_size", Value.of(database.poolSizeMax())),
            new Setting("durability", Value.of(database.durability())),
            new Setting("socket_timeout", Value.of(database.socketTimeout()))));
  }

  private static Part retention(RetentionRules retention) {
    return Part.of(
        "retention",
        List.of(
            new Setting("payload_after", Value.of(retention.payloadAfter())),
            new Setting("tombstone_after", Value.of(retention.tombstoneAfter())),
            new Setting("batch", Value.of(retention.batch())),
            new Setting("interval", Value.of(retention.interval()))));
  }

  private static Part webhooks(WebhookSettings webhooks) {
    return Part.of(
        "webhooks",
        List.of(
            new Setting(
                "allow_private_addresses", Value.of(webhooks.policy().reach() == Reach.PRIVATE)),
            new Setting(
                "allowed_networks",
                Value.names(webhooks.policy().allowed().stream().map(Network::text).toList())),
            new Setting(
                "allow_http", Value.of(webhooks.scheme() == WebhookSettings.Scheme.HTTP_TOO)),
            new Setting("timeout", Value.of(webhooks.timeout())),
            new Setting("keep_for", Value.of(webhooks.kept()))));
  }

  private static Part ui(UiSettings ui) {
    return Part.of(
        "ui",
        List.of(
            new Setting("enabled", Value.of(ui.presence() == UiSettings.Presence.SERVED)),
            new Setting("session_idle", Value.of(ui.sessionIdle())),
            new Setting("session_max", Value.of(ui.sessionMax())),
            new Setting("pool_size", Value.of(ui.poolSize())),
            new Setting("statement_timeout", Value.of(ui.statementTimeout())),
            new Setting("streams_max", Value.of(ui.streamsMax()))));
  }

  private static Part observation(ObservationSettings observation) {
    return Part.of(
        "log, metrics",
        List.of(
            new Setting("log.format", Value.of(observation.logFormat())),
            new Setting("log.level", Value.of(observation.logLevel())),
            new Setting("metrics.readers", Value.of(observation.metricsReaders()))));
  }

  private static Part tracing(@Nullable TracingSettings tracing) {
    return tracing == null
        ? new Part("tracing", "No traces are sent.", List.of())
        : Part.of(
            "tracing",
            List.of(
                new Setting("otlp_endpoint", Value.address(tracing.otlpEndpoint())),
                new Setting("sampled", Value.of(tracing.sampled()))));
  }

  private static Part door(@Nullable DoorSettings door) {
    if (door == null) {
      return new Part("openai_door", "Closed.", List.of());
    }
    List<Setting> settings = new ArrayList<>();
    for (Map.Entry<String, String> each : door.chatCompletions().entrySet()) {
      settings.add(new Setting("chat_completions." + each.getKey(), Value.name(each.getValue())));
    }
    for (Map.Entry<String, String> each : door.responses().entrySet()) {
      settings.add(new Setting("responses." + each.getKey(), Value.name(each.getValue())));
    }
    settings.add(new Setting("patience", Value.of(door.patience())));
    settings.add(new Setting("doubt_patience", Value.of(door.doubtPatience())));
    settings.add(new Setting("keep_alive", Value.of(door.keepAlive())));
    settings.add(new Setting("derived_keys.window", Value.of(door.derivedKeysWindow())));
    return Part.of("openai_door", settings);
  }
}
