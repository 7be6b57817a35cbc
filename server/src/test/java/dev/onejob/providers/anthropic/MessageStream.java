package dev.onejob.providers.anthropic;

import java.util.ArrayList;
import java.util.List;

/** Streams of a message's events, as Anthropic documents them. */
final class MessageStream {
  static final String START =
      event(
          "message_start",
          "{\"type\":\"message_start\",\"message\":{\"id\":\"msg_1\",\"type\":\"message\","
              + "\"role\":\"assistant\",\"content\":[],\"model\":\"m\",\"stop_reason\":null,"
              + "\"usage\":{\"input_tokens\":25,\"cache_read_input_tokens\":3,"
              + "\"output_tokens\":1}}}");
  static final String BLOCK =
      event(
          "content_block_start",
          "{\"type\":\"content_block_start\",\"index\":0,"
              + "\"content_block\":{\"type\":\"text\",\"text\":\"\"}}");
  static final String PING = event("ping", "{\"type\":\"ping\"}");
  static final String STOP = event("message_stop", "{\"type\":\"message_stop\"}");

  private MessageStream() {}

  static String event(String name, String data) {
    return "event: " + name + "\ndata: " + data + "\n\n";
  }

  static String says(String text) {
    return event(
        "content_block_delta",
        "{\"type\":\"content_block_delta\",\"index\":0,\"delta\":{\"type\":\"text_delta\","
            + "\"text\":\""
            + text
            + "\"}}");
  }

  static String ends(String reason) {
    return event(
        "message_delta",
        "{\"type\":\"message_delta\",\"delta\":{\"stop_reason\":\""
            + reason
            + "\",\"stop_sequence\":null},\"usage\":{\"output_tokens\":15}}");
  }

  static String error(String type) {
    return event(
        "error", "{\"type\":\"error\",\"error\":{\"type\":\"" + type + "\",\"message\":\"x\"}}");
  }

  /** A whole one, in its events. */
  static List<String> events() {
    return List.of(
        START,
        BLOCK,
        PING,
        says("be"),
        event("a_later_kind", "{\"type\":\"a_later_kind\"}"),
        says("cause"),
        event("content_block_stop", "{\"type\":\"content_block_stop\",\"index\":0}"),
        ends("end_turn"),
        STOP);
  }

  /** All beginnings of it that lack its last event, and one that lacks the end of that. */
  static List<String> cuts() {
    List<String> cuts = new ArrayList<>();
    StringBuilder sofar = new StringBuilder();
    for (String event : events().subList(0, events().size() - 1)) {
      sofar.append(event);
      cuts.add(sofar.toString());
    }
    cuts.add(sofar + STOP.substring(0, STOP.length() - 1));
    return cuts;
  }
}
