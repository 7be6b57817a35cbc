package dev.onejob.qualification.report;

import dev.onejob.qualification.Judgement;
import dev.onejob.qualification.Transcript;
import dev.onejob.qualification.Transcript.Entry;
import dev.onejob.qualification.check.Checks;
import dev.onejob.qualification.check.Identity;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * What a whole run proves.
 *
 * @param answeringModel by its own word; null if it gave none
 */
public record Report(List<Judgement> judgements, @Nullable String answeringModel, Taken taken) {
  /** Copies the list. */
  public Report {
    judgements = List.copyOf(judgements);
  }

  /** What it took, by the provider's own figures; answers without figures count nothing. */
  public record Taken(int asked, int answered, long promptTokens, long completionTokens) {
    static Taken by(Transcript transcript) {
      int answered = 0;
      long prompt = 0;
      long completion = 0;
      for (Entry entry : transcript.entries()) {
        answered += entry.came().said() == null && entry.came().result() == null ? 0 : 1;
        prompt += Math.max(0, entry.came().usage("prompt_tokens"));
        completion += Math.max(0, entry.came().usage("completion_tokens"));
      }
      return new Taken(transcript.entries().size(), answered, prompt, completion);
    }
  }

  /** Runs every check. */
  public static Report on(Transcript transcript) {
    return new Report(
        Checks.ALL.stream().map(check -> check.judge(transcript)).toList(),
        Identity.answering(transcript).orElse(null),
        Taken.by(transcript));
  }

  /** Whether no gate stands in the way. */
  public boolean passes() {
    return judgements.stream().noneMatch(Judgement::blocks);
  }

  /** As it is kept. */
  public ObjectNode toJson() {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("passed", passes());
    if (answeringModel != null) {
      json.put("answering_model", answeringModel);
    }
    json.putObject("taken")
        .put("asked", taken.asked())
        .put("answered", taken.answered())
        .put("prompt_tokens", taken.promptTokens())
        .put("completion_tokens", taken.completionTokens());
    ArrayNode checks = json.putArray("checks");
    judgements.forEach(each -> checks.add(toJson(each)));
    return json;
  }

  private static ObjectNode toJson(Judgement judgement) {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("check", judgement.check())
        .put("title", judgement.title())
        .put("bearing", judgement.bearing().word())
        .put("verdict", judgement.verdict().word())
        .put("right", judgement.rate().right())
        .put("asked", judgement.rate().asked())
        .put(
            "lower_bound",
            Double.parseDouble(String.format(Locale.ROOT, "%.3f", judgement.lowerBound())));
    if (!judgement.note().isEmpty()) {
      json.put("note", judgement.note());
    }
    ArrayNode evidence = json.putArray("evidence");
    judgement
        .evidence()
        .forEach(each -> evidence.addObject().put("ask", each.ask()).put("says", each.says()));
    return json;
  }
}
