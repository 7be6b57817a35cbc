package dev.onejob.qualification.check;

import dev.onejob.qualification.Ask.Series;
import dev.onejob.qualification.Check;
import dev.onejob.qualification.Judgement;
import dev.onejob.qualification.Judgement.Bearing;
import dev.onejob.qualification.Transcript;
import dev.onejob.qualification.Transcript.Entry;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/** Q21: who answers is who was asked, every time. */
public final class Identity implements Check {
  /** A name with a date behind it is the same model, told more exactly. */
  private static final Pattern DATED = Pattern.compile("[-@:](\\d{4}-?\\d{2}-?\\d{2}|\\d{4})");

  /** Made by {@link Checks}. */
  Identity() {}

  @Override
  public String id() {
    return "Q21";
  }

  @Override
  public String title() {
    return "the model that answers is the one that was asked";
  }

  @Override
  public Judgement judge(Transcript transcript) {
    String asked = transcript.provider().model();
    if (asked == null) {
      return Tally.notApplicable(this, Bearing.GATE, "this type of provider names no model");
    }
    Tally tally = new Tally(this, Bearing.GATE);
    Set<String> models = new TreeSet<>();
    for (Entry entry : transcript.of(Series.SAMPLE, Series.COLD).toList()) {
      if (entry.came().said() != null) {
        look(asked, entry, models, tally);
      }
    }
    return tally.strict(transcript.promise());
  }

  private static void look(String asked, Entry entry, Set<String> models, Tally tally) {
    String answering = entry.came().said() == null ? null : entry.came().said().model();
    if (answering == null) {
      tally.wrong(entry.ask(), "the provider does not say which model answers");
    } else if (!isSame(asked, answering)) {
      tally.wrong(entry.ask(), "another model answers: " + answering + " instead of " + asked);
    } else if (models.add(answering) && models.size() > 1) {
      tally.wrong(entry.ask(), "several models answer by turns: " + String.join(", ", models));
    } else {
      tally.right(entry.ask());
    }
  }

  private static boolean isSame(String asked, String answering) {
    return answering.equals(asked)
        || (answering.startsWith(asked)
            && DATED.matcher(answering.substring(asked.length())).matches());
  }

  /** The model that answered the samples, by its own word; empty if none said so. */
  public static Optional<String> answering(Transcript transcript) {
    return transcript
        .of(Series.SAMPLE, Series.COLD)
        .map(entry -> entry.came().said())
        .filter(said -> said != null && said.model() != null)
        .map(said -> String.valueOf(said.model()))
        .findFirst();
  }
}
