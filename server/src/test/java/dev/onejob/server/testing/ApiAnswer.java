package dev.onejob.server.testing;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * An answer of the API.
 *
 * @param headers by lower-case name
 */
public record ApiAnswer(int status, Map<String, List<String>> headers, byte[] body) {
  private static final JsonMapper MAPPER = new JsonMapper();

  /** The first value of a header. */
  public Optional<String> header(String name) {
    return headers.getOrDefault(name.toLowerCase(Locale.ROOT), List.of()).stream().findFirst();
  }

  /** The body as text. */
  public String text() {
    return new String(body, StandardCharsets.UTF_8);
  }

  /** The body as JSON. */
  public JsonNode json() {
    return MAPPER.readTree(body);
  }

  /** A member of the body by its JSON pointer; {@code null} as text for JSON's null. */
  public String at(String pointer) {
    return json().at(pointer).asString();
  }

  /** The code of a problem document. */
  public String code() {
    return at("/code");
  }

  @Override
  public String toString() {
    return status + " " + headers + "\n" + text();
  }
}
