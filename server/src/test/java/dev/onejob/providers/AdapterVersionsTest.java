package dev.onejob.providers;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * A pass is for the version of the adapter that it was made with. Nobody changes an adapter without
 * being asked here whether it still sends and reads the same.
 */
final class AdapterVersionsTest {
  private static final Path SOURCES = Path.of("src", "main", "java", "dev", "onejob", "providers");
  private static final String SEEN = "adapter-versions.txt";

  /** Comments and white space neither send nor read. */
  private static final String SAYS_NOTHING = "(?s)/\\*.*?\\*/|//[^\n]*|\\s+";

  /** The rooms that each type is made of, besides the common one. */
  private static final Map<String, List<String>> ROOMS =
      Map.of(
          "anthropic-messages", List.of("anthropic", "model", "http"),
          "command", List.of("command"),
          "http-async", List.of("httpasync", "model", "http"),
          "http-keyed", List.of("httpkeyed", "model", "http"),
          "openai-chat", List.of("openai", "model", "http"),
          "openai-responses", List.of("responses", "model", "http"),
          "sandbox", List.of("sandbox", "http"),
          "worker", List.of("worker"));

  @Test
  void an_adapter_whose_code_has_changed_was_asked_for_its_version() throws Exception {
    String lines =
        ProviderTypes.ALL.stream()
            .map(type -> type.name() + " " + type.version() + " " + digest(type))
            .sorted()
            .collect(Collectors.joining("\n", "", "\n"));

    assertThat(lines)
        .as(
            "code of adapters has changed: raise version() of each type that now asks or reads"
                + " otherwise, which ends its passes, and write these lines to "
                + SEEN)
        .isEqualTo(seen());
  }

  private static String seen() throws IOException {
    try (InputStream in = AdapterVersionsTest.class.getResourceAsStream(SEEN)) {
      return in == null ? "" : new String(in.readAllBytes(), UTF_8);
    }
  }

  private static String digest(ProviderType type) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      for (String room : ROOMS.getOrDefault(type.name(), List.of())) {
        for (Path source : sources(SOURCES.resolve(room))) {
          digest.update(Files.readString(source).replaceAll(SAYS_NOTHING, "").getBytes(UTF_8));
        }
      }
      return HexFormat.of().formatHex(digest.digest(), 0, 8);
    } catch (IOException | NoSuchAlgorithmException e) {
      throw new IllegalStateException("the sources of " + type.name() + " cannot be read", e);
    }
  }

  private static List<Path> sources(Path room) throws IOException {
    try (Stream<Path> files = Files.walk(room)) {
      return files.filter(file -> file.toString().endsWith(".java")).sorted().toList();
    }
  }
}
