package dev.onejob.clients;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** The clients from npm: installed once into the build folder, each run a process of Node.js. */
final class Npm {
  static final List<String> PACKAGES =
      List.of("openai@6.49.0", "ai@6.0.326", "@ai-sdk/openai@3.0.141");

  private static final Path FOLDER = Path.of("target", "npm").toAbsolutePath();
  private static final Path INSTALLED = FOLDER.resolve("installed");
  private static final long SECONDS_MAX = 180;
  private static final JsonMapper JSON = new JsonMapper();

  private Npm() {}

  /** Whether the clients are there; false where there is no npm, or no registry to it. */
  static boolean install() {
    try {
      return installed();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("nobody waits for npm any more", e);
    }
  }

  private static boolean installed() throws IOException, InterruptedException {
    Files.createDirectories(FOLDER);
    String wanted = String.join("\n", PACKAGES);
    if (Files.exists(INSTALLED) && Files.readString(INSTALLED).equals(wanted)) {
      return true;
    }
    Files.writeString(FOLDER.resolve("package.json"), "{\"private\":true}");
    List<String> command =
        new ArrayList<>(List.of("npm", "install", "--no-audit", "--no-fund", "--prefer-offline"));
    command.addAll(PACKAGES);
    try {
      Process process =
          new ProcessBuilder(command)
              .directory(FOLDER.toFile())
              .redirectErrorStream(true)
              .redirectOutput(FOLDER.resolve("install.log").toFile())
              .start();
      if (process.waitFor() != 0) {
        return false;
      }
    } catch (IOException e) {
      return false; // no such program
    }
    Files.writeString(INSTALLED, wanted);
    return true;
  }

  /** Runs a script of the test resources with one argument, and reads its only line. */
  static JsonNode run(String script, JsonNode argument) throws IOException, InterruptedException {
    Path file = FOLDER.resolve(script);
    try (InputStream in = Npm.class.getResourceAsStream("/" + script)) {
      Files.write(file, in.readAllBytes());
    }
    Path log = Files.createTempFile(FOLDER, script, ".log");
    Process process =
        new ProcessBuilder("node", file.toString(), argument.toString())
            .directory(FOLDER.toFile())
            .redirectError(log.toFile())
            .start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (!process.waitFor(SECONDS_MAX, TimeUnit.SECONDS) || process.exitValue() != 0) {
      process.destroyForcibly();
      throw new AssertionError(script + " has failed: " + said + Files.readString(log));
    }
    return JSON.readTree(said);
  }

  /** The argument of every script. */
  static ObjectNode argument(URI baseUrl, String apiKey) {
    return JSON.createObjectNode().put("base_url", baseUrl.toString()).put("api_key", apiKey);
  }

  /** One of the clients in {@code calls.mjs}. */
  record NpmClient(String name, String title) implements Client {
    @Override
    public Found call(URI baseUrl, String apiKey, Round round) throws Exception {
      JsonNode found =
          run(
              "calls.mjs",
              argument(baseUrl, apiKey)
                  .put("client", name)
                  .put("calls", round.calls())
                  .put("pace_ms", round.pace().toMillis())
                  .put("clicks", round.clicks())
                  .put("timeout_ms", round.timeout().toMillis()));
      return new Found(
          found.path("answers").asInt(),
          found.path("named").asInt(),
          found.path("clicked").asInt(),
          found.path("others").valueStream().map(JsonNode::asString).toList());
    }
  }
}
