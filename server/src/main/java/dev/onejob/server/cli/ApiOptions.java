package dev.onejob.server.cli;

import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** How to reach a node, and how to answer: the same for every command that asks one. */
final class ApiOptions {
  private static final String URL = "http://127.0.0.1:8080";
  private static final String FIRST_KEYS = "first-keys.json";

  @Option(
      names = "--url",
      paramLabel = "URL",
      description = "address of the service; else ONEJOB_URL, else http://127.0.0.1:8080")
  @Nullable String url;

  @Option(
      names = "--api-key",
      paramLabel = "KEY",
      description = "else ONEJOB_API_KEY, else first-keys.json in the data folder")
  @Nullable String apiKey;

  @Option(
      names = "--data",
      paramLabel = "DIR",
      description = "data folder of a service on this machine; else .onejob here")
  @Nullable Path data;

  @Option(names = "--json", description = "one JSON document on stdout, for machines")
  boolean json;

  /** As whom a command speaks when it is told no key. */
  enum Role {
    CLIENT("client"),
    OPERATOR("operator");

    private final String member;

    Role(String member) {
      this.member = member;
    }
  }

  ApiClient client(Terminal terminal, Role role) {
    return new ApiClient(address(terminal), key(terminal, role), terminal);
  }

  private URI address(Terminal terminal) {
    String text = url != null ? url : terminal.environment().apply("ONEJOB_URL");
    String bare = (text == null || text.isEmpty() ? URL : text).replaceAll("/+$", "");
    try {
      URI address = new URI(bare);
      if (address.getHost() != null && String.valueOf(address.getScheme()).startsWith("http")) {
        return address;
      }
    } catch (URISyntaxException e) {
      throw CliFailure.usage("--url: " + e.getMessage());
    }
    throw CliFailure.usage("--url: expected http://host:port, got \"" + bare + "\"");
  }

  private String key(Terminal terminal, Role role) {
    String named = apiKey != null ? apiKey : terminal.environment().apply("ONEJOB_API_KEY");
    String key = named == null || named.isEmpty() ? firstKey(terminal, role) : named;
    if (!key.matches("[!-~]+")) {
      throw CliFailure.usage("the API key has characters that no key has");
    }
    return key;
  }

  private String firstKey(Terminal terminal, Role role) {
    Path folder = terminal.folder().resolve(data != null ? data : Path.of(".onejob"));
    Path file = folder.resolve(FIRST_KEYS);
    if (!Files.exists(file)) {
      throw CliFailure.usage(
          "no API key: give --api-key or ONEJOB_API_KEY, or name the data folder of the service"
              + " with --data (there is no "
              + file
              + ")");
    }
    try {
      JsonNode keys = JsonMapper.shared().readTree(Files.readAllBytes(file));
      return keys.path(role.member).asString("");
    } catch (IOException | JacksonException e) {
      throw CliFailure.usage(file + " cannot be read: " + e.getMessage());
    }
  }
}
