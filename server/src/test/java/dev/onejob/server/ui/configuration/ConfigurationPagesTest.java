package dev.onejob.server.ui.configuration;

import static org.assertj.core.api.Assertions.assertThat;

import dev.onejob.providers.ProviderType;
import dev.onejob.providers.ProviderTypes;
import dev.onejob.server.access.Role;
import dev.onejob.server.config.DatabaseSettings;
import dev.onejob.server.testing.UiClient;
import dev.onejob.server.testing.UiNode;
import dev.onejob.server.testing.UiPage;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

class ConfigurationPagesTest {
  private static final String MARK = "s3cr3t";
  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

  /** Forms of text whose value is a name of something; what it names is never looked at. */
  private static final Set<String> NAMES =
      Set.of("name", "variable", "file", "length", "day", "header", "pointer", "word");

  @RegisterExtension
  static final UiNode NODE =
      new UiNode(
          """
          server: {public_url: "https://jobs.example.com/s3cr3t", slots: 7}
          tracing: {otlp_endpoint: "http://s3cr3t:s3cr3t@127.0.0.1:9/s3cr3t?token=s3cr3t"}
          kinds:
            plain: {route: [program, keyed, model, async], attempt_timeout: 90s}
          providers:
            program:
              type: command
              command: [cat, s3cr3t]
              environment: {TOKEN: s3cr3t}
            keyed:
              type: http-keyed
              base_url: https://pay.example.com/s3cr3t?key=s3cr3t
              path: /charges/s3cr3t
              api_key_env: PAY_KEY
              headers: {X-Token: s3cr3t}
              form: {account: s3cr3t}
              key_kept: 24h
              price: {currency: EUR, per_call: 0.30000000004}
            model:
              type: anthropic-messages
              base_url: https://models.example.com/v1
              model: large-1
              api_key_file: FILE
              system: s3cr3t
              messages: [{role: user, content: s3cr3t}]
              parameters: {max_tokens: 100, metadata: {user_id: s3cr3t}}
            async:
              type: http-async
              profile: replicate
              model: house/model
              version: s3cr3tless
              api_key_env: ASYNC_KEY
              submit: {headers: {X-Token: s3cr3t}, query: {token: s3cr3t}}
              callback: {signature: {scheme: standard-webhooks, secret_env: HOOK_SECRET}}
          """
              .replace("FILE", secretFile())
              .replace("s3cr3tless", "v7"),
          Map.of(
              "PAY_KEY", "s3cr3t-pay",
              "ASYNC_KEY", "s3cr3t-async",
              "HOOK_SECRET", "whsec_czNjcjN0czNjcjN0czNjcjN0czNjcjN0"));

  private static String secretFile() {
    try {
      Path file = Files.createTempFile("key", ".txt");
      file.toFile().deleteOnExit();
      return Files.writeString(file, "s3cr3t-in-a-file").toString();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void no_page_shows_a_secret_wherever_it_was_written_or_kept() {
    UiClient operator = NODE.person(Role.OPERATOR, "house");
    UiPage node = operator.get("/ui/configuration");
    List<String> links = node.document().select("section a").eachAttr("href");

    assertThat(node.body()).doesNotContain(MARK).doesNotContain("czNjcj");
    assertThat(links).hasSize(5);
    for (String each : links) {
      UiPage page = operator.get(each);
      assertThat(page.status()).isEqualTo(200);
      assertThat(page.body()).as(each).doesNotContain(MARK).doesNotContain("czNjcj");
    }
  }

  @Test
  void what_holds_is_shown_with_defaults_and_what_the_node_was_started_with() {
    UiPage page = NODE.person(Role.OPERATOR, "house").get("/ui/configuration");

    assertThat(page.text("main"))
        .contains("slots 7", "node ui-node", "lease 30s", "payload_after 30d")
        .contains("tombstone_after never", "otlp_endpoint http://127.0.0.1:9/…")
        .contains("public_url https://jobs.example.com/…", "password not set", "session_max 12h");
  }

  @Test
  void kinds_and_providers_have_pages_of_their_own() {
    UiClient operator = NODE.person(Role.OPERATOR, "house");

    assertThat(operator.get("/ui/configuration/kinds/plain").text("main"))
        .contains("route program, keyed, model, async", "attempt_timeout 90s", "attempts 3")
        .contains("effect exclusive", "No rule", "a result may be anything");
    assertThat(operator.get("/ui/configuration/providers/keyed").text("main"))
        .contains("in_flight 64", "base_url https://pay.example.com/…", "api_key_env PAY_KEY")
        .contains("headers.X-Token set, not shown", "key_kept 24h", "per_call 0.30000000004");
    assertThat(operator.get("/ui/configuration/providers/model").text("main"))
        .contains("parameters.max_tokens 100", "parameters.metadata set, not shown")
        .contains("messages.1.role user", "messages.1.content set, not shown", "model large-1");
    assertThat(operator.get("/ui/configuration/kinds/none").status()).isEqualTo(404);
    assertThat(operator.get("/ui/configuration/providers/plain").status()).isEqualTo(404);
  }

  @Test
  void only_operators_see_the_configuration() {
    UiClient client = NODE.person(Role.CLIENT, "shop");

    assertThat(client.get("/ui/configuration").status()).isEqualTo(403);
    assertThat(client.get("/ui/configuration/kinds/plain").status()).isEqualTo(403);
    assertThat(client.get("/ui/configuration/kinds/none").status()).isEqualTo(403);
  }

  static List<String> types() {
    return ProviderTypes.ALL.stream().map(ProviderType::name).toList();
  }

  /** Every setting that the schema of a type knows, each text of no named form with a secret. */
  @ParameterizedTest
  @MethodSource("types")
  void no_free_text_of_any_type_of_provider_is_shown(String name) {
    JsonNode schema = ProviderTypes.named(name).orElseThrow().settingsSchema();
    JsonNode everything = filledIn(schema, schema);

    List<Setting> shown = OwnSettings.of(schema, everything);

    assertThat(texts(shown)).doesNotContain(MARK);
    assertThat(shown).hasSizeGreaterThanOrEqualTo(everything.size());
  }

  @Test
  void a_setting_that_no_schema_describes_is_hidden() {
    JsonNode own = JSON.objectNode().put("new", MARK).put("pin", 1234).put("on", true);

    assertThat(OwnSettings.of(JSON.objectNode(), own))
        .extracting(Setting::value)
        .containsOnly(new Value.Hidden());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "postgres://user:s3cr3t@db:5432/jobs?password=s3cr3t",
        "postgresql://s3cr3t@db:5432/jobs",
        "postgres://u:p@s3cr3t@db:5432/jobs",
        "jdbc:postgresql://db:5432/jobs?user=u&password=s3cr3t",
        "jdbc:postgresql://db:5432/jobs;password=s3cr3t"
      })
  void of_the_address_of_a_database_only_host_and_name_are_shown(String url) {
    Value shown = Value.database(url);

    assertThat(shown).isInstanceOf(Value.Plain.class);
    assertThat(shown.toString()).contains("db:5432/jobs").doesNotContain(MARK);
    assertThat(DatabaseSettings.of(url).toString()).doesNotContain(MARK);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"jdbc:postgresql:s3cr3t", "postgres:s3cr3t", "s3cr3t", "postgres://db/s3cr3t!"})
  void of_an_address_of_another_form_nothing_is_shown_that_may_be_a_secret(String url) {
    assertThat(Value.database(url).toString()).doesNotContain(MARK);
    assertThat(Value.address(url).toString()).doesNotContain(MARK);
  }

  private static String texts(List<Setting> settings) {
    return settings.stream()
        .map(each -> each.value() instanceof Value.Plain plain ? plain.text() : "")
        .collect(Collectors.joining("\n"));
  }

  /** A value for each setting of a schema, whether or not all of them make sense together. */
  private static JsonNode filledIn(JsonNode root, JsonNode schema) {
    if (schema.has("$ref")) {
      return filledIn(root, root.at(schema.path("$ref").stringValue().substring(1)));
    }
    if (schema.has("enum")) {
      return schema.path("enum").path(0);
    }
    String type = schema.path("type").isArray() ? first(schema) : schema.path("type").asString("");
    return switch (type) {
      case "object" -> object(root, schema);
      case "array" -> JSON.arrayNode().add(filledIn(root, schema.path("items")));
      case "integer", "number" -> JSON.numberNode(7);
      case "boolean" -> JSON.booleanNode(true);
      case "string" -> JSON.stringNode(text(schema.path("format").asString("")));
      default -> JSON.objectNode().put("free", MARK);
    };
  }

  private static String first(JsonNode schema) {
    return schema.path("type").path(0).asString("");
  }

  private static ObjectNode object(JsonNode root, JsonNode schema) {
    ObjectNode object = JSON.objectNode();
    for (Map.Entry<String, JsonNode> each : schema.path("properties").properties()) {
      if (each.getValue().isObject()) {
        object.set(each.getKey(), filledIn(root, each.getValue()));
      }
    }
    JsonNode others = schema.path("additionalProperties");
    object.set("other", others.isObject() ? filledIn(root, others) : JSON.stringNode(MARK));
    return object;
  }

  private static String text(String format) {
    if (format.equals("address")) {
      return "https://s3cr3t:s3cr3t@host.example/s3cr3t?key=s3cr3t#s3cr3t";
    }
    return NAMES.contains(format) ? "a-name" : MARK;
  }
}
