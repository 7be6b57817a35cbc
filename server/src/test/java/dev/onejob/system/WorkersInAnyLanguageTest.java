package dev.onejob.system;

import static dev.onejob.system.TwoNodes.awaitJob;
import static dev.onejob.system.TwoNodes.created;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import dev.onejob.server.testing.ApiAnswer;
import dev.onejob.testkit.PostgresExtension;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** The workers of examples/ at two nodes, some of them killed. Needs ImageMagick and Node. */
@Tag("process")
class WorkersInAnyLanguageTest {
  private static final Path IMAGE_MAGICK = Path.of("/usr/bin/convert");
  private static final int IMAGES = 100;

  @RegisterExtension final PostgresExtension postgres = new PostgresExtension();

  @TempDir Path folder;

  @BeforeEach
  void thePrograms() {
    assumeThat(IMAGE_MAGICK).exists();
    assumeThat(Path.of("/usr/bin/node").toFile().exists() || onPath("node")).isTrue();
  }

  private static boolean onPath(String program) {
    return List.of(System.getenv("PATH").split(":")).stream()
        .anyMatch(place -> Files.isExecutable(Path.of(place, program)));
  }

  @Test
  void python_and_node_render_100_images_each_while_a_worker_of_each_is_killed() throws Exception {
    imageMagickThatHangsOnceForEachOf("#010203", "#040506");
    try (TwoNodes nodes = new TwoNodes(postgres.url(), folder, List.of("--config", config()))) {
      String key = workerKey(nodes);
      try (WorkerProcess python1 = WorkerProcess.python("py-1", nodes.first, key, "py", folder);
          WorkerProcess python2 = WorkerProcess.python("py-2", nodes.second, key, "py", folder);
          WorkerProcess node1 = WorkerProcess.node("node-1", nodes.first, key, "js", folder);
          WorkerProcess node2 = WorkerProcess.node("node-2", nodes.second, key, "js", folder)) {
        List<String> jobs = new ArrayList<>();
        for (int i = 0; i < IMAGES; i++) {
          jobs.add(submit(nodes, "py", i, i == 7 ? "#010203" : "#3366cc"));
          jobs.add(submit(nodes, "js", i, i == 7 ? "#040506" : "#cc6633"));
        }
        String hungPython = jobs.get(14);
        String hungNode = jobs.get(15);
        killWhoWorksOn(nodes, hungPython, List.of(python1, python2));
        killWhoWorksOn(nodes, hungNode, List.of(node1, node2));
        resolve(nodes, hungPython, "not_done");
        resolve(nodes, hungNode, "abandon");

        for (String job : jobs) {
          ApiAnswer done = awaitJob(nodes.client1, job, "/state", "succeeded");
          assertPicture(done);
        }
        assertThat(nodes.client2.get("/v1/jobs/" + hungPython).json().at("/attempts")).hasSize(2);
        assertThat(nodes.client2.get("/v1/jobs/" + hungNode).json().at("/attempts")).hasSize(2);
        assertThat(attempts(nodes, jobs)).isEqualTo(2 * IMAGES + 2);
      }
    }
  }

  /** ImageMagick, but the first picture of each of these colors never gets done. */
  private void imageMagickThatHangsOnceForEachOf(String... colors) throws IOException {
    Path program = folder.resolve("convert");
    StringBuilder script = new StringBuilder("#!/bin/sh\n");
    for (String color : colors) {
      String mark = folder.resolve("hung-" + color.substring(1)).toString();
      script.append(
          "case \"$*\" in *'%s'*) mkdir '%s' 2>&- && exec sleep 600;; esac\n"
              .formatted(color, mark));
    }
    script.append("exec ").append(IMAGE_MAGICK).append(" \"$@\"\n");
    Files.writeString(program, script);
    assertThat(program.toFile().setExecutable(true)).isTrue();
  }

  private String config() throws IOException {
    Path file = folder.resolve("onejob.yaml");
    Files.writeString(
        file,
        """
        kinds:
          py:
            effect: exclusive
            route: [renderers]
            attempt_timeout: 2m
          js:
            effect: exclusive
            route: [renderers]
            attempt_timeout: 2m
        providers:
          renderers:
            type: worker
            lease: 3s
        """);
    return file.toString();
  }

  private static String workerKey(TwoNodes nodes) {
    String owner = nodes.client1.submit("who", "py", "{\"values\":[1]}").at("/owner");
    String body = "{\"name\":\"workers\",\"role\":\"worker\",\"owner\":\"" + owner + "\"}";
    return nodes.operator1.post("/v1/keys", body).at("/secret");
  }

  private static String submit(TwoNodes nodes, String kind, int i, String color) {
    var client = i % 2 == 0 ? nodes.client1 : nodes.client2;
    String input = "{\"values\":[%d,3,%d],\"color\":\"%s\"}".formatted(i, i + 1, color);
    return created(client.submit(kind + "-" + i, kind, input));
  }

  /** Waits until a worker acts on the job, kills that worker, and sees the doubt appear. */
  private static void killWhoWorksOn(TwoNodes nodes, String job, List<WorkerProcess> workers) {
    ApiAnswer running = awaitJob(nodes.client1, job, "/attempts/0/state", "running");
    String name = running.at("/attempts/0/worker");
    WorkerProcess worker =
        workers.stream().filter(each -> each.name().equals(name)).findFirst().orElseThrow();
    // Its heartbeats keep the lease, for longer than the lease is.
    String begun = running.at("/attempts/0/lease_until");
    await()
        .atMost(Duration.ofSeconds(60))
        .until(
            () ->
                nodes.client2.get("/v1/jobs/" + job).at("/attempts/0/lease_until").compareTo(begun)
                    > 0);
    worker.kill();
    ApiAnswer doubt = awaitJob(nodes.client2, job, "/state", "unknown");
    assertThat(doubt.at("/attempts/0/failure/code")).isEqualTo("lease-lapsed");
    assertThat(nodes.operator1.get("/v1/jobs?state=unknown").text()).contains(job);
  }

  private static void resolve(TwoNodes nodes, String job, String verdict) {
    String attempt = nodes.operator2.get("/v1/jobs/" + job).at("/attempts/0/id");
    String body =
        "{\"verdict\":\"%s\",\"then\":\"retry\",\"reason\":\"its worker is dead\"}"
            .formatted(verdict);
    ApiAnswer resolved = nodes.operator2.post("/v1/attempts/" + attempt + "/resolution", body);
    assertThat(resolved.status()).as(resolved.text()).isEqualTo(200);
  }

  private static int attempts(TwoNodes nodes, List<String> jobs) {
    return jobs.stream()
        .mapToInt(job -> nodes.client1.get("/v1/jobs/" + job).json().at("/attempts").size())
        .sum();
  }

  private static void assertPicture(ApiAnswer job) throws Exception {
    byte[] png = Base64.getDecoder().decode(job.at("/result/base64"));
    ByteBuffer head = ByteBuffer.wrap(png);
    assertThat(head.getLong()).isEqualTo(0x8950_4E47_0D0A_1A0AL);
    assertThat(new String(png, 12, 4, StandardCharsets.US_ASCII)).isEqualTo("IHDR");
    assertThat(head.getInt(16)).isEqualTo(320);
    assertThat(head.getInt(20)).isEqualTo(200);
    byte[] digest = MessageDigest.getInstance("SHA-256").digest(png);
    assertThat(HexFormat.of().formatHex(digest)).isEqualTo(job.at("/result/sha256"));
  }

  @Test
  void a_worker_stops_its_program_when_the_job_is_cancelled() throws Exception {
    imageMagickThatHangsOnceForEachOf("#010203", "#040506");
    try (TwoNodes nodes = new TwoNodes(postgres.url(), folder, List.of("--config", config()))) {
      String key = workerKey(nodes);
      try (WorkerProcess python = WorkerProcess.python("py-1", nodes.first, key, "py", folder);
          WorkerProcess node = WorkerProcess.node("node-1", nodes.second, key, "js", folder)) {
        for (Map.Entry<String, String> each : Map.of("py", "#010203", "js", "#040506").entrySet()) {
          String job = submit(nodes, each.getKey(), 1, each.getValue());
          awaitJob(nodes.client1, job, "/attempts/0/state", "running");
          nodes.client1.post("/v1/jobs/" + job + "/cancel", "");
          ApiAnswer over = awaitJob(nodes.client1, job, "/state", "cancelled");
          assertThat(over.at("/attempts/0/state")).isEqualTo("cancelled");
          String next = submit(nodes, each.getKey(), 2, "#3366cc");
          assertPicture(awaitJob(nodes.client2, next, "/state", "succeeded"));
        }
        assertThat(python.output() + node.output()).contains("cancelled");
      }
    }
  }

  @Test
  void workers_refuse_an_input_that_they_cannot_draw() throws Exception {
    imageMagickThatHangsOnceForEachOf();
    try (TwoNodes nodes = new TwoNodes(postgres.url(), folder, List.of("--config", config()))) {
      String key = workerKey(nodes);
      try (WorkerProcess python = WorkerProcess.python("py-1", nodes.first, key, "py", folder);
          WorkerProcess node = WorkerProcess.node("node-1", nodes.second, key, "js", folder)) {
        List<String> inputs =
            List.of(
                "{\"values\":[]}",
                "{\"values\":[1,\"@/etc/passwd\"]}",
                "{\"values\":[1],\"color\":\"#33 66cc\"}",
                "[1]",
                "null",
                "{\"values\":[-1]}");
        for (String kind : List.of("py", "js")) {
          for (int i = 0; i < inputs.size(); i++) {
            String job = created(nodes.client1.submit(kind + i, kind, inputs.get(i)));
            ApiAnswer failed = awaitJob(nodes.client1, job, "/state", "failed");
            assertThat(failed.at("/failure/code")).isEqualTo("input-unusable");
          }
        }
        assertThat(python.output() + node.output()).contains("failed");
      }
    }
  }
}
