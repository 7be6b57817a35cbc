package dev.onejob.qualification.check;

import dev.onejob.qualification.Ask.Series;
import dev.onejob.qualification.Check;
import dev.onejob.qualification.Json;
import dev.onejob.qualification.Judgement;
import dev.onejob.qualification.Judgement.Bearing;
import dev.onejob.qualification.Observation;
import dev.onejob.qualification.Transcript;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/** Q8: the model does not refuse the contract's own inputs. */
final class Refusals implements Check {
  private static final Pattern PHRASE =
      Pattern.compile(
          "(?i)^\\W*((i'?m |i am )?(sorry|afraid)\\b.{0,40}"
              + "\\b(can'?t|cannot|unable|not able|won'?t)"
              + "|i (can'?t|cannot|won'?t|am unable to|am not able to) (help|assist|comply|provide"
              + "|answer|do|process|fulfil)|as an? (ai|language model)\\b)");

  @Override
  public String id() {
    return "Q8";
  }

  @Override
  public String title() {
    return "the contract's own inputs are not refused";
  }

  @Override
  public Judgement judge(Transcript transcript) {
    Tally tally = new Tally(this, Bearing.GATE);
    transcript
        .of(Series.SAMPLE, Series.COLD)
        .filter(entry -> entry.came().text() != null || in(entry.came()).isPresent())
        .forEach(
            entry ->
                in(entry.came())
                    .ifPresentOrElse(
                        says -> tally.wrong(entry.ask(), says), () -> tally.right(entry.ask())));
    transcript
        .of(Series.BENIGN)
        .forEach(
            entry ->
                in(entry.came())
                    .ifPresent(
                        says -> tally.note(entry.ask(), "a harmless question, no gate: " + says)));
    return tally.rated(transcript.promise());
  }

  /** In which words an answer refuses; empty if it does not. */
  static Optional<String> in(Observation came) {
    Observation.Said said = came.said();
    if (said != null && said.refusal() != null) {
      return Optional.of("the model refuses: " + Texts.quoted(said.refusal()));
    }
    String text = came.text();
    if (text == null) {
      return Optional.empty();
    }
    if (text.isBlank()) {
      return Optional.of("the answer is empty");
    }
    JsonNode value = Json.read(text);
    Stream<String> texts = value.isMissingNode() ? Stream.of(text) : Texts.strings(value).stream();
    return texts
        .filter(each -> PHRASE.matcher(each.strip().replace('\u2019', '\'')).find())
        .findFirst()
        .map(each -> "the answer is a refusal: " + Texts.quoted(each));
  }
}
