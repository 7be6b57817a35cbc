package dev.onejob.bench;

import dev.onejob.providers.ProviderTypes;
import dev.onejob.server.Service;
import dev.onejob.server.config.Overrides;
import dev.onejob.server.config.SettingsLoader;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * What the OpenAI door adds to the time of an answer: 50 calls a second at the door, each a job of
 * its own, and as many straight at the same provider, which takes 200 ms, in the same seconds. At
 * the median the door may add 5 ms.
 */
public final class DoorTimes {
  private static final Duration WORK = Duration.ofMillis(200);
  private static final int CALLS_A_SECOND = 50;
  private static final int SECONDS = 30;

  /** Long enough for the compiler to have done with what a service does all day. */
  private static final int WARM_UP_SECONDS = 30;

  private static final int WARM_UP_CALLS_A_SECOND = 4 * CALLS_A_SECOND;
  private static final double ADDED_MILLIS_MAX = 5.0;
  private static final double NANOS_OF_A_MILLI = 1_000_000;
  private static final int OK = 200;

  private final HttpClient http =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private final URI straight;
  private final URI door;
  private final String apiKey;

  private DoorTimes(URI straight, URI door, String apiKey) {
    this.straight = straight;
    this.door = door;
    this.apiKey = apiKey;
  }

  /**
   * Measures.
   *
   * @param args for how many seconds; none: 30
   */
  public static void main(String[] args) throws Exception {
    int seconds = args.length == 0 ? SECONDS : Integer.parseInt(args[0]);
    Path folder = Files.createTempDirectory("onejob-door");
    boolean kept;
    try (Ground ground = Ground.prepare(folder);
        PromptPeer peer = PromptPeer.start(WORK);
        Service service = serve(ground.create("door"), folder, peer.baseUrl())) {
      System.out.println("PostgreSQL " + ground.version() + ", Java " + Runtime.version());
      String apiKey = service.firstKeys().orElseThrow().keys().client();
      kept =
          new DoorTimes(peer.baseUrl(), URI.create(service.uri() + "/openai/v1"), apiKey)
              .compare(seconds);
    } finally {
      Bench.delete(folder);
    }
    System.exit(kept ? 0 : 1);
  }

  private static Service serve(String database, Path folder, URI peer) throws IOException {
    Path file =
        Files.writeString(
            folder.resolve("onejob.yaml"),
            """
            openai_door: {chat_completions: {gpt-x: chat}}
            kinds:
              chat: {route: [peer]}
            providers:
              peer: {type: openai-chat, base_url: %s, model: m, request: input, result: whole}
            log: {level: warn}
            """
                .formatted(peer));
    return Service.start(
        new SettingsLoader(ProviderTypes.ALL, name -> null, folder)
            .load(file)
            .with(new Overrides(database, null, 0, folder.resolve("node"), "bench")),
        ProviderTypes.ALL,
        name -> null);
  }

  private boolean compare(int seconds) {
    Progress.say("warms up for " + WARM_UP_SECONDS + " s");
    run("warm-up", WARM_UP_SECONDS, WARM_UP_CALLS_A_SECOND);
    Progress.say("measures for " + seconds + " s");
    List<double[]> times = run("call", seconds, CALLS_A_SECOND);
    double[] alone = times.getFirst();
    double[] behind = times.getLast();
    double added = at(behind, 0.5) - at(alone, 0.5);
    System.out.printf(
        """

        | %d calls a second each, for %d s | median | 95 %% | 99 %% |
        | --- | ---: | ---: | ---: |
        | straight at the provider | %.1f ms | %.1f ms | %.1f ms |
        | through the door | %.1f ms | %.1f ms | %.1f ms |

        Added at the median: %.1f ms (at most %.0f).
        """,
        CALLS_A_SECOND,
        seconds,
        at(alone, 0.5),
        at(alone, 0.95),
        at(alone, 0.99),
        at(behind, 0.5),
        at(behind, 0.95),
        at(behind, 0.99),
        added,
        ADDED_MILLIS_MAX);
    return added <= ADDED_MILLIS_MAX;
  }

  /** Open loop: a call leaves when its time has come, whether or not others were answered. */
  private List<double[]> run(String name, int seconds, int callsASecond) {
    int calls = callsASecond * seconds;
    long period = TimeUnit.SECONDS.toNanos(1) / callsASecond;
    List<CompletableFuture<Double>> alone = new ArrayList<>();
    List<CompletableFuture<Double>> behind = new ArrayList<>();
    try (ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor()) {
      for (int i = 0; i < calls; i++) {
        String key = name + "-" + i;
        alone.add(later(clock, i * period, request(straight, key)));
        behind.add(later(clock, i * period + period / 2, request(door, key)));
      }
    }
    return List.of(sorted(alone), sorted(behind));
  }

  private CompletableFuture<Double> later(
      ScheduledExecutorService clock, long nanos, HttpRequest request) {
    CompletableFuture<Double> time = new CompletableFuture<>();
    clock.schedule(() -> send(request, time), nanos, TimeUnit.NANOSECONDS);
    return time;
  }

  private void send(HttpRequest request, CompletableFuture<Double> time) {
    long start = System.nanoTime();
    http.sendAsync(request, HttpResponse.BodyHandlers.ofString())
        .whenComplete(
            (answer, failure) -> {
              if (failure != null) {
                time.completeExceptionally(failure);
              } else if (answer.statusCode() != OK) {
                time.completeExceptionally(new IllegalStateException(answer.body()));
              } else {
                time.complete((System.nanoTime() - start) / NANOS_OF_A_MILLI);
              }
            });
  }

  private HttpRequest request(URI base, String key) {
    String body =
        "{\"model\":\"gpt-x\",\"messages\":[{\"role\":\"user\",\"content\":\"" + key + "\"}]}";
    return HttpRequest.newBuilder(URI.create(base + "/chat/completions"))
        .header("Authorization", "Bearer " + apiKey)
        .header("Idempotency-Key", key)
        .header("Content-Type", "application/json")
        .POST(HttpRequest.BodyPublishers.ofString(body))
        .build();
  }

  private static double[] sorted(List<CompletableFuture<Double>> times) {
    return times.stream().mapToDouble(CompletableFuture::join).sorted().toArray();
  }

  private static double at(double[] sorted, double share) {
    return sorted[(int) Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
  }
}
