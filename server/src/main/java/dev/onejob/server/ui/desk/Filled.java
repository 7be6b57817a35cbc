package dev.onejob.server.ui.desk;

import dev.onejob.domain.Limits;
import dev.onejob.domain.Result;
import dev.onejob.domain.Then;
import dev.onejob.domain.Verdict;
import dev.onejob.engine.Decision;
import dev.onejob.intent.JsonLimits;
import dev.onejob.intent.JsonRefused;
import dev.onejob.intent.StrictJson;
import dev.onejob.server.http.problem.Problem;
import dev.onejob.server.http.problem.ProblemType;
import dev.onejob.server.http.request.DecisionBody;
import dev.onejob.server.ui.page.Form;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * What a person has filled in to decide something, as it was written; an empty text is nothing.
 *
 * @param choice {@link Says#value} of a choice
 * @param format {@code json} or {@code text}
 */
public record Filled(String choice, String reason, String result, String format) {
  /** Nothing yet. */
  public static final Filled NOTHING = new Filled("", "", "", Result.Format.JSON.word());

  private static final JsonLimits LIMITS =
      new JsonLimits(
          Limits.RESULT_BYTES_MAX,
          Limits.JSON_DEPTH_MAX,
          Limits.JSON_NUMBER_CHARS_MAX,
          Limits.JSON_STRING_CHARS_MAX);

  static Filled of(Form form) {
    return new Filled(
        text(form, "choice"), text(form, "reason"), text(form, "result"), text(form, "format"));
  }

  private static String text(Form form, String name) {
    String exact = form.exact(name);
    return exact == null ? "" : exact;
  }

  /** What was written, by the names of the fields: where there is no form any more to keep it. */
  public Map<String, String> texts() {
    Map<String, String> texts = new LinkedHashMap<>();
    if (!reason.isBlank()) {
      texts.put("reason", reason);
    }
    if (!result.isBlank()) {
      texts.put("result", result);
    }
    return texts;
  }

  /** The word before the dash: what is done. */
  String act() {
    return choice.split("-", 2)[0];
  }

  /** The provider of a choice to start an attempt; null: it is another choice. */
  @Nullable String startsAt() {
    return choice.startsWith(Says.START_AT) ? choice.substring(Says.START_AT.length()) : null;
  }

  /** How the job goes on; null: as is usual. */
  @Nullable Then then() {
    for (Then each : Then.values()) {
      if (choice.endsWith("-" + each.word())) {
        return each;
      }
    }
    return null;
  }

  /** Whether the two words are all that was chosen. */
  boolean isWhole() {
    return Says.value(act(), then()).equals(choice);
  }

  /**
   * The decision about an attempt, read as the API reads it.
   *
   * @throws dev.onejob.server.http.problem.ProblemException naming the field that cannot be used
   */
  Decision decision(String decidedBy) {
    if (choice.isEmpty() || !isWhole()) {
      throw Problem.field("/verdict", "Choose a verdict. Nothing was changed.");
    }
    ObjectNode body = JsonMapper.shared().createObjectNode();
    body.put("verdict", act()).put("reason", requiredReason());
    Then then = then();
    if (then != null) {
      body.put("then", then.word());
    }
    boolean brings = act().equals(Verdict.DONE.word());
    if (!brings && !result.isBlank()) {
      throw Problem.field("/result", "Only the verdict done brings a result. Nothing was changed.");
    }
    if (!brings) {
      return DecisionBody.read(bytes(body.toString()), decidedBy);
    }
    return format.equals(Result.Format.TEXT.word())
        ? DecisionBody.read(
            bytes(body.put("result", result).put("result_format", format).toString()), decidedBy)
        : DecisionBody.read(withJson(body), decidedBy);
  }

  /**
   * Why.
   *
   * @throws dev.onejob.server.http.problem.ProblemException if there is none
   */
  String requiredReason() {
    int chars = reason.codePointCount(0, reason.length());
    if (reason.isBlank() || chars > Limits.REASON_CHARS_MAX || reason.indexOf('\0') >= 0) {
      throw Problem.field(
          "/reason",
          "A reason is needed: 1 to "
              + Limits.REASON_CHARS_MAX
              + " characters, not all blank. Nothing was changed.");
    }
    return reason;
  }

  /** The result stays as it was written, to the digit: it is put into the body, not read anew. */
  private byte[] withJson(ObjectNode body) {
    byte[] raw = bytes(result);
    if (raw.length > Limits.RESULT_BYTES_MAX) {
      throw Problem.of(
              ProblemType.RESULT_TOO_LARGE,
              "A result has at most " + Limits.RESULT_BYTES_MAX + " bytes. Nothing was changed.")
          .asException();
    }
    try {
      StrictJson.read(raw, LIMITS);
    } catch (JsonRefused e) {
      throw Problem.of(
              ProblemType.FIELD_INVALID,
              "The result is not the JSON of a result: "
                  + e.getMessage()
                  + ". Nothing was changed.")
          .with("pointer", "/result" + e.pointer())
          .with("reason", e.reason().name().toLowerCase(Locale.ROOT))
          .asException();
    }
    String others = body.toString();
    return bytes(others.substring(0, others.length() - 1) + ",\"result\":" + result + "}");
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
