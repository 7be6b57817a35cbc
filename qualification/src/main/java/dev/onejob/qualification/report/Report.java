package dev.onejob.qualification.report;

import dev.onejob.domain.Money;
import dev.onejob.domain.Prices;
import dev.onejob.domain.Usage;
import dev.onejob.qualification.Judgement;
import dev.onejob.qualification.Judgement.Bearing;
import dev.onejob.qualification.Judgement.Verdict;
import dev.onejob.qualification.Observation;
import dev.onejob.qualification.Plan;
import dev.onejob.qualification.Transcript;
import dev.onejob.qualification.Transcript.Entry;
import dev.onejob.qualification.check.Checks;
import dev.onejob.qualification.check.Identity;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * What a whole run proves.
 *
 * @param answeringModel by its own word; null if it gave none
 * @param unanswered questions of which nobody knows what came
 */
public record Report(
    List<Judgement> judgements, @Nullable String answeringModel, Taken taken, int unanswered) {
  /** Copies the list. */
  public Report {
    judgements = List.copyOf(judgements);
  }

  /** What it took, by the provider's own figures; answers without figures count nothing. */
  public record Taken(
      int asked, int answered, long promptTokens, long completionTokens, @Nullable Paid paid) {
    static Taken by(Transcript transcript, @Nullable Prices prices) {
      int answered = 0;
      long prompt = 0;
      long completion = 0;
      for (Entry entry : transcript.entries()) {
        answered += entry.came().said() == null && entry.came().result() == null ? 0 : 1;
        prompt += Math.max(0, entry.came().usage("prompt_tokens"));
        completion += Math.max(0, entry.came().usage("completion_tokens"));
      }
      Paid paid = prices == null ? null : Paid.by(transcript, prices);
      return new Taken(transcript.entries().size(), answered, prompt, completion, paid);
    }
  }

  /**
   * What it has cost, by the prices of the node that judged it.
   *
   * @param unpriced answers without the figures that their price hangs on: the amount is without
   *     them
   */
  public record Paid(Money amount, int unpriced) {
    static Paid by(Transcript transcript, Prices prices) {
      Money amount = prices.nothing();
      int unpriced = 0;
      for (Entry entry : transcript.entries()) {
        if (isCharged(entry)) {
          Optional<Money> price = prices.of(usage(entry));
          amount = price.isPresent() ? amount.plus(price.get()) : amount;
          unpriced += price.isPresent() ? 0 : 1;
        }
      }
      return new Paid(amount, unpriced);
    }

    /** Failures are played from this machine, renderings are no completions, refusals are free. */
    private static boolean isCharged(Entry entry) {
      return Plan.Estimate.isSent(entry.ask())
          && switch (entry.came().ending()) {
            case SUCCEEDED, FAILED, IN_DOUBT, STOPPED, UNANSWERED -> true;
            case REFUSED, REFUSED_FOR_NOW, NOT_ASKABLE -> false;
          };
    }

    private static Usage usage(Entry entry) {
      Observation.Said said = entry.came().said();
      return new Usage(
          tokens(entry, "prompt_tokens"),
          tokens(entry, "completion_tokens"),
          said == null ? null : said.model());
    }

    private static @Nullable Long tokens(Entry entry, String figure) {
      long tokens = entry.came().usage(figure);
      return tokens < 0 ? null : (Long) tokens;
    }
  }

  /**
   * Runs every check.
   *
   * @param prices of the provider; null: nobody has written them down
   */
  public static Report on(Transcript transcript, @Nullable Prices prices) {
    return new Report(
        Checks.ALL.stream().map(check -> check.judge(transcript)).toList(),
        Identity.answering(transcript).orElse(null),
        Taken.by(transcript, prices),
        transcript.unanswered());
  }

  /** Whether no gate stands in the way, and every question has its answer. */
  public boolean passes() {
    return unanswered == 0 && judgements.stream().noneMatch(Judgement::blocks);
  }

  /** Whether an answer that came was wrong, and a gate has failed by it. */
  public boolean disproves() {
    return judgements.stream()
        .anyMatch(
            each ->
                each.bearing() == Bearing.GATE
                    && each.verdict() == Verdict.FAILED
                    && each.rate().right() < each.rate().asked());
  }

  /** As it is kept. */
  public ObjectNode toJson() {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("passed", passes());
    if (unanswered > 0) {
      json.put("unanswered", unanswered);
    }
    if (answeringModel != null) {
      json.put("answering_model", answeringModel);
    }
    ObjectNode told =
        json.putObject("taken")
            .put("asked", taken.asked())
            .put("answered", taken.answered())
            .put("prompt_tokens", taken.promptTokens())
            .put("completion_tokens", taken.completionTokens());
    Paid paid = taken.paid();
    if (paid != null) {
      told.putObject("price")
          .put("amount", paid.amount().digits())
          .put("currency", paid.amount().currency());
      told.put("unpriced", paid.unpriced());
    }
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
