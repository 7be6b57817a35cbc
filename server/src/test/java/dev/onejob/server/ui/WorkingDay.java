package dev.onejob.server.ui;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.onejob.domain.Owner;
import dev.onejob.server.access.Role;
import dev.onejob.server.testing.ApiAnswer;
import dev.onejob.server.testing.ApiClient;
import dev.onejob.server.testing.UiClient;
import dev.onejob.server.testing.UiNode;
import dev.onejob.server.webhooks.Receiver;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A node in the middle of a working day: a shop, a cafe and a studio give it work, a bank falls
 * silent, a fallback is pressed, races are lost. All of it happens for real; sandbox providers play
 * the outside. Each kind of story has one job, by a name.
 */
final class WorkingDay implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private static final Duration ROUND = Duration.ofSeconds(5);

  private static final String CONFIG =
      """
      server: {node: front-1, public_url: "%s"}
      webhooks: {allowed_networks: [127.0.0.1], allow_http: true}
      ui: {playground: true}
      kinds:
        payment: {effect: exclusive, route: [bank-a, bank-b], attempt_timeout: 4s}
        summary:
          effect: harmless
          route: [model-a, model-b]
          attempt_timeout: 20s
          race: {after: 600ms}
        invoice: {effect: harmless, route: [reader-a, reader-b, reader-c], contract: %s}
        video: {effect: exclusive, route: [studio], attempt_timeout: 1h, in_flight: 1}
      providers:
        bank-a: {type: sandbox, status: by-reference, probe: {first: 1s, max: 20s}}
        bank-b: {type: sandbox}
        model-a: {type: sandbox, price: {currency: EUR, per_call: 0.04}}
        model-b: {type: sandbox, price: {currency: EUR, per_call: 0.12}}
        reader-a: {type: sandbox}
        reader-b: {type: sandbox}
        reader-c: {type: sandbox}
        studio: {type: sandbox, in_flight: 2}
      """;

  private static final String CONTRACT =
      """
      contract: invoice
      version: 3
      answer: json
      output: {"type":"object","required":["number","lines","total"],"properties":{
        "number":{"type":"string"},"total":{"type":"number"},
        "lines":{"type":"array","items":{"type":"number"}}}}
      rules:
        - name: lines-add-up
          rule: sum(output.lines) == output.total
          message: the lines add up to the total
          path: /total
      samples:
        - name: office-paper
          input: {"page": "office-paper.png", "script": {
            "reader-a": {"value": {"number": "HP-20417", "lines": [47.88, 18.75], "total": 66.63}},
            "reader-b": {"value": {"number": "HP-20417", "lines": [47.88, 18.75], "total": 66.63}},
            "reader-c": {"value": {"number": "HP-20417", "lines": [47.88, 18.75], "total": 65.63}}}}
          equal: {/number: HP-20417, /total: 66.63}
      """;

  private final UiNode node;
  private final ApiClient shop;
  private final ApiClient cafe;
  private final ApiClient operator;
  private final Receiver till = Receiver.answering(one -> 200);
  private final Receiver books = Receiver.answering(one -> 500);
  private final Map<String, String> jobs = new HashMap<>();
  private final Map<String, Runnable> repeats = new HashMap<>();

  private WorkingDay(UiNode node) throws IOException {
    this.node = node;
    this.shop = client("till", Role.CLIENT, "shop");
    this.cafe = client("counter", Role.CLIENT, "cafe");
    this.operator = client("Ada", Role.OPERATOR, "house");
  }

  private ApiClient client(String name, Role role, String owner) {
    return new ApiClient(node.uri(), node.keys().create(name, role, new Owner(owner)).secret());
  }

  /**
   * What a node is to be configured with.
   *
   * @param calledBack where providers reach it
   */
  static String config(URI calledBack) {
    try {
      Path contract = Files.createTempFile("invoice", ".contract.yaml");
      return CONFIG.formatted(calledBack, Files.writeString(contract, CONTRACT));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Lets it happen, which takes half a minute, and then a round of trade every five seconds.
   *
   * @param rounds of ordinary work; the chart of the overview counts by the minute
   */
  static WorkingDay on(UiNode node, int rounds) throws IOException {
    WorkingDay day = new WorkingDay(node);
    day.webhooks();
    day.qualify();
    day.stories();
    for (int round = 0; round < rounds; round++) {
      day.trade(round);
      await().pollDelay(ROUND).atMost(PATIENCE).until(() -> true);
    }
    return day;
  }

  /** The id of the job that tells this story. */
  String job(String story) {
    String id = jobs.get(story);
    assertThat(id).as(story).isNotNull();
    return id;
  }

  /** The id of an attempt of that job, from 1. */
  String attempt(String story, int number) {
    return operator.get("/v1/jobs/" + job(story)).at("/attempts/" + (number - 1) + "/id");
  }

  /**
   * The address of what one run was asked first and answered, beside another provider's answers.
   */
  String beside(String run, String other) {
    UiClient person = new UiClient(node.uri());
    person.logIn(node.secret(Role.OPERATOR, "house"));
    String question = person.get(job(run)).document().select("a[href*=/question]").attr("href");
    return person.get(question).document().select("a:contains(beside " + other + ")").attr("href");
  }

  private void webhooks() {
    Owner owner = new Owner("shop");
    node.withdraw(node.keys().create("old printer", Role.WORKER, owner));
    node.keys().create("printer", Role.WORKER, owner);
    for (Map.Entry<String, String> each :
        Map.of("till", till.url("/onejob"), "books", books.url("/")).entrySet()) {
      String body = "{\"name\":\"%s\",\"url\":\"%s\"}".formatted(each.getKey(), each.getValue());
      assertThat(shop.post("/v1/webhooks", body).status()).isEqualTo(201);
    }
  }

  /** One reader keeps the contract, the other adds up wrongly. */
  private void qualify() {
    UiClient person = new UiClient(node.uri());
    person.logIn(node.secret(Role.OPERATOR, "house"));
    for (String reader : List.of("reader-b", "reader-c")) {
      String cell = "/ui/qualifications/of?kind=invoice&provider=" + reader;
      String run = person.press(person.get(cell), "main form", Map.of()).header("Location");
      await()
          .atMost(Duration.ofSeconds(120))
          .until(() -> person.part(run).text("#run-state"), text -> !text.startsWith("running"));
      jobs.put(reader, run);
    }
  }

  private void stories() {
    String mute = "{\"outcome\":\"hang\",\"lookup\":{\"says\":\"not_found\"}}";
    pay("doubt", shop, "order-1042", "129.00", "{\"bank-a\":" + mute + "}");
    pay("doubt-2", shop, "order-1044", "18.50", "{\"bank-a\":" + mute + "}");
    pay("doubt-3", cafe, "table-7", "42.20", "{\"bank-a\":" + mute + "}");
    String late = "{\"answer_after_ms\":%d,\"lookup\":{\"says\":\"hang\"}}";
    pay(
        "fallback",
        shop,
        "order-1038",
        "64.90",
        "{\"bank-a\":%s,\"bank-b\":{\"answer_after_ms\":1500,\"value\":{\"receipt\":\"b-7713\"}}}"
            .formatted(late.formatted(18_000)));
    pay("contested", shop, "order-1031", "25.00", "{\"bank-a\":" + late.formatted(9_000) + "}");
    pay("decision", cafe, "table-3", "31.40", "{\"bank-a\":" + mute + "}");
    pay(
        "asked",
        shop,
        "order-1040",
        "77.10",
        """
        {"bank-a":{"outcome":"drop_after","value":{"receipt":"a-5521"},
             "lookup":[{"says":"not_found","until_ms":6000},{"says":"at_work"},{}]}}\
        """);
    pay("failed", cafe, "table-4", "9.80", "{\"bank-a\":{\"outcome\":\"refuse\"}}");
    submit(
        "race",
        shop,
        "digest-2026-11-30",
        "summary",
        """
        {
          "text": "minutes of the meeting of 30 November",
          "script": {"model-a": {"accept_after_ms": 50, "answer_after_ms": 3500},
                     "model-b": {"answer_after_ms": 900, "value": {"summary": "All agreed."}}}
        }\
        """);
    film("callback", shop, "film-12", 9_000);
    endOfDoubts();
    film("running", shop, "film-13", 3_000_000);
    film("queued", shop, "film-14", 3_000);
    film("cancelled", cafe, "film-3", 3_000);
    cafe.post("/v1/jobs/" + job("cancelled") + "/cancel", "");
  }

  /** What a person decides, and what comes too late for it. */
  private void endOfDoubts() {
    again("fallback");
    again("doubt");
    until("fallback", "/state", "unknown");
    again("fallback");
    resolve("fallback", "abandon", "bank A is down since 09:00, says its status page");
    shop.post("/v1/jobs/" + job("fallback") + "/attempts", "{\"provider\":\"bank-b\"}");
    until("contested", "/state", "unknown");
    resolve("contested", "not_done", "bank A says on the phone that it never came");
    until("decision", "/state", "unknown");
    resolve("decision", "not_done", "not in the list of today's payments");
    again("fallback");
    again("doubt");
    until("fallback", "/state", "succeeded");
    until("contested", "/contested", "true");
    until("asked", "/state", "succeeded");
    until("race", "/state", "succeeded");
    until("callback", "/state", "succeeded");
    again("race");
    again("doubt");
  }

  private void again(String story) {
    repeats.get(story).run();
  }

  /** What an ordinary day is made of. */
  private void trade(int round) {
    for (int i = 0; i < 3 + round % 3; i++) {
      int order = 1_100 + 10 * round + i;
      String part = "{\"bank-a\":{\"answer_after_ms\":%d,\"value\":{\"receipt\":\"a-%d\"}}}";
      pay("trade", shop, "order-" + order, order % 90 + ".20", part.formatted(100 + 90 * i, order));
    }
    String page =
        """
        {"page": "invoice-%d.png", "script": {"reader-a": {"value":
          {"number": "I-%d", "lines": [12.5, 7.5], "total": 20}}}}\
        """;
    submit("trade", cafe, "invoice-" + round, "invoice", page.formatted(round, round));
    if (round % 5 == 2) {
      again("trade");
      again("race");
      String wrong = "{\"kind\":\"invoice\",\"input\":{\"page\":\"another.png\"}}";
      assertThat(cafe.submit("invoice-" + round, wrong).status()).isEqualTo(409);
    }
  }

  private void film(String story, ApiClient by, String key, int afterMillis) {
    String input =
        """
        {
          "scene": "rain on a window",
          "script": {"studio": {
            "accept_after_ms": 200, "answer_after_ms": %d, "outcome": "drop_after",
            "callback": {"after_ms": %d, "value": {"film": "%s.mp4"}}}}
        }\
        """;
    submit(story, by, key, "video", input.formatted(afterMillis / 2, afterMillis, key));
  }

  private void pay(String story, ApiClient by, String key, String amount, String script) {
    String input =
        """
        {
          "order": "%s",
          "amount": "%s",
          "currency": "EUR",
          "script": %s
        }\
        """;
    submit(story, by, key, "payment", input.formatted(key, amount, script));
  }

  private void submit(String story, ApiClient by, String key, String kind, String input) {
    String body =
        "{\"kind\":\"%s\",\"tags\":[\"%s\"],\"input\":%s}"
            .formatted(kind, kind.equals("payment") ? "web" : "night", input);
    ApiAnswer answer = by.submit(key, body);
    assertThat(answer.status()).as(answer.text()).isIn(200, 201);
    jobs.put(story, answer.at("/id"));
    repeats.put(story, () -> assertThat(by.submit(key, body).status()).isEqualTo(200));
  }

  private void until(String story, String pointer, String value) {
    await(story)
        .atMost(PATIENCE)
        .until(() -> operator.get("/v1/jobs/" + job(story)).at(pointer), value::equals);
  }

  private void resolve(String story, String verdict, String reason) {
    String body = "{\"verdict\":\"%s\",\"then\":\"wait\",\"reason\":\"%s\"}";
    ApiAnswer answer =
        operator.post(
            "/v1/attempts/" + attempt(story, 1) + "/resolution", body.formatted(verdict, reason));
    assertThat(answer.status()).as(answer.text()).isEqualTo(200);
  }

  @Override
  public void close() {
    till.close();
    books.close();
  }
}
