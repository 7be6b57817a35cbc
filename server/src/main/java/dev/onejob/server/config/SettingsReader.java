package dev.onejob.server.config;

import dev.onejob.document.Problems;
import dev.onejob.document.YamlDocument;
import dev.onejob.domain.Kind;
import dev.onejob.engine.EngineConfig.Holding;
import dev.onejob.providers.InvalidSetting;
import dev.onejob.providers.http.Address;
import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Reads a document that its schema has let through. */
final class SettingsReader {
  private static final String HOST = "127.0.0.1";
  private static final int PORT = 8080;
  private static final String DATA = ".onejob";

  /** Attempts at once on one node: each is a virtual thread and a socket, no connection. */
  private static final int SLOTS = 256;

  /** Calls at once at one provider; most accounts are limited to fewer. */
  private static final int PROVIDER_IN_FLIGHT = 64;

  private static final Duration POLL_INTERVAL = Duration.ofSeconds(1);
  private static final Duration SWEEP_INTERVAL = Duration.ofSeconds(1);
  private static final int NODE_CHARS_MAX = 64;

  private final YamlDocument yaml;
  private final Problems problems;
  private final Function<String, @Nullable String> environment;

  SettingsReader(
      YamlDocument yaml, Problems problems, Function<String, @Nullable String> environment) {
    this.yaml = yaml;
    this.problems = problems;
    this.environment = environment;
  }

  Settings read(Path folder, Path workingFolder) {
    JsonNode root = yaml.root();
    Path data =
        root.has("data")
            ? folder.resolve(root.path("data").asString()).normalize()
            : workingFolder.resolve(DATA);
    return new Settings(
        yaml.file(),
        server(root.path("server")),
        database(root.path("database"), folder),
        new RetentionReader(yaml, problems).read(root.path("retention")),
        data,
        folder,
        kinds(root.path("kinds"), folder),
        proofRules(root.path("kinds")),
        providers(root.path("providers")),
        observation(root),
        new WebhookReader(yaml, problems).read(root.path("webhooks")),
        new DoorReader(yaml, problems).read(root),
        new UiReader(yaml, problems).read(root.path("ui")),
        new Places(yaml));
  }

  private ServerSettings server(JsonNode server) {
    return new ServerSettings(
        server.path("host").asString(HOST),
        server.path("port").asInt(PORT),
        server.has("node") ? server.path("node").asString() : hostName(),
        server.path("slots").asInt(SLOTS),
        duration("/server/poll_interval", POLL_INTERVAL),
        duration("/server/sweep_interval", SWEEP_INTERVAL),
        holding(server),
        publicUrl(server));
  }

  private @Nullable URI publicUrl(JsonNode server) {
    String pointer = "/server/public_url";
    if (!server.has("public_url")) {
      return null;
    }
    String url = server.path("public_url").asString();
    try {
      URI whole = Address.of(url.replaceFirst("/+$", ""), pointer);
      if (whole.getRawQuery() == null) {
        return whole;
      }
      problems.add(yaml.problem(pointer, "expected an address without a query"));
    } catch (InvalidSetting e) {
      problems.add(yaml.problem(pointer, withoutPointer(e)));
    }
    return null;
  }

  private static String withoutPointer(InvalidSetting e) {
    String message = String.valueOf(e.getMessage());
    String prefix = e.pointer() + ": ";
    return message.startsWith(prefix) ? message.substring(prefix.length()) : message;
  }

  private Holding holding(JsonNode server) {
    Holding usual = Holding.DEFAULT;
    try {
      return new Holding(
          length(server, "lease", usual.lease()),
          length(server, "heartbeat", usual.heartbeat()),
          length(server, "stop_grace", usual.stopGrace()),
          server.path("late_answers").asInt(usual.lateAnswersMax()));
    } catch (IllegalArgumentException e) { // the rules name the setting first: "lease: …"
      String[] parts = String.valueOf(e.getMessage()).split(": ", 2);
      problems.add(yaml.problem("/server/" + parts[0], parts[parts.length - 1]));
      return usual;
    }
  }

  private static Duration length(JsonNode server, String name, Duration otherwise) {
    return DurationText.parse(server.path(name).asString("")).orElse(otherwise);
  }

  private Duration duration(String pointer, Duration otherwise) {
    Duration duration = DurationText.parse(yaml.root().at(pointer).asString("")).orElse(otherwise);
    if (duration.isZero()) {
      problems.add(yaml.problem(pointer, "must be longer than nothing"));
    }
    return duration;
  }

  private DatabaseSettings database(JsonNode database, Path folder) {
    return new DatabaseSettings(
        database.path("url").asString(null),
        database.path("user").asString(null),
        password(database, folder),
        database.path("pool_size").asInt(DatabaseSettings.POOL_SIZE),
        database.path("durability").asString("required").equals("waived")
            ? DatabaseSettings.Durability.WAIVED
            : DatabaseSettings.Durability.REQUIRED,
        socketTimeout());
  }

  /** The driver counts whole seconds, and takes none for a wait without end. */
  private Duration socketTimeout() {
    String pointer = "/database/socket_timeout";
    Duration timeout = duration(pointer, DatabaseSettings.SOCKET_TIMEOUT);
    if (timeout.compareTo(Duration.ofSeconds(1)) < 0
        || timeout.compareTo(Duration.ofHours(1)) > 0) {
      problems.add(yaml.problem(pointer, "must be from 1s to 1h"));
    }
    return timeout;
  }

  private @Nullable String password(JsonNode database, Path folder) {
    if (database.has("password_env")) {
      String name = database.path("password_env").asString();
      String value = environment.apply(name);
      if (value == null) {
        problems.add(
            yaml.problem("/database/password_env", "the variable " + name + " is not set"));
      }
      return value;
    }
    return database.has("password_file")
        ? passwordFile(folder.resolve(database.path("password_file").asString()))
        : null;
  }

  private @Nullable String passwordFile(Path file) {
    try {
      return Files.readString(file).stripTrailing();
    } catch (IOException e) {
      problems.add(yaml.problem("/database/password_file", "cannot be read: " + e));
      return null;
    }
  }

  private ObservationSettings observation(JsonNode root) {
    return new ObservationSettings(
        ObservationSettings.LogFormat.of(root.at("/log/format").asString("text")),
        ObservationSettings.LogLevel.of(root.at("/log/level").asString("info")),
        ObservationSettings.MetricsReaders.of(root.at("/metrics/readers").asString("operators")),
        tracing(root.path("tracing")));
  }

  /** The file wins; else the variables that OpenTelemetry defines. */
  private @Nullable TracingSettings tracing(JsonNode tracing) {
    return tracing.isMissingNode()
        ? TracingSettings.ofEnvironment(environment).orElse(null)
        : new TracingSettings(
            tracing.path("otlp_endpoint").asString(), tracing.path("sampled").asDouble(1));
  }

  private List<Kind> kinds(JsonNode kinds, Path folder) {
    KindReader reader = new KindReader(yaml, folder, problems);
    List<Kind> read = new ArrayList<>();
    for (Map.Entry<String, JsonNode> each : kinds.properties()) {
      reader.read(each.getKey(), each.getValue()).ifPresent(read::add);
    }
    return read;
  }

  private Map<String, ProofRules> proofRules(JsonNode kinds) {
    Map<String, ProofRules> rules = new HashMap<>();
    for (Map.Entry<String, JsonNode> each : kinds.properties()) {
      rules.put(each.getKey(), ProofRules.of(each.getKey(), each.getValue(), yaml, problems));
    }
    return rules;
  }

  private List<ProviderSettings> providers(JsonNode providers) {
    CircuitReader circuits = new CircuitReader(yaml, problems);
    ProbeReader probes = new ProbeReader(yaml, problems);
    PriceReader prices = new PriceReader(yaml, problems);
    List<ProviderSettings> read = new ArrayList<>();
    for (Map.Entry<String, JsonNode> each : providers.properties()) {
      ObjectNode own = each.getValue().asObject().deepCopy();
      own.remove(ProviderChecks.COMMON);
      read.add(
          new ProviderSettings(
              each.getKey(),
              each.getValue().path("type").asString(),
              each.getValue().path("in_flight").asInt(PROVIDER_IN_FLIGHT),
              probes.read(each.getKey(), each.getValue()),
              circuits.read(each.getKey(), each.getValue()),
              prices.read(each.getKey(), each.getValue()),
              own));
    }
    return read;
  }

  /** The machine's name; a machine without one still needs something to show. */
  private static String hostName() {
    try {
      String name = InetAddress.getLocalHost().getHostName();
      return name.length() > NODE_CHARS_MAX ? name.substring(0, NODE_CHARS_MAX) : name;
    } catch (UnknownHostException e) {
      return "node";
    }
  }
}
