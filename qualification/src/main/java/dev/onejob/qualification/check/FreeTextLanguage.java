package dev.onejob.qualification.check;

import dev.onejob.qualification.Ask.Series;
import dev.onejob.qualification.Check;
import dev.onejob.qualification.Json;
import dev.onejob.qualification.Judgement;
import dev.onejob.qualification.Judgement.Bearing;
import dev.onejob.qualification.Promise;
import dev.onejob.qualification.Promise.Breach;
import dev.onejob.qualification.Transcript;
import dev.onejob.qualification.Transcript.Entry;
import java.util.List;
import tools.jackson.databind.JsonNode;

/** Q16: texts are in the language that the contract asks for; a gate if it asks for one. */
final class FreeTextLanguage implements Check {
  @Override
  public String id() {
    return "Q16";
  }

  @Override
  public String title() {
    return "texts are in the contract's language";
  }

  @Override
  public Judgement judge(Transcript transcript) {
    if (transcript.promise().speaking() == Promise.Speaking.ANY_LANGUAGE) {
      return Tally.notApplicable(this, Bearing.REPORT, "the contract asks for no language");
    }
    Tally tally = new Tally(this, Bearing.GATE);
    transcript.of(Series.SAMPLE, Series.COLD).forEach(entry -> look(transcript, entry, tally));
    return tally.rated(transcript.promise());
  }

  private static void look(Transcript transcript, Entry entry, Tally tally) {
    String text = Answers.whole(entry);
    if (text == null) {
      return;
    }
    List<Breach> breaches =
        transcript.promise().breaches(transcript.sample(entry.ask()), text, Answers.usage(entry));
    if (Answers.lacksForm(breaches)) {
      return; // rules are about answers that have the form that they speak of
    }
    breaches.stream()
        .filter(breach -> breach.sort() == Breach.Sort.LANGUAGE)
        .findFirst()
        .ifPresentOrElse(
            breach ->
                tally.wrong(
                    entry.ask(),
                    "the answer is in the wrong language: "
                        + breach.says()
                        + ", got "
                        + Texts.quoted(prose(text))),
            () -> tally.right(entry.ask()));
  }

  private static String prose(String text) {
    JsonNode value = Json.read(text);
    return value.isMissingNode() ? text : String.join(" / ", Texts.strings(value));
  }
}
