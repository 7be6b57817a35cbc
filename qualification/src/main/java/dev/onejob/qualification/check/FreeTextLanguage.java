package dev.onejob.qualification.check;

import dev.onejob.qualification.Ask.Series;
import dev.onejob.qualification.Check;
import dev.onejob.qualification.Json;
import dev.onejob.qualification.Judgement;
import dev.onejob.qualification.Judgement.Bearing;
import dev.onejob.qualification.Transcript;
import dev.onejob.qualification.Transcript.Entry;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/** Q16: free text is in the language that the contract asks for; a gate if it asks for one. */
final class FreeTextLanguage implements Check {
  @Override
  public String id() {
    return "Q16";
  }

  @Override
  public String title() {
    return "free text is in the contract's language";
  }

  @Override
  public Judgement judge(Transcript transcript) {
    String wanted = transcript.promise().language().orElse(null);
    if (wanted == null) {
      return Tally.notApplicable(this, Bearing.REPORT, "the contract asks for no language");
    }
    if (!Languages.knows(wanted)) {
      return Tally.notApplicable(
          this, Bearing.REPORT, "nobody here can tell the language " + wanted);
    }
    Tally tally = new Tally(this, Bearing.GATE);
    transcript.of(Series.SAMPLE, Series.COLD).forEach(entry -> look(wanted, entry, tally));
    return tally.rated(transcript.promise());
  }

  private static void look(String wanted, Entry entry, Tally tally) {
    String text = Answers.whole(entry);
    if (text == null) {
      return;
    }
    JsonNode value = Json.read(text);
    String prose = value.isMissingNode() ? text : String.join(" \n", Texts.strings(value));
    Optional<String> found = Languages.of(prose);
    if (found.isEmpty() || found.get().equals(wanted)) {
      tally.right();
    } else {
      tally.wrong(
          entry.ask(),
          "the answer is in the wrong language: %s instead of %s in %s"
              .formatted(found.get(), wanted, Texts.quoted(prose)));
    }
  }
}
