package dev.onejob.qualification.check;

import dev.onejob.qualification.Ask;
import dev.onejob.qualification.Ask.Series;
import dev.onejob.qualification.Check;
import dev.onejob.qualification.Judgement;
import dev.onejob.qualification.Judgement.Bearing;
import dev.onejob.qualification.Observation.Rendering;
import dev.onejob.qualification.Transcript;
import dev.onejob.qualification.Transcript.Entry;
import java.util.List;

/** Q13: the provider counted as many prompt tokens as the rendered prompt has. */
final class TokenParity implements Check {
  /** A begin or end token more or less is a habit of counting. */
  private static final int SLACK_TOKENS = 4;

  private static final double SLACK_SHARE = 0.02;

  @Override
  public String id() {
    return "Q13";
  }

  @Override
  public String title() {
    return "prompt tokens are as many as the prompt has";
  }

  @Override
  public Judgement judge(Transcript transcript) {
    List<Entry> asked = RenderedPrompt.asked(transcript).toList();
    if (RenderedPrompt.isNotShown(asked)) {
      return Tally.notApplicable(
          this,
          Bearing.GATE,
          transcript.provider().model() == null
              ? "this type of provider counts no tokens"
              : "the server does not count the tokens of a prompt");
    }
    Tally tally = new Tally(this, Bearing.GATE);
    for (Entry each : RenderedPrompt.shown(asked)) {
      Rendering rendering = each.came().rendering();
      Series series =
          each.ask().series() == Series.RENDERED_CONTEXT ? Series.CONTEXT : Series.SAMPLE;
      transcript
          .of(series)
          .filter(entry -> series == Series.CONTEXT || sameSample(each.ask(), entry.ask()))
          .filter(entry -> series == Series.SAMPLE || entry.ask().number() == 1)
          .filter(entry -> entry.came().usage("prompt_tokens") >= 0)
          .forEach(entry -> compare(rendering == null ? 0 : rendering.tokens(), entry, tally));
    }
    return RenderedPrompt.unlessMissing(this, asked, tally.strict(transcript.promise()));
  }

  private static boolean sameSample(Ask rendering, Ask sample) {
    return rendering.about().equals(sample.about());
  }

  private static void compare(int tokens, Entry entry, Tally tally) {
    long counted = entry.came().usage("prompt_tokens");
    double slack = Math.max(SLACK_TOKENS, tokens * SLACK_SHARE);
    if (Math.abs(counted - tokens) <= slack) {
      tally.right(entry.ask());
    } else {
      tally.wrong(
          entry.ask(),
          counted < tokens
              ? "the prompt was silently truncated: it has "
                  + tokens
                  + " tokens and the model read "
                  + counted
              : "something was added to the prompt: it has "
                  + tokens
                  + " tokens and the model read "
                  + counted);
    }
  }
}
