package dev.onejob.bench.contest;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import tools.jackson.databind.JsonNode;

/** Load by {@code wrk} on the HTTP door of a contestant. */
final class DoorLoad {
  private static final String FIGURES = "figures ";
  private static final double MICROS_OF_A_SECOND = 1e6;
  private static final double MICROS_OF_A_MILLI = 1e3;

  private final Path script;
  private final JsonNode door;

  DoorLoad(Path script, JsonNode door) {
    this.script = script;
    this.door = door;
  }

  /** What came of a run; latencies in milliseconds, in a closed loop. */
  record Result(double perSecond, long requests, double p50, double p99) {}

  /**
   * Which keys are sent.
   *
   * @param different 0: no end of new ones
   * @param copies how often each is sent in a row
   */
  record Keys(String prefix, int different, int copies) {
    /** A new key for every request. */
    static Keys fresh() {
      return repeated(1);
    }

    /** New keys, each sent so often in a row. */
    static Keys repeated(int copies) {
      return new Keys("w" + UUID.randomUUID().toString().replace("-", ""), 0, copies);
    }

    /** The same keys over and over. */
    static Keys of(String prefix, int different) {
      return new Keys(prefix, different, 1);
    }
  }

  static Path unpack(Path folder) throws IOException {
    Path script = folder.resolve("door.lua");
    try (InputStream source = DoorLoad.class.getResourceAsStream("door.lua")) {
      if (source == null) {
        throw new IOException("door.lua is not on the class path");
      }
      Files.copy(source, script);
    }
    return script;
  }

  boolean waits() {
    return door.has("request_response");
  }

  Result oneWay(Keys keys, int connections, Duration about)
      throws IOException, InterruptedException {
    return answered(run("one_way", keys, connections, about));
  }

  Result requestResponse(Keys keys, int connections, Duration about)
      throws IOException, InterruptedException {
    return answered(run("request_response", keys, connections, about));
  }

  private static Result answered(Result result) throws IOException {
    if (result.requests() == 0) {
      throw new IOException("not one request was answered in time");
    }
    return result;
  }

  private Result run(String way, Keys keys, int connections, Duration about)
      throws IOException, InterruptedException {
    List<String> command =
        new ArrayList<>(
            List.of(
                "wrk",
                "--threads",
                "1",
                "--connections",
                Integer.toString(connections),
                "--duration",
                about.toSeconds() + "s",
                "--timeout",
                "30s",
                "--script",
                script.toString(),
                door.path(way).asString(),
                "--",
                door.path("key_header").asString(),
                keys.prefix(),
                door.path("before").asString(""),
                door.path("after").asString(""),
                Integer.toString(keys.different()),
                Integer.toString(keys.copies())));
    addHeaders(command, door.path("headers"));
    addHeaders(command, door.path(way + "_headers"));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (process.waitFor() != 0) {
      throw new IOException("wrk failed: " + said);
    }
    return read(said);
  }

  /** A run whose figures do not count, and that may be over before the first answer. */
  Result warmUp(Keys keys, int connections, Duration about)
      throws IOException, InterruptedException {
    return run("one_way", keys, connections, about);
  }

  private static void addHeaders(List<String> command, JsonNode headers) {
    headers
        .properties()
        .forEach(
            header -> {
              command.add(header.getKey());
              command.add(header.getValue().asString());
            });
  }

  private static Result read(String said) throws IOException {
    String line =
        said.lines()
            .filter(each -> each.startsWith(FIGURES))
            .findFirst()
            .orElseThrow(() -> new IOException("wrk gave no figures: " + said));
    String[] words = line.substring(FIGURES.length()).split(" ");
    if (!words[2].equals("0")) {
      throw new IOException(words[2] + " of " + words[0] + " requests failed");
    }
    long requests = Long.parseLong(words[0]);
    return new Result(
        requests * MICROS_OF_A_SECOND / Long.parseLong(words[1]),
        requests,
        Double.parseDouble(words[3]) / MICROS_OF_A_MILLI,
        Double.parseDouble(words[4]) / MICROS_OF_A_MILLI);
  }
}
