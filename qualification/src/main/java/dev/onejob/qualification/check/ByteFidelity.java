package dev.onejob.qualification.check;

import dev.onejob.qualification.Ask.Series;
import dev.onejob.qualification.Candidate.Ability;
import dev.onejob.qualification.Check;
import dev.onejob.qualification.Json;
import dev.onejob.qualification.Judgement;
import dev.onejob.qualification.Judgement.Bearing;
import dev.onejob.qualification.Transcript;
import dev.onejob.qualification.Transcript.Entry;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/** Q15: strings come back as they are, to the last code point. */
final class ByteFidelity implements Check {
  @Override
  public String id() {
    return "Q15";
  }

  @Override
  public String title() {
    return "text comes back unchanged";
  }

  @Override
  public Judgement judge(Transcript transcript) {
    if (!transcript.provider().can(Ability.TWISTED)) {
      return Tally.notApplicable(this, Bearing.GATE, "this type of provider cannot be asked so");
    }
    Tally tally = new Tally(this, Bearing.GATE);
    transcript
        .of(Series.ECHO)
        .filter(entry -> entry.ask().about().equals("strings"))
        .forEach(entry -> look(entry, tally));
    return tally.rated(transcript.promise());
  }

  private static void look(Entry entry, Tally tally) {
    if (entry.came().text() == null) {
      tally.untold(entry.ask(), Answers.ending(entry.came()));
      return;
    }
    difference(entry)
        .ifPresentOrElse(
            says -> tally.wrong(entry.ask(), "text is mangled: " + says),
            () -> tally.right(entry.ask()));
  }

  /** What came back differently; empty if nothing. */
  static Optional<String> difference(Entry entry) {
    JsonNode sent = Objects.requireNonNull(entry.ask().expected()).path("echo");
    String text = Objects.requireNonNull(entry.came().text());
    JsonNode back = Json.read(text).path("echo");
    if (back.isMissingNode()) {
      return Optional.of("the answer is no echo: " + Texts.quoted(text));
    }
    for (int i = 0; i < sent.size(); i++) {
      String before = sent.get(i).stringValue();
      JsonNode after = back.path(i);
      if (!after.isString() || !after.stringValue().equals(before)) {
        return Optional.of(spelled(before) + " came back as " + spelled(after.asString("nothing")));
      }
    }
    return back.size() == sent.size()
        ? Optional.empty()
        : Optional.of(sent.size() + " strings were sent and " + back.size() + " came back");
  }

  /** With what cannot be seen written out. */
  private static String spelled(String text) {
    String shown =
        text.codePoints()
            .limit(40)
            .mapToObj(c -> c >= 0x20 && c < 0x7f ? Character.toString(c) : "[U+%04X]".formatted(c))
            .collect(Collectors.joining());
    return "\u201c" + shown.strip() + "\u201d";
  }
}
