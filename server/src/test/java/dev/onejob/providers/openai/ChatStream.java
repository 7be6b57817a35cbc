package dev.onejob.providers.openai;

import java.util.ArrayList;
import java.util.List;

/** Streams of chunks, as endpoints send them. */
final class ChatStream {
  static final String DONE = "data: [DONE]\n\n";

  private ChatStream() {}

  static String chunk(String delta, String finish) {
    String reason = finish == null ? "null" : "\"" + finish + "\"";
    return event(
        "{\"model\":\"m\",\"choices\":[{\"index\":0,\"delta\":"
            + delta
            + ",\"finish_reason\":"
            + reason
            + "}],\"usage\":null}");
  }

  static String event(String json) {
    return "data: " + json + "\n\n";
  }

  /** A whole one, in its events. */
  static List<String> events() {
    return List.of(
        ": keep-alive\n\n",
        chunk("{\"role\":\"assistant\",\"content\":\"\"}", null),
        chunk("{\"content\":\"be\"}", null),
        chunk("{\"content\":\"cause\"}", null),
        chunk("{}", "stop"),
        event(
            "{\"model\":\"m\",\"choices\":[],"
                + "\"usage\":{\"prompt_tokens\":5,\"completion_tokens\":2}}"),
        DONE);
  }

  /** All beginnings of a stream that lack its last event, and one that lacks half of it. */
  static List<String> cuts(List<String> events) {
    List<String> cuts = new ArrayList<>();
    StringBuilder sofar = new StringBuilder();
    for (String event : events.subList(0, events.size() - 1)) {
      sofar.append(event);
      cuts.add(sofar.toString());
    }
    cuts.add(sofar + events.getLast().substring(0, events.getLast().length() - 1));
    return cuts;
  }
}
