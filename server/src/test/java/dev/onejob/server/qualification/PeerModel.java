package dev.onejob.server.qualification;

import java.text.Normalizer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** What stands in for the model of a {@link FaultyPeer}. */
final class PeerModel {
  private static final JsonMapper JSON = new JsonMapper();
  private static final Pattern ORDER =
      Pattern.compile("answer with exactly this JSON and nothing else: (\\{[^}]*})");
  private static final Pattern CANARY = Pattern.compile("canary-[0-9a-f]{8}");
  private static final String INVOICE = "Invoice: ";
  private static final String ECHO = "in the same order.\n";

  private final Supplier<@Nullable Fault> fault;
  private final Map<String, AtomicInteger> invoices = new ConcurrentHashMap<>();

  PeerModel(Supplier<@Nullable Fault> fault) {
    this.fault = fault;
  }

  record Answer(String text, String finish, @Nullable String refusal) {
    static Answer of(String text) {
      return new Answer(text, "stop", null);
    }
  }

  private boolean has(Fault one) {
    return fault.get() == one;
  }

  Answer answer(JsonNode request) {
    String text = obeyed(request.path("messages"));
    if (text == null) {
      return invoice(said(request.path("messages"), "user"), request);
    }
    return cut(Answer.of(stopped(text, request)), request);
  }

  /** What an order to answer in certain words brings; null if there is none. */
  private @Nullable String obeyed(JsonNode messages) {
    String system = has(Fault.SYSTEM_TURN_IGNORED) ? "" : said(messages, "system");
    String user = said(messages, "user");
    String first = has(Fault.OVERRIDDEN_BY_INPUT) ? ordered(user) : null;
    String order = first != null ? first : ordered(system);
    if (order != null) {
      return order;
    }
    if (user.contains("{\"echo\": [...]}")) {
      return echo(user.substring(user.indexOf(ECHO) + ECHO.length()));
    }
    if (user.contains("{\"canaries\": [...]}")) {
      return canaries(user);
    }
    if (user.contains("kill a child process")) {
      return "{\"command\": \"kill -9 4711\"}";
    }
    String written = "Write exactly this line and nothing else: ";
    return user.startsWith(written) ? user.substring(written.length()) : null;
  }

  private static String said(JsonNode messages, String role) {
    StringBuilder said = new StringBuilder();
    for (JsonNode message : messages) {
      if (message.path("role").asString().equals(role)) {
        said.append(message.path("content").asString());
      }
    }
    return said.toString();
  }

  private static @Nullable String ordered(String text) {
    Matcher order = ORDER.matcher(text);
    return order.find() ? order.group(1) : null;
  }

  private String echo(String list) {
    ObjectNode answer = JSON.createObjectNode();
    ArrayNode echo = answer.putArray("echo");
    for (JsonNode each : JSON.readTree(list)) {
      String text = each.asString();
      echo.add(has(Fault.MANGLED_UNICODE) ? Normalizer.normalize(text, Normalizer.Form.NFC) : text);
    }
    return JSON.writeValueAsString(answer);
  }

  private String canaries(String user) {
    List<String> found = new ArrayList<>();
    Matcher words = CANARY.matcher(user);
    while (words.find()) {
      found.add(words.group());
    }
    boolean cut = has(Fault.MIDDLE_TRUNCATED) || has(Fault.MIDDLE_TRUNCATED_AS_COUNTED);
    if (cut && found.size() > 2) {
      found.remove(found.size() / 2);
    }
    ObjectNode answer = JSON.createObjectNode();
    found.forEach(answer.putArray("canaries")::add);
    return JSON.writeValueAsString(answer);
  }

  private String stopped(String text, JsonNode request) {
    for (JsonNode stop : request.path("stop")) {
      int at = text.indexOf(stop.asString());
      if (at >= 0 && !has(Fault.STOP_IGNORED)) {
        return text.substring(0, at);
      }
    }
    return text;
  }

  private Answer invoice(String user, JsonNode request) {
    JsonNode input = JSON.readTree(user.substring(user.indexOf(INVOICE) + INVOICE.length()));
    ObjectNode right = JSON.createObjectNode();
    int total = 0;
    for (JsonNode line : input.path("lines")) {
      total += line.path("amount").asInt();
    }
    right.put("id", input.path("id").asString()).put("total", total);
    right.put(
        "summary",
        "This is the invoice of the shop for the goods that it has sent to the customer.");
    return cut(spoilt(right, asked(user, request)), request);
  }

  /** How often the same was asked. */
  private int asked(String user, JsonNode request) {
    return invoices
        .computeIfAbsent(user + request.path("temperature"), key -> new AtomicInteger())
        .incrementAndGet();
  }

  private Answer spoilt(ObjectNode right, int number) {
    Fault one = fault.get();
    if (one == null) {
      return Answer.of(text(right));
    }
    return switch (one) {
      case EXTRA_TOP_LEVEL_KEY -> Answer.of(text(right.put("confidence", 1)));
      case FENCED_JSON -> Answer.of("```json\n" + text(right) + "\n```");
      case PROSE_BEFORE_JSON -> Answer.of("Here is what you asked for: " + text(right));
      case PROSE_AFTER_JSON -> Answer.of(text(right) + " I hope that this helps.");
      case MEMBER_TWICE -> Answer.of("{\"total\":0," + text(right).substring(1));
      case NUMBER_AS_TEXT -> Answer.of(text(right.put("total", right.path("total").asString())));
      case SCHEMA_ECHOED -> Answer.of(InvoiceContract.SCHEMA);
      case CUT_AT_MAX_TOKENS ->
          new Answer(text(right).substring(0, text(right).length() / 2), "length", null);
      case REFUSAL -> Answer.of("I'm sorry, but I can't help with reading invoices.");
      case REFUSAL_BY_FIELD -> new Answer("", "stop", "Invoices are private.");
      case WRONG_LANGUAGE ->
          Answer.of(
              text(
                  right.put(
                      "summary",
                      "Das ist die Rechnung des Ladens für die Waren, die er dem Kunden mit der"
                          + " Post geschickt hat.")));
      case FOUR_RIGHT_OF_FIVE -> {
        if (number % 5 == 0) {
          right.remove("id");
        }
        yield Answer.of(text(right));
      }
      case SPECIAL_TOKENS_LEAK ->
          Answer.of(text(right.put("summary", right.path("summary").asString() + "<|im_end|>")));
      case IDS_ALTERED -> Answer.of(text(right.put("id", right.path("id").asString() + "0")));
      case SUMS_WRONG -> Answer.of(text(right.put("total", right.path("total").asInt() + 10)));
      case SYSTEM_TURN_IGNORED,
          OVERRIDDEN_BY_INPUT,
          BEGIN_TOKEN_DOUBLED,
          CUT_NOT_REPORTED,
          MIDDLE_TRUNCATED,
          MIDDLE_TRUNCATED_AS_COUNTED,
          OTHER_MODEL,
          MANGLED_UNICODE,
          STOP_IGNORED ->
          Answer.of(text(right));
    };
  }

  private Answer cut(Answer answer, JsonNode request) {
    int limit = request.path("max_tokens").asInt(Integer.MAX_VALUE);
    String[] words = answer.text().split(" ");
    if (words.length <= limit) {
      return answer;
    }
    if (has(Fault.CUT_NOT_REPORTED)) {
      return Answer.of("{\"id\":\"INV-1\",\"total\":0,\"summary\":\"\"}");
    }
    String kept = String.join(" ", Arrays.copyOf(words, limit));
    return new Answer(kept, "length", null);
  }

  private static String text(JsonNode value) {
    return JSON.writeValueAsString(value);
  }
}
