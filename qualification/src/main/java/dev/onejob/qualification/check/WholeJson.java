package dev.onejob.qualification.check;

import dev.onejob.intent.JsonRefused;
import dev.onejob.qualification.Ask.Series;
import dev.onejob.qualification.Check;
import dev.onejob.qualification.Json;
import dev.onejob.qualification.Judgement;
import dev.onejob.qualification.Judgement.Bearing;
import dev.onejob.qualification.Observation;
import dev.onejob.qualification.Transcript;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Q1: the whole answer is one JSON value, and nothing stands around it. */
final class WholeJson implements Check {
  private static final String BYTE_ORDER_MARK = "\ufeff";

  @Override
  public String id() {
    return "Q1";
  }

  @Override
  public String title() {
    return "the whole body is one JSON value";
  }

  @Override
  public Judgement judge(Transcript transcript) {
    if (transcript.promise().schema().isEmpty()) {
      return Tally.notApplicable(this, Bearing.GATE, "the contract asks for no JSON");
    }
    Tally tally = new Tally(this, Bearing.GATE);
    transcript
        .of(Series.SAMPLE, Series.COLD)
        .forEach(
            entry -> {
              String text = entry.came().text();
              if (text == null || text.isBlank() || Refusals.in(entry.came()).isPresent()) {
                return; // there is no body: other checks say why
              }
              Optional<String> fault = fault(text, entry.came().said());
              fault.ifPresentOrElse(
                  says -> tally.wrong(entry.ask(), says), () -> tally.right(entry.ask()));
            });
    return tally.rated(transcript.promise());
  }

  private static Optional<String> fault(String text, Observation.@Nullable Said said) {
    Optional<JsonRefused> flaw =
        Json.flaw(text).filter(each -> each.reason() != JsonRefused.Reason.DUPLICATE_MEMBER);
    boolean cut = said != null && FinishReason.isCut(said.finish());
    return flaw.isEmpty() || cut ? Optional.empty() : Optional.of(words(text, flaw.get()));
  }

  private static String words(String text, JsonRefused flaw) {
    String bare = text.strip();
    if (text.startsWith(BYTE_ORDER_MARK)) {
      return "a byte order mark stands before the JSON";
    }
    if (bare.startsWith("```")) {
      return "the answer is fenced: it begins with " + Texts.quoted(firstLine(bare));
    }
    int brace = firstBrace(bare);
    if (brace > 0) {
      return "prose stands before the JSON: " + Texts.quoted(bare.substring(0, brace).strip());
    }
    if (brace < 0) {
      return "the answer is prose and no JSON: " + Texts.quoted(bare);
    }
    return String.valueOf(flaw.getMessage()).startsWith("more after the value")
        ? "more stands after the JSON: " + Texts.quoted(bare.substring(tail(flaw, bare)))
        : "the answer is no JSON: " + flaw.getMessage();
  }

  private static int tail(JsonRefused flaw, String bare) {
    return Math.clamp(flaw.offset(), 0, bare.length());
  }

  private static String firstLine(String text) {
    return text.lines().findFirst().orElse(text);
  }

  private static int firstBrace(String text) {
    int object = text.indexOf('{');
    int array = text.indexOf('[');
    return object < 0 ? array : array < 0 ? object : Math.min(object, array);
  }
}
