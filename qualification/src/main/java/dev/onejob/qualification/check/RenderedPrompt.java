package dev.onejob.qualification.check;

import dev.onejob.qualification.Ask.Series;
import dev.onejob.qualification.Check;
import dev.onejob.qualification.Judgement;
import dev.onejob.qualification.Judgement.Bearing;
import dev.onejob.qualification.Judgement.Verdict;
import dev.onejob.qualification.Observation.Ending;
import dev.onejob.qualification.Observation.Rendering;
import dev.onejob.qualification.Transcript;
import dev.onejob.qualification.Transcript.Entry;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/** Q11: the prompt as the server renders it begins once, and lets the assistant speak. */
final class RenderedPrompt implements Check {
  private static final Set<String> BEGINS =
      Set.of(
          "<s>",
          "<bos>",
          "[BOS]",
          "<|begin_of_text|>",
          "<|startoftext|>",
          "<|begin\u2581of\u2581sentence|>",
          "<\uff5cbegin\u2581of\u2581sentence\uff5c>");
  private static final Pattern SPEAKS =
      Pattern.compile("(?is).*(assistant|model|\\[/inst]|<\\|?bot\\|?>)[^a-z]{0,40}\\s*$");

  @Override
  public String id() {
    return "Q11";
  }

  @Override
  public String title() {
    return "the rendered prompt has one begin token and ends with the assistant's turn";
  }

  @Override
  public Judgement judge(Transcript transcript) {
    List<Entry> asked = asked(transcript).toList();
    List<Entry> rendered = shown(asked);
    if (isNotShown(asked)) {
      return Tally.notApplicable(
          this,
          Bearing.GATE,
          transcript.provider().model() == null
              ? "no model with a template answers"
              : "the server does not show how it renders a prompt");
    }
    Tally tally = new Tally(this, Bearing.GATE);
    for (Entry entry : rendered) {
      Rendering rendering = entry.came().rendering();
      List<String> faults = rendering == null ? List.of() : faults(rendering);
      if (faults.isEmpty()) {
        tally.right(entry.ask());
      } else {
        tally.wrong(entry.ask(), String.join("; ", faults));
      }
    }
    return unlessMissing(this, asked, tally.strict(transcript.promise()));
  }

  /** The questions for rendered prompts. */
  static Stream<Entry> asked(Transcript transcript) {
    return transcript.of(Series.RENDERING, Series.RENDERED_CONTEXT);
  }

  /** Whether the server has said, each time, that it does not show how it renders. */
  static boolean isNotShown(List<Entry> asked) {
    return asked.stream().allMatch(entry -> entry.came().ending() == Ending.NOT_ASKABLE);
  }

  /** Those that it has shown. */
  static List<Entry> shown(List<Entry> asked) {
    return asked.stream().filter(entry -> entry.came().rendering() != null).toList();
  }

  /** One that was not shown, while it is not sure that none ever is, lets nothing pass. */
  static Judgement unlessMissing(Check check, List<Entry> asked, Judgement judgement) {
    return judgement.verdict() == Verdict.PASSED
        ? asked.stream()
            .filter(entry -> entry.came().rendering() == null)
            .findFirst()
            .map(
                entry ->
                    Tally.inconclusive(
                        check,
                        judgement.bearing(),
                        entry.ask().key() + " is missing; " + Answers.ending(entry.came())))
            .orElse(judgement)
        : judgement;
  }

  private static List<String> faults(Rendering rendering) {
    List<String> faults = new ArrayList<>();
    List<String> begins = leading(rendering);
    if (begins.size() > 1) {
      faults.add(
          "the template doubles the begin token: the prompt begins with "
              + String.join(" ", begins));
    }
    if (!SPEAKS.matcher(rendering.prompt()).matches()) {
      faults.add("the prompt does not end with the assistant's turn: " + tail(rendering.prompt()));
    }
    String back = rendering.roundTrip();
    if (back != null && !bare(back).equals(bare(rendering.prompt()))) {
      faults.add("the tokens turned back into text are another text than the prompt");
    }
    return faults;
  }

  /** The begin tokens that the token list starts with; else those that the text starts with. */
  private static List<String> leading(Rendering rendering) {
    List<String> found = new ArrayList<>();
    for (JsonNode piece : rendering.pieces()) {
      String text = piece.asString("").strip();
      if (!BEGINS.contains(text)) {
        break;
      }
      found.add(text);
    }
    return found.isEmpty() ? leading(rendering.prompt()) : found;
  }

  private static List<String> leading(String prompt) {
    List<String> found = new ArrayList<>();
    String rest = prompt.stripLeading();
    for (String next = begin(rest); !next.isEmpty(); next = begin(rest)) {
      found.add(next);
      rest = rest.substring(next.length()).stripLeading();
    }
    return found;
  }

  private static String begin(String text) {
    return BEGINS.stream().filter(text::startsWith).findFirst().orElse("");
  }

  private static String bare(String text) {
    String rest = text.stripLeading();
    for (String next = begin(rest); !next.isEmpty(); next = begin(rest)) {
      rest = rest.substring(next.length()).stripLeading();
    }
    return rest.strip();
  }

  private static String tail(String prompt) {
    return Texts.quoted(prompt.substring(Math.max(0, prompt.length() - 40)));
  }
}
