package dev.onejob.server.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.onejob.domain.Owner;
import dev.onejob.server.access.Role;
import dev.onejob.server.webhooks.Receiver;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.node.JsonNodeFactory;

/**
 * A node on which much has happened: jobs in every state, doubts, a race, decisions, webhooks that
 * were heard and others that were not, keys in use and withdrawn. A text of the test's choice
 * stands wherever somebody from outside can have put one.
 */
public final class Exhibit implements AutoCloseable {
  private static final String CONFIG =
      """
      server: {node: front-1, stop_grace: 0s}
      webhooks: {allowed_networks: [127.0.0.1], allow_http: true}
      ui: {playground: true}
      kinds:
        payment: {effect: exclusive, route: [bank-a, bank-b], attempt_timeout: 1s}
        summary:
          effect: harmless
          route: [model-a, model-b]
          attempt_timeout: 20s
          race: {after: 300ms}
        video: {effect: exclusive, route: [studio], attempt_timeout: 1h, in_flight: 1}
        letter: {effect: harmless, route: [reader-a, reader-b], contract: %s}
      providers:
        bank-a: {type: sandbox}
        bank-b: {type: sandbox}
        model-a: {type: sandbox, price: {currency: EUR, per_call: 0.04}}
        model-b: {type: sandbox, price: {currency: EUR, per_call: 0.12}}
        studio: {type: sandbox, in_flight: 2}
        reader-a: {type: sandbox}
        reader-b: {type: sandbox}
      """;

  /** Of which one reader keeps what it asks for. */
  private static final String CONTRACT =
      """
      contract: letter
      version: 1
      answer: json
      output: {"type":"object","required":["provider"],"properties":{"provider":{"type":"string"},
        "job":{"type":"string"},"attempt":{"type":"string"},"request":{"type":"integer"}}}
      rules:
        - name: who
          rule: output.provider == 'reader-a'
          message: "\\"><img src=x onerror=alert(1)> only a may"
          path: /provider
      samples:
        - name: small
          input: {"text": "<script>alert(1)</script>", "n": 1234567890123456789,
            "f": 0.30000000000000004}
      """;

  /** More than a page shows of an input or a result. */
  private static final int LARGE_CHARS = 30_000;

  /** Whose jobs these are. */
  public static final String OWNER = "shop";

  /** Numbers that a page which reads them as its own would change. */
  public static final String LONG = "1234567890123456789";

  public static final String FRACTION = "0.30000000000000004";

  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final UiNode node;
  private final String prefix;
  private final String text;
  private final boolean hostile;
  private final ApiClient client;
  private final ApiClient operator;
  private final Receiver till;
  private final Receiver books;
  private String doubted = "";
  private String inDoubt = "";
  private String large = "";

  private Exhibit(UiNode node, String prefix, String text) throws IOException {
    this.node = node;
    this.prefix = prefix;
    this.text = JsonNodeFactory.instance.stringNode(text).toString();
    this.hostile = text.contains("<");
    this.client = node.client(Role.CLIENT, OWNER);
    this.operator = node.client(Role.OPERATOR, "house");
    this.till = Receiver.answering(one -> 200);
    this.books = Receiver.answering(one -> 500);
  }

  /** What a node is to be configured with. */
  public static String config() {
    try {
      Path contract = Files.createTempFile("letter", ".contract.yaml");
      return CONFIG.formatted(Files.writeString(contract, CONTRACT));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Lets all of it happen, and waits until it has.
   *
   * @param prefix of the keys of the jobs; visible ASCII
   * @param text in inputs, results, errors, reasons and names of keys
   */
  public static Exhibit on(UiNode node, String prefix, String text) {
    try {
      Exhibit exhibit = new Exhibit(node, prefix, text);
      exhibit.fill(text);
      return exhibit;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void fill(String keyName) {
    node.keys().create(keyName, Role.CLIENT, new Owner(OWNER));
    node.withdraw(node.keys().create(keyName, Role.WORKER, new Owner(OWNER)));
    webhook("till", till.url(hostile ? "/?a='onerror=alert(1)" : "/onejob"));
    webhook("books", books.url("/"));

    operator.post(
        "/v1/qualification-runs",
        "{\"kind\":\"letter\",\"providers\":[\"reader-a\",\"reader-b\"]}");
    String filled = "\"" + "x".repeat(LARGE_CHARS) + "\"";
    large =
        job(
            11,
            "summary",
            "{\"model-a\":{\"value\":{\"said\":%s,\"n\":%s,\"x\":%s,\"f\":" + filled + "}}}");
    job(1, "summary", "{\"model-a\":{\"value\":{\"said\":%s,\"n\":%s,\"x\":%s}}}");
    job(1, "summary", "{\"model-a\":{\"value\":{\"said\":%s,\"n\":%s,\"x\":%s}}}");
    job(2, "summary", "{\"model-a\":{\"accept_after_ms\":10,\"answer_after_ms\":1500}}");
    job(3, "payment", "{\"bank-a\":{\"outcome\":\"status\",\"status\":400,\"body\":%s}}");
    job(4, "payment", "{\"bank-a\":{\"outcome\":\"refuse\"},\"bank-b\":{\"outcome\":\"refuse\"}}");
    String waiting =
        job(5, "payment", "{\"bank-a\":{\"outcome\":\"status\",\"status\":500,\"body\":%s}}");
    String resolved = job(6, "payment", "{\"bank-a\":{\"outcome\":\"hang\"}}");
    job(7, "payment", "{\"bank-b\":{\"outcome\":\"hang\"},\"bank-a\":{\"outcome\":\"hang\"}}");
    String slow = "{\"studio\":{\"accept_after_ms\":50,\"answer_after_ms\":3000000}}";
    job(8, "video", slow);
    job(9, "video", slow);
    String cancelled = job(10, "video", slow);
    client.post("/v1/jobs/" + cancelled + "/cancel", "");

    awaitState(waiting, "unknown");
    inDoubt = waiting;
    doubted = client.get("/v1/jobs/" + waiting).at("/attempts/0/id");
    awaitState(resolved, "unknown");
    resolve(resolved);
    await()
        .atMost(PATIENCE)
        .until(
            () -> operator.get("/v1/qualification-runs?kind=letter").text(),
            runs -> runs.contains("\"passed\"") && runs.contains("\"failed\""));
    await().atMost(PATIENCE).until(() -> !till.received().isEmpty() && !books.received().isEmpty());
  }

  /**
   * Addresses of pages that no other page leads to, or of which the links may be far away.
   *
   * @param person somebody who has logged in, and plays at the playground
   */
  public List<String> addresses(UiClient person) {
    return List.of("/ui/attempts/" + doubted, "/ui/jobs/" + large, played(person));
  }

  /** The address of a run of the playground that is over. */
  private static String played(UiClient person) {
    Map<String, String> quick =
        Map.of("delay_a", "200", "outcome_a", "succeed", "delay_b", "0", "outcome_b", "succeed");
    UiPage begun = person.press(person.get("/ui/playground"), "form.play", quick);
    String run = begun.header("Location").replaceFirst("#.*", "");
    await().atMost(PATIENCE).until(() -> !person.get(run).document().select("#verdict").isEmpty());
    return run;
  }

  /** The id of a job that is in doubt. */
  public String inDoubt() {
    return inDoubt;
  }

  /** The id of its attempt. */
  public String doubted() {
    return doubted;
  }

  private String job(int number, String kind, String script) {
    String input =
        "{\"note\":%s,\"n\":%s,\"x\":%s,\"script\":%s}"
            .formatted(text, LONG, FRACTION, script.formatted(text, LONG, FRACTION));
    String body =
        "{\"kind\":\"%s\",\"tags\":[\"%s\",\"number-%d\"],\"input\":%s}"
            .formatted(kind, hostile ? "=1+1" : "web", number, input);
    ApiAnswer answer = client.submit(prefix + number, body);
    assertThat(answer.status()).as(answer.text()).isIn(200, 201);
    return answer.at("/id");
  }

  private void webhook(String name, String url) {
    String body = "{\"name\":\"%s\",\"url\":\"%s\"}".formatted(name, url);
    ApiAnswer answer = client.post("/v1/webhooks", body);
    assertThat(answer.status()).as(answer.text()).isEqualTo(201);
  }

  private void awaitState(String job, String state) {
    await().atMost(PATIENCE).until(() -> client.get("/v1/jobs/" + job).at("/state").equals(state));
  }

  private void resolve(String job) {
    String attempt = client.get("/v1/jobs/" + job).at("/attempts/0/id");
    ApiAnswer answer =
        operator.send(
            "POST",
            "/v1/attempts/" + attempt + "/resolution",
            "{\"verdict\":\"not_done\",\"then\":\"wait\",\"reason\":%s}".formatted(text),
            Map.of());
    assertThat(answer.status()).as(answer.text()).isEqualTo(200);
  }

  @Override
  public void close() {
    till.close();
    books.close();
  }
}
