package dev.onejob.bench;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;

/** The load generator {@code wrk}: it costs little, so most of the machine is the server's. */
public final class Wrk {
  private static final String FIGURES = "figures ";

  private final Path script;

  private Wrk(Path script) {
    this.script = script;
  }

  /** What came of a run; the latency is the median. */
  record Figures(double perSecond, Duration latency) {}

  static Wrk unpack(Path folder) throws IOException {
    Path script = folder.resolve("submit.lua");
    try (InputStream source = Wrk.class.getResourceAsStream("submit.lua")) {
      if (source == null) {
        throw new IOException("submit.lua is not on the class path");
      }
      Files.copy(source, script);
    }
    return new Wrk(script);
  }

  /** Whether it can be run here. */
  public static boolean isInstalled() {
    return Arrays.stream(System.getenv("PATH").split(":"))
        .anyMatch(folder -> Files.isExecutable(Path.of(folder, "wrk")));
  }

  Figures post(ServerProcess.Door door, int connections, Duration about)
      throws IOException, InterruptedException {
    List<String> command =
        List.of(
            "wrk",
            "--threads",
            "1",
            "--connections",
            Integer.toString(connections),
            "--duration",
            about.toSeconds() + "s",
            "--script",
            script.toString(),
            "http://127.0.0.1:" + door.port(),
            "--",
            door.secret(),
            UUID.randomUUID().toString(),
            LibraryLives.INPUT);
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (process.waitFor() != 0) {
      throw new IOException("wrk failed: " + said);
    }
    return said.lines()
        .filter(line -> line.startsWith(FIGURES))
        .map(Wrk::read)
        .findFirst()
        .orElseThrow(() -> new IOException("wrk gave no figures: " + said));
  }

  private static Figures read(String line) {
    String[] words = line.substring(FIGURES.length()).split(" ");
    if (!words[2].equals("0")) {
      throw new IllegalStateException(words[2] + " of " + words[0] + " requests failed");
    }
    double seconds = Long.parseLong(words[1]) / 1e6;
    return new Figures(
        Long.parseLong(words[0]) / seconds, Duration.ofNanos(Long.parseLong(words[3]) * 1_000));
  }
}
