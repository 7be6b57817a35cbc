package dev.onejob.server.qualification;

import dev.onejob.providers.BoundedJson;
import dev.onejob.qualification.Ask;
import dev.onejob.qualification.Ask.Series;
import dev.onejob.qualification.Observation;
import dev.onejob.qualification.Transcript.Entry;
import dev.onejob.qualification.Twist;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Questions and answers as they are kept with a run. */
final class TranscriptJson {
  /** Of one text; what is longer is cut, visibly. */
  private static final int TEXT_CHARS_MAX = 16_384;

  private static final String CUT = " … (cut)";

  private TranscriptJson() {}

  static String write(List<Entry> entries) {
    ArrayNode all = JsonNodeFactory.instance.arrayNode();
    entries.forEach(entry -> all.add(json(entry)));
    return BoundedJson.text(all);
  }

  private static ObjectNode json(Entry entry) {
    Ask ask = entry.ask();
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("ask", ask.key());
    json.put("series", ask.series().word()).put("about", ask.about()).put("number", ask.number());
    json.put("input", shortened(new String(ask.input(), StandardCharsets.UTF_8)));
    json.set("twist", bounded(ask.twist().document()));
    if (ask.expected() != null) {
      json.set("expected", ask.expected());
    }
    json.set("came", bounded(entry.came().toJson()));
    return json;
  }

  private static JsonNode bounded(JsonNode value) {
    if (value.isString()) {
      return JsonNodeFactory.instance.stringNode(shortened(value.stringValue()));
    }
    if (!value.isObject()) {
      return value;
    }
    ObjectNode copy = JsonNodeFactory.instance.objectNode();
    value.properties().forEach(each -> copy.set(each.getKey(), bounded(each.getValue())));
    return copy;
  }

  private static String shortened(String text) {
    if (text.length() <= TEXT_CHARS_MAX) {
      return text;
    }
    boolean splitsPair = Character.isHighSurrogate(text.charAt(TEXT_CHARS_MAX - 1));
    return text.substring(0, splitsPair ? TEXT_CHARS_MAX - 1 : TEXT_CHARS_MAX) + CUT;
  }

  /** Reads what {@link #write} wrote. */
  static List<Entry> read(@Nullable String transcript) {
    List<Entry> entries = new ArrayList<>();
    if (transcript != null) {
      JsonMapper.shared().readTree(transcript).forEach(each -> entries.add(entry(each)));
    }
    return entries;
  }

  private static Entry entry(JsonNode json) {
    JsonNode twist = json.path("twist");
    Ask ask =
        new Ask(
            Series.valueOf(
                json.path("series").asString("").toUpperCase(Locale.ROOT).replace('-', '_')),
            json.path("about").asString(""),
            json.path("number").asInt(0),
            json.path("input").asString("").getBytes(StandardCharsets.UTF_8),
            twist instanceof ObjectNode object ? new Twist(object) : Twist.none(),
            json.has("expected") ? json.path("expected") : null);
    return new Entry(ask, Observation.of(json.path("came")));
  }
}
