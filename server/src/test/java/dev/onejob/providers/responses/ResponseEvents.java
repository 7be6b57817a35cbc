package dev.onejob.providers.responses;

import java.util.ArrayList;
import java.util.List;

/** Streams of the events of a response, as OpenAI's specification has them. */
final class ResponseEvents {
  static final String CREATED =
      event("response.created", "\"response\":" + ResponsesPeer.status("in_progress").body());

  private ResponseEvents() {}

  static String event(String type, String more) {
    return "event: " + type + "\ndata: {\"type\":\"" + type + "\"," + more + "}\n\n";
  }

  static String ended(String status, String more) {
    return event("response." + status, "\"response\":" + ResponsesPeer.response(status, more));
  }

  /** A whole one. */
  static List<String> events() {
    return List.of(
        CREATED,
        event("response.output_text.delta", "\"delta\":\"be\""),
        event("response.output_text.delta", "\"delta\":\"cause\""),
        event("response.a_later_kind", "\"x\":1"),
        event("response.output_text.done", "\"text\":\"because\""),
        ended("completed", ResponsesPeer.output("because")));
  }

  /** All beginnings of it that lack its last event, and one that lacks the end of that. */
  static List<String> cuts() {
    List<String> cuts = new ArrayList<>();
    StringBuilder sofar = new StringBuilder();
    for (String event : events().subList(0, events().size() - 1)) {
      sofar.append(event);
      cuts.add(sofar.toString());
    }
    String last = events().getLast();
    cuts.add(sofar + last.substring(0, last.length() - 1));
    return cuts;
  }
}
