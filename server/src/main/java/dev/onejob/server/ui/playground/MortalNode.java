package dev.onejob.server.ui.playground;

import dev.onejob.domain.IntentKey;
import dev.onejob.domain.Kind;
import dev.onejob.domain.Owner;
import dev.onejob.engine.Admitted;
import dev.onejob.engine.EngineConfig;
import dev.onejob.engine.EngineConfig.ProviderSlot;
import dev.onejob.engine.JobEngine;
import dev.onejob.engine.Submission;
import dev.onejob.providers.ProviderContext;
import dev.onejob.providers.ProviderType;
import dev.onejob.providers.ProviderTypes;
import dev.onejob.server.config.DatabaseSettings;
import dev.onejob.server.config.PlaygroundKinds;
import dev.onejob.server.config.ProviderSettings;
import dev.onejob.server.database.Database;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A node that takes one job and waits to be killed. Its own process; see {@link NodeToKill}, which
 * tells it what to do in one line. It never stops in order: that is what it is for.
 */
public final class MortalNode {
  /** What lines begin with that are for the process that has started this one. */
  static final String SAYS = "playground: ";

  /** What a line begins with that says how the call in the usual way has ended. */
  static final String ENDED = SAYS + "ended ";

  /** Behind {@link #ENDED} if the line was cut; else the status of the answer stands there. */
  static final String CUT = "cut";

  /** Longest life, in seconds. */
  private static final long LIFE_SECONDS = 120;

  private static final int POOL_SIZE = 4;

  /** Nothing of others is looked for in so short a life. */
  private static final Duration NEVER = Duration.ofMinutes(10);

  /** Short, so that its death is noticed soon. */
  private static final EngineConfig.Holding HOLDING =
      new EngineConfig.Holding(Duration.ofSeconds(2), Duration.ofMillis(500), Duration.ZERO, 16);

  private MortalNode() {}

  /** Reads what to do, does it, and waits. */
  public static void main(String[] args) throws IOException, InterruptedException {
    BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    JsonNode told = JsonMapper.shared().readTree(String.valueOf(in.readLine()));
    Thread.ofPlatform().daemon().start(() -> endWith(in));
    System.out.println(SAYS + submit(told));
    System.out.flush();
    TimeUnit.SECONDS.sleep(LIFE_SECONDS);
    Runtime.getRuntime().halt(0);
  }

  /** Whoever has started this is gone as soon as its end of the line is. */
  private static void endWith(BufferedReader in) {
    try {
      if (in.readLine() == null) {
        Runtime.getRuntime().halt(0);
      }
    } catch (IOException e) {
      Runtime.getRuntime().halt(1);
    }
  }

  /** As soon as it has an answer it says so: that is what a worker confirms a message by. */
  private static void sendInTheUsualWay(JsonNode told) {
    Map<String, String> headers = new LinkedHashMap<>();
    told.path("usual_headers")
        .properties()
        .forEach(each -> headers.put(each.getKey(), each.getValue().asString()));
    UsualCall call =
        new UsualCall(
            URI.create(told.path("usual_to").asString()),
            headers,
            told.path("usual_body").asString());
    HttpClient http = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    System.out.println(SAYS + "sends");
    System.out.flush();
    http.sendAsync(call.request(), HttpResponse.BodyHandlers.ofString())
        .handle(
            (answer, failure) -> {
              System.out.println(ENDED + (answer == null ? CUT : answer.statusCode()));
              System.out.flush();
              return answer;
            });
  }

  /** The id of the job, or why there is none. */
  private static String submit(JsonNode told) {
    Database database = Database.open(database(told), Path.of(""));
    JobEngine engine = JobEngine.start(database.dataSource(), config(told));
    sendInTheUsualWay(told);
    Admitted answer =
        engine.submit(
            new Submission(
                new Owner(told.path("owner").asString()),
                new IntentKey(told.path("key").asString()),
                told.path("kind").asString(),
                told.path("input").asString().getBytes(StandardCharsets.UTF_8),
                null,
                null,
                0,
                List.of("playground")));
    return answer instanceof Admitted.Created created
        ? created.id().toString()
        : "not admitted: " + answer;
  }

  private static DatabaseSettings database(JsonNode told) {
    return new DatabaseSettings(
        told.path("url").asString(),
        text(told.path("user")),
        text(told.path("password")),
        POOL_SIZE,
        DatabaseSettings.Durability.WAIVED,
        Duration.ofSeconds(10));
  }

  private static @Nullable String text(JsonNode node) {
    return node.isString() ? node.asString() : null;
  }

  private static EngineConfig config(JsonNode told) {
    URI sandbox = URI.create(told.path("sandbox").asString());
    ProviderContext context = new ProviderContext(name -> null, Path.of(""), () -> sandbox);
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
    List<Kind> kinds =
        PlaygroundKinds.kinds().stream()
            .filter(kind -> kind.name().equals(PlaygroundKinds.ASKED))
            .toList();
    return new EngineConfig(told.path("node").asString(), kinds, slots, 4, NEVER, NEVER)
        .with(HOLDING);
  }
}
