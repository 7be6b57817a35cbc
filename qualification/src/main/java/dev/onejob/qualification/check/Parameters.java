package dev.onejob.qualification.check;

import dev.onejob.qualification.Ask.Series;
import dev.onejob.qualification.Candidate;
import dev.onejob.qualification.Candidate.Ability;
import dev.onejob.qualification.Check;
import dev.onejob.qualification.Judgement;
import dev.onejob.qualification.Judgement.Bearing;
import dev.onejob.qualification.Transcript;
import dev.onejob.qualification.Transcript.Entry;
import tools.jackson.databind.JsonNode;

/** Q18: parameters that are set have their effect, and production sets those of the contract. */
final class Parameters implements Check {
  /** A token more, for the one that ends the text. */
  private static final int CUT_TOKENS_MAX = 16;

  @Override
  public String id() {
    return "Q18";
  }

  @Override
  public String title() {
    return "parameters have their effect";
  }

  @Override
  public Judgement judge(Transcript transcript) {
    if (!transcript.provider().can(Ability.TWISTED)) {
      return Tally.notApplicable(this, Bearing.GATE, "this type of provider has no parameters");
    }
    Tally tally = new Tally(this, Bearing.GATE);
    transcript.of(Series.CUT).forEach(entry -> cut(entry, tally));
    transcript.of(Series.STOP).forEach(entry -> stop(entry, tally));
    transcript.of(Series.SAMPLE).limit(1).forEach(entry -> temperature(transcript, entry, tally));
    return tally.strict(transcript.promise());
  }

  private static void cut(Entry entry, Tally tally) {
    long tokens = entry.came().usage("completion_tokens");
    if (tokens > CUT_TOKENS_MAX) {
      tally.wrong(entry.ask(), "the token limit is ignored: " + tokens + " tokens came");
    } else if (tokens >= 0 || isCut(entry)) {
      tally.right(entry.ask());
    } else {
      tally.untold(entry.ask(), "no figure of tokens; " + Answers.ending(entry.came()));
    }
  }

  private static boolean isCut(Entry entry) {
    return entry.came().said() != null && FinishReason.isCut(entry.came().said().finish());
  }

  private static void stop(Entry entry, Tally tally) {
    String text = entry.came().text();
    if (text == null) {
      tally.untold(entry.ask(), Answers.ending(entry.came()));
    } else if (text.contains("omega")) {
      tally.wrong(entry.ask(), "the stop sequence is ignored: " + Texts.quoted(text));
    } else {
      tally.right(entry.ask());
    }
  }

  private static void temperature(Transcript transcript, Entry entry, Tally tally) {
    Double wanted = transcript.promise().temperature();
    Candidate provider = transcript.provider();
    if (wanted == null) {
      return;
    }
    JsonNode parameter = provider.parameters().get("temperature");
    double set = parameter == null ? Double.NaN : parameter.asDouble(Double.NaN);
    if (parameter == null && provider.model() != null) {
      tally.wrong(
          entry.ask(),
          "production sets no temperature, and the contract is for "
              + wanted
              + ": set it in the provider's parameters");
    } else if (parameter == null || set == wanted) {
      tally.right(entry.ask());
    } else {
      tally.wrong(
          entry.ask(),
          "production asks at temperature " + set + ", and the contract is for " + wanted);
    }
  }
}
