package dev.onejob.qualification.check;

import dev.onejob.qualification.Ask.Series;
import dev.onejob.qualification.Check;
import dev.onejob.qualification.Judgement;
import dev.onejob.qualification.Judgement.Bearing;
import dev.onejob.qualification.Transcript;
import dev.onejob.qualification.Transcript.Entry;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Q12: no control marker leaks into answers, and such text in the input comes back as data. */
final class SpecialTokens implements Check {
  private static final Pattern MARKER =
      Pattern.compile(
          "<\\|[a-z_]{2,30}\\|>|</?s>|\\[/?INST]|<</?SYS>>|<(start|end)_of_turn>"
              + "|<\uff5c[^\uff5c]{2,40}\uff5c>|(?m)^(system|user|assistant) ?:\\s");

  @Override
  public String id() {
    return "Q12";
  }

  @Override
  public String title() {
    return "no special tokens leak";
  }

  @Override
  public Judgement judge(Transcript transcript) {
    if (transcript.provider().model() == null) {
      return Tally.notApplicable(this, Bearing.GATE, "no model with a template answers");
    }
    Tally tally = new Tally(this, Bearing.GATE);
    transcript
        .of(Series.SAMPLE, Series.COLD)
        .filter(entry -> entry.came().text() != null)
        .forEach(
            entry ->
                leaked(transcript, entry)
                    .ifPresentOrElse(
                        marker ->
                            tally.wrong(
                                entry.ask(),
                                "a special token leaks into the answer: " + Texts.quoted(marker)),
                        () -> tally.right(entry.ask())));
    transcript
        .of(Series.ECHO)
        .filter(entry -> entry.ask().about().equals("markers"))
        .forEach(entry -> asData(entry, tally));
    return tally.rated(transcript.promise());
  }

  private static Optional<String> leaked(Transcript transcript, Entry entry) {
    String input = new String(transcript.sample(entry.ask()).input(), StandardCharsets.UTF_8);
    Matcher markers = MARKER.matcher(Objects.requireNonNull(entry.came().text()));
    Set<String> known = new HashSet<>(); // each is looked up once, however often it comes
    while (markers.find()) {
      String marker = markers.group().strip();
      if (known.add(marker) && !input.contains(marker)) {
        return Optional.of(marker);
      }
    }
    return Optional.empty();
  }

  private static void asData(Entry entry, Tally tally) {
    if (entry.came().text() == null) {
      tally.untold(entry.ask(), Answers.ending(entry.came()));
      return;
    }
    Optional<String> difference = ByteFidelity.difference(entry);
    if (difference.isEmpty()) {
      tally.right(entry.ask());
    } else {
      tally.wrong(
          entry.ask(), "text that looks like a special token is no data: " + difference.get());
    }
  }
}
