package dev.onejob.server.testing;

import com.networknt.schema.Error;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SchemaRegistryConfig;
import com.networknt.schema.SpecificationVersion;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.databind.node.StringNode;

/** Holds every answer against the OpenAPI document: status, media type, header and body. */
public final class OpenApiCheck {
  private static final JsonMapper MAPPER = new JsonMapper();
  private static final JsonNode DOCUMENT = document();
  private static final SchemaRegistry REGISTRY =
      SchemaRegistry.withDefaultDialect(
          SpecificationVersion.DRAFT_2020_12,
          builder ->
              builder.schemaRegistryConfig(
                  SchemaRegistryConfig.builder().formatAssertionsEnabled(true).build()));
  private static final Map<String, Schema> SCHEMAS = new ConcurrentHashMap<>();

  private OpenApiCheck() {}

  private static JsonNode document() {
    try (InputStream stream =
        OpenApiCheck.class.getResourceAsStream("/dev/onejob/server/http/openapi.json")) {
      return MAPPER.readTree(stream);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The document. */
  public static JsonNode openApi() {
    return DOCUMENT;
  }

  /**
   * Checks one answer.
   *
   * @param path without the query
   * @throws AssertionError saying what the document does not allow
   */
  public static void check(String method, String path, ApiAnswer answer) {
    String where = method + " " + path + " → " + answer.status() + ": ";
    JsonNode response = response(where, method, path, answer.status());
    JsonNode content = response.path("content");
    if (content.isEmpty()) {
      require(answer.body().length == 0, where + "no body is allowed");
      return;
    }
    String mediaType = answer.header("Content-Type").orElse("(none)");
    require(content.has(mediaType), where + "media type " + mediaType + " is not in the document");
    if (method.equals("HEAD")) {
      require(answer.body().length == 0, where + "HEAD has no body");
      return;
    }
    List<Error> errors =
        schema(content.path(mediaType).path("schema")).validate(body(mediaType, answer));
    require(errors.isEmpty(), where + errors + " in " + text(answer));
  }

  private static JsonNode response(String where, String method, String path, int status) {
    JsonNode pathItem = pathItem(path);
    if (pathItem == null) {
      require(status == 404, where + "this path is not in the document, so it must not be found");
      return DOCUMENT.at("/components/responses/NotFound");
    }
    String documented = method.equals("HEAD") ? "get" : method.toLowerCase(Locale.ROOT);
    JsonNode operation = pathItem.path(documented);
    if (operation.isMissingNode()) {
      require(status == 405, where + "this method is not in the document, so it must be refused");
      return DOCUMENT.at("/components/responses/MethodNotAllowed");
    }
    JsonNode response = operation.path("responses").path(Integer.toString(status));
    require(!response.isMissingNode(), where + "this status is not in the document");
    return response.has("$ref") ? at(response.path("$ref").stringValue()) : response;
  }

  private static JsonNode pathItem(String path) {
    for (Map.Entry<String, JsonNode> entry : DOCUMENT.path("paths").properties()) {
      String regex = Pattern.quote(entry.getKey()).replaceAll("\\{[a-z]+}", "\\\\E[^/]+\\\\Q");
      if (Pattern.matches(regex, path)) {
        return entry.getValue();
      }
    }
    return null;
  }

  private static JsonNode at(String reference) {
    return DOCUMENT.at(reference.substring(1));
  }

  /** A schema with the components beside it, so that its references find them. */
  private static Schema schema(JsonNode schema) {
    return SCHEMAS.computeIfAbsent(
        schema.toString(),
        key -> {
          ObjectNode whole = MAPPER.createObjectNode();
          whole.putArray("allOf").add(schema);
          whole.set("components", DOCUMENT.path("components"));
          return REGISTRY.getSchema(whole);
        });
  }

  private static JsonNode body(String mediaType, ApiAnswer answer) {
    return mediaType.startsWith("text/") ? StringNode.valueOf(answer.text()) : json(answer);
  }

  private static JsonNode json(ApiAnswer answer) {
    try {
      return MAPPER.readTree(answer.body());
    } catch (JacksonException e) {
      throw new AssertionError("the answer is no JSON: " + text(answer), e);
    }
  }

  private static String text(ApiAnswer answer) {
    String text = new String(answer.body(), StandardCharsets.UTF_8);
    return text.length() > 2_000 ? text.substring(0, 2_000) + "…" : text;
  }

  private static void require(boolean holds, String what) {
    if (!holds) {
      throw new AssertionError(what);
    }
  }
}
