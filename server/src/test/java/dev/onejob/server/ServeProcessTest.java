package dev.onejob.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.onejob.server.cli.Commands;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ServeProcessTest {
  private static final String READY = "onejob is ready at ";

  /** PostgreSQL has many more. */
  private static final int FILES_MIN = 100;

  @TempDir Path folder;

  /** How soon the second start is ready is measured in the bench, where nothing runs beside it. */
  @Test
  void a_job_is_still_there_after_stop_and_start_and_the_second_start_makes_nothing_anew()
      throws Exception {
    String job;
    Node first = Node.start(folder);
    try {
      job = Commands.run(folder, "submit", "--kind", "demo", "--no-wait", "--url", first.url);
      assertThat(job.strip()).startsWith("job_");
      Commands.run(folder, "watch", job.strip(), "--url", first.url);
    } finally {
      first.stop();
    }

    Set<String> made = madeOnce();
    Node second = Node.start(folder);
    try {
      assertThat(madeOnce()).isEqualTo(made).hasSizeGreaterThan(FILES_MIN);
      assertThat(Commands.run(folder, "watch", job.strip(), "--url", second.url))
          .contains("\"job\":\"" + job.strip() + "\"");
    } finally {
      second.stop();
    }
  }

  /** The files of PostgreSQL and of its new cluster, as they are known on the disk. */
  private Set<String> madeOnce() throws IOException {
    try (Stream<Path> all = Files.walk(folder)) {
      Set<String> made = new TreeSet<>();
      for (Path file : all.filter(ServeProcessTest::isMadeOnce).toList()) {
        BasicFileAttributes read = Files.readAttributes(file, BasicFileAttributes.class);
        made.add(file + " " + read.fileKey() + " " + read.lastModifiedTime());
      }
      return made;
    }
  }

  private static boolean isMadeOnce(Path file) {
    return Files.isRegularFile(file)
        && (file.toString().contains("/binaries/PG-") || file.endsWith("PG_VERSION"));
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
