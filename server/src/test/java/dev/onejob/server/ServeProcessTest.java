package dev.onejob.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.onejob.server.cli.Commands;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ServeProcessTest {
  private static final String READY = "onejob is ready at ";

  /** What the product promises for a second start. */
  private static final Duration SECOND_START_MAX = Duration.ofSeconds(10);

  @TempDir Path folder;

  @Test
  void a_job_is_still_there_after_stop_and_start_and_the_second_start_is_quick() throws Exception {
    String job;
    Node first = Node.start(folder);
    try {
      job = Commands.run(folder, "submit", "--kind", "demo", "--no-wait", "--url", first.url);
      assertThat(job.strip()).startsWith("job_");
      Commands.run(folder, "watch", job.strip(), "--url", first.url);
    } finally {
      first.stop();
    }

    long before = System.nanoTime();
    Node second = Node.start(folder);
    try {
      assertThat(Duration.ofNanos(System.nanoTime() - before)).isLessThan(SECOND_START_MAX);
      assertThat(Commands.run(folder, "watch", job.strip(), "--url", second.url))
          .contains("\"job\":\"" + job.strip() + "\"");
    } finally {
      second.stop();
    }
  }

  /** A service on the embedded database, as a process of its own. */
  private record Node(Process process, String url) {
    static Node start(Path folder) throws IOException {
      Process process =
          new ProcessBuilder(
                  Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                  "-cp",
                  System.getProperty("java.class.path"),
                  Main.class.getName(),
                  "serve",
                  "--port",
                  "0")
              .directory(folder.toFile())
              .redirectError(ProcessBuilder.Redirect.INHERIT)
              .start();
      BufferedReader out = process.inputReader(StandardCharsets.UTF_8);
      for (String line = out.readLine(); line != null; line = out.readLine()) {
        if (line.startsWith(READY)) {
          return new Node(process, line.substring(READY.length()));
        }
      }
      throw new IllegalStateException("the service ended before it was ready");
    }

    /** SIGTERM, as an operator stops it. */
    void stop() throws InterruptedException {
      process.destroy();
      process.waitFor();
    }
  }
}
