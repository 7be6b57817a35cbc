package dev.onejob.server.ui.job;

import dev.onejob.domain.Then;
import dev.onejob.engine.Decision;
import dev.onejob.engine.Reopen;
import dev.onejob.server.http.request.DecisionBody;
import dev.onejob.server.http.request.Members;
import dev.onejob.server.http.request.ReopenBody;
import dev.onejob.server.ui.page.Form;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * What people fill in, as the bodies of the API: the same reading, with the same bounds and the
 * same words for what is wrong.
 */
final class JobForms {
  private static final int NUMBER_CHARS_MAX = 9;

  private JobForms() {}

  /** A decision about an attempt. */
  static Decision decision(Form form, String decidedBy) {
    ObjectNode body = texts(form, "verdict", "then", "reason", "result_format");
    String result = form.exact("result");
    if (result == null || result.isBlank()) {
      return DecisionBody.read(bytes(body), decidedBy);
    }
    if ("text".equals(form.text("result_format"))) {
      body.put("result", result);
      return DecisionBody.read(bytes(body), decidedBy);
    }
    return DecisionBody.read(with(body, "result", result), decidedBy);
  }

  /** The text of a value as it is, after it was read by itself: it can bring nothing else along. */
  private static byte[] with(ObjectNode body, String name, String json) {
    String alone = "{\"" + name + "\":" + json + "}";
    Members.read(alone.getBytes(StandardCharsets.UTF_8), Set.of(name));
    String others = body.toString();
    String before = others.substring(0, others.length() - 1);
    String comma = body.isEmpty() ? "" : ",";
    return (before + comma + alone.substring(1)).getBytes(StandardCharsets.UTF_8);
  }

  /** That a failed job goes on. */
  static Reopen reopen(Form form, String decidedBy, InstantSource clock) {
    ObjectNode body = texts(form, "reason");
    number(body, "attempts", form.text("attempts"));
    return ReopenBody.read(bytes(body), decidedBy, clock);
  }

  private static void number(ObjectNode body, String name, @Nullable String text) {
    if (text != null && text.length() <= NUMBER_CHARS_MAX && text.matches("[0-9]+")) {
      body.put(name, Long.parseLong(text));
    } else if (text != null) {
      body.put(name, text); // refused as what it is
    }
  }

  /** An acknowledgement: how the job goes on. */
  static Then then(Form form) {
    Then then = DecisionBody.then(members(form));
    return then == null ? Then.WAIT : then;
  }

  /** An acknowledgement: why. */
  static String reason(Form form) {
    return DecisionBody.reason(members(form));
  }

  private static Members members(Form form) {
    return Members.read(bytes(texts(form, "then", "reason")), Set.of("then", "reason"));
  }

  private static ObjectNode texts(Form form, String... names) {
    ObjectNode body = JsonNodeFactory.instance.objectNode();
    for (String name : names) {
      String text = form.text(name);
      if (text != null) {
        body.put(name, text);
      }
    }
    return body;
  }

  private static byte[] bytes(ObjectNode body) {
    return body.toString().getBytes(StandardCharsets.UTF_8);
  }
}
